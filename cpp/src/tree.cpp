#include "clearwood/tree.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

[[noreturn]] void refuse(std::int32_t node, std::string_view array, const std::string& problem) {
    throw InvalidTree("node " + std::to_string(node) + ": " + std::string(array) + " " + problem);
}

void check_length(std::string_view array, std::size_t length, std::size_t expected) {
    if (length == expected) return;
    throw InvalidTree(std::string(array) + " must have " + std::to_string(expected) +
                      " entries, got " + std::to_string(length));
}

void check_lengths(const TreeView& tree) {
    const std::size_t n = tree.kind.size();
    if (n == 0) throw InvalidTree("kind must have at least one entry: a tree has a root");
    if (tree.n_classes < 1) {
        throw InvalidTree("n_classes must be at least 1, got " + std::to_string(tree.n_classes));
    }
    check_length("column", tree.column.size(), n);
    check_length("threshold", tree.threshold.size(), n);
    check_length("strict", tree.strict.size(), n);
    check_length("label", tree.label.size(), n);
    check_length("child_start", tree.child_start.size(), n + 1);
    check_length("level_start", tree.level_start.size(), n + 1);
    check_length("missing_share", tree.missing_share.size(), tree.child_ids.size());
    check_length("masses", tree.masses.size(), n * at(tree.n_classes));
    check_length("distribution", tree.distribution.size(), n * at(tree.n_classes));
}

/// That `start` cuts an array of `length` entries into one stretch a node.
void check_stretches(std::string_view array, std::span<const std::int32_t> start,
                     std::size_t length) {
    if (start.front() != 0)
        refuse(0, array, "must begin at 0, got " + std::to_string(start.front()));
    for (std::size_t node = 0; node + 1 < start.size(); ++node) {
        if (start[node + 1] < start[node])
            refuse(static_cast<std::int32_t>(node), array, "must not fall");
    }
    if (at(start.back()) != length) {
        throw InvalidTree(std::string(array) + " must end at " + std::to_string(length) + ", got " +
                          std::to_string(start.back()));
    }
}

/// That the children of each node are where pre-order puts them: the first right behind the node,
/// every other right behind the subtree before it. Then each node but the root has one parent.
void check_preorder(const TreeView& tree) {
    const std::int32_t n = tree.n_nodes();
    std::vector<std::int32_t> end(at(n));  // one past the last node of the subtree
    for (std::int32_t node = n - 1; node >= 0; --node) {
        std::int32_t expected = node + 1;
        for (const std::int32_t child : tree.children(node)) {
            if (child != expected || child >= n) {
                refuse(node, "child_ids",
                       "must hold " + std::to_string(expected) + " (nodes are in pre-order), got " +
                           std::to_string(child));
            }
            expected = end[at(child)];
        }
        end[at(node)] = expected;
    }
    if (end[0] != n)
        refuse(end[0], "child_ids", "must name every node but the root: this one has no parent");
}

void check_levels(const TreeView& tree, std::int32_t node) {
    const auto n_branches = static_cast<std::int32_t>(tree.children(node).size());
    if (n_branches == 0)
        refuse(node, "child_ids", "must give a condition on levels at least one branch");
    for (const std::int32_t branch : tree.levels(node)) {
        if (branch < no_branch || branch >= n_branches) {
            refuse(node, "level_branch",
                   "must be a branch from 0 to " + std::to_string(n_branches - 1) + " or -1, got " +
                       std::to_string(branch));
        }
    }
}

void check_cut(const TreeView& tree, std::int32_t node) {
    const std::size_t n_branches = tree.children(node).size();
    if (n_branches != 2) {
        refuse(node, "child_ids",
               "must give a cut two branches, got " + std::to_string(n_branches));
    }
    if (!std::isfinite(tree.threshold[at(node)])) {
        refuse(node, "threshold",
               "of a cut must be finite, got " + std::to_string(tree.threshold[at(node)]));
    }
}

void check_condition(const TreeView& tree, std::int32_t node, std::size_t n_columns) {
    const auto kind = static_cast<NodeKind>(tree.kind[at(node)]);
    if (kind == NodeKind::leaf) {
        if (!tree.children(node).empty()) refuse(node, "child_ids", "must give a leaf no branch");
        return;
    }
    const std::int32_t column = tree.column[at(node)];
    if (column < 0 || at(column) >= n_columns) {
        refuse(node, "column",
               "must be from 0 to " + std::to_string(n_columns) + " (exclusive), got " +
                   std::to_string(column));
    }
    if (kind == NodeKind::cut) return check_cut(tree, node);
    if (kind == NodeKind::levels) return check_levels(tree, node);
    refuse(node, "kind",
           "must be 0 (leaf), 1 (cut) or 2 (levels), got " + std::to_string(tree.kind[at(node)]));
}

void check_amounts(std::string_view array, std::span<const double> values, std::int32_t node) {
    const auto bad =
        std::ranges::find_if_not(values, [](double v) { return std::isfinite(v) && v >= 0.0; });
    if (bad != values.end())
        refuse(node, array, "must be finite and not negative, got " + std::to_string(*bad));
}

void check_contents(const TreeView& tree, std::int32_t node) {
    const std::size_t k = at(tree.n_classes);
    check_amounts("masses", tree.masses.subspan(at(node) * k, k), node);
    check_amounts("distribution", tree.distribution.subspan(at(node) * k, k), node);
    check_amounts("missing_share", tree.shares(node), node);
    const std::int32_t label = tree.label[at(node)];
    if (label < 0 || label >= tree.n_classes) {
        refuse(node, "label",
               "must be from 0 to " + std::to_string(tree.n_classes) + " (exclusive), got " +
                   std::to_string(label));
    }
}

}  // namespace

TreeView view(const TreeArrays& tree) {
    return {.n_classes = tree.n_classes,
            .kind = tree.kind,
            .column = tree.column,
            .threshold = tree.threshold,
            .strict = tree.strict,
            .child_start = tree.child_start,
            .child_ids = tree.child_ids,
            .missing_share = tree.missing_share,
            .level_start = tree.level_start,
            .level_branch = tree.level_branch,
            .masses = tree.masses,
            .distribution = tree.distribution,
            .label = tree.label};
}

void check(const TreeView& tree, std::size_t n_columns) {
    check_lengths(tree);
    check_stretches("child_start", tree.child_start, tree.child_ids.size());
    check_stretches("level_start", tree.level_start, tree.level_branch.size());
    check_preorder(tree);
    for (std::int32_t node = 0; node < tree.n_nodes(); ++node) {
        check_condition(tree, node, n_columns);
        check_contents(tree, node);
    }
}

}  // namespace clearwood
