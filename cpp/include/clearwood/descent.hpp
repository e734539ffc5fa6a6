/// One path down a packed tree: for rows that meet no missing value.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "clearwood/inputs.hpp"
#include "clearwood/packed.hpp"

namespace clearwood {

/// A row on its way to the leaf where it ends if it meets no missing value.
class Descent {
public:
    std::int32_t node() const { return node_; }

    /// False if a value that was asked for is missing: then `node` says nothing.
    bool all_known() const { return !std::isnan(sum_); }

    /// One step; a step from a leaf stays there. Returns 0 if it did.
    std::int32_t follow(const PackedNode& here, double value) {
        sum_ += value;
        return move_to(here.first_child + (value > here.threshold));
    }
    std::int32_t follow(const PackedNode& here, std::int32_t branch) {
        if (branch == no_branch) sum_ = std::numeric_limits<double>::quiet_NaN();
        return move_to(here.first_child + (branch == no_branch ? 0 : branch));
    }

private:
    std::int32_t move_to(std::int32_t node) {
        const std::int32_t moved = node ^ node_;
        node_ = node;
        return moved;
    }

    std::int32_t node_ = 0;
    /// Of the numbers met; NaN if one of them is, which costs less than asking each. A sum of
    /// finite numbers may overflow, but is never NaN.
    double sum_ = 0.0;
};

/// Consecutive rows side by side: while one waits for its next node, the others go on.
template <bool has_levels, std::size_t n_lanes>
std::array<Descent, n_lanes> descend(const PackedTree& tree, const Inputs& inputs,
                                     std::size_t first_row) {
    std::array<Descent, n_lanes> lanes{};
    // Plain pointers, or each step would read them again.
    const PackedNode* nodes = tree.nodes.data();
    const Strided<double>* numeric = inputs.numeric.data();
    for (std::int32_t moved = 1; moved != 0;) {
        moved = 0;
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            const std::size_t row = first_row + lane;
            const PackedNode& here = nodes[lanes[lane].node()];
            if (has_levels && !here.is_cut())
                moved |=
                    lanes[lane].follow(here, tree.branch_of(here.levels, inputs.level(here, row)));
            else
                moved |= lanes[lane].follow(here, numeric[here.column][row]);
        }
    }
    return lanes;
}

template <bool has_levels, class Emit>
void descend_rows(const PackedTree& tree, const Inputs& inputs, std::size_t first, std::size_t last,
                  Emit& emit) {
    constexpr std::size_t n_lanes = 8;  // fastest of 4, 8, 12 and 16, for small trees and large
    std::size_t row = first;
    for (; row + n_lanes <= last; row += n_lanes) {
        const auto lanes = descend<has_levels, n_lanes>(tree, inputs, row);
        for (std::size_t lane = 0; lane < n_lanes; ++lane) emit(row + lane, lanes[lane]);
    }
    for (; row < last; ++row) emit(row, descend<has_levels, 1>(tree, inputs, row)[0]);
}

/// Calls emit(row, descent), the descent being done, for each row of [first, last).
template <class Emit>
void descend_rows(const PackedTree& tree, const Inputs& inputs, std::size_t first, std::size_t last,
                  Emit emit) {
    if (tree.is_leaf(0)) {
        for (std::size_t row = first; row < last; ++row) emit(row, Descent{});
        return;
    }
    inputs.nominal.empty() ? descend_rows<false>(tree, inputs, first, last, emit)
                           : descend_rows<true>(tree, inputs, first, last, emit);
}

}  // namespace clearwood
