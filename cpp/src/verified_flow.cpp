#include <cmath>

#include "clearwood/flow.hpp"
#include "clearwood/verify.hpp"

namespace clearwood {

/// NaN where the value is missing.
double VerifiedFlow::first_share(const NodeContext& node, const Split& split, RowId row,
                                 Opinion side) const {
    const auto column = static_cast<std::size_t>(split.column);
    const Noise* noise = node.plan.propagated_with(column);
    if (side == Opinion::none || !noise || !node.table.numeric(column)) {
        return side == Opinion::none ? std::nan("") : side == Opinion::first ? 1.0 : 0.0;
    }
    const double value = node.table.numeric(column)->values[row];
    const auto share = [&](const auto& cdf) {
        return gate(cdf, *noise, noise->scale[row], split.threshold, true, value);
    };
    return clipped(std::visit(share, noise->cdf), node.plan.eta);
}

/// Adds a row to the masses of its branches. `known` counts each row once, where the cut sends it.
void VerifiedFlow::send(const NodeContext& node, Entry entry, double share) {
    const RowId row = node.presort.code.row(entry);
    const std::size_t label = node.presort.code.label(entry);
    const double weight = node.weight(row);
    const bool is_copied = flow_.first_share.back() == copied;
    const double shares[] = {is_copied ? 1.0 : share, is_copied ? 1.0 : 1.0 - share};
    for (std::size_t b = 0; b < 2; ++b) {
        BranchMasses& branch = flow_.branches[b];
        branch.masses[label] += weight * shares[b];
        branch.n_rows += shares[b] > 0.0;
        if (!std::isnan(share)) {
            branch.known += weight * (b == 0 ? share : 1.0 - share);
        }
    }
    branch_of_row_[row] = is_copied || (share > 0.0 && share < 1.0) ? every_branch
                          : share == 1.0                            ? Branch{0}
                                                                    : Branch{1};
    flow_.n_copied += is_copied;
    flow_.n_divided += !is_copied && branch_of_row_[row] == every_branch;
}

Flow& VerifiedFlow::open(const NodeContext& node, const Split& split) {
    flow_.branches.resize(2);
    flow_.filled = {0, 1};
    for (BranchMasses& branch : flow_.branches) {
        branch.masses.assign(n_classes_, 0.0);
        branch.known = 0.0;
        branch.n_rows = 0;
    }
    flow_.n_divided = 0;
    flow_.n_copied = 0;
    flow_.first_share.clear();
    const Disagreement rule = node.plan.verification->disagreement;
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        const Opinion side = side_of(node.table, split, row);
        const double share = first_share(node, split, row, side);
        const bool is_copied =
            side == Opinion::none || disagrees(node.table, row, side, split.witnesses, rule);
        flow_.first_share.push_back(is_copied ? copied : share);
        send(node, entry, share);
    }
    const double known = flow_.branches[0].known + flow_.branches[1].known;
    for (BranchMasses& branch : flow_.branches) {
        branch.share = branch.known / known;
    }
    return flow_;
}

}  // namespace clearwood
