#include "clearwood/node_search.hpp"

#include <algorithm>
#include <numeric>

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
      min_samples_leaf_(growth.plan.limits.min_samples_leaf) {}

NodeContext NodeSearch::context(const Rows& rows, std::span<const double> weights,
                                const Box& box) const {
    const double slack = rows.counting == Counting::real ? 1.0 - mass_slack : 1.0;
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
                             : mass - largest <= pure_up_to * mass;
    const double least = std::max(2 * min_samples_leaf_, limits.min_samples_split);
    return pure || mass < least * (1.0 - mass_slack) || depth >= limits.max_depth;
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

/// One column after the other, since what is found in one bears on the next.
void NodeSearch::search_in_turn(const Rows& rows, std::span<const double> weights, const Box& box) {
    double best_gain = 0.0;
    for (std::size_t column = 0; column < splits_.size(); ++column) {
        NodeContext node = context(rows, weights, box);
        node.gain_to_beat = best_gain;
        splits_[column] = search_column(node, column, scratch_[0]);
        if (splits_[column].available) {
            best_gain = std::max(best_gain, splits_[column].gain);
        }
        if (growth_.plan.compatibility.minimum_leak) {
            note_minimum_leak(node, column);
        }
    }
}

/// UDT's global bound: only where the column with the highest gain wins, and gains are not reduced.
bool NodeSearch::beats_in_turn() const {
    const Plan& plan = growth_.plan;
    return plan.sampled_bounds >= SampledBounds::global && !plan.penalty &&
           std::holds_alternative<BestScore>(plan.chooser) &&
           std::ranges::any_of(plan.search_noise, [](const Noise* noise) {
               return noise && std::holds_alternative<PointsCdf>(noise->cdf);
           });
}

Split NodeSearch::best(const Rows& rows, std::span<const double> weights, const Box& box) {
    const Plan& plan = growth_.plan;
    if (plan.compatibility.minimum_leak || beats_in_turn()) {
        search_in_turn(rows, weights, box);
    } else {
        const NodeContext node = context(rows, weights, box);
        const unsigned n_threads = growth_.threads_for(rows, n_threads_);
        parallel_for(n_threads, splits_.size(), watch_,
                     [&](std::size_t column, std::size_t thread) {
                         splits_[column] = search_column(node, column, scratch_[thread]);
                     });
    }
    const std::int32_t winner = plan.compatibility.single_precision
                                    ? choose_single(plan, splits_, growth_.many_valued)
                                    : choose(plan, splits_, growth_.many_valued);
    return winner < 0 ? Split{} : std::move(splits_[static_cast<std::size_t>(winner)]);
}

}  // namespace clearwood
