/// Sorts a column once: the rows with a known value, by value and then by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/table.hpp"

namespace clearwood {

/// Memory that sorting one column after another reuses.
struct SortScratch {
    std::vector<double> values;
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> spare;
};

/// Fills `order` with the rows of `rows` whose value is known, ascending; ties by row.
/// `rows` must be ascending.
void sort_known(const NumericColumn& column, std::span<const RowId> rows, std::vector<RowId>& order,
                SortScratch& scratch);

}  // namespace clearwood
