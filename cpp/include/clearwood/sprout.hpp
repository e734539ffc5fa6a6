/// A tree while it grows: nodes in the order in which they were made, a parent before its children.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "clearwood/plan.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"
#include "clearwood/witness.hpp"

namespace clearwood {

struct SproutNode {
    NodeKind kind = NodeKind::leaf;
    std::int32_t column = -1;
    std::int32_t first_child = -1;  ///< the children of a node are made together
    std::int32_t n_branches = 0;
    std::int32_t first_level = 0;  ///< in `level_branch`
    std::int32_t n_levels = 0;
    std::int32_t first_witness = 0;
    std::int32_t n_witnesses = 0;
    std::int32_t label = 0;
    double lower = std::numeric_limits<double>::quiet_NaN();  ///< neighbours of a cut in the node
    double upper = std::numeric_limits<double>::quiet_NaN();
    double threshold =
        std::numeric_limits<double>::quiet_NaN();  ///< of a cut, if fixed; else it lies in the gap
    double score = std::numeric_limits<double>::quiet_NaN();
    double gain = std::numeric_limits<double>::quiet_NaN();
    double share = 1.0;  ///< of the parent's rows with a missing value
    std::int64_t n_rows = 0;
};

class Sprout {
public:
    explicit Sprout(std::size_t n_classes) : n_classes_(n_classes) {}

    /// A new leaf; its label is the heaviest class (ties: the first), or the parent's without rows.
    std::int32_t add(std::span<const double> masses, std::int64_t n_rows,
                     std::int32_t parent_label);

    SproutNode& node(std::int32_t id) { return nodes_[static_cast<std::size_t>(id)]; }
    const SproutNode& node(std::int32_t id) const { return nodes_[static_cast<std::size_t>(id)]; }
    std::span<const double> masses(std::int32_t id) const {
        return std::span(masses_).subspan(static_cast<std::size_t>(id) * n_classes_, n_classes_);
    }
    std::span<const std::int32_t> levels(const SproutNode& node) const {
        return std::span(level_branch_)
            .subspan(static_cast<std::size_t>(node.first_level),
                     static_cast<std::size_t>(node.n_levels));
    }
    /// Other masses for a leaf, and the label that follows from them.
    void set_masses(std::int32_t id, std::span<const double> masses);
    void set_levels(std::int32_t id, std::span<const std::int32_t> branch_of_level);
    void set_witnesses(std::int32_t id, std::span<const Witness> witnesses);
    std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }

    /// Puts another sprout in the place of leaf `id`: its root becomes this node.
    void graft(std::int32_t id, const Sprout& other);

    /// Makes leaves of subtrees that are no better on the training rows (C4.5).
    void collapse();

    /// The finished arrays, nodes in pre-order, cuts placed as the plan says.
    TreeArrays finish(const Table& table, const Labels& labels, const Plan& plan) const;

private:
    std::size_t n_classes_;
    std::vector<SproutNode> nodes_;
    std::vector<double> masses_;
    std::vector<std::int32_t> level_branch_;
    std::vector<Witness> witnesses_;
};

}  // namespace clearwood
