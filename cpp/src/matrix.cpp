#include "clearwood/matrix.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>

namespace clearwood {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

/// In whole numbers and without a way out of the loop, so that it runs in vector registers.
bool any_infinite(std::span<const double> values) {
    constexpr auto infinity = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
    std::uint64_t finite = ~std::uint64_t{0};  // the top bit counts
    for (const double value : values) {
        const std::uint64_t beyond = (std::bit_cast<std::uint64_t>(value) & ~sign_bit) - infinity;
        finite &= beyond | (0 - beyond);  // top bit 0 only where `beyond` is 0
    }
    return (finite & sign_bit) == 0;
}

bool any_infinite(Strided<double> values, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        if (std::isinf(values[i])) return true;
    return false;
}

/// Goes along the lines whose values lie closer together.
bool any_infinite(const Matrix& matrix) {
    const bool by_row = std::abs(matrix.column_stride) <= std::abs(matrix.row_stride);
    const std::size_t n_lines = by_row ? matrix.n_rows : matrix.n_columns;
    const std::size_t size = by_row ? matrix.n_columns : matrix.n_rows;
    const std::ptrdiff_t to_next_line = by_row ? matrix.row_stride : matrix.column_stride;
    const std::ptrdiff_t stride = by_row ? matrix.column_stride : matrix.row_stride;
    if (stride == 1 && to_next_line == static_cast<std::ptrdiff_t>(size))
        return any_infinite(std::span{matrix.data, n_lines * size});
    for (std::size_t line = 0; line < n_lines; ++line) {
        const double* first = matrix.data + static_cast<std::ptrdiff_t>(line) * to_next_line;
        if (stride == 1 ? any_infinite(std::span{first, size})
                        : any_infinite(Strided{first, stride}, size))
            return true;
    }
    return false;
}

}  // namespace

void check_finite(const Matrix& matrix) {
    if (!any_infinite(matrix)) return;
    for (std::size_t row = 0; row < matrix.n_rows; ++row)
        for (std::size_t column = 0; column < matrix.n_columns; ++column)
            if (std::isinf(matrix.column(column)[row])) throw InfiniteValue(row, column);
}

}  // namespace clearwood
