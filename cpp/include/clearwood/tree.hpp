/// A tree as separate arrays, nodes in pre-order (node 0 is the root). This is the one definition
/// of the layout: Python reads the same arrays by the same names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "clearwood/witness.hpp"

namespace clearwood {

enum class NodeKind : std::int8_t { leaf = 0, cut = 1, levels = 2 };

inline constexpr std::int32_t no_branch = -1;

/// A tree that contradicts itself: a child out of range, a cycle, arrays of unequal length.
class InvalidTree : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// Every array has one entry a node unless its comment says otherwise.
struct TreeArrays {
    std::int32_t n_classes = 0;
    std::vector<std::int8_t> kind;          ///< NodeKind
    std::vector<std::int32_t> column;       ///< tested column; -1 at a leaf
    std::vector<double> threshold;          ///< of a cut: the first branch takes value <= threshold; NaN elsewhere
    std::vector<std::uint8_t> strict;       ///< 1: the first branch takes value < threshold
    std::vector<std::int32_t> child_start;  ///< n_nodes + 1: the branches of node i are child_ids[child_start[i] ... child_start[i + 1])
    std::vector<std::int32_t> child_ids;
    std::vector<double> missing_share;      ///< a branch (as child_ids): part of the weight of a row with a missing value that goes there
    std::vector<std::int32_t> level_start;  ///< n_nodes + 1: the levels of node i are level_branch[level_start[i] ... level_start[i + 1])
    std::vector<std::int32_t> level_branch; ///< branch number (0, 1, ...) of each level code; no_branch: as if missing
    std::vector<double> masses;             ///< n_nodes x n_classes: training weight that reached the node
    std::vector<double> distribution;       ///< n_nodes x n_classes: class probabilities that the node gives as a leaf
    std::vector<std::int32_t> label;        ///< class index that the node gives as a leaf
    std::vector<double> score;              ///< by which the split was chosen; NaN at a leaf
    std::vector<double> gain;               ///< impurity gain of the split (penalised where a penalty is on); NaN at a leaf
    std::vector<std::int64_t> n_rows;       ///< training rows that reached the node, whatever their weight
    WitnessArrays witnesses;                ///< of verified trees; empty otherwise

    std::int32_t n_nodes() const { return static_cast<std::int32_t>(kind.size()); }
};

/// The same tree, borrowed: what prediction and pruning read.
struct TreeView {
    std::int32_t n_classes = 0;
    std::span<const std::int8_t> kind;
    std::span<const std::int32_t> column;
    std::span<const double> threshold;
    std::span<const std::uint8_t> strict;
    std::span<const std::int32_t> child_start;
    std::span<const std::int32_t> child_ids;
    std::span<const double> missing_share;
    std::span<const std::int32_t> level_start;
    std::span<const std::int32_t> level_branch;
    std::span<const double> masses;
    std::span<const double> distribution;
    std::span<const std::int32_t> label;

    std::int32_t n_nodes() const { return static_cast<std::int32_t>(kind.size()); }
    bool is_leaf(std::int32_t node) const { return kind[at(node)] == static_cast<std::int8_t>(NodeKind::leaf); }
    bool is_cut(std::int32_t node) const { return kind[at(node)] == static_cast<std::int8_t>(NodeKind::cut); }

    std::span<const std::int32_t> children(std::int32_t node) const {
        const auto first = at(child_start[at(node)]);
        return child_ids.subspan(first, at(child_start[at(node) + 1]) - first);
    }
    std::span<const double> shares(std::int32_t node) const {
        const auto first = at(child_start[at(node)]);
        return missing_share.subspan(first, at(child_start[at(node) + 1]) - first);
    }
    std::span<const std::int32_t> levels(std::int32_t node) const {
        const auto first = at(level_start[at(node)]);
        return level_branch.subspan(first, at(level_start[at(node) + 1]) - first);
    }

    /// Branch of a known value (never NaN) at a cut.
    std::int32_t branch_of(std::int32_t node, double value) const {
        const double cut = threshold[at(node)];
        return (strict[at(node)] ? value < cut : value <= cut) ? 0 : 1;
    }
    /// Branch of a level code, or no_branch where the value is missing, unseen or has no branch.
    std::int32_t branch_of(std::int32_t node, std::int32_t level) const {
        const auto map = levels(node);
        return level < 0 || at(level) >= map.size() ? no_branch : map[at(level)];
    }

private:
    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
};

TreeView view(const TreeArrays& tree);

/// Checks everything that the core relies on: lengths, ranges, that each node but the root has one
/// parent before it in pre-order, shares and distributions finite and not negative.
/// Throws InvalidTree, naming node and array.
void check(const TreeView& tree, std::size_t n_columns);

}  // namespace clearwood
