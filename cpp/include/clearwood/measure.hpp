/// Measures of purity that rank candidate splits. Purity is minus impurity, not divided by the
/// mass, so that the purities of branches add up and
///     gain = (sum of the branches' purities - the node's purity) / mass of the node.
///
/// Each measure comes twice: on whole numbers of rows (sums are exact, so that ties do not depend
/// on the order of rows) and on real weights. A measure has a `Scan`: the masses left and right of
/// a cut that moves up a sorted column. A measure whose purities do not add up, or that limits the
/// cuts itself, offers more of what gains.hpp asks for.
#pragma once

#include <string_view>
#include <variant>

#include "clearwood/alpha_divergence.hpp"
#include "clearwood/carving.hpp"
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
    static Weights weights() { return {}; }
};

struct GiniGain {
    static constexpr std::string_view name = "gini";
    using Counts = GiniCounts;
    using Weights = GiniWeights;
    static Counts counts(const EntropyTable&) { return {}; }
    static Weights weights() { return {}; }
};

/// RS-C: pairs of rows of different classes that a split separates (Bazan et al.; algorithms.md G).
struct Discernibility {
    static constexpr std::string_view name = "discernibility";
    using Counts = PairCounts;
    using Weights = PairWeights;
    static Counts counts(const EntropyTable&) { return {}; }
    static Weights weights() { return {}; }
};

using Score = std::variant<InformationGain, GiniGain, Discernibility, AlphaDivergence, Carving>;

/// A `Split::gain` in the unit of the criterion, as a tree stores it.
double stored_gain(const Score& score, double gain);

/// What orders open nodes: by how much their split would improve the tree.
double priority(const Score& score, double mass, double gain);

/// Whether no blurred cut of a column is purer than its best exact one.
bool exact_is_best(const Score& score);

}  // namespace clearwood
