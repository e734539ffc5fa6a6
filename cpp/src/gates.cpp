#include "clearwood/gates.hpp"

#include <stdexcept>
#include <string>

namespace clearwood {

namespace {

std::size_t as_index(std::int32_t number) {
    return static_cast<std::size_t>(number);
}

/// A column takes an interval, then a node is entered; no node: the interval is only put back.
struct Turn {
    std::int32_t node;
    std::size_t column;
    Interval interval;
};

constexpr std::int32_t nowhere = -1;

/// What the cuts above each cut leave of its own column.
std::vector<Interval> intervals_left(const PackedTree& tree) {
    std::vector<Interval> left(tree.nodes.size());
    const std::size_t no_column = tree.cut_columns.size();
    Box box(no_column + 1);
    std::vector<Turn> turns{{0, no_column, {}}};
    while (!turns.empty()) {
        const Turn turn = turns.back();
        turns.pop_back();
        box.widen(turn.column, turn.interval);
        if (turn.node == nowhere || tree.is_leaf(turn.node)) continue;
        const PackedNode& here = tree.node(turn.node);
        if (!here.is_cut()) {
            for (std::int32_t branch = 0; branch < tree.n_branches[as_index(turn.node)]; ++branch)
                turns.push_back({here.first_child + branch, no_column, {}});
            continue;
        }
        const std::size_t column = as_index(here.column);
        left[as_index(turn.node)] = box[column];
        turns.push_back({nowhere, column, box[column]});
        for (const std::int32_t branch : {1, 0}) {
            const Interval before = box.narrow(column, here.threshold, branch);
            turns.push_back({here.first_child + branch, column, box[column]});
            box.widen(column, before);
        }
    }
    return left;
}

}  // namespace

SoftGates::SoftGates(const PackedTree& tree, const SoftEvaluation& soft)
    : tree_(tree), eta_(soft.eta) {
    for (const std::size_t column : tree.cut_columns) noise_.push_back(soft.noise[column]);
    if (soft.coupling == Coupling::joint) left_ = intervals_left(tree);
}

RampGates::RampGates(const PackedTree& tree, const RampEvaluation& ramps) : tree_(tree) {
    const std::size_t n_nodes = tree.nodes.size();
    if (ramps.lower.size() != n_nodes || ramps.upper.size() != n_nodes)
        throw std::invalid_argument(
            "lower and upper must have one entry a node, " + std::to_string(n_nodes) + ", got " +
            std::to_string(ramps.lower.size()) + " and " + std::to_string(ramps.upper.size()));
    ramps_.reserve(n_nodes);
    for (std::size_t place = 0; place < n_nodes; ++place) {
        const std::size_t node = as_index(tree.id[place]);
        ramps_.push_back({ramps.lower[node], tree.nodes[place].threshold, ramps.upper[node]});
        if (ramps.as_release_8) {
            ramps_.back().extra_width = 0.001;
            ramps_.back().sliver = 0.01;
        }
    }
}

}  // namespace clearwood
