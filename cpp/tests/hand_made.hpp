/// Trees written by hand for tests, and the tables they are tried on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace hand_made {

struct Node {
    clearwood::NodeKind kind = clearwood::NodeKind::leaf;
    std::int32_t column = -1;
    double threshold = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::int32_t> levels;
    std::int32_t label = 0;
    std::vector<Node> branches;
};

inline Node leaf(std::int32_t label) {
    Node node;
    node.label = label;
    return node;
}

/// value <= threshold goes to `first`.
inline Node cut(std::int32_t column, double threshold, Node first, Node second) {
    Node node;
    node.kind = clearwood::NodeKind::cut;
    node.column = column;
    node.threshold = threshold;
    node.branches = {std::move(first), std::move(second)};
    return node;
}

/// Level code c goes to branch levels[c].
inline Node levels(std::int32_t column, std::vector<std::int32_t> branch_of_level,
                   std::vector<Node> branches) {
    Node node;
    node.kind = clearwood::NodeKind::levels;
    node.column = column;
    node.levels = std::move(branch_of_level);
    node.branches = std::move(branches);
    return node;
}

namespace detail {

inline void describe(const Node& node, clearwood::TreeArrays& tree,
                     std::vector<std::vector<std::int32_t>>& children) {
    const std::size_t id = tree.kind.size();
    tree.kind.push_back(static_cast<std::int8_t>(node.kind));
    tree.column.push_back(node.column);
    tree.threshold.push_back(node.threshold);
    tree.strict.push_back(0);
    tree.label.push_back(node.label);
    tree.n_rows.push_back(0);
    for (std::int32_t c = 0; c < tree.n_classes; ++c) {
        tree.masses.push_back(0.0);
        tree.distribution.push_back(c == node.label ? 1.0 : 0.0);
    }
    tree.level_branch.insert(tree.level_branch.end(), node.levels.begin(), node.levels.end());
    tree.level_start.push_back(static_cast<std::int32_t>(tree.level_branch.size()));
    children.emplace_back();
    for (const Node& branch : node.branches) {
        children[id].push_back(static_cast<std::int32_t>(tree.kind.size()));
        describe(branch, tree, children);
    }
}

}  // namespace detail

/// The arrays of the tree: no masses, equal shares, each node sure of its label.
inline clearwood::TreeArrays tree(std::int32_t n_classes, const Node& root) {
    clearwood::TreeArrays arrays;
    arrays.n_classes = n_classes;
    arrays.level_start = {0};
    arrays.child_start = {0};
    std::vector<std::vector<std::int32_t>> children;
    detail::describe(root, arrays, children);
    for (const auto& ids : children) {
        arrays.child_ids.insert(arrays.child_ids.end(), ids.begin(), ids.end());
        arrays.child_start.push_back(static_cast<std::int32_t>(arrays.child_ids.size()));
        const double share = 1.0 / static_cast<double>(ids.empty() ? 1 : ids.size());
        arrays.missing_share.resize(arrays.child_ids.size(), share);
    }
    arrays.score.assign(arrays.kind.size(), 0.0);
    arrays.gain.assign(arrays.kind.size(), 0.0);
    return arrays;
}

/// `n_cuts` cuts of column 0, one apart, each in the second branch of the one before.
inline clearwood::TreeArrays chain(std::int32_t n_cuts, double first_threshold) {
    clearwood::TreeArrays arrays;
    arrays.n_classes = 2;
    arrays.child_start = {0};
    for (std::int32_t node = 0; node < 2 * n_cuts + 1; ++node) {
        const bool is_cut = node % 2 == 0 && node < 2 * n_cuts;
        arrays.kind.push_back(is_cut ? 1 : 0);
        arrays.column.push_back(is_cut ? 0 : -1);
        arrays.threshold.push_back(is_cut ? first_threshold + node / 2
                                          : std::numeric_limits<double>::quiet_NaN());
        if (is_cut) arrays.child_ids.insert(arrays.child_ids.end(), {node + 1, node + 2});
        arrays.child_start.push_back(static_cast<std::int32_t>(arrays.child_ids.size()));
    }
    const std::size_t n_nodes = arrays.kind.size();
    arrays.strict.assign(n_nodes, 0);
    arrays.label.assign(n_nodes, 0);
    arrays.n_rows.assign(n_nodes, 0);
    arrays.score.assign(n_nodes, 0.0);
    arrays.gain.assign(n_nodes, 0.0);
    arrays.masses.assign(2 * n_nodes, 0.0);
    arrays.distribution.assign(2 * n_nodes, 0.5);
    arrays.level_start.assign(n_nodes + 1, 0);
    arrays.missing_share.assign(arrays.child_ids.size(), 0.5);
    return arrays;
}

inline clearwood::NumericColumn numbers(const std::vector<double>& values) {
    return {clearwood::Strided<double>(values.data(), 1)};
}

inline clearwood::NominalColumn codes(const std::vector<std::int32_t>& values,
                                      std::int32_t n_levels) {
    return {clearwood::Strided<std::int32_t>(values.data(), 1), n_levels};
}

}  // namespace hand_made
