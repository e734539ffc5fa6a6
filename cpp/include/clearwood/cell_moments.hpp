/// Sums of normal gates over many rows at once. Rows are put into cells one step of the threshold
/// grid wide, where they enter by the moments of their distances from the middle; the normal
/// distribution, expanded about the middle, does the rest to within 2e-10 of each row's weight.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace clearwood {

/// Thresholds `origin + g * step * scale`, g = 0, 1, ...; no row lies below `origin`.
struct EvenGrid {
    double origin;
    double scale;
    double step;         ///< in scales
    double half_window;  ///< in scales: beyond, a row is certain
};

class CellMoments {
public:
    /// Whether moments serve such a grid: steps short, window a whole number of steps.
    static bool serve(const EvenGrid& grid);
    static std::size_t cells_for(const EvenGrid& grid, double highest);

    CellMoments(const EvenGrid& grid, double highest, std::size_t n_classes);

    void add(double position, std::size_t label, double weight) {
        const double steps = (position - grid_.origin) * steps_per_unit_;
        const auto nearest = static_cast<std::size_t>(steps + 0.5);
        const double off = steps - static_cast<double>(nearest);
        if (std::abs(off) * grid_.step < edge_tolerance) {
            on_edge_[nearest * n_classes_ + label] += weight;
            any_on_edge_ = true;
            return;
        }
        const std::size_t cell = off < 0.0 ? nearest - 1 : nearest;
        const double distance = (off < 0.0 ? off + 0.5 : off - 0.5) * grid_.step;
        const double squared = distance * distance;
        const double cubed = squared * distance;
        double* moment = &moments_[(cell * n_classes_ + label) * n_moments];
        moment[0] += weight;
        moment[1] += weight * distance;
        moment[2] += weight * squared;
        moment[3] += weight * cubed;
        moment[4] += weight * (squared * squared);
        moment[5] += weight * (squared * cubed);
    }
    /// Call once, when all rows are in.
    void finish();

    /// Whether somewhere in between no row is uncertain: the grid then should not be even.
    bool has_gap() const;
    /// Class masses below threshold number `g`.
    void below(std::size_t g, std::span<double> masses) const;
    std::size_t n_thresholds() const { return n_cells_ + reach_ + 1; }

private:
    static constexpr std::size_t n_moments = 6;
    static constexpr double edge_tolerance = 1e-9;  ///< in scales, as in the sums over single rows

    void add_cell(std::size_t cell, std::size_t offset, std::span<double> masses) const;
    void fill_coefficients();

    EvenGrid grid_;
    std::size_t n_classes_;
    std::size_t n_cells_;
    std::size_t reach_;  ///< steps in half a window
    double steps_per_unit_;
    std::vector<double> moments_;  ///< cells x classes x n_moments
    std::vector<double> on_edge_;  ///< masses exactly on the lower edge of a cell: cells x classes
    bool any_on_edge_ = false;
    std::vector<double> cumulated_;  ///< class masses below the lower edge of each cell
    std::vector<double>
        coefficients_;  ///< for a cell whose middle lies (i + 0.5 - reach) steps below
    std::vector<double> edge_gates_;  ///< for an edge that lies (i - reach) steps below
};

}  // namespace clearwood
