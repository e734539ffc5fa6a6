/// A candidate split of one column, and what a search needs to know of the node.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "clearwood/box.hpp"
#include "clearwood/plan.hpp"
#include "clearwood/rows.hpp"
#include "clearwood/tree.hpp"
#include "clearwood/witness.hpp"

namespace clearwood {

/// The best split of one column. The branches' masses are counted when it has won.
struct Split {
    std::int32_t column = -1;
    bool available = false;
    double gain = 0.0;   ///< per unit of the node's mass, less the penalty
    double info = 0.0;   ///< split information: entropy of the branches' masses, missing among them
    double score = 0.0;  ///< by which the chooser took it

    std::size_t position = 0;  ///< numeric: entries of the order that go to the first branch
    /// Of a cut that noise put somewhere; NaN where it lies in the gap at `position`.
    double threshold = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::int32_t> branch_of_level;  ///< nominal
    std::int32_t n_branches = 2;
    /// Branch of every missing value; -1: they are shared out over the branches.
    std::int32_t missing_branch = -1;
    std::vector<Witness> witnesses;  ///< where the plan verifies cuts; strongest first
};

/// Gains this near may be equal but for rounding: neither is passed over for the other.
inline constexpr double equal_gain = 1e-9;

/// Everything about a node that the searches of its columns share.
struct NodeContext {
    const Table& table;
    const Presort& presort;
    const Plan& plan;
    const Rows& rows;
    const EntropyTable& entropy_table;
    std::span<const double> weights;  ///< by row; empty where every row weighs 1
    std::int32_t n_classes;
    double min_samples_leaf;   ///< of the plan, or what a fault of the original made of it
    const Box* box = nullptr;  ///< what the cuts above leave; none where everything is exact
    Effort* effort = nullptr;
    /// Highest gain of the columns searched so far; none where the highest does not simply win.
    const std::atomic<double>* gain_to_beat = nullptr;
    /// Whether a search keeps to cuts that leave both branches enough propagated mass.
    bool checks_propagation = true;

    /// What a candidate must gain to matter.
    double least_gain() const {
        const double gain = gain_to_beat ? gain_to_beat->load(std::memory_order_relaxed) : 0.0;
        return gain - equal_gain;
    }

    double weight(RowId row) const { return weights.empty() ? 1.0 : weights[row]; }
    Interval interval(std::size_t column) const { return box ? (*box)[column] : Interval{}; }
};

/// Reused from column to column and node to node, one for each thread.
struct SearchScratch {
    std::vector<std::int64_t> scan;
    std::vector<double> totals;
    std::vector<double> level_masses;
    std::vector<double> branch_masses;
    std::vector<double> shares;
    Arena memory;
};

/// A row's weight in the node at work.
struct UnitWeight {
    std::int64_t operator[](RowId) const { return 1; }
};
struct WholeWeight {
    const double* weights;
    std::int64_t operator[](RowId row) const { return static_cast<std::int64_t>(weights[row]); }
};
struct RealWeight {
    const double* weights;
    double operator[](RowId row) const { return weights[row]; }
};

/// Entropy in bits of branch masses and the mass that is missing, as parts of `total`.
double split_information(std::span<const double> branch_masses, double missing, double total);

/// The masses that two branches of a numeric cut may have: C4.5's minimum where the plan asks.
struct MassRange {
    double low;
    double high;
};
MassRange counted_range(const NodeContext& node, double known);

/// How many cuts the exact search has to choose from (the T of release 8's penalty).
std::size_t count_cuts(const NodeContext& node, std::size_t numeric_index, MassRange range);

/// The highest gain of any cut, whatever its branches weigh.
double highest_gain(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch);

Split best_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch);
/// The same where the column's search noise blurs its values (algorithms.md A).
Split best_soft_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch);
/// The same where the noise is a set of sample points (UDT; algorithms.md E).
Split best_sampled_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch);
Split best_levels(const NodeContext& node, std::size_t column, SearchScratch& scratch);

/// The same under C4.5's single precision (c45.md A.0).
Split best_cut_single(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch);
Split best_levels_single(const NodeContext& node, std::size_t column, SearchScratch& scratch);

/// The columns' best splits in, the place of the winner out; -1 if none is good enough.
std::int32_t choose(const Plan& plan, std::span<Split> splits,
                    std::span<const std::uint8_t> many_valued);
std::int32_t choose_single(const Plan& plan, std::span<Split> splits,
                           std::span<const std::uint8_t> many_valued);

}  // namespace clearwood
