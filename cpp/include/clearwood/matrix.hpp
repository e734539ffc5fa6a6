/// Numbers in two dimensions: a table without nominal columns, as callers often have it.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "clearwood/table.hpp"

namespace clearwood {

/// Borrowed; NaN is a missing value; strides in elements, of either sign.
struct Matrix {
    const double* data = nullptr;
    std::size_t n_rows = 0;
    std::size_t n_columns = 0;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t column_stride = 0;

    Strided<double> column(std::size_t index) const {
        return {data + static_cast<std::ptrdiff_t>(index) * column_stride, row_stride};
    }
};

/// An infinite number where a table may hold only finite ones and NaN.
class InfiniteValue : public std::invalid_argument {
public:
    InfiniteValue(std::size_t row_index, std::size_t column_index)
        : std::invalid_argument("a value is infinite"), row(row_index), column(column_index) {}

    std::size_t row;
    std::size_t column;
};

/// Throws InfiniteValue, naming one place, if any value is infinite.
void check_finite(const Matrix& matrix);

}  // namespace clearwood
