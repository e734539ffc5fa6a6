#include "clearwood/cell_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "clearwood/noise.hpp"

namespace clearwood {
namespace {

constexpr double largest_step = 0.1;

double steps_in(const EvenGrid& grid) {
    return grid.half_window / grid.step;
}

}  // namespace

bool CellMoments::serve(const EvenGrid& grid) {
    const double steps = steps_in(grid);
    return grid.step <= largest_step + edge_tolerance &&
           std::abs(steps - std::round(steps)) < edge_tolerance;
}

std::size_t CellMoments::cells_for(const EvenGrid& grid, double highest) {
    return static_cast<std::size_t>((highest - grid.origin) / (grid.scale * grid.step)) + 2;
}

CellMoments::CellMoments(const EvenGrid& grid, double highest, std::size_t n_classes)
    : grid_(grid),
      n_classes_(n_classes),
      n_cells_(cells_for(grid, highest)),
      reach_(static_cast<std::size_t>(std::lround(steps_in(grid)))),
      steps_per_unit_(1.0 / (grid.scale * grid.step)),
      moments_(n_cells_ * n_classes * n_moments, 0.0),
      on_edge_(n_cells_ * n_classes, 0.0) {}

void CellMoments::finish() {
    cumulated_.assign((n_cells_ + 1) * n_classes_, 0.0);
    for (std::size_t cell = 0; cell < n_cells_; ++cell) {
        for (std::size_t k = 0; k < n_classes_; ++k) {
            const std::size_t i = cell * n_classes_ + k;
            cumulated_[i + n_classes_] = cumulated_[i] + on_edge_[i] + moments_[i * n_moments];
        }
    }
    fill_coefficients();
}

/// (-1)^m / m! times the m-th derivative of the normal distribution, at every distance that the
/// middle of an uncertain cell can have from a threshold.
void CellMoments::fill_coefficients() {
    const NormalCdf cdf;
    for (std::size_t i = 0; i < 2 * reach_; ++i) {
        const double steps = static_cast<double>(i) + 0.5 - static_cast<double>(reach_);
        const double z = steps * grid_.step;
        const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
        coefficients_.push_back(cdf(z));
        // The m-th derivative is density times (-1)^(m-1) He_(m-1): the signs leave one minus.
        double previous = 0.0;
        double hermite = 1.0;
        double factorial = 1.0;
        for (std::size_t m = 1; m < n_moments; ++m) {
            factorial *= static_cast<double>(m);
            coefficients_.push_back(-density * hermite / factorial);
            const double next = z * hermite - static_cast<double>(m - 1) * previous;
            previous = hermite;
            hermite = next;
        }
        edge_gates_.push_back(
            cdf((static_cast<double>(i) - static_cast<double>(reach_)) * grid_.step));
    }
}

bool CellMoments::has_gap() const {
    std::size_t last_seen = 0;
    for (std::size_t cell = 0; cell < n_cells_; ++cell) {
        const auto* below = &cumulated_[cell * n_classes_];
        if (std::equal(below, below + n_classes_, below + n_classes_)) {
            continue;
        }
        if (last_seen > 0 && cell - last_seen >= 2 * reach_) {
            return true;
        }
        last_seen = cell;
    }
    return false;
}

void CellMoments::add_cell(std::size_t cell, std::size_t offset, std::span<double> masses) const {
    const double* coefficient = &coefficients_[offset * n_moments];
    for (std::size_t k = 0; k < n_classes_; ++k) {
        const double* moment = &moments_[(cell * n_classes_ + k) * n_moments];
        std::array<double, n_moments> parts;
        for (std::size_t m = 0; m < n_moments; ++m) {
            parts[m] = coefficient[m] * moment[m];
        }
        masses[k] += (parts[0] + parts[3]) + (parts[1] + parts[4]) + (parts[2] + parts[5]);
    }
}

void CellMoments::below(std::size_t g, std::span<double> masses) const {
    // Cells g - reach ... g + reach - 1 are uncertain; cell c counts from its lower edge, c steps up.
    const std::size_t first = std::min(g > reach_ ? g - reach_ : 0, n_cells_);
    const std::size_t last = std::min(g + reach_, n_cells_);
    std::copy_n(&cumulated_[first * n_classes_], n_classes_, masses.begin());
    for (std::size_t cell = first; cell < last; ++cell) {
        add_cell(cell, g + reach_ - 1 - cell, masses);
    }
    if (!any_on_edge_) {
        return;
    }
    for (std::size_t cell = first; cell < last; ++cell) {
        // A row on the edge of the window itself is outside: below for certain, or not at all.
        const double gate = cell + reach_ == g ? 1.0 : edge_gates_[g + reach_ - cell];
        for (std::size_t k = 0; k < n_classes_; ++k) {
            masses[k] += on_edge_[cell * n_classes_ + k] * gate;
        }
    }
}

}  // namespace clearwood
