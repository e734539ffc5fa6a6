/// Carries out what error-based pruning has decided.
#pragma once

#include "clearwood/prune.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// The tree in which each node has given way to its replacement, nodes in pre-order, with the
/// masses, distributions, labels and shares of the result. Nodes that no row reaches keep their
/// number of rows.
TreeArrays rebuilt(const TreeArrays& tree, const ErrorBasedResult& result);

}  // namespace clearwood
