#include "clearwood/packed.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace clearwood {

namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// Columns numbered in the order in which nodes first ask them.
class ColumnNumbers {
public:
    ColumnNumbers(PackedTree& packed) : packed_(packed), number_(packed.n_columns) {}

    std::int32_t of(std::int32_t column, bool is_cut) {
        std::optional<std::int32_t>& number = number_[at(column)];
        if (!number)
            number =
                is_cut ? next(packed_.cut_columns, column) : ~next(packed_.level_columns, column);
        if ((*number >= 0) != is_cut)
            throw InvalidTree("column " + std::to_string(column) +
                              " is cut at a threshold in one node and mapped by level in another");
        return *number;
    }

private:
    static std::int32_t next(std::vector<std::size_t>& columns, std::int32_t column) {
        columns.push_back(at(column));
        return static_cast<std::int32_t>(columns.size() - 1);
    }

    PackedTree& packed_;
    std::vector<std::optional<std::int32_t>> number_;
};

/// `value < threshold` is `value <= ` the next lower number, so packed cuts need no strictness.
double inclusive_threshold(const TreeView& tree, std::int32_t node) {
    const double threshold = tree.threshold[at(node)];
    return tree.strict[at(node)]
               ? std::nextafter(threshold, -std::numeric_limits<double>::infinity())
               : threshold;
}

LevelRange append_levels(PackedTree& packed, std::span<const std::int32_t> branches) {
    const auto start = static_cast<std::int32_t>(packed.level_branch.size());
    packed.level_branch.insert(packed.level_branch.end(), branches.begin(), branches.end());
    return {start, static_cast<std::int32_t>(branches.size())};
}

PackedNode inner_node(PackedTree& packed, ColumnNumbers& numbers, const TreeView& tree,
                      std::int32_t node, std::int32_t first_child) {
    PackedNode inner{};
    inner.column = numbers.of(tree.column[at(node)], tree.is_cut(node));
    inner.first_child = first_child;
    if (inner.is_cut())
        inner.threshold = inclusive_threshold(tree, node);
    else
        inner.levels = append_levels(packed, tree.levels(node));
    return inner;
}

/// What every leaf shares, apart from its place: the root's question, always answered by 0.
PackedNode leaf_pattern(PackedTree& packed, const TreeView& tree) {
    PackedNode leaf{};
    leaf.threshold = std::numeric_limits<double>::infinity();
    if (tree.is_leaf(0)) return leaf;
    leaf.column = tree.is_cut(0) ? 0 : ~0;
    if (!leaf.is_cut())
        leaf.levels = append_levels(packed, std::vector<std::int32_t>(tree.levels(0).size(), 0));
    return leaf;
}

/// Gives the children of each node, taken in pre-order, the next free places.
std::vector<std::int32_t> places_of(const TreeView& tree) {
    std::vector<std::int32_t> place(tree.kind.size(), 0);
    std::int32_t next = 1;
    for (std::int32_t node = 0; node < tree.n_nodes(); ++node)
        for (const std::int32_t child : tree.children(node)) place[at(child)] = next++;
    return place;
}

void copy_distributions(PackedTree& packed, const TreeView& tree) {
    packed.distribution.reserve(tree.distribution.size());
    for (const std::int32_t node : packed.id) {
        const auto values =
            tree.distribution.subspan(at(node) * packed.n_classes, packed.n_classes);
        packed.distribution.insert(packed.distribution.end(), values.begin(), values.end());
    }
}

}  // namespace

PackedTree pack(const TreeView& tree, std::size_t n_columns) {
    check(tree, n_columns);
    PackedTree packed;
    packed.n_classes = at(tree.n_classes);
    packed.n_columns = n_columns;
    packed.nodes.resize(tree.kind.size());
    packed.n_branches.resize(tree.kind.size());
    packed.share.assign(tree.kind.size(), 1.0);
    packed.id.resize(tree.kind.size());

    ColumnNumbers numbers(packed);
    const PackedNode leaf = leaf_pattern(packed, tree);
    const std::vector<std::int32_t> place = places_of(tree);
    for (std::int32_t node = 0; node < tree.n_nodes(); ++node) {
        const std::size_t here = at(place[at(node)]);
        const auto children = tree.children(node);
        packed.id[here] = node;
        packed.n_branches[here] = static_cast<std::int32_t>(children.size());
        packed.nodes[here] = leaf;
        packed.nodes[here].first_child = place[at(node)];
        if (tree.is_leaf(node)) continue;
        packed.nodes[here] = inner_node(packed, numbers, tree, node, place[at(children.front())]);
        for (std::size_t branch = 0; branch < children.size(); ++branch)
            packed.share[at(place[at(children[branch])])] = tree.shares(node)[branch];
    }
    copy_distributions(packed, tree);
    return packed;
}

}  // namespace clearwood
