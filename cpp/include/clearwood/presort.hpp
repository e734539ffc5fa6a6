/// Sorts every numeric column of a table once.
#pragma once

#include "clearwood/parallel.hpp"
#include "clearwood/rows.hpp"

namespace clearwood {

/// The presort of the rows that weigh more than 0.
/// `keep_values` copies the columns, for searches that read every value of a node.
Presort presort(const Table& table, const Labels& labels, unsigned n_threads, Watch& watch,
                bool keep_values = false);

}  // namespace clearwood
