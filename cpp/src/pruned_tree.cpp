#include "clearwood/pruned_tree.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace clearwood {
namespace {

double sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

PrunedTree::PrunedTree(const TreeView& tree) : tree_(tree) {
    result_.replacement.resize(tree.kind.size());
    std::iota(result_.replacement.begin(), result_.replacement.end(), 0);
    result_.masses.assign(tree.masses.begin(), tree.masses.end());
    result_.distribution.assign(tree.distribution.begin(), tree.distribution.end());
    result_.label.assign(tree.label.begin(), tree.label.end());
    result_.missing_share.assign(tree.missing_share.begin(), tree.missing_share.end());
    result_.n_rows.assign(tree.kind.size(), -1);
    result_.estimate.assign(tree.kind.size(), 0.0);
    n_nodes_.assign(tree.kind.size(), 1.0);
    for (std::int32_t node = tree.n_nodes() - 1; node >= 0; --node) count_nodes(node);
}

double PrunedTree::count_nodes(std::int32_t node) {
    double n_nodes = 1.0;
    for (std::size_t i = 0; !is_leaf(node) && i < tree_.children(node).size(); ++i)
        n_nodes += n_nodes_[index(child(node, i))];
    return n_nodes_[index(node)] = n_nodes;
}

std::int32_t PrunedTree::standing(std::int32_t node) {
    auto& replacement = result_.replacement;
    for (std::int32_t next = replacement[index(node)]; next != node && next != leaf_replacement;
         next = replacement[index(node)]) {
        const std::int32_t after = replacement[index(next)];
        if (after != leaf_replacement) replacement[index(node)] = after;
        node = next;
    }
    return node;
}

bool PrunedTree::is_leaf(std::int32_t node) const {
    return tree_.is_leaf(node) || result_.replacement[index(node)] == leaf_replacement;
}

double PrunedTree::mass(std::int32_t node) const {
    const std::size_t k = index(tree_.n_classes);
    return sum(std::span(result_.masses).subspan(index(node) * k, k));
}

void PrunedTree::make_leaf(std::int32_t node, double estimate) {
    if (!tree_.is_leaf(node)) result_.replacement[index(node)] = leaf_replacement;
    n_nodes_[index(node)] = 1.0;
    result_.estimate[index(node)] = estimate;
}

void PrunedTree::raise(std::int32_t node, std::size_t branch) {
    result_.replacement[index(node)] = child(node, branch);
}

void PrunedTree::set_rows(std::int32_t node, std::size_t n_rows, std::int32_t label) {
    result_.n_rows[index(node)] = static_cast<std::int64_t>(n_rows);
    result_.label[index(node)] = label;
}

std::span<double> PrunedTree::shares(std::int32_t node) {
    return std::span(result_.missing_share)
        .subspan(index(tree_.child_start[index(node)]), tree_.children(node).size());
}

std::span<double> PrunedTree::of_node(std::vector<double>& values, std::int32_t node) const {
    const std::size_t k = index(tree_.n_classes);
    return std::span(values).subspan(index(node) * k, k);
}

ErrorBasedResult PrunedTree::finish(EmptyLeaf empty_leaf) && {
    std::vector<std::pair<std::int32_t, std::int32_t>> open{{standing(0), standing(0)}};
    while (!open.empty()) {
        const auto [node, parent] = open.back();
        open.pop_back();
        set_distribution(node, parent, empty_leaf);  // before its children, which may need it
        if (is_leaf(node)) continue;
        for (std::size_t i = 0; i < tree_.children(node).size(); ++i) {
            open.emplace_back(child(node, i), node);
        }
    }
    return std::move(result_);
}

void PrunedTree::set_distribution(std::int32_t node, std::int32_t parent, EmptyLeaf empty_leaf) {
    const auto distribution = of_node(result_.distribution, node);
    const double total = mass(node);
    if (total > 0.0) {
        if (result_.n_rows[index(node)] < 0) return;  // no row came: as it was grown
        std::ranges::transform(masses(node), distribution.begin(),
                               [&](double mass_of_class) { return mass_of_class / total; });
    } else if (empty_leaf == EmptyLeaf::label) {
        std::ranges::fill(distribution, 0.0);
        distribution[index(label(node))] = 1.0;
    } else if (node != parent) {
        std::ranges::copy(of_node(result_.distribution, parent), distribution.begin());
    }
}

}  // namespace clearwood
