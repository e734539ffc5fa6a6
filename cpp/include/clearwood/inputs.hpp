/// The columns that a packed tree asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clearwood/matrix.hpp"
#include "clearwood/packed.hpp"
#include "clearwood/table.hpp"

namespace clearwood {

/// Columns by the numbers that PackedNode uses.
struct Inputs {
    std::vector<Strided<double>> numeric;
    std::vector<Strided<std::int32_t>> nominal;
    std::size_t n_rows = 0;

    double number(const PackedNode& node, std::size_t row) const {
        return numeric[static_cast<std::size_t>(node.column)][row];
    }
    std::int32_t level(const PackedNode& node, std::size_t row) const {
        return nominal[static_cast<std::size_t>(~node.column)][row];
    }
};

/// Throws std::invalid_argument where the columns are not those that the tree was made for.
Inputs inputs_of(const PackedTree& tree, const Table& table);
Inputs inputs_of(const PackedTree& tree, const Matrix& matrix);

}  // namespace clearwood
