/// An order of levels in which good binary splits are neighbours.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace clearwood {

/// The levels of `present` ordered by the share of the second class (two classes) or along the
/// first principal component of the class shares, weighted by level mass (more classes).
/// `masses` is levels x classes. Ties keep the order of `present`.
std::vector<std::size_t> order_by_class_shares(std::span<const double> masses,
                                               std::size_t n_classes,
                                               std::span<const std::size_t> present);

}  // namespace clearwood
