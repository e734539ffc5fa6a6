/// That a tree, a table and labels belong together, checked before the core relies on it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// Throws InvalidTree for a damaged tree and std::invalid_argument if a condition tests a column
/// that the table lacks or that is of another kind.
void check(const TreeView& tree, const Table& table);

/// Throws std::invalid_argument unless there are `n_rows` classes from 0 to `n_classes` - 1 and, if
/// any, as many finite weights, none negative.
void check(const Labels& labels, std::int32_t n_classes, std::size_t n_rows);

}  // namespace clearwood
