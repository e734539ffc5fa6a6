/// The measured table as the core sees it: borrowed, strided columns. Nothing here owns memory,
/// so a table must not outlive the arrays it was made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace clearwood {

using RowId = std::uint32_t;

inline constexpr std::int32_t missing_level = -1;

/// A view of every `stride`-th element (in elements, not bytes).
template <class T>
class Strided {
public:
    Strided() = default;
    Strided(const T* data, std::ptrdiff_t stride) : data_(data), stride_(stride) {}

    T operator[](std::size_t row) const { return data_[static_cast<std::ptrdiff_t>(row) * stride_]; }

private:
    const T* data_ = nullptr;
    std::ptrdiff_t stride_ = 1;
};

/// Numbers; NaN is a missing value. Infinite values are refused before a table is made.
struct NumericColumn {
    Strided<double> values;
};

/// Level codes 0 ... n_levels - 1 of a nominal column; a negative code is a missing value.
struct NominalColumn {
    Strided<std::int32_t> codes;
    std::int32_t n_levels = 0;
};

using Column = std::variant<NumericColumn, NominalColumn>;

struct Table {
    std::vector<Column> columns;
    std::size_t n_rows = 0;

    const NumericColumn* numeric(std::size_t column) const {
        return std::get_if<NumericColumn>(&columns[column]);
    }
    const NominalColumn* nominal(std::size_t column) const {
        return std::get_if<NominalColumn>(&columns[column]);
    }
};

/// What is to be learnt: a class index and a weight for each row (no weights means 1 each).
struct Labels {
    std::span<const std::int32_t> classes;
    std::int32_t n_classes = 0;
    std::span<const double> weights;

    double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

}  // namespace clearwood
