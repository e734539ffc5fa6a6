/// Sends the rows of a node on to its branches.
#pragma once

#include <span>
#include <vector>

#include "clearwood/flow.hpp"
#include "clearwood/growth.hpp"

namespace clearwood {

/// A row that is divided over the branches, with its weight in the node.
struct DividedRow {
    RowId row;
    double weight;
    double first;  ///< the first branch's share; NaN: by the branches' shares of missing values
};

/// A branch that will be grown on.
struct Child {
    Rows rows;
    std::int32_t branch;
    double share;  ///< of rows with a missing value
};

/// Part of a row's weight that a branch gets.
inline double share_of(const DividedRow& divided, const Child& child) {
    if (std::isnan(divided.first)) {
        return child.share;
    }
    return child.branch == 0 ? divided.first : 1.0 - divided.first;
}

/// One thread's memory for rows, and how they are parted. `n_threads` part the columns of large
/// nodes.
class Sender {
public:
    Sender(const Growth& growth, Watch& watch, unsigned n_threads);

    /// Measures the branches of a split; `threshold` is where a cut will be stored.
    Flow& open(const NodeContext& node, const Split& split, double threshold);
    /// After `open`: the rows that are divided.
    std::span<DividedRow> divided(const NodeContext& node, const Flow& flow);
    /// After `open`: the rows of those branches that `grows(branch, masses)` says will be grown on.
    template <class Grows>
    std::span<Child> children(const Rows& rows, const Flow& flow, const Grows& grows) {
        parts_.clear();
        for (std::size_t part = 0; part < flow.filled.size(); ++part) {
            if (grows(flow.filled[part], flow.branches[flow.filled[part]].masses)) {
                parts_.push_back(part);
            }
        }
        return sent(rows, flow);
    }

    Arena& arena() { return arena_; }

private:
    std::span<Child> sent(const Rows& rows, const Flow& flow);
    Rows empty_rows(const Rows& parent, const BranchMasses& branch, bool divided);
    void share_columns(const Rows& rows, std::span<Child> children);
    void part_columns(const Rows& rows, const Flow& flow, std::span<Child> children);
    void put_divided_first(std::span<Entry> entries) const;

    const Growth& growth_;
    Watch& watch_;
    unsigned n_threads_;
    Arena arena_;
    HardFlow hard_;
    SoftFlow soft_;
    VerifiedFlow verified_;
    const Branch* branch_of_row_ = nullptr;  ///< of the flow opened last
    std::vector<std::size_t> parts_;         ///< the filled branches that are grown on
    std::vector<std::vector<Entry>> spare_;  ///< per thread
    std::vector<std::vector<std::size_t>> sizes_;
};

}  // namespace clearwood
