/// Probabilistic thresholds of C4.5 release 8 (Quinlan 1993, chapter 8; c45.md A.9): how far each
/// cut of a finished tree could move before the training errors rise by one standard error.
#pragma once

#include <vector>

#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// One entry a node: lower <= threshold <= upper at a cut, NaN elsewhere.
struct Ramps {
    std::vector<double> lower;
    std::vector<double> upper;
};

/// Rows count by number (those of weight 0 not at all) and go down hard; one with a missing value
/// goes no further than the node that asks for it. A cut that no row reaches is a step: its limits
/// are its threshold. `single_precision` computes as the original does: numbers rounded to float,
/// and values up to 1e-6 beyond a threshold still before it.
/// Throws InvalidTree as `check` does, and std::invalid_argument for a table that does not fit.
Ramps fit_ramps(const TreeView& tree, const Table& table, const Labels& labels,
                bool single_precision);

}  // namespace clearwood
