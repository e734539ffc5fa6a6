#include "clearwood/soft_grid.hpp"

#include <algorithm>
#include <cmath>

namespace clearwood {
namespace {

constexpr double step_tolerance = 1e-9;  // in steps

struct Window {
    double start;
    double end;
};

/// Adds a window to those before it, which start no later; overlapping ones are one.
void merge(std::vector<Window>& merged, Window window, bool one_grid) {
    if (!merged.empty() && (one_grid || window.start <= merged.back().end)) {
        merged.back().end = std::max(merged.back().end, window.end);
    } else {
        merged.push_back(window);
    }
}

/// What the rows leave uncertain.
std::vector<Window> clusters(const BlurredMasses& rows, bool one_grid) {
    const auto window_of = [&](std::size_t row) {
        const double half = rows.half_window(row);
        return Window{rows.position(row) - half, rows.position(row) + half};
    };
    std::vector<Window> merged;
    if (!rows.has_row_scales()) {
        for (std::size_t row = 0; row < rows.n_rows(); ++row) {
            merge(merged, window_of(row), one_grid);
        }
        return merged;
    }
    std::vector<Window> windows;
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
        windows.push_back(window_of(row));
    }
    std::ranges::sort(windows, {}, &Window::start);
    for (const Window window : windows) {
        merge(merged, window, one_grid);
    }
    return merged;
}

/// The middle one of the scales above 0: the grid's unit where rows differ.
double typical_scale(const BlurredMasses& rows) {
    if (!rows.has_row_scales()) {
        return rows.n_rows() == 0 ? 0.0 : rows.scale(0);
    }
    std::vector<double> scales;
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
        if (rows.scale(row) > 0.0) {
            scales.push_back(rows.scale(row));
        }
    }
    if (scales.empty()) {
        return 0.0;
    }
    const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
    std::ranges::nth_element(scales, middle);
    return *middle;
}

}  // namespace

void SoftGrid::add(double start, double step, std::size_t count) {
    pieces_.push_back({size_, count, start, step});
    size_ += count;
}

/// The grid of a cluster; `closed` adds its end, so that what follows is as near as what precedes.
void SoftGrid::add_cluster(double start, double end, double step, bool closed) {
    const double steps = step > 0.0 ? (end - start) / step : 0.0;
    const auto whole = static_cast<std::size_t>(std::floor(steps + step_tolerance));
    add(start, step, whole + 1);
    if (closed && steps - static_cast<double>(whole) > step_tolerance) {
        add(end, 0.0, 1);
    }
}

SoftGrid::SoftGrid(const BlurredMasses& rows, const SoftSearch& search) {
    if (rows.has_cells()) {
        const EvenGrid& grid = rows.grid();
        const double end = rows.highest() + grid.half_window * grid.scale;
        add_cluster(grid.origin, end, grid.step * grid.scale, false);
        return;
    }
    const double step = search.step * typical_scale(rows);
    const auto found = clusters(rows, search.one_grid);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool gap_follows = i + 1 < found.size();
        add_cluster(found[i].start, found[i].end, step, gap_follows);
        if (gap_follows) {
            add(found[i].end / 2 + found[i + 1].start / 2, 0.0, 1);
        }
    }
}

double SoftGrid::operator[](std::size_t index) const {
    const auto after = std::ranges::upper_bound(pieces_, index, {}, &Piece::first);
    const Piece& piece = *(after - 1);
    return piece.start + piece.step * static_cast<double>(index - piece.first);
}

}  // namespace clearwood
