/// A tree packed for prediction: small nodes side by side, in place of one array per property.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/tree.hpp"

namespace clearwood {

/// The levels of a node: PackedTree::level_branch[start ... start + count).
struct LevelRange {
    std::int32_t start;
    std::int32_t count;
};

/// 16 bytes, so that four nodes fill a cache line; siblings lie side by side.
///
/// `column` counts the columns that are cut (>= 0) or, as ~column, those that are mapped by level.
/// A leaf is its own first child and asks the root's column, in a way whose answer is always 0:
/// a step from a leaf ends in the leaf, and can meet no missing value that the root did not meet.
struct PackedNode {
    union {
        double threshold;  ///< the first branch takes value <= threshold
        LevelRange levels;
    };
    std::int32_t column;
    std::int32_t first_child;

    bool is_cut() const { return column >= 0; }
};
static_assert(sizeof(PackedNode) == 16);

/// Each parent comes before its children, as in the tree that was packed.
struct PackedTree {
    std::size_t n_classes = 0;
    std::size_t n_columns = 0;
    std::vector<std::size_t> cut_columns;    ///< table column of PackedNode::column
    std::vector<std::size_t> level_columns;  ///< table column of ~PackedNode::column
    std::vector<PackedNode> nodes;
    std::vector<std::int32_t> level_branch;
    std::vector<std::int32_t> n_branches;  ///< of each node
    std::vector<double> share;  ///< of a row with a missing value, for the branch into each node
    std::vector<double> distribution;  ///< n_nodes x n_classes
    std::vector<std::int32_t> id;      ///< of each node in the tree that was packed

    const PackedNode& node(std::int32_t index) const { return nodes[at(index)]; }
    std::int32_t id_of(std::int32_t index) const { return id[at(index)]; }
    bool is_leaf(std::int32_t index) const { return node(index).first_child == index; }

    std::span<const double> distribution_of(std::int32_t index) const {
        return std::span(distribution).subspan(at(index) * n_classes, n_classes);
    }
    /// Shares of the branches of an inner node for a row with a missing value.
    std::span<const double> shares_of(std::int32_t index) const {
        return std::span(share).subspan(at(node(index).first_child), at(n_branches[at(index)]));
    }
    /// Branch of a level code, or no_branch where it is missing, unseen or has no branch.
    std::int32_t branch_of(LevelRange levels, std::int32_t level) const {
        return level < 0 || level >= levels.count ? no_branch
                                                  : level_branch[at(levels.start + level)];
    }

private:
    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
};

/// Copies what prediction needs. Throws InvalidTree where `check` does, and for a column that is
/// both cut and mapped by level.
PackedTree pack(const TreeView& tree, std::size_t n_columns);

}  // namespace clearwood
