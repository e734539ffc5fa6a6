/// All paths of a row whose weight divides on its way down a packed tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "clearwood/descent.hpp"
#include "clearwood/packed.hpp"

namespace clearwood {

/// A part of a row's weight on its way down.
struct Parcel {
    std::int32_t node;
    double weight;
};

/// An evaluation sends a row on from an inner node: it calls send(branch, share), in the order of
/// the branches, for those that get a share. This one is C4.5's (release 8).
struct HardEvaluation {
    const PackedTree& tree;
    const Inputs& inputs;

    template <class Send>
    void operator()(std::int32_t node, std::size_t row, Send send) const {
        const std::int32_t branch = branch_of(tree.node(node), row);
        if (branch != no_branch) return send(branch, 1.0);
        std::int32_t each = 0;
        for (const double share : tree.shares_of(node)) send(each++, share);
    }

private:
    std::int32_t branch_of(const PackedNode& node, std::size_t row) const {
        if (!node.is_cut()) return tree.branch_of(node.levels, inputs.level(node, row));
        const double value = inputs.number(node, row);
        return std::isnan(value) ? no_branch : std::int32_t{value > node.threshold};
    }
};

/// Follows one row's weight, on a stack of its own since a tree may be 100,000 nodes deep.
template <class Evaluation>
class Walk {
public:
    Walk(const PackedTree& tree, Evaluation evaluation) : tree_(tree), evaluation_(evaluation) {}

    /// Calls visit(node, weight, ends_here) for each node with positive weight, in pre-order.
    template <class Visit>
    void operator()(std::size_t row, Visit visit) {
        stack_.assign(1, {0, 1.0});
        while (!stack_.empty()) {
            const Parcel parcel = stack_.back();
            stack_.pop_back();
            const std::size_t n_waiting = stack_.size();
            if (!tree_.is_leaf(parcel.node)) send_on(parcel, row);
            std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(n_waiting), stack_.end());
            visit(parcel.node, parcel.weight, stack_.size() == n_waiting);
        }
    }

private:
    void send_on(const Parcel& parcel, std::size_t row) {
        const std::int32_t first_child = tree_.node(parcel.node).first_child;
        evaluation_(parcel.node, row, [&](std::int32_t branch, double share) {
            const double weight = parcel.weight * share;
            if (weight > 0.0) stack_.push_back({first_child + branch, weight});
        });
    }

    const PackedTree& tree_;
    Evaluation evaluation_;
    std::vector<Parcel> stack_;
};

}  // namespace clearwood
