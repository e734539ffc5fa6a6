#include "clearwood/sprout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clearwood/cut_place.hpp"

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// The stored threshold of every cut.
std::vector<double> thresholds(const Sprout& sprout, const Table& table, const Labels& labels,
                               const Plan& plan) {
    std::vector<double> result(at(sprout.size()), std::numeric_limits<double>::quiet_NaN());
    std::vector<std::vector<std::int32_t>> cuts_of_column(table.columns.size());
    for (std::int32_t id = 0; id < sprout.size(); ++id) {
        const SproutNode& node = sprout.node(id);
        if (node.kind != NodeKind::cut) {
            continue;
        }
        if (!std::isnan(node.threshold)) {
            result[at(id)] = node.threshold;
        } else if (plan.cut_at == CutAt::upper) {
            result[at(id)] = node.upper;
        } else if (plan.cut_at == CutAt::midpoint) {
            result[at(id)] = short_midpoint({node.lower, node.upper}, plan.is_strict());
        } else {
            cuts_of_column[at(node.column)].push_back(id);
        }
    }
    for (std::size_t column = 0; column < cuts_of_column.size(); ++column) {
        std::vector<Gap> gaps;
        for (const std::int32_t id : cuts_of_column[column]) {
            gaps.push_back({sprout.node(id).lower, sprout.node(id).upper});
        }
        if (gaps.empty()) {
            continue;
        }
        const auto cuts = observed_cuts(*table.numeric(column), labels, gaps,
                                        plan.compatibility.single_precision);
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            result[at(cuts_of_column[column][i])] = cuts[i];
        }
    }
    return result;
}

constexpr double collapse_slack = 1e-3;  // C4.5's, in errors

/// Which nodes become leaves because their subtree makes no fewer training errors (c45.md A.5).
/// Children stand behind their parents, so one pass from the back sees them first.
std::vector<std::uint8_t> collapsed(const Sprout& sprout) {
    std::vector<std::uint8_t> result(at(sprout.size()), 0);
    std::vector<double> errors(at(sprout.size()), 0.0);
    for (std::int32_t id = sprout.size(); id-- > 0;) {
        const SproutNode& node = sprout.node(id);
        const auto masses = sprout.masses(id);
        const double as_leaf =
            std::accumulate(masses.begin(), masses.end(), 0.0) - std::ranges::max(masses);
        double as_subtree = 0.0;
        for (std::int32_t b = 0; b < node.n_branches; ++b) {
            as_subtree += errors[at(node.first_child + b)];
        }
        result[at(id)] = node.kind != NodeKind::leaf && as_subtree >= as_leaf - collapse_slack;
        errors[at(id)] = node.kind == NodeKind::leaf || result[at(id)] ? as_leaf : as_subtree;
    }
    return result;
}

std::vector<std::int32_t> pre_order(const Sprout& sprout) {
    std::vector<std::int32_t> order;
    std::vector<std::int32_t> open{0};
    while (!open.empty()) {
        const std::int32_t id = open.back();
        open.pop_back();
        order.push_back(id);
        const SproutNode& node = sprout.node(id);
        for (std::int32_t b = node.n_branches; b-- > 0;) {
            open.push_back(node.first_child + b);
        }
    }
    return order;
}

void append_distribution(TreeArrays& tree, std::span<const double> masses, std::int32_t label,
                         std::span<const double> parent, bool by_label) {
    const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
    for (std::size_t k = 0; k < masses.size(); ++k) {
        if (total > 0.0) {
            tree.distribution.push_back(masses[k] / total);
        } else if (by_label || parent.empty()) {
            tree.distribution.push_back(k == at(label) ? 1.0 : 0.0);
        } else {
            tree.distribution.push_back(parent[k]);
        }
    }
}

}  // namespace

std::int32_t Sprout::add(std::span<const double> masses, std::int64_t n_rows,
                         std::int32_t parent_label) {
    SproutNode node;
    const auto heaviest = std::ranges::max_element(masses);
    node.label =
        *heaviest > 0.0 ? static_cast<std::int32_t>(heaviest - masses.begin()) : parent_label;
    node.n_rows = n_rows;
    nodes_.push_back(node);
    masses_.insert(masses_.end(), masses.begin(), masses.end());
    return size() - 1;
}

void Sprout::set_masses(std::int32_t id, std::span<const double> masses) {
    std::ranges::copy(masses, masses_.begin() + id * static_cast<std::ptrdiff_t>(n_classes_));
    node(id).label = static_cast<std::int32_t>(std::ranges::max_element(masses) - masses.begin());
}

void Sprout::set_levels(std::int32_t id, std::span<const std::int32_t> branch_of_level) {
    node(id).first_level = static_cast<std::int32_t>(level_branch_.size());
    node(id).n_levels = static_cast<std::int32_t>(branch_of_level.size());
    level_branch_.insert(level_branch_.end(), branch_of_level.begin(), branch_of_level.end());
}

void Sprout::set_witnesses(std::int32_t id, std::span<const Witness> witnesses) {
    node(id).first_witness = static_cast<std::int32_t>(witnesses_.size());
    node(id).n_witnesses = static_cast<std::int32_t>(witnesses.size());
    witnesses_.insert(witnesses_.end(), witnesses.begin(), witnesses.end());
}

void Sprout::graft(std::int32_t id, const Sprout& other) {
    // The other's root takes this place; its further nodes go to the end, each moved by `offset`.
    const std::int32_t offset = size() - 1;
    const auto level_offset = static_cast<std::int32_t>(level_branch_.size());
    const auto moved = [&](SproutNode node) {
        if (node.first_child >= 0) {
            node.first_child += offset;
        }
        node.first_level += level_offset;
        return node;
    };
    const double share = node(id).share;
    node(id) = moved(other.nodes_.front());
    node(id).share = share;
    for (std::size_t i = 1; i < other.nodes_.size(); ++i) {
        nodes_.push_back(moved(other.nodes_[i]));
    }
    masses_.insert(masses_.end(), other.masses_.begin() + static_cast<std::ptrdiff_t>(n_classes_),
                   other.masses_.end());
    level_branch_.insert(level_branch_.end(), other.level_branch_.begin(),
                         other.level_branch_.end());
}

void Sprout::collapse() {
    const auto becomes_leaf = collapsed(*this);
    for (std::int32_t id = 0; id < size(); ++id) {
        if (becomes_leaf[at(id)]) {
            SproutNode leaf;
            leaf.label = node(id).label;
            leaf.share = node(id).share;
            leaf.n_rows = node(id).n_rows;
            node(id) = leaf;
        }
    }
}

TreeArrays Sprout::finish(const Table& table, const Labels& labels, const Plan& plan) const {
    const auto order = pre_order(*this);
    const auto cuts = thresholds(*this, table, labels, plan);
    std::vector<std::int32_t> new_id(at(size()));  // nodes below a collapsed one have no place
    for (std::size_t i = 0; i < order.size(); ++i) {
        new_id[at(order[i])] = static_cast<std::int32_t>(i);
    }
    std::vector<std::size_t> parent(order.size(), 0);
    TreeArrays tree;
    tree.n_classes = static_cast<std::int32_t>(n_classes_);
    tree.distribution.reserve(masses_.size());  // a node reads its parent's while its own is added
    tree.child_start.push_back(0);
    tree.level_start.push_back(0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const SproutNode& from = node(order[i]);
        tree.kind.push_back(static_cast<std::int8_t>(from.kind));
        tree.column.push_back(from.column);
        tree.threshold.push_back(cuts[at(order[i])]);
        tree.strict.push_back(from.kind == NodeKind::cut && plan.is_strict());
        for (std::int32_t b = 0; b < from.n_branches; ++b) {
            const std::int32_t child = from.first_child + b;
            tree.child_ids.push_back(new_id[at(child)]);
            tree.missing_share.push_back(node(child).share);
            parent[at(new_id[at(child)])] = i;
        }
        tree.child_start.push_back(static_cast<std::int32_t>(tree.child_ids.size()));
        const auto map = levels(from);
        tree.level_branch.insert(tree.level_branch.end(), map.begin(), map.end());
        tree.level_start.push_back(static_cast<std::int32_t>(tree.level_branch.size()));
        const auto mass = masses(order[i]);
        tree.masses.insert(tree.masses.end(), mass.begin(), mass.end());
        const auto above =
            std::span(tree.distribution).subspan(parent[i] * n_classes_, i == 0 ? 0 : n_classes_);
        append_distribution(tree, mass, from.label, above, plan.empty_leaf_label);
        tree.label.push_back(from.label);
        tree.score.push_back(from.score);
        tree.gain.push_back(from.gain);
        tree.n_rows.push_back(from.n_rows);
        if (plan.verification) {
            tree.witnesses.add(
                std::span(witnesses_).subspan(at(from.first_witness), at(from.n_witnesses)));
        }
    }
    return tree;
}

}  // namespace clearwood
