#include "clearwood/flow.hpp"

namespace clearwood {
namespace {

Branch branch_of_missing(const Split& split) {
    return split.missing_branch < 0 ? every_branch : static_cast<Branch>(split.missing_branch);
}

}  // namespace

void send_missing_to(Flow& flow, std::int32_t branch) {
    for (std::size_t b = 0; b < flow.branches.size(); ++b) {
        flow.branches[b].share = b == static_cast<std::size_t>(branch) ? 1.0 : 0.0;
    }
}

void HardFlow::mark_cut(const NodeContext& node, const Split& split) {
    const auto order = node.rows.orders[node.presort.place[static_cast<std::size_t>(split.column)]];
    const EntryCode code = node.presort.code;
    if (order.size() < node.rows.entries.size()) {
        for (const Entry entry : node.rows.entries) {
            branch_of_row_[code.row(entry)] = branch_of_missing(split);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        branch_of_row_[code.row(order[i])] = i < split.position ? 0 : 1;
    }
}

void HardFlow::mark_levels(const NodeContext& node, const Split& split) {
    const NominalColumn& column = *node.table.nominal(static_cast<std::size_t>(split.column));
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        const std::int32_t level = column.codes[row];
        const std::int32_t branch =
            level < 0 ? no_branch : split.branch_of_level[static_cast<std::size_t>(level)];
        branch_of_row_[row] =
            branch == no_branch ? branch_of_missing(split) : static_cast<Branch>(branch);
    }
}

template <class Weight>
void HardFlow::measure_known(const NodeContext& node, const Split& split, Weight weight) {
    using Mass = std::decay_t<decltype(weight[RowId{}])>;
    const auto n_branches = static_cast<std::size_t>(split.n_branches);
    std::vector<Mass> masses(n_branches * n_classes_, Mass{0});
    std::vector<std::int64_t> n_rows(n_branches, 0);
    flow_.n_divided = 0;
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        const Branch branch = branch_of_row_[row];
        if (branch == every_branch) {
            ++flow_.n_divided;
        } else {
            masses[branch * n_classes_ + node.presort.code.label(entry)] += weight[row];
            ++n_rows[branch];
        }
    }
    flow_.branches.resize(n_branches);
    for (std::size_t b = 0; b < n_branches; ++b) {
        BranchMasses& branch = flow_.branches[b];
        branch.masses.assign(masses.begin() + static_cast<std::ptrdiff_t>(b * n_classes_),
                             masses.begin() + static_cast<std::ptrdiff_t>((b + 1) * n_classes_));
        branch.known = 0.0;
        for (const double mass : branch.masses) {
            branch.known += mass;  // with the missing ones where they all go to one branch
        }
        branch.n_rows = n_rows[b];
        branch.share = 0.0;
    }
}

/// Gives consecutive numbers to the branches that have known rows.
void HardFlow::number_filled(const NodeContext& node) {
    flow_.filled.clear();
    std::vector<Branch> number(flow_.branches.size(), every_branch);
    for (std::size_t b = 0; b < flow_.branches.size(); ++b) {
        if (flow_.branches[b].n_rows > 0) {
            number[b] = static_cast<Branch>(flow_.filled.size());
            flow_.filled.push_back(b);
        }
    }
    if (flow_.filled.size() == flow_.branches.size()) {
        return;
    }
    for (const Entry entry : node.rows.entries) {
        Branch& branch = branch_of_row_[node.presort.code.row(entry)];
        branch = branch == every_branch ? every_branch : number[branch];
    }
}

template <class Weight>
void HardFlow::share_missing(const NodeContext& node, std::int32_t missing_branch, Weight weight) {
    double known = 0.0;
    for (const BranchMasses& branch : flow_.branches) {
        known += branch.known;
    }
    const bool single = node.plan.compatibility.single_precision;
    for (BranchMasses& branch : flow_.branches) {
        branch.share = rounded(branch.known / known, single);
    }
    if (missing_branch >= 0) {
        send_missing_to(flow_, missing_branch);
    }
    if (flow_.n_divided == 0) {
        return;
    }
    for (const Entry entry : node.rows.entries) {
        const RowId row = node.presort.code.row(entry);
        if (branch_of_row_[row] != every_branch) {
            continue;
        }
        for (const std::size_t b : flow_.filled) {
            BranchMasses& branch = flow_.branches[b];
            const double part = rounded(static_cast<double>(weight[row]) * branch.share, single);
            branch.masses[node.presort.code.label(entry)] += part;
            ++branch.n_rows;
        }
    }
}

Flow& HardFlow::open(const NodeContext& node, const Split& split) {
    if (node.table.numeric(static_cast<std::size_t>(split.column))) {
        mark_cut(node, split);
    } else {
        mark_levels(node, split);
    }
    const auto measure = [&](auto weight) {
        measure_known(node, split, weight);
        number_filled(node);
        share_missing(node, split.missing_branch, weight);
    };
    switch (node.rows.counting) {
        case Counting::unit:
            measure(UnitWeight{});
            break;
        case Counting::whole:
            measure(WholeWeight{node.weights.data()});
            break;
        default:
            measure(RealWeight{node.weights.data()});
    }
    return flow_;
}

}  // namespace clearwood
