/// Class masses below a threshold when the values are known up to noise (algorithms.md A.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/split.hpp"

namespace clearwood {

/// The rows of one column in one node, on the axis of the column's noise.
class BlurredMasses {
public:
    BlurredMasses(const NodeContext& node, std::size_t numeric_index);

    std::size_t n_rows() const { return positions_.size(); }
    /// Rising where all rows have one scale.
    double position(std::size_t row) const { return positions_[row]; }
    double scale(std::size_t row) const { return per_row_ ? scales_[row] : scale_; }
    /// Half of the window within which a row is uncertain.
    double half_window(std::size_t row) const { return reach_ * scale(row); }
    std::span<const double> totals() const { return totals_; }
    double total() const { return total_; }

    /// Adds up, by class, the mass of true values up to `tau` (on the axis).
    void below(double tau, std::span<double> masses) const;
    /// How many of the measured values, and what mass of them, are up to `tau`.
    std::size_t measured_below(double tau, bool strict, double& mass) const;

private:
    void gather(const NodeContext& node, std::size_t numeric_index);
    void limit_to(Interval interval);
    template <class F>
    void add_window(const F& cdf, double tau, std::span<double> masses) const;
    template <class F>
    void add_each(const F& cdf, double tau, std::span<double> masses) const;
    template <class F>
    void add_within(const F& cdf, double tau, std::span<double> masses) const;

    const Noise& noise_;
    std::size_t n_classes_;
    bool per_row_;
    bool joint_;
    double scale_ = 0.0;
    double reach_ = 0.0;  ///< half the window, in scales
    double upper_ = HUGE_VAL;
    std::vector<double> positions_;
    std::vector<double> values_;  ///< on the axis, bias included: as measured
    std::vector<double> scales_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> labels_;
    std::vector<double> cumulated_;  ///< class masses of the first i rows: (n_rows + 1) x n_classes
    std::vector<double> starts_;     ///< joint: F at the box's lower end
    std::vector<double> widths_;     ///< joint: F over the box
    std::vector<double> totals_;
    double total_ = 0.0;
};

/// Half of the window that leaves the same tails as `window` standard deviations of a normal do.
double window_reach(const Cdf& cdf, double window);

}  // namespace clearwood
