/// Grows a tree. One loop for every method: what differs is in the plan.
#pragma once

#include <functional>

#include "clearwood/parallel.hpp"
#include "clearwood/plan.hpp"
#include "clearwood/rows.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// The grown, unpruned tree. Rows of weight 0 are left out. `keep_going` is asked now and then from
/// the calling thread; when it says no, Cancelled is thrown. `effort` is added to.
/// Throws std::invalid_argument if labels and table do not fit together or no row has weight.
TreeArrays grow(const Table& table, const Labels& labels, const Plan& plan,
                const std::function<bool()>& keep_going, Effort* effort = nullptr);

/// The same from rows that are sorted: those of the presort that weigh more than 0 in `labels`.
/// They are used up. The presort must keep values where the plan has search noise.
TreeArrays grow_sorted(const Table& table, const Labels& labels, const Plan& plan,
                       const Presort& presort, SortedRows& rows, Watch& watch,
                       Effort* effort = nullptr);

/// Throws std::invalid_argument where labels and table do not fit together.
void check_sizes(const Table& table, const Labels& labels);

}  // namespace clearwood
