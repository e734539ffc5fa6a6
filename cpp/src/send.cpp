#include "clearwood/send.hpp"

#include <algorithm>
#include <numeric>

namespace clearwood {

Sender::Sender(const Growth& growth, Watch& watch, unsigned n_threads)
    : growth_(growth),
      watch_(watch),
      n_threads_(n_threads),
      hard_(growth.table.n_rows, static_cast<std::size_t>(growth.labels.n_classes)),
      soft_(growth.plan.propagation_noise.empty() ? 0 : growth.table.n_rows,
            static_cast<std::size_t>(growth.labels.n_classes)),
      verified_(growth.plan.verification ? growth.table.n_rows : 0,
                static_cast<std::size_t>(growth.labels.n_classes)),
      spare_(n_threads),
      sizes_(n_threads) {}

Flow& Sender::open(const NodeContext& node, const Split& split, double threshold) {
    if (growth_.plan.verification) {
        branch_of_row_ = verified_.branch_of_row();
        return verified_.open(node, split);
    }
    const auto column = static_cast<std::size_t>(split.column);
    if (growth_.table.numeric(column) && growth_.plan.propagated_with(column)) {
        branch_of_row_ = soft_.branch_of_row();
        return soft_.open(node, split, threshold);
    }
    branch_of_row_ = hard_.branch_of_row();
    return hard_.open(node, split);
}

std::span<DividedRow> Sender::divided(const NodeContext& node, const Flow& flow) {
    const auto rows = arena_.take<DividedRow>(flow.n_divided);
    auto next = rows.begin();
    for (std::size_t i = 0; i < node.rows.entries.size() && next != rows.end(); ++i) {
        const RowId row = growth_.presort.code.row(node.rows.entries[i]);
        const bool is_copied = !flow.first_share.empty() && flow.first_share[i] == copied;
        if (branch_of_row_[row] == every_branch && !is_copied) {
            const double first = flow.first_share.empty() ? std::numeric_limits<double>::quiet_NaN()
                                                          : flow.first_share[i];
            *next++ = {row, node.weight(row), first};
        }
    }
    return rows;
}

Rows Sender::empty_rows(const Rows& parent, const BranchMasses& branch, bool divided) {
    Rows rows;
    rows.orders = arena_.take<std::span<Entry>>(parent.orders.size());
    rows.masses = arena_.take<double>(branch.masses.size());
    std::ranges::copy(branch.masses, rows.masses.begin());
    const double mass = std::accumulate(branch.masses.begin(), branch.masses.end(), 0.0);
    rows.mass = rounded(mass, growth_.plan.compatibility.single_precision);
    rows.counting = divided ? Counting::real : parent.counting;
    return rows;
}

std::span<Child> Sender::sent(const Rows& rows, const Flow& flow) {
    const auto children = arena_.take<Child>(parts_.size());
    for (std::size_t c = 0; c < children.size(); ++c) {
        const std::size_t branch = flow.filled[parts_[c]];
        const BranchMasses& masses = flow.branches[branch];
        children[c] = {empty_rows(rows, masses, flow.n_divided > 0),
                       static_cast<std::int32_t>(branch), masses.share};
    }
    if (children.empty()) {
        return children;
    }
    if (flow.n_everywhere() == rows.entries.size()) {
        share_columns(rows, children);
    } else {
        part_columns(rows, flow, children);
    }
    return children;
}

/// Every row goes to every branch: the branches read the node's own entries and orders.
void Sender::share_columns(const Rows& rows, std::span<Child> children) {
    for (Child& child : children) {
        child.rows.entries = rows.entries;
        std::ranges::copy(rows.orders, child.rows.orders.begin());
        child.rows.is_shared = true;
    }
}

/// Where C4.5 puts the rows that go to every branch, which decides the rounding of its sums.
void Sender::put_divided_first(std::span<Entry> entries) const {
    std::ranges::stable_partition(entries, [&](Entry entry) {
        return branch_of_row_[growth_.presort.code.row(entry)] == every_branch;
    });
}

/// Parts the entries and every order. Where no row is divided the parts replace the order.
void Sender::part_columns(const Rows& rows, const Flow& flow, std::span<Child> children) {
    const std::size_t n_parts = flow.filled.size();
    const std::size_t n_orders = rows.orders.size();
    const bool in_place = flow.n_everywhere() == 0 && !rows.is_shared;
    const bool single = growth_.plan.compatibility.single_precision;
    const auto order_at = [&](std::size_t i) {
        return i == n_orders ? rows.entries : rows.orders[i];
    };
    std::vector<Entry*> out(n_orders + 1);
    for (std::size_t i = 0; i <= n_orders; ++i) {
        const auto order = order_at(i);
        out[i] =
            in_place
                ? order.data()
                : arena_.take<Entry>(order.size() + flow.n_everywhere() * (n_parts - 1)).data();
    }
    const unsigned n_threads = growth_.threads_for(rows, n_threads_);
    parallel_for(n_threads, n_orders + 1, watch_, [&](std::size_t i, std::size_t thread) {
        auto& spare = spare_[thread];
        spare.resize(std::max(spare.size(), rows.entries.size()));
        auto& sizes = sizes_[thread];
        sizes.assign(n_parts, 0);
        part(order_at(i), growth_.presort.code, branch_of_row_, n_parts, out[i], spare, sizes);
        for (std::size_t c = 0; c < children.size(); ++c) {
            const auto before = sizes.begin() + static_cast<std::ptrdiff_t>(parts_[c]);
            const auto first = std::accumulate(sizes.begin(), before, std::size_t{0});
            const std::span<Entry> entries(out[i] + first, sizes[parts_[c]]);
            (i == n_orders ? children[c].rows.entries : children[c].rows.orders[i]) = entries;
        }
        if (i == n_orders && flow.n_divided > 0 && single) {
            for (Child& child : children) {
                put_divided_first(child.rows.entries);
            }
        }
    });
}

}  // namespace clearwood
