#include "clearwood/node_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "clearwood/propagation.hpp"

namespace clearwood {
namespace {

/// Real weights: what rounding leaves of the other classes does not count.
constexpr double pure_up_to = 1e-9;

/// Slack for a mass that is a sum of parts.
constexpr double mass_slack = 1e-9;

}  // namespace

NodeSearch::NodeSearch(const Growth& growth, Watch& watch, unsigned n_threads)
    : growth_(growth),
      watch_(watch),
      n_threads_(n_threads),
      tested_(growth.table.columns.size(), 0),
      splits_(growth.table.columns.size()),
      scratch_(n_threads),
      min_samples_leaf_(growth.plan.limits.min_samples_leaf),
      verifier_(growth, watch) {}

NodeContext NodeSearch::context(const Rows& rows, std::span<const double> weights,
                                const Box& box) const {
    const bool are_parts =
        rows.counting == Counting::real || !growth_.plan.propagation_noise.empty();
    const double slack = are_parts ? 1.0 - mass_slack : 1.0;
    return {growth_.table,
            growth_.presort,
            growth_.plan,
            rows,
            growth_.entropy_table,
            weights,
            growth_.labels.n_classes,
            min_samples_leaf_ * (growth_.plan.compatibility.single_precision ? 1.0 : slack),
            growth_.plan.has_noise() ? &box : nullptr,
            growth_.effort};
}

bool NodeSearch::must_be_leaf(std::span<const double> masses, std::int32_t depth) const {
    const Limits& limits = growth_.plan.limits;
    const double mass = std::accumulate(masses.begin(), masses.end(), 0.0);
    const double largest = std::ranges::max(masses);
    const bool single = growth_.plan.compatibility.single_precision;
    const bool pure = single ? static_cast<float>(largest) == static_cast<float>(mass)
                             : mass - largest <= pure_up_to * mass ||
                                   (limits.min_purity < 1.0 && largest >= limits.min_purity * mass);
    const double least = std::max(2 * min_samples_leaf_, limits.min_samples_split);
    // Noise leaves a little of every class everywhere. Where all the others together weigh less
    // than half a branch must, no leaf further down could get another label.
    const bool settled =
        !growth_.plan.propagation_noise.empty() && mass - largest < min_samples_leaf_ / 2;
    return pure || settled || mass < least * (1.0 - mass_slack) || depth >= limits.max_depth;
}

Split NodeSearch::search_numeric(const NodeContext& node, std::size_t column,
                                 SearchScratch& scratch) const {
    const std::size_t place = growth_.presort.place[column];
    if (growth_.plan.compatibility.single_precision) {
        return best_cut_single(node, place, scratch);
    }
    const Noise* noise = growth_.plan.searched_with(column);
    if (!noise) {
        return best_cut(node, place, scratch);
    }
    return std::holds_alternative<PointsCdf>(noise->cdf) ? best_sampled_cut(node, place, scratch)
                                                         : best_soft_cut(node, place, scratch);
}

Split NodeSearch::search_column(const NodeContext& node, std::size_t column,
                                SearchScratch& scratch) const {
    if (tested_[column] != 0) {
        Split none;
        none.column = static_cast<std::int32_t>(column);
        return none;
    }
    if (growth_.table.numeric(column)) {
        return search_numeric(node, column, scratch);
    }
    return growth_.plan.compatibility.single_precision ? best_levels_single(node, column, scratch)
                                                       : best_levels(node, column, scratch);
}

/// Release 8's fault (c45.md A.3): after a node where a column of many levels has no known value,
/// the minimum of a branch stays 1.
void NodeSearch::note_minimum_leak(const NodeContext& node, std::size_t column) {
    const NominalColumn* nominal = growth_.table.nominal(column);
    if (!nominal || nominal->n_levels <= 2) {
        return;
    }
    const bool any_known = std::ranges::any_of(node.rows.entries, [&](Entry entry) {
        return nominal->codes[node.presort.code.row(entry)] >= 0;
    });
    if (!any_known) {
        min_samples_leaf_ = 1.0;
    }
}

/// The highest gain wins as it is: what one column reaches, the others need not look below.
bool NodeSearch::highest_gain_wins() const {
    return std::holds_alternative<BestScore>(growth_.plan.chooser) &&
           !growth_.plan.compatibility.single_precision;
}

/// Whether a column that cannot win need not be searched in full. Where cuts are verified, the
/// other columns' scores tell which of them can be witnesses.
bool NodeSearch::may_pass_over() const {
    return highest_gain_wins() && !growth_.plan.verification;
}

/// A threshold under noise of one scale parts the rows as a mixture of exact thresholds would, and
/// purity is convex: no soft gain is above the column's highest exact one. So the exact gains come
/// first, and the soft search goes from the most promising column down. (Pairs are not convex.)
std::vector<NodeSearch::Prospect> NodeSearch::prospects(const Rows& rows,
                                                        std::span<const double> weights,
                                                        const Box& box) {
    std::vector<Prospect> result(splits_.size());
    const Plan& plan = growth_.plan;
    parallel_for(growth_.threads_for(rows, n_threads_), splits_.size(), watch_,
                 [&](std::size_t column, std::size_t thread) {
                     constexpr double any = std::numeric_limits<double>::infinity();
                     const Noise* noise = plan.searched_with(column);
                     const bool bounded = may_pass_over() && exact_is_best(plan.score) && noise &&
                                          !noise->per_row && !plan.joint_gates &&
                                          growth_.table.numeric(column) &&
                                          !std::holds_alternative<PointsCdf>(noise->cdf);
                     const NodeContext node = context(rows, weights, box);
                     result[column] = {column,
                                       bounded ? highest_gain(node, growth_.presort.place[column],
                                                              scratch_[thread])
                                               : any};
                 });
    std::ranges::stable_sort(result, std::ranges::greater{}, &Prospect::gain);
    return result;
}

void NodeSearch::search_columns(const Rows& rows, std::span<const double> weights, const Box& box,
                                bool checks_propagation) {
    std::vector<Prospect> columns;
    if (!growth_.plan.search_noise.empty()) {
        columns = prospects(rows, weights, box);
    }
    std::atomic<double> best_gain = 0.0;
    const auto search = [&](std::size_t item, std::size_t thread) {
        const std::size_t column = columns.empty() ? item : columns[item].column;
        NodeContext node = context(rows, weights, box);
        node.checks_propagation = checks_propagation;
        node.gain_to_beat = may_pass_over() ? &best_gain : nullptr;
        splits_[column] = Split{};
        splits_[column].column = static_cast<std::int32_t>(column);
        if (may_pass_over() && !columns.empty() && columns[item].gain < best_gain - equal_gain) {
            return;
        }
        splits_[column] = search_column(node, column, scratch_[thread]);
        if (splits_[column].available) {
            double known = best_gain.load(std::memory_order_relaxed);
            while (known < splits_[column].gain &&
                   !best_gain.compare_exchange_weak(known, splits_[column].gain)) {
            }
        }
        if (growth_.plan.compatibility.minimum_leak) {
            note_minimum_leak(node, column);
        }
    };
    parallel_for(growth_.threads_for(rows, n_threads_), splits_.size(), watch_, search);
}

std::int32_t NodeSearch::chosen() {
    return growth_.plan.compatibility.single_precision
               ? choose_single(growth_.plan, splits_, growth_.many_valued)
               : choose(growth_.plan, splits_, growth_.many_valued);
}

/// Whether noise leaves both branches of a split enough mass.
bool NodeSearch::propagates_split(const Rows& rows, std::span<const double> weights, const Box& box,
                                  const Split& split) const {
    const auto column = static_cast<std::size_t>(split.column);
    if (!growth_.table.numeric(column) || !growth_.plan.propagated_with(column)) {
        return true;
    }
    const NodeContext node = context(rows, weights, box);
    const std::size_t place = growth_.presort.place[column];
    return std::isnan(split.threshold) ? propagates(node, place, split.position)
                                       : propagates(node, place, split.threshold);
}

Split NodeSearch::best(const Rows& rows, std::span<const double> weights, const Box& box) {
    // To check the propagated mass of every column's best is dear and hardly ever matters: where
    // the highest gain wins, only the winner's is checked, and all columns' if that one fails.
    const bool checks_all = !highest_gain_wins();
    search_columns(rows, weights, box, checks_all);
    std::int32_t winner = chosen();
    if (winner >= 0 && !checks_all &&
        !propagates_split(rows, weights, box, splits_[static_cast<std::size_t>(winner)])) {
        search_columns(rows, weights, box, true);
        winner = chosen();
    }
    if (winner < 0) {
        return {};
    }
    Split split = std::move(splits_[static_cast<std::size_t>(winner)]);
    if (growth_.plan.verification) {
        verifier_.verify(context(rows, weights, box), splits_, scratch_, split);
    }
    return split;
}

}  // namespace clearwood
