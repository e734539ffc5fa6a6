/// What the propagation of training weight allows a search of thresholds (algorithms.md A.5, B.2):
/// a cut must lie inside the node's box, and noise must leave enough mass to both branches.
#pragma once

#include <cstddef>
#include <utility>

#include "clearwood/split.hpp"

namespace clearwood {

/// Where a cut at a position of a column's order would be stored.
double threshold_at(const NodeContext& node, std::size_t numeric_index, std::size_t position);

/// The first, and the one after the last, of the positions whose cut lies inside the node's box.
std::pair<std::size_t, std::size_t> positions_inside(const NodeContext& node,
                                                     std::size_t numeric_index);

/// Mass of the known rows, and how much of it a cut sends to the first branch.
struct PropagatedMass {
    double known;
    double first;
};
PropagatedMass propagated_mass(const NodeContext& node, std::size_t numeric_index,
                               double threshold);

/// Whether both branches of a cut get the least mass. True where nothing blurs the column.
bool propagates(const NodeContext& node, std::size_t numeric_index, std::size_t position);
bool propagates(const NodeContext& node, std::size_t numeric_index, double threshold);

/// The part of a range of positions in which `propagates` holds.
std::pair<std::size_t, std::size_t> positions_that_propagate(const NodeContext& node,
                                                             std::size_t numeric_index,
                                                             std::size_t first, std::size_t last);

}  // namespace clearwood
