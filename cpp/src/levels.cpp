/// The best map of a nominal column's levels to branches. Works on a table levels x classes, never
/// on rows, once the table is filled.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "clearwood/c45_groups.hpp"
#include "clearwood/carved_levels.hpp"
#include "clearwood/level_order.hpp"
#include "clearwood/split.hpp"
#include "clearwood/two_branches.hpp"

namespace clearwood {
namespace {

constexpr double epsilon = 1e-3;               // C4.5's
constexpr std::size_t most_levels_tried = 10;  // every subset up to here: 511 at most

template <class Weight>
LevelMasses fill(const NodeContext& node, const NominalColumn& column, Weight weight,
                 SearchScratch& scratch) {
    const auto n_classes = static_cast<std::size_t>(node.n_classes);
    scratch.level_masses.assign(static_cast<std::size_t>(column.n_levels) * n_classes, 0.0);
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        const std::int32_t level = column.codes[row];
        if (level >= 0) {
            scratch.level_masses[static_cast<std::size_t>(level) * n_classes +
                                 node.presort.code.label(entry)] +=
                static_cast<double>(weight[row]);
        }
    }
    LevelMasses table{scratch.level_masses, n_classes};
    table.known = std::accumulate(scratch.level_masses.begin(), scratch.level_masses.end(), 0.0);
    return table;
}

/// Adds up levels that share a branch: n_branches x n_classes.
std::span<const double> by_branch(const LevelMasses& table,
                                  std::span<const std::int32_t> branch_of_level,
                                  std::size_t n_branches, std::vector<double>& sums) {
    sums.assign(n_branches * table.n_classes, 0.0);
    for (std::size_t l = 0; l < table.n_levels(); ++l) {
        if (branch_of_level[l] != no_branch) {
            for (std::size_t k = 0; k < table.n_classes; ++k) {
                sums[static_cast<std::size_t>(branch_of_level[l]) * table.n_classes + k] +=
                    table.level(l)[k];
            }
        }
    }
    return sums;
}

/// Scores a map of levels: gain, split information and whether its branches are heavy enough.
template <class Measure>
class Judge {
public:
    Judge(const NodeContext& node, const LevelMasses& table, const Measure& general,
          SearchScratch& scratch)
        : node_(node), table_(table), measure_(general), scratch_(scratch) {
        scratch.totals.assign(table.n_classes, 0.0);
        for (std::size_t l = 0; l < table.n_levels(); ++l) {
            for (std::size_t k = 0; k < table.n_classes; ++k) {
                scratch.totals[k] += table.level(l)[k];
            }
        }
        measure_ = looking_at(general, scratch.totals, node.rows.masses);
        whole_ = measure_.purity(scratch.totals);
    }

    /// Keeps the map if it beats what is kept.
    void offer(std::span<const std::int32_t> branch_of_level, std::size_t n_branches) {
        const auto sums = by_branch(table_, branch_of_level, n_branches, scratch_.branch_masses);
        std::optional<typename Measure::Value> purity;
        std::size_t heavy = 0;
        std::vector<double>& masses = scratch_.shares;
        masses.assign(n_branches, 0.0);
        for (std::size_t b = 0; b < n_branches; ++b) {
            const auto branch = sums.subspan(b * table_.n_classes, table_.n_classes);
            const auto part = measure_.purity(branch);
            purity = purity ? joined(measure_, *purity, part) : part;
            masses[b] = std::accumulate(branch.begin(), branch.end(), 0.0);
            heavy += masses[b] > 0.0 && masses[b] >= node_.min_samples_leaf;
        }
        if (heavy < 2 || (best_.available && !measure_.better(*purity, best_purity_))) {
            return;
        }
        best_purity_ = *purity;
        best_.available = true;
        best_.gain = gain_of(measure_, best_purity_, whole_, table_.known, node_.rows.mass);
        best_.info = split_information(masses, node_.rows.mass - table_.known, node_.rows.mass);
        best_.branch_of_level.assign(branch_of_level.begin(), branch_of_level.end());
        best_.n_branches = static_cast<std::int32_t>(n_branches);
    }
    const Measure& measure() const { return measure_; }

    /// A split must gain something; by C4.5's rules a gain of zero will do.
    Split verdict() {
        best_.available =
            best_.available &&
            (node_.plan.c45_levels ? best_.gain > -epsilon : measure_.better(best_purity_, whole_));
        return best_;
    }

private:
    const NodeContext& node_;
    const LevelMasses& table_;
    Measure measure_;
    SearchScratch& scratch_;
    typename Measure::Value whole_ = 0;
    typename Measure::Value best_purity_ = 0;
    Split best_;
};

std::vector<std::size_t> present_levels(const LevelMasses& table) {
    std::vector<std::size_t> present;
    for (std::size_t l = 0; l < table.n_levels(); ++l) {
        if (table.mass(l) > 0.0) {
            present.push_back(l);
        }
    }
    return present;
}

template <class Measure>
void offer_branches(const LevelMasses& table, Judge<Measure>& judge) {
    std::vector<std::int32_t> each(table.n_levels());
    std::iota(each.begin(), each.end(), 0);
    judge.offer(each, table.n_levels());
}

/// One of the levels against the others; absent ones are among the others.
template <class Measure>
void offer_one_vs_rest(const LevelMasses& table, TwoBranches<Measure> sides,
                       Judge<Measure>& judge) {
    std::vector<std::int32_t> map(table.n_levels(), 1);
    std::size_t best = table.n_levels();
    for (const std::size_t level : present_levels(table)) {
        sides.isolate({&level, 1});
        best = sides.note_if_better() ? level : best;
    }
    if (best < table.n_levels()) {
        map[best] = 0;
        judge.offer(map, 2);
    }
}

/// Every way to halve the levels that occur; the first stays in the first branch.
template <class Measure>
void offer_all_subsets(const LevelMasses& table, std::span<const std::size_t> present,
                       TwoBranches<Measure> sides, Judge<Measure>& judge) {
    const auto is_second = [](std::uint32_t subset, std::size_t i) {
        return i > 0 && (subset >> (i - 1) & 1) != 0;
    };
    std::uint32_t best = 0;
    std::vector<std::size_t> first;
    for (std::uint32_t subset = 1; subset < std::uint32_t{1} << (present.size() - 1); ++subset) {
        first.clear();
        for (std::size_t i = 0; i < present.size(); ++i) {
            if (!is_second(subset, i)) {
                first.push_back(present[i]);
            }
        }
        sides.isolate(first);
        best = sides.note_if_better() ? subset : best;
    }
    if (best == 0) {
        return;
    }
    std::vector<std::int32_t> map(table.n_levels(), no_branch);
    for (std::size_t i = 0; i < present.size(); ++i) {
        map[present[i]] = is_second(best, i) ? 1 : 0;
    }
    judge.offer(map, 2);
}

/// Cuts of the levels in the given order. Returns whether a branch that is too light was in the way
/// of the best.
template <class Measure>
bool offer_in_order(const LevelMasses& table, std::span<const std::size_t> order,
                    TwoBranches<Measure> sides, Judge<Measure>& judge) {
    std::size_t n_first = 0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        sides.move(order[i]);
        n_first = sides.note_if_better() ? i + 1 : n_first;
    }
    if (n_first > 0) {
        std::vector<std::int32_t> map(table.n_levels(), no_branch);
        for (std::size_t i = 0; i < order.size(); ++i) {
            map[order[i]] = i < n_first ? 0 : 1;
        }
        judge.offer(map, 2);
    }
    return sides.is_limited();
}

/// Two classes: the order of their shares holds the best subset (Breiman et al. 1984, theorem 4.5),
/// unless that one has too light a branch, or the measure is not convex (pairs, smoothed shares).
/// Then, and with more classes: all subsets of few levels.
/// More levels: the order of the first principal component of the class shares (Coppersmith, Hong
/// and Hosking 1999), which is not always the best.
template <class Measure>
void offer_subsets(const LevelMasses& table, const TwoBranches<Measure>& sides,
                   Judge<Measure>& judge) {
    const auto present = present_levels(table);
    if (present.size() < 2) {
        return;
    }
    const bool are_few = present.size() <= most_levels_tried;
    const bool is_convex =
        corners_bound(judge.measure()) && !requires { Measure::counts_pairs; };
    if ((table.n_classes > 2 || !is_convex) && are_few) {
        offer_all_subsets(table, present, sides, judge);
        return;
    }
    const auto order = order_by_class_shares(table.masses, table.n_classes, present);
    const bool is_limited = offer_in_order(table, order, sides, judge);
    if (is_limited && are_few) {
        offer_all_subsets(table, present, sides, judge);
    }
}

template <class Measure>
Split judge_levels(const NodeContext& node, const LevelMasses& table, const Measure& general,
                   SearchScratch& scratch) {
    Judge<Measure> judge(node, table, general, scratch);
    const Measure& measure = judge.measure();
    switch (node.plan.grouping) {
        case Grouping::subset:
            offer_subsets(table, TwoBranches<Measure>(table, measure, node.min_samples_leaf),
                          judge);
            break;
        case Grouping::one_vs_rest:
            offer_one_vs_rest(table, TwoBranches<Measure>(table, measure, node.min_samples_leaf),
                              judge);
            break;
        default:
            offer_branches(table, judge);
    }
    return judge.verdict();
}

Split grouped(const NodeContext& node, const LevelMasses& table) {
    const bool by_gain = std::holds_alternative<BestScore>(node.plan.chooser);
    auto groups = c45_groups<double>(table.masses, table.n_classes, node.rows.mass - table.known,
                                     node.min_samples_leaf, by_gain);
    Split split;
    split.available = groups.available;
    split.gain = groups.gain;
    split.info = groups.info;
    split.branch_of_level = std::move(groups.branch_of_level);
    split.n_branches = groups.n_branches;
    return split;
}

}  // namespace

Split best_levels(const NodeContext& node, std::size_t column, SearchScratch& scratch) {
    const NominalColumn& nominal = *node.table.nominal(column);
    const auto search = [&](const auto& measure, auto weight) {
        const LevelMasses table = fill(node, nominal, weight, scratch);
        if (!(table.known > 0.0)) {
            return Split{};
        }
        if constexpr (ChoosesSides<std::decay_t<decltype(measure)>>) {
            return best_carved_level(node, table, measure);
        } else {
            return node.plan.grouping == Grouping::grouped && nominal.n_levels > 2
                       ? grouped(node, table)
                       : judge_levels(node, table, measure, scratch);
        }
    };
    const auto with_score = [&](const auto& score) {
        switch (node.rows.counting) {
            case Counting::unit:
                return search(score.counts(node.entropy_table), UnitWeight{});
            case Counting::whole:
                return search(score.counts(node.entropy_table), WholeWeight{node.weights.data()});
            default:
                return search(score.weights(), RealWeight{node.weights.data()});
        }
    };
    Split split = std::visit(with_score, node.plan.score);
    split.column = static_cast<std::int32_t>(column);
    return split;
}

}  // namespace clearwood
