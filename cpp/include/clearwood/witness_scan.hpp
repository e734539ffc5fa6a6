/// The best witness of one column for a cut: an ordinary scan over rows that carry two labels, their
/// class and the branch that the cut gives them (algorithms.md G.2).
#pragma once

#include <cstdint>
#include <span>

#include "clearwood/split.hpp"
#include "clearwood/witness.hpp"

namespace clearwood {

/// A cut whose witnesses are sought.
struct WitnessedCut {
    std::int32_t column;
    std::span<const Opinion> side;   ///< by row: the branch that the cut gives it
    std::span<const double> first;   ///< class masses of the rows that it gives its first branch
    std::span<const double> second;  ///< and of those that it gives its second
    double pairs;                    ///< of different classes that the cut parts
};

/// The witness of highest agreement, whatever that is; of equal ones the aligned, then the lowest
/// cut or level. Its agreement is 0 where the column has nothing to say.
Witness best_witness(const NodeContext& node, const WitnessedCut& cut, std::size_t column,
                     SearchScratch& scratch);

}  // namespace clearwood
