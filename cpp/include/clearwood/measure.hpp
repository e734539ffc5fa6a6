/// Measures of purity that rank candidate splits. Purity is minus impurity, not divided by the
/// mass, so that the purities of branches add up and
///     gain = (sum of the branches' purities - the node's purity) / mass of the node.
///
/// Each measure comes twice: on whole numbers of rows (sums are exact, so that ties do not depend
/// on the order of rows) and on real weights. A measure has a `Scan`: the masses left and right of
/// a cut that moves up a sorted column.
#pragma once

#include <string_view>
#include <variant>

#include "clearwood/discernibility.hpp"
#include "clearwood/entropy.hpp"
#include "clearwood/gini.hpp"

namespace clearwood {

/// The criteria a plan can name; each knows its measure on counts and on weights.
struct InformationGain {
    static constexpr std::string_view name = "information_gain";
    using Counts = EntropyCounts;
    using Weights = EntropyWeights;
    static Counts counts(const EntropyTable& table) { return Counts(table); }
};

struct GiniGain {
    static constexpr std::string_view name = "gini";
    using Counts = GiniCounts;
    using Weights = GiniWeights;
    static Counts counts(const EntropyTable&) { return {}; }
};

/// RS-C: pairs of rows of different classes that a split separates (Bazan et al.; algorithms.md G).
struct Discernibility {
    static constexpr std::string_view name = "discernibility";
    using Counts = PairCounts;
    using Weights = PairWeights;
    static Counts counts(const EntropyTable&) { return {}; }
};

using Score = std::variant<InformationGain, GiniGain, Discernibility>;

/// Gain per unit of the node's mass. A gain in pairs grows with the square of the mass: where only
/// the known part of the rows was counted, that part scales it once more.
template <class Measure>
double gain_of(const Measure& measure, typename Measure::Value difference, double known,
               double mass) {
    const double gain = measure.in_bits(difference) / mass;
    if constexpr (requires { Measure::counts_pairs; }) {
        return gain * (known / mass);
    } else {
        return gain;
    }
}

}  // namespace clearwood
