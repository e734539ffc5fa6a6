/// Sorts every numeric column of a table once.
#pragma once

#include "clearwood/parallel.hpp"
#include "clearwood/rows.hpp"

namespace clearwood {

/// Sorts the rows that weigh more than 0 into `rows`.
/// `keep_values` copies the columns, for searches that read every value of a node.
Presort presort(const Table& table, const Labels& labels, unsigned n_threads, Watch& watch,
                SortedRows& rows, bool keep_values = false);

/// Those of the rows that `is_in` (by row) marks, in the same orders; reuses the memory of `part`.
void filter(const SortedRows& rows, EntryCode code, std::span<const std::uint8_t> is_in,
            SortedRows& part);

}  // namespace clearwood
