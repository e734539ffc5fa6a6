/// Tables: views of the caller's arrays, which live as long as the table.
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>

#include "bind.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::device::cpu>;
using Numbers2d = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

std::string named(std::size_t column) {
    return "column " + std::to_string(column);
}

template <class Array>
auto strided(const Array& array) {
    return clearwood::Strided(array.data(), static_cast<std::ptrdiff_t>(array.stride(0)));
}

/// Adds a column and returns its number of rows.
std::size_t add_column(clearwood::Table& table, nb::handle array, std::int32_t n_levels) {
    if (Numbers numbers; nb::try_cast(array, numbers, false)) {
        table.columns.push_back(clearwood::NumericColumn{strided(numbers)});
        return numbers.shape(0);
    }
    if (Codes codes; nb::try_cast(array, codes, false)) {
        table.columns.push_back(clearwood::NominalColumn{strided(codes), n_levels});
        return codes.shape(0);
    }
    const std::string message =
        named(table.columns.size()) +
        " must be a one-dimensional array of float64 (numbers) or int32 (level codes)";
    throw nb::type_error(message.c_str());
}

void check_n_rows(std::size_t column, std::size_t n_rows, std::size_t expected) {
    if (n_rows != expected)
        throw std::invalid_argument(named(column) + " must have " + std::to_string(expected) +
                                    " rows as column 0, got " + std::to_string(n_rows));
}

BoundTable from_columns(const nb::sequence& columns, const std::vector<std::int32_t>& n_levels) {
    BoundTable bound{{}, nb::tuple(columns)};
    const nb::tuple arrays = nb::borrow<nb::tuple>(bound.arrays);
    if (n_levels.size() != arrays.size())
        throw std::invalid_argument("n_levels must have one entry a column, " +
                                    std::to_string(arrays.size()) + ", got " +
                                    std::to_string(n_levels.size()));
    bound.table.columns.reserve(arrays.size());
    for (std::size_t column = 0; column < arrays.size(); ++column) {
        const std::size_t n_rows = add_column(bound.table, arrays[column], n_levels[column]);
        if (column == 0) bound.table.n_rows = n_rows;
        check_n_rows(column, n_rows, bound.table.n_rows);
    }
    return bound;
}

BoundTable from_matrix(const Numbers2d& matrix) {
    BoundTable bound{{}, nb::cast(matrix)};
    bound.table.n_rows = matrix.shape(0);
    bound.table.columns.reserve(matrix.shape(1));
    for (std::size_t column = 0; column < matrix.shape(1); ++column) {
        const double* first =
            matrix.data() + static_cast<std::ptrdiff_t>(column) * matrix.stride(1);
        bound.table.columns.push_back(clearwood::NumericColumn{{first, matrix.stride(0)}});
    }
    return bound;
}

}  // namespace

const clearwood::Table& core_table(nb::handle table) {
    return nb::cast<const BoundTable&>(table).table;
}

void bind_table(nb::module_& m) {
    nb::class_<BoundTable>(m, "Table", "Columns in place; the arrays live as long as the table.")
        .def_static(
            "from_columns", &from_columns, "columns"_a, "n_levels"_a,
            "Of one-dimensional arrays: float64 holds numbers, int32 codes of n_levels levels.\n\n"
            "NaN and negative codes are missing values. n_levels is not looked at for numbers.")
        .def_static(
            "from_matrix", &from_matrix, "X"_a.noconvert(),
            "Of numbers (n_rows, n_columns), float64 with any strides; NaN is a missing value.")
        .def_prop_ro("n_rows", [](const BoundTable& bound) { return bound.table.n_rows; })
        .def_prop_ro("n_columns",
                     [](const BoundTable& bound) { return bound.table.columns.size(); });
}
