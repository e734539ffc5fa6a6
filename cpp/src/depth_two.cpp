#include "clearwood/depth_two.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "clearwood/coded.hpp"
#include "clearwood/cut_place.hpp"
#include "clearwood/fits.hpp"
#include "clearwood/parallel.hpp"
#include "clearwood/stump_errors.hpp"

namespace clearwood {
namespace {

/// Relative difference of weights that rounding can make.
constexpr double tie = 1e-12;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// A condition at the root with the best that can stand below it.
struct RootSplit {
    double errors = infinite;
    int n_stumps = 0;        ///< branches that are no leaves
    std::int32_t code = -1;  ///< numeric: the last rank of the first branch
    std::int32_t missing = no_branch;
};

/// What the best stump makes of rows that are taken in block after block.
struct Sweep {
    std::vector<double> right;  ///< weight that it puts right, after so many blocks
    std::vector<double> right_as_leaf;
};

class Search {
public:
    Search(const Table& table, const Labels& labels)
        : k_(static_cast<std::size_t>(labels.n_classes)) {
        std::vector<RowId> rows;
        for (std::size_t row = 0; row < table.n_rows; ++row) {
            if (!(labels.weight(row) > 0.0)) continue;
            rows.push_back(static_cast<RowId>(row));
            of_class_.push_back(static_cast<std::size_t>(labels.classes[row]));
            weight_.push_back(labels.weight(row));
            total_ += labels.weight(row);
        }
        for (const Column& column : table.columns) columns_.push_back(coded(column, rows));
    }

    DepthTwoTree run(unsigned n_threads, Watch& watch) const {
        std::vector<RootSplit> best(columns_.size());
        parallel_for(n_threads, columns_.size(), watch, [&](std::size_t root, std::size_t) {
            best[root] =
                columns_[root].is_numeric ? best_cut(root, watch) : best_levels(root, watch);
        });
        std::vector<std::size_t> all(of_class_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const double as_leaf = total_ - most_of_one_class(all);
        std::size_t chosen = columns_.size();
        RootSplit least{.errors = as_leaf, .n_stumps = -1};
        for (std::size_t root = 0; root < columns_.size(); ++root) {
            if (!is_better(best[root], least)) continue;
            least = best[root];
            chosen = root;
        }
        if (chosen == columns_.size())
            return {.root = {.errors = as_leaf}, .branches = {}, .errors = as_leaf};
        return built(chosen, least);
    }

private:
    /// Fewer errors, or as few with fewer conditions.
    bool is_better(const RootSplit& a, const RootSplit& b) const {
        if (std::abs(a.errors - b.errors) > tie * total_) return a.errors < b.errors;
        return a.n_stumps < b.n_stumps;
    }

    double most_of_one_class(std::span<const std::size_t> rows) const {
        ClassWeights of(std::max<std::size_t>(k_, 1));
        for (const std::size_t row : rows) of[of_class_[row]] += weight_[row];
        return largest(of);
    }

    Gains gains_of(std::size_t column) const {
        const CodedColumn& c = columns_[column];
        if (c.is_numeric) return CutGains(c.n_codes, k_);
        return LevelGains(c.n_codes, k_);
    }

    /// The best over all columns; `first` are rows that are there from the beginning.
    Sweep sweep(std::span<const std::size_t> first, const auto& blocks, Watch& watch) const {
        Sweep most{std::vector<double>(blocks.size() + 1), {}};
        ClassWeights of(k_);
        const auto take = [&](std::span<const std::size_t> rows) {
            for (const std::size_t row : rows) of[of_class_[row]] += weight_[row];
            most.right_as_leaf.push_back(largest(of));
        };
        take(first);
        for (const auto& block : blocks) take(block);
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            watch.check();
            Gains any = gains_of(column);
            std::visit(
                [&](auto& gains) { sweep(gains, columns_[column], first, blocks, most.right); },
                any);
        }
        return most;
    }

    void sweep(auto& gains, const CodedColumn& column, std::span<const std::size_t> first,
               const auto& blocks, std::vector<double>& most) const {
        const auto take = [&](std::span<const std::size_t> rows) {
            for (const std::size_t row : rows)
                gains.add(column.code[row], of_class_[row], weight_[row]);
        };
        take(first);
        most[0] = std::max(most[0], gains.most_right());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            take(blocks[i]);
            most[i + 1] = std::max(most[i + 1], gains.most_right());
        }
    }

    RootSplit best_cut(std::size_t root, Watch& watch) const {
        const CodedColumn& column = columns_[root];
        const RowsByCode rows = rows_by_code(column);
        std::vector<std::span<const std::size_t>> blocks;
        for (std::size_t code = 0; code < column.n_codes; ++code) blocks.push_back(rows.of(code));
        auto backwards = blocks;
        std::ranges::reverse(backwards);
        const auto missing = rows_missing(column);
        RootSplit best;
        for (const std::int32_t home : {0, 1}) {
            if (missing.empty() && home == 1) break;
            const std::span<const std::size_t> none;
            const auto low = sweep(home == 0 ? std::span(missing) : none, blocks, watch);
            const auto high = sweep(home == 1 ? std::span(missing) : none, backwards, watch);
            // Behind the last value only the missing go, if they go there.
            const std::size_t last = column.n_codes + (home == 1 ? 1 : 0);
            for (std::size_t n_low = 1; n_low < last; ++n_low) {
                const std::size_t n_high = column.n_codes - n_low;
                const RootSplit here{
                    .errors = total_ - low.right[n_low] - high.right[n_high],
                    .n_stumps = needs_stump(low, n_low) + needs_stump(high, n_high),
                    .code = static_cast<std::int32_t>(n_low) - 1,
                    .missing = missing.empty() ? no_branch : home};
                if (is_better(here, best)) best = here;
            }
        }
        return best;
    }

    int needs_stump(const Sweep& sweep, std::size_t n_blocks) const {
        return sweep.right[n_blocks] > sweep.right_as_leaf[n_blocks] + tie * total_ ? 1 : 0;
    }

    RootSplit best_levels(std::size_t root, Watch& watch) const {
        const CodedColumn& column = columns_[root];
        if (column.n_codes < 2) return {};
        const RowsByCode rows = rows_by_code(column);
        const auto missing = rows_missing(column);
        double right = 0.0;
        RootSplit best;
        double most_gained = -1.0;
        for (std::size_t level = 0; level < column.n_codes; ++level) {
            watch.check();
            const auto here = rows.of(level);
            const Stump stump = best_stump(here);
            const double alone = sum_of(here) - stump.errors;
            right += alone;
            best.n_stumps += stump.column >= 0 ? 1 : 0;
            if (missing.empty()) continue;
            const double gained = right_with(here, missing) - alone;
            if (gained > most_gained + tie * total_) {
                most_gained = gained;
                best.missing = static_cast<std::int32_t>(level);
            }
        }
        best.errors = total_ - right - std::max(most_gained, 0.0);
        return best;
    }

    double right_with(std::span<const std::size_t> rows, std::span<const std::size_t> more) const {
        std::vector<std::size_t> all(rows.begin(), rows.end());
        all.insert(all.end(), more.begin(), more.end());
        return sum_of(all) - best_stump(all).errors;
    }

    double sum_of(std::span<const std::size_t> rows) const {
        return std::accumulate(rows.begin(), rows.end(), 0.0,
                               [&](double sum, std::size_t row) { return sum + weight_[row]; });
    }

    Stump best_stump(std::span<const std::size_t> rows) const {
        const double weight = sum_of(rows);
        Stump best{.errors = weight - most_of_one_class(rows)};
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            if (best.errors <= tie * total_) break;
            Stump stump = columns_[column].is_numeric ? cut_of(column, rows, weight)
                                                      : levels_of(column, rows, weight);
            if (stump.errors < best.errors - tie * total_) best = stump;
        }
        return best;
    }

    Stump levels_of(std::size_t column, std::span<const std::size_t> rows, double weight) const {
        if (columns_[column].n_codes < 2) return {.errors = infinite};
        LevelGains gains(columns_[column].n_codes, k_);
        for (const std::size_t row : rows)
            gains.add(columns_[column].code[row], of_class_[row], weight_[row]);
        Stump stump{.column = static_cast<std::int32_t>(column),
                    .errors = weight - gains.most_right()};
        if (gains.has_missing()) stump.missing = gains.best_home().level;
        return stump;
    }

    Stump cut_of(std::size_t column, std::span<const std::size_t> rows, double weight) const;
    DepthTwoTree built(std::size_t root, const RootSplit& split) const;

    std::size_t k_;
    std::vector<std::size_t> of_class_;  ///< of the rows that have weight, by their place
    std::vector<double> weight_;
    double total_ = 0.0;
    std::vector<CodedColumn> columns_;
};

/// The best cut among the rows: a scan over those with a known value, by rank.
Stump Search::cut_of(std::size_t column, std::span<const std::size_t> rows, double weight) const {
    const CodedColumn& c = columns_[column];
    std::vector<std::size_t> known;
    ClassWeights low(k_), high(k_), missing(k_);
    for (const std::size_t row : rows) {
        (c.code[row] < 0 ? missing : high)[of_class_[row]] += weight_[row];
        if (c.code[row] >= 0) known.push_back(row);
    }
    std::ranges::sort(known, {}, [&](std::size_t row) { return std::pair(c.code[row], row); });
    const auto with_missing = [&](const ClassWeights& side) {
        double most = 0.0;
        for (std::size_t of = 0; of < k_; ++of) most = std::max(most, side[of] + missing[of]);
        return most;
    };
    Stump best{.column = static_cast<std::int32_t>(column), .errors = infinite};
    const auto code = [&](std::size_t i) { return static_cast<std::size_t>(c.code[known[i]]); };
    for (std::size_t i = 0; i < known.size(); ++i) {
        low[of_class_[known[i]]] += weight_[known[i]];
        high[of_class_[known[i]]] -= weight_[known[i]];
        const bool is_last = i + 1 == known.size();  // then only the missing go on
        if (!is_last && code(i) == code(i + 1)) continue;
        const double first = is_last ? 0.0 : with_missing(low) + largest(high);
        const double second = largest(low) + with_missing(is_last ? ClassWeights(k_) : high);
        if (weight - std::max(first, second) >= best.errors - tie * total_) continue;
        best.errors = weight - std::max(first, second);
        best.missing = known.size() == rows.size() ? no_branch : (first >= second ? 0 : 1);
        const double value = c.values[code(i)];
        best.threshold = is_last ? value : short_midpoint({value, c.values[code(i + 1)]});
    }
    return best;
}

DepthTwoTree Search::built(std::size_t root, const RootSplit& split) const {
    const CodedColumn& column = columns_[root];
    DepthTwoTree tree;
    tree.root = {.column = static_cast<std::int32_t>(root), .missing = split.missing};
    if (column.is_numeric) {
        const auto below = static_cast<std::size_t>(split.code);
        const double value = column.values[below];
        const bool is_last = below + 1 == column.n_codes;
        tree.root.threshold = is_last ? value : short_midpoint({value, column.values[below + 1]});
    }
    std::vector<std::vector<std::size_t>> branches(column.is_numeric ? 2 : column.n_codes);
    for (std::size_t row = 0; row < column.code.size(); ++row) {
        const std::int32_t code = column.code[row];
        const std::int32_t branch =
            code < 0 ? split.missing : (column.is_numeric ? std::int32_t{code > split.code} : code);
        branches[static_cast<std::size_t>(branch)].push_back(row);
    }
    for (const auto& rows : branches) {
        tree.branches.push_back(best_stump(rows));
        tree.errors += tree.branches.back().errors;
    }
    return tree;
}

}  // namespace

DepthTwoTree optimal_depth_two(const Table& table, const Labels& labels, unsigned n_threads,
                               std::function<bool()> keep_going) {
    check(labels, labels.n_classes, table.n_rows);
    Watch watch(std::move(keep_going));
    return Search(table, labels).run(n_threads, watch);
}

}  // namespace clearwood
