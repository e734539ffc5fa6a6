/// A tree while it is being pruned: what stands where, and what the rows made of each node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "clearwood/prune.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

class PrunedTree {
public:
    /// As it was grown; `tree` is borrowed.
    explicit PrunedTree(const TreeView& tree);

    const TreeView& grown() const { return tree_; }

    /// The node that stands at the place of `node`. Shortens the way there for the next time.
    std::int32_t standing(std::int32_t node);
    bool is_leaf(std::int32_t node) const;
    std::int32_t label(std::int32_t node) const { return result_.label[index(node)]; }
    /// The node that stands in a branch.
    std::int32_t child(std::int32_t node, std::size_t branch) {
        return standing(tree_.children(node)[branch]);
    }
    double mass(std::int32_t node) const;
    /// Nodes of the subtree that stands at a node.
    double n_nodes(std::int32_t node) const { return n_nodes_[index(node)]; }
    /// Counts them anew, after the branches have changed.
    double count_nodes(std::int32_t node);
    double estimate(std::int32_t node) const { return result_.estimate[index(node)]; }

    void make_leaf(std::int32_t node, double estimate);
    void keep(std::int32_t node, double estimate) { result_.estimate[index(node)] = estimate; }
    /// The branch takes the place of its parent.
    void raise(std::int32_t node, std::size_t branch);
    void set_rows(std::int32_t node, std::size_t n_rows, std::int32_t label);
    std::span<double> masses(std::int32_t node) { return of_node(result_.masses, node); }
    /// Whether rows came down the branch when they last came to the node, which stayed as it was.
    bool is_reached(std::int32_t node, std::size_t branch) { return shares(node)[branch] > 0.0; }
    /// The branches' parts of the weight of a row with a missing value.
    std::span<double> shares(std::int32_t node);

    /// Gives every remaining node its class distribution and hands everything over.
    ErrorBasedResult finish(EmptyLeaf empty_leaf) &&;

private:
    static std::size_t index(std::int32_t node) { return static_cast<std::size_t>(node); }
    std::span<double> of_node(std::vector<double>& values, std::int32_t node) const;
    void set_distribution(std::int32_t node, std::int32_t parent, EmptyLeaf empty_leaf);

    const TreeView& tree_;
    ErrorBasedResult result_;
    std::vector<double> n_nodes_;
};

}  // namespace clearwood
