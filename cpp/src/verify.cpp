#include "clearwood/verify.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "clearwood/propagation.hpp"

namespace clearwood {
namespace {

/// Pairs of different classes, one of each list of class masses.
double pairs_between(std::span<const double> first, std::span<const double> second) {
    constexpr double rounding = 1e-12;
    const double all = std::accumulate(first.begin(), first.end(), 0.0) *
                       std::accumulate(second.begin(), second.end(), 0.0);
    const double pairs = all - std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
    return pairs > rounding * all ? pairs : 0.0;
}

}  // namespace

Opinion side_of(const Table& table, const Split& split, std::size_t row) {
    const auto column = static_cast<std::size_t>(split.column);
    if (const NumericColumn* numeric = table.numeric(column)) {
        const double value = numeric->values[row];
        return std::isnan(value)         ? Opinion::none
               : value < split.threshold ? Opinion::first
                                         : Opinion::second;
    }
    const std::int32_t level = table.nominal(column)->codes[row];
    const std::int32_t branch =
        level < 0 ? no_branch : split.branch_of_level[static_cast<std::size_t>(level)];
    return branch == no_branch ? Opinion::none : branch == 0 ? Opinion::first : Opinion::second;
}

bool disagrees(const Table& table, std::size_t row, Opinion side,
               std::span<const Witness> witnesses, Disagreement rule) {
    bool any = false;
    for (const Witness& witness : witnesses) {
        const Opinion opinion = witness.opinion(table, row);
        if (opinion == Opinion::none) {
            continue;
        }
        const bool contradicts = opinion != side;
        if (contradicts && rule == Disagreement::any) {
            return true;
        }
        if (!contradicts && rule == Disagreement::all) {
            return false;
        }
        any = any || contradicts;
    }
    return any;
}

Verifier::Verifier(const Growth& growth, Watch& watch)
    : growth_(growth),
      watch_(watch),
      side_(growth.plan.verification ? growth.table.n_rows : 0, Opinion::none) {}

void Verifier::mark_sides(const NodeContext& node, const Split& split) {
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        side_[row] = side_of(node.table, split, row);
    }
}

/// Class masses of the rows that the cut sends to either branch.
Verifier::Sides Verifier::masses_of_sides(const NodeContext& node) const {
    const auto n_classes = static_cast<std::size_t>(node.n_classes);
    Sides sides{std::vector<double>(n_classes, 0.0), std::vector<double>(n_classes, 0.0)};
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        if (side_[row] != Opinion::none) {
            (side_[row] == Opinion::first ? sides.first
                                          : sides.second)[node.presort.code.label(entry)] +=
                node.weight(row);
        }
    }
    return sides;
}

/// No witness of a column can agree more than its own best split parts, where that split was free to
/// be any and the scores count every row where it was measured.
double Verifier::highest_agreement(const NodeContext& node, std::span<const Split> bests,
                                   std::size_t column, double pairs) const {
    const bool is_known =
        std::holds_alternative<Discernibility>(node.plan.score) && !node.plan.has_noise() &&
        node.rows.counting != Counting::real && node.min_samples_leaf <= 1.0 &&
        node.table.numeric(column) &&
        node.rows.orders[node.presort.place[column]].size() == node.rows.entries.size();
    constexpr double slack = 1e-9;
    return is_known && pairs > 0.0 ? bests[column].gain * node.rows.mass * (1.0 + slack) / pairs
                                   : std::numeric_limits<double>::infinity();
}

/// The columns that may have a witness, the most promising first.
std::vector<Verifier::Candidate> Verifier::candidates(const NodeContext& node,
                                                      std::span<const Split> bests,
                                                      std::size_t main_column, double pairs) const {
    std::vector<Candidate> result;
    for (std::size_t column = 0; column < node.table.columns.size(); ++column) {
        const double highest = highest_agreement(node, bests, column, pairs);
        if (column != main_column && highest > growth_.plan.verification->agreement) {
            result.push_back({column, highest});
        }
    }
    std::ranges::stable_sort(result, std::ranges::greater{}, &Candidate::highest_agreement);
    return result;
}

/// The best few that agree enough, by agreement; of equals the first columns. `found` may hold some
/// already.
void Verifier::keep_strongest(std::vector<Witness>& found) const {
    const Verification& rules = *growth_.plan.verification;
    std::erase_if(found,
                  [&](const Witness& witness) { return !(witness.agreement > rules.agreement); });
    std::ranges::sort(found, [](const Witness& a, const Witness& b) {
        return a.agreement != b.agreement ? a.agreement > b.agreement : a.column < b.column;
    });
    found.resize(std::min(found.size(), rules.n_verifiers));
}

/// Scans candidates a few at a time, until none that is left can be among the strongest.
std::vector<Witness> Verifier::strongest(const NodeContext& node, const WitnessedCut& cut,
                                         std::span<const Candidate> candidates,
                                         std::span<SearchScratch> scratch) {
    const std::size_t n_verifiers = growth_.plan.verification->n_verifiers;
    const auto n_threads = growth_.threads_for(node.rows, static_cast<unsigned>(scratch.size()));
    const std::size_t at_once = std::max<std::size_t>(n_verifiers, n_threads);
    std::vector<Witness> found;
    while (!candidates.empty()) {
        if (found.size() == n_verifiers &&
            candidates.front().highest_agreement < found.back().agreement) {
            break;
        }
        watch_.check();  // a few columns are too few for parallel_for to do it
        const auto now = candidates.first(std::min(at_once, candidates.size()));
        candidates = candidates.subspan(now.size());
        const std::size_t n_before = found.size();
        found.resize(n_before + now.size());
        parallel_for(n_threads, now.size(), watch_, [&](std::size_t item, std::size_t thread) {
            found[n_before + item] = best_witness(node, cut, now[item].column, scratch[thread]);
        });
        keep_strongest(found);
    }
    return found;
}

/// Whether both branches would hold too many of the rows, or pairs enough to part none.
bool Verifier::hinders(const NodeContext& node, std::span<const Witness> witnesses) const {
    const Verification& rules = *growth_.plan.verification;
    const auto n_classes = static_cast<std::size_t>(node.n_classes);
    std::vector<double> first(n_classes, 0.0);
    std::vector<double> second(n_classes, 0.0);
    double copied_mass = 0.0;
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        if (side_[row] == Opinion::none) {
            continue;
        }
        if (disagrees(node.table, row, side_[row], witnesses, rules.disagreement)) {
            copied_mass += node.weight(row);
        } else {
            (side_[row] == Opinion::first ? first : second)[node.presort.code.label(entry)] +=
                node.weight(row);
        }
    }
    return copied_mass > rules.max_dup_fraction * node.rows.mass ||
           !(pairs_between(first, second) > 0.0);
}

void Verifier::drop_hindering(const NodeContext& node, std::vector<Witness>& witnesses) const {
    while (!witnesses.empty() && hinders(node, witnesses)) {
        witnesses.pop_back();
    }
}

void Verifier::verify(const NodeContext& node, std::span<const Split> bests,
                      std::span<SearchScratch> scratch, Split& split) {
    const auto main_column = static_cast<std::size_t>(split.column);
    if (node.table.numeric(main_column) && std::isnan(split.threshold)) {
        split.threshold = threshold_at(node, node.presort.place[main_column], split.position);
    }
    split.witnesses.clear();
    if (growth_.plan.verification->n_verifiers == 0) {
        return;
    }
    // Where the cut's own column lacks values, its score counts fewer pairs than it parts, so that
    // no candidate is missed.
    const double pairs_at_least = split.gain * node.rows.mass;
    const auto promising = candidates(node, bests, main_column, pairs_at_least);
    if (promising.empty()) {
        return;
    }
    mark_sides(node, split);
    const Sides sides = masses_of_sides(node);
    const double pairs = pairs_between(sides.first, sides.second);
    if (pairs > 0.0) {
        const WitnessedCut cut{split.column, side_, sides.first, sides.second, pairs};
        split.witnesses = strongest(node, cut, promising, scratch);
    }
    drop_hindering(node, split.witnesses);
}

}  // namespace clearwood
