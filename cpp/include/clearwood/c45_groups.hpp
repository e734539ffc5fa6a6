/// Which levels of a nominal column share a branch: C4.5's value grouping (-s), a hill climb that
/// merges two groups at a time while the gain ratio rises (Quinlan 1993, C4.5: Programs for
/// Machine Learning, section 7.2; details as in release 8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/c45_score.hpp"

namespace clearwood {

/// Groups of levels, each a branch. Levels that hardly occur (mass 0.5 at most) share a branch of
/// their own, the last.
struct GroupedLevels {
    bool available = false;
    double gain = 0.0;
    double info = 0.0;
    std::vector<std::int32_t> branch_of_level;
    std::int32_t n_branches = 0;
};

/// `by_gain` (-g) merges by gain in place of gain ratio, down to two groups. Real is float, for the
/// original's answers to the bit, or double, where values equal up to rounding count as ties.
template <class Real>
GroupedLevels c45_groups(const C45Levels<Real>& levels, double min_samples_leaf, bool by_gain);

/// The same of a table of doubles, n_levels x n_classes, row-major.
template <class Real>
GroupedLevels c45_groups(std::span<const double> level_masses, std::size_t n_classes,
                         double missing_mass, double min_samples_leaf, bool by_gain);

}  // namespace clearwood
