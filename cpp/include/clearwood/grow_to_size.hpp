/// A tree that would be larger than it may: all nodes down to some depth, and the first few below.
#pragma once

#include "clearwood/grow.hpp"

namespace clearwood {

/// Grows as deep as `max_nodes` of the plan's verification allows, for a tree that is known to reach
/// it. Grown depth first its last branches would be the ones that find no room; grown level by level
/// the rows of all open nodes would have to be kept. So the depth is found by growing again.
TreeArrays grow_to_size(const Table& table, const Labels& labels, const Plan& plan, Watch& watch,
                        Effort* effort);

}  // namespace clearwood
