/// What becomes of the weight of a node's rows at a split.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/rows.hpp"
#include "clearwood/split.hpp"

namespace clearwood {

/// One branch of a split.
struct BranchMasses {
    std::vector<double> masses;  ///< per class, parts of rows with a missing value included
    double known = 0.0;          ///< mass of the rows whose value is known
    double share = 0.0;          ///< of a row whose value is missing
    std::int64_t n_rows = 0;
};

/// Where every row of a node goes. `branch_of_row` (by row id) numbers the branches that have known
/// rows 0, 1, ... in their order, since only these take rows with a missing value.
struct Flow {
    std::vector<BranchMasses> branches;
    std::vector<std::size_t> filled;  ///< the branches that have known rows
    std::size_t n_divided = 0;        ///< rows whose weight is divided over the filled branches
    std::size_t n_copied = 0;         ///< rows that go to both branches with all their weight
    /// By entry of the node, the first branch's share where noise divides rows; NaN where the value
    /// is missing, `copied` where both branches get it whole. Empty where nothing but missing
    /// values divides.
    std::vector<double> first_share;

    std::size_t n_everywhere() const { return n_divided + n_copied; }
};

/// The first share of a row of which both branches get all.
inline constexpr double copied = 2.0;

/// Of rows with a missing value one branch takes all.
void send_missing_to(Flow& flow, std::int32_t branch);

inline double rounded(double value, bool single_precision) {
    return single_precision ? static_cast<double>(static_cast<float>(value)) : value;
}

/// C4.5's flow (c45.md A.5): a known value goes to its branch, a missing one to every branch with
/// known rows, weighted by their known masses. Single precision rounds shares and weights to float.
class HardFlow {
public:
    HardFlow(std::size_t n_rows, std::size_t n_classes)
        : branch_of_row_(n_rows), n_classes_(n_classes) {}

    /// Measures the branches and notes each row's branch; the result is valid until the next call.
    Flow& open(const NodeContext& node, const Split& split);
    const Branch* branch_of_row() const { return branch_of_row_.data(); }

private:
    template <class Weight>
    void measure_known(const NodeContext& node, const Split& split, Weight weight);
    template <class Weight>
    void share_missing(const NodeContext& node, std::int32_t missing_branch, Weight weight);
    void mark_cut(const NodeContext& node, const Split& split);
    void mark_levels(const NodeContext& node, const Split& split);
    void number_filled(const NodeContext& node);

    std::vector<Branch> branch_of_row_;
    std::size_t n_classes_;
    Flow flow_;
};

/// The first paper's flow (algorithms.md B): noise divides a row over both sides of a cut.
class SoftFlow {
public:
    SoftFlow(std::size_t n_rows, std::size_t n_classes)
        : branch_of_row_(n_rows), n_classes_(n_classes) {}

    Flow& open(const NodeContext& node, const Split& split, double threshold);
    const Branch* branch_of_row() const { return branch_of_row_.data(); }

private:
    void divide(const NodeContext& node, const Split& split, double threshold);
    void add(const NodeContext& node, bool missing);

    std::vector<Branch> branch_of_row_;
    std::size_t n_classes_;
    Flow flow_;
};

/// The second paper's flow (algorithms.md G.3): a row on which the witnesses disagree with the cut,
/// or whose value is missing, goes to both branches whole. Noise divides the others.
class VerifiedFlow {
public:
    VerifiedFlow(std::size_t n_rows, std::size_t n_classes)
        : branch_of_row_(n_rows), n_classes_(n_classes) {}

    Flow& open(const NodeContext& node, const Split& split);
    const Branch* branch_of_row() const { return branch_of_row_.data(); }

private:
    double first_share(const NodeContext& node, const Split& split, RowId row, Opinion side) const;
    void send(const NodeContext& node, Entry entry, double share);

    std::vector<Branch> branch_of_row_;
    std::size_t n_classes_;
    Flow flow_;
};

}  // namespace clearwood
