/// Soft training propagation: weight w goes to the first branch as w * g, to the second as
/// w * (1 - g), g the probability that the true value is not above the threshold (algorithms.md B).
#include "clearwood/flow.hpp"

namespace clearwood {

void SoftFlow::divide(const NodeContext& node, const Split& split, double threshold) {
    const auto column = static_cast<std::size_t>(split.column);
    const NumericColumn& values = *node.table.numeric(column);
    const Noise& noise = *node.plan.propagated_with(column);
    const Interval interval = node.interval(column);
    const bool strict = node.plan.is_strict();
    flow_.first_share.clear();
    flow_.n_divided = 0;
    const auto share_of = [&](const auto& cdf, double scale, double value) {
        return node.plan.joint_gates ? gate_within(cdf, noise, scale, interval.lower,
                                                   interval.upper, threshold, strict, value)
                                     : gate(cdf, noise, scale, threshold, strict, value);
    };
    const auto by_cdf = [&](const auto& cdf) {
        for (const Entry entry : node.rows.entries) {
            const RowId row = node.presort.code.row(entry);
            const double value = values.values[row];
            const double share =
                std::isnan(value) ? value
                                  : clipped(share_of(cdf, noise.scale[row], value), node.plan.eta);
            flow_.first_share.push_back(share);
            branch_of_row_[row] = share == 1.0 ? 0 : share == 0.0 ? 1 : every_branch;
            flow_.n_divided += branch_of_row_[row] == every_branch;
        }
    };
    std::visit(by_cdf, noise.cdf);
}

/// Adds the rows with a known value, or those with a missing one, to the branches.
void SoftFlow::add(const NodeContext& node, bool missing) {
    BranchMasses& first = flow_.branches[0];
    BranchMasses& second = flow_.branches[1];
    for (std::size_t i = 0; i < node.rows.entries.size(); ++i) {
        if (std::isnan(flow_.first_share[i]) != missing) {
            continue;
        }
        const Entry entry = node.rows.entries[i];
        const std::size_t label = node.presort.code.label(entry);
        const double weight = node.weight(node.presort.code.row(entry));
        const double to_first = missing ? first.share : flow_.first_share[i];
        const double to_second = missing ? second.share : 1.0 - to_first;
        first.masses[label] += weight * to_first;
        second.masses[label] += weight * to_second;
        first.n_rows += to_first > 0.0;
        second.n_rows += to_second > 0.0;
    }
}

Flow& SoftFlow::open(const NodeContext& node, const Split& split, double threshold) {
    divide(node, split, threshold);
    flow_.branches.resize(2);
    flow_.filled = {0, 1};
    double known = 0.0;
    for (BranchMasses& branch : flow_.branches) {
        branch.masses.assign(n_classes_, 0.0);
        branch.n_rows = 0;
    }
    add(node, false);
    for (BranchMasses& branch : flow_.branches) {
        branch.known = 0.0;
        for (const double mass : branch.masses) {
            branch.known += mass;
        }
        known += branch.known;
    }
    for (BranchMasses& branch : flow_.branches) {
        branch.share = branch.known / known;
    }
    if (split.missing_branch >= 0) {
        send_missing_to(flow_, split.missing_branch);
    }
    add(node, true);
    return flow_;
}

}  // namespace clearwood
