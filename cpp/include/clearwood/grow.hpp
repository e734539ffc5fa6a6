/// Grows a tree. One loop for every method: what differs is in the plan.
#pragma once

#include <functional>

#include "clearwood/plan.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// The grown, unpruned tree. Rows of weight 0 are left out. `keep_going` is asked now and then from
/// the calling thread; when it says no, Cancelled is thrown. `effort` is added to.
/// Throws std::invalid_argument if labels and table do not fit together or no row has weight.
TreeArrays grow(const Table& table, const Labels& labels, const Plan& plan,
                const std::function<bool()>& keep_going, Effort* effort = nullptr);

}  // namespace clearwood
