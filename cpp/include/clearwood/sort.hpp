/// Sorts a column once: the rows with a known value, by value and then by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/table.hpp"

namespace clearwood {

/// Memory that sorting one column after another reuses; holds the column last sorted.
struct SortScratch {
    std::span<const double> values;   ///< borrowed, missing ones among them
    std::vector<std::uint64_t> keys;  ///< sorted: scaled value << 32 | place in `values`
    std::vector<std::uint64_t> spare;

    double sorted_value(std::size_t place) const { return values[keys[place] & 0xffffffffu]; }
    /// Whether the values at two neighbouring places are equal.
    bool equal(std::size_t place, std::size_t next) const {
        return keys[place] >> 32 == keys[next] >> 32 && sorted_value(place) == sorted_value(next);
    }
};

/// Fills `order` with those of `rows` whose value is known, by value and then by row.
/// `values` holds a value for each of `rows`, which ascend; `scratch` refers to it afterwards.
void sort_known(std::span<const double> values, std::span<const RowId> rows,
                std::vector<RowId>& order, SortScratch& scratch);

}  // namespace clearwood
