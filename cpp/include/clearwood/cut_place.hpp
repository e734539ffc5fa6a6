/// Where in the gap between two neighbouring values a cut is stored.
#pragma once

#include <span>
#include <vector>

#include "clearwood/plan.hpp"
#include "clearwood/table.hpp"

namespace clearwood {

/// The gap of one cut: lower < upper are neighbours among a node's values.
struct Gap {
    double lower;
    double upper;
};

/// A decimal in [lower, upper) as short as it can be within a hundredth of the gap around the
/// middle, so that what is printed is what is executed. `lower` itself where no double lies between;
/// of a strict cut, which must not leave `lower` behind, a decimal in (lower, upper].
double short_midpoint(Gap gap, bool strict = false);

/// For each gap the largest value not above its middle, among all rows that have weight (c45.md
/// A.1.9). In single precision values and middle are compared as floats; the largest double of the
/// chosen float is returned.
std::vector<double> observed_cuts(const NumericColumn& column, const Labels& labels,
                                  std::span<const Gap> gaps, bool single_precision);

}  // namespace clearwood
