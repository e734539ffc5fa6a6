/// Evaluations: what becomes of a row at the cuts of a tree when it is predicted. Conditions on
/// levels, and missing values, go the same way in all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "clearwood/noise.hpp"

namespace clearwood {

/// A known value follows its branch.
struct HardEvaluation {
    static constexpr std::string_view name = "hard";
};

/// Whether two cuts of one column on a path ask for two readings of it, or for the same.
enum class Coupling : std::uint8_t { independent, joint };

/// Both branches, by where the true value may lie (the first paper's SE; algorithms.md B.2, C).
/// Columns without noise, and rows whose scale is 0, are read as exact.
struct SoftEvaluation {
    static constexpr std::string_view name = "soft";
    NoiseModel noise;  ///< one entry a column of the table; scales by row are those of the table
    Coupling coupling = Coupling::independent;
    double eta = 1e-6;  ///< smaller shares become 0; 0 keeps all
};

/// Both branches near the threshold: C4.5's probabilistic thresholds (Quinlan 1993, chapter 8;
/// c45.md A.9). The first share falls from 1 at `lower` over 1/2 at the threshold to 0 at `upper`.
struct RampEvaluation {
    static constexpr std::string_view name = "ramps";
    std::span<const double> lower;  ///< one entry a node of the tree; NaN where it has no ramp
    std::span<const double> upper;
    /// As release 8: 0.001 is added to the widths, shares up to 0.01 are dropped for good, so that
    /// the shares of a row may add up to less than 1.
    bool as_release_8 = false;
};

/// How the answers of two subtrees that differ become one (algorithms.md G.4).
enum class Conflict : std::uint8_t {
    paper,       ///< the side of more witnesses; the second branch where they are equal
    main,        ///< the cut votes too, and decides where both sides are equal
    probability  ///< the mean of both, by votes
};

/// Witnesses: a row on which they do not all agree with the cut is answered by both subtrees. All
/// inner nodes have two branches. Witnesses as in WitnessArrays.
struct WitnessEvaluation {
    static constexpr std::string_view name = "witnesses";
    std::span<const std::int32_t> start;
    std::span<const std::int32_t> column;
    std::span<const double> threshold;
    std::span<const std::int32_t> level;
    std::span<const std::uint8_t> is_reversed;
    Conflict conflict = Conflict::paper;
};

using Evaluation = std::variant<HardEvaluation, SoftEvaluation, RampEvaluation, WitnessEvaluation>;

}  // namespace clearwood
