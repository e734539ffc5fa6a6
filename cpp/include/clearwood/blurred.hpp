/// Class masses below a threshold when the values are known up to noise (algorithms.md A.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "clearwood/cell_moments.hpp"
#include "clearwood/split.hpp"

namespace clearwood {

/// The rows of one column in one node, on the axis of the column's noise. Many rows of one scale
/// are kept as moments of cells; else they are kept one by one, in rising order.
class BlurredMasses {
public:
    BlurredMasses(const NodeContext& node, std::size_t numeric_index);

    std::size_t n_rows() const { return order_.size(); }
    std::span<const double> totals() const { return totals_; }
    double total() const { return total_; }

    /// Class masses of true values up to `tau` (on the axis).
    void below(double tau, std::span<double> masses);
    /// Where the rows are cells: an even grid, and the same at its threshold number `g`.
    bool has_cells() const { return cells_.has_value(); }
    const EvenGrid& grid() const { return grid_; }
    double highest() const { return highest_; }
    void below_at(std::size_t g, std::span<double> masses) const { cells_->below(g, masses); }

    /// Of rows kept one by one.
    double position(std::size_t row) const { return positions_[row]; }
    bool has_row_scales() const { return per_row_; }
    double scale(std::size_t row) const { return per_row_ ? scales_[row] : grid_.scale; }
    double half_window(std::size_t row) const { return grid_.half_window * scale(row); }

    /// How many measured values are up to `tau` (below it, if strict).
    std::size_t measured_below(double tau, bool strict) const;
    /// Whether the measured values on each side of `tau` have at least this mass.
    bool parts_measured(double tau, bool strict, double least) const;

private:
    double value_at(std::size_t place) const;
    double weight_at(std::size_t place) const;
    void count_totals();
    void fill_cells();
    void gather();
    void limit_to(Interval interval);
    template <class F>
    void add_window(const F& cdf, double tau, std::span<double> masses) const;
    template <class F>
    void add_each(const F& cdf, double tau, std::span<double> masses) const;
    template <class F>
    void add_within(const F& cdf, double tau, std::span<double> masses) const;

    const NodeContext& node_;
    std::size_t column_;
    const double* values_;  ///< by row; null where the table itself must be read
    std::span<const Entry> order_;
    const Noise& noise_;
    std::size_t n_classes_;
    bool per_row_;
    bool joint_;
    EvenGrid grid_{};
    double highest_ = 0.0;
    std::vector<double> totals_;
    double total_ = 0.0;
    std::optional<CellMoments> cells_;

    std::vector<double> positions_;
    std::vector<double> scales_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> labels_;
    std::vector<double> cumulated_;  ///< class masses of the first i rows: (n_rows + 1) x n_classes
    double upper_ = HUGE_VAL;
    std::vector<double> starts_;  ///< joint: F at the box's lower end
    std::vector<double> widths_;  ///< joint: F over the box
};

/// Half of the window that leaves the same tails as `window` standard deviations of a normal do.
double window_reach(const Cdf& cdf, double window);

}  // namespace clearwood
