/// The tree of depth two with the fewest training errors (Auer, Holte and Maass 1995, Theory and
/// applications of agnostic PAC-learning with small decision trees): exact, for any number of
/// classes, numeric columns cut in two and nominal columns with a branch for each level.
///
/// The rows that are missing at a condition go to one of its branches, the one that makes the
/// fewest errors of it; they may have the second branch of a cut to themselves, which then lies at
/// the largest value.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// A condition, or none.
struct Stump {
    std::int32_t column = -1;                                     ///< -1: a leaf
    double threshold = std::numeric_limits<double>::quiet_NaN();  ///< of a numeric column
    std::int32_t missing = no_branch;  ///< branch of missing values; no_branch: none were seen
    double errors = 0.0;               ///< weight that is wrong with nothing below
};

/// Of equally good trees: the fewest conditions, the first root column, its lowest threshold;
/// below, a leaf if it is as good, else the first column and its lowest threshold.
struct DepthTwoTree {
    Stump root;                   ///< its own errors as a stump do not count
    std::vector<Stump> branches;  ///< one for each branch of the root; empty if that is a leaf
    double errors = 0.0;
};

/// Time grows with columns² x rows x log(rows) x classes². Rows of weight 0 count as absent.
/// Throws std::invalid_argument where table and labels do not fit together, Cancelled where
/// `keep_going` says no.
DepthTwoTree optimal_depth_two(const Table& table, const Labels& labels, unsigned n_threads = 1,
                               std::function<bool()> keep_going = {});

}  // namespace clearwood
