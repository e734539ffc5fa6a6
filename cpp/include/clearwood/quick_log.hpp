/// n * log2(n) of real masses, several times as fast as the C library's and the same everywhere.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace clearwood {

namespace quick_log {

inline constexpr int index_bits = 7;

struct Cell {
    double inverse;  ///< of the middle of the cell
    double log;      ///< log2 of the middle
};
extern const std::array<Cell, std::size_t{1} << index_bits> cells;

}  // namespace quick_log

/// log2 of a positive, normal number; within 3e-16 of the greater of 1 and the result.
inline double quick_log2(double x) {
    constexpr double per_natural = 1.44269504088896340736;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
    const auto cell = quick_log::cells[bits >> (52 - quick_log::index_bits) &
                                       ((1u << quick_log::index_bits) - 1)];
    const double mantissa =
        std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    const double r = mantissa * cell.inverse - 1.0;  // at most 2^-8
    const double series =
        r * (1.0 + r * (-1.0 / 2 + r * (1.0 / 3 + r * (-1.0 / 4 + r * (1.0 / 5 - r / 6)))));
    return static_cast<double>(exponent) + (cell.log + series * per_natural);
}

inline double quick_n_log_n(double n) {
    return n > 1e-300 ? n * quick_log2(n) : 0.0;
}

}  // namespace clearwood
