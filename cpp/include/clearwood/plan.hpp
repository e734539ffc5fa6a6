/// How to grow: choices as values, fixed before the first row is read.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "clearwood/measure.hpp"
#include "clearwood/noise.hpp"

namespace clearwood {

/// Picks the column with the highest score.
struct BestScore {
    static constexpr std::string_view name = "best_score";
};

/// C4.5: among the columns whose gain is at least average, the one with the highest gain ratio.
struct GainRatio {
    static constexpr std::string_view name = "gain_ratio";
};

using Chooser = std::variant<BestScore, GainRatio>;

/// How the levels of a nominal column become branches.
enum class Grouping : std::uint8_t { branches, grouped, subset, one_vs_rest };

/// Where in the gap between two neighbouring values a cut is stored.
enum class CutAt : std::uint8_t {
    midpoint,  ///< a short decimal near the middle
    observed,  ///< the largest value of the whole training table not above the middle (C4.5)
    upper      ///< the upper value, with strict `<` (the first paper)
};

/// When a node may not be split, and which splits are allowed.
struct Limits {
    double min_samples_leaf = 1.0;   ///< mass; of two branches at least
    double min_samples_split = 2.0;  ///< mass
    bool c45_minimum =
        false;  ///< C4.5's minimum of a branch: a tenth of the mean class mass, between min_samples_leaf and 25
    std::int32_t max_depth = std::numeric_limits<std::int32_t>::max();
    std::int32_t max_leaf_nodes = 0;  ///< 0: any number; otherwise nodes are opened best first
    double min_purity = 1.0;  ///< share of the heaviest class from which on a node is a leaf
};

/// When a row takes both branches of a verified cut.
enum class Disagreement : std::uint8_t {
    any,  ///< one witness at least contradicts the cut
    all   ///< all that know the row do
};

/// RS-V: cuts are verified by cuts on other columns (algorithms.md G).
struct Verification {
    std::size_t n_verifiers = 3;  ///< witnesses of a cut at most
    double agreement = 0.9;       ///< a witness must score more
    bool mirrored = true;         ///< columns that fall where the cut's rises may witness too
    Disagreement disagreement = Disagreement::any;
    std::int32_t max_nodes = 100'000;
    /// Of the nodes at this depth only the first so many are split, none further down: how a tree
    /// that max_nodes limits loses its lowest nodes (grow_to_size.hpp).
    std::int32_t last_depth = std::numeric_limits<std::int32_t>::max();
    std::int32_t splits_at_last_depth = 0;
    double max_dup_fraction =
        0.5;  ///< of a node's mass that goes both ways: else witnesses are dropped
};

/// Single precision, thresholds 1e-5 apart and tie rules of C4.5 release 8, for its answers to the bit.
struct Compatibility {
    bool single_precision = false;
    bool minimum_leak =
        false;  ///< release 8's fault under -s: the minimum stays 1 once a node lacks a nominal value
    bool by_gain = false;  ///< -g
};

/// How thresholds are searched where a column's search noise blurs its values (algorithms.md A).
struct SoftSearch {
    double window = 6.0;    ///< width, in scales of the noise, within which a value is uncertain
    double step = 0.1;      ///< between candidates, in scales
    bool one_grid = false;  ///< the paper's grid over the whole range, gaps between values included
};

/// What spares a search over sample points some evaluations (Tsang et al., IEEE TKDE 23, 2011,
/// section 5); each does what those before it do. The split found is the same.
enum class SampledBounds : std::uint8_t {
    none,         ///< every sample point is tried
    homogeneous,  ///< BP: inside an interval of one class only the ends are
    local,        ///< LP: nor inside one whose bound is worse than the column's best end
    global,       ///< GP: nor worse than the best of the columns before
    end_points    ///< ES: ends are sampled first
};

/// How much work a search did: thresholds it could have tried, and those it did.
struct Effort {
    std::atomic<std::uint64_t> candidates = 0;
    std::atomic<std::uint64_t> evaluations = 0;
};

struct Plan {
    Score score;
    Chooser chooser;
    Grouping grouping = Grouping::branches;
    CutAt cut_at = CutAt::midpoint;
    bool strict = false;  ///< cuts are `<` wherever they lie; so are those at the upper value
    /// Release 8: log2(number of cuts) / mass is taken off the gain of a numeric cut.
    bool penalty = false;
    /// Nominal columns by C4.5's rules: a gain of zero is allowed.
    bool c45_levels = false;
    /// C4.5: a subtree that makes no fewer training errors than its root as a leaf becomes one.
    bool collapse = false;
    /// A branch without rows predicts its parent's label, not its distribution.
    bool empty_leaf_label = false;
    Limits limits;
    Compatibility compatibility;
    /// Per column; among equal scores the cheaper wins. Empty: all equal.
    std::vector<double> cost;
    unsigned n_threads = 1;

    /// Per column, for the search of thresholds and for training weight. Empty: all exact.
    NoiseModel search_noise;
    NoiseModel propagation_noise;
    SoftSearch soft_search;
    SampledBounds sampled_bounds = SampledBounds::end_points;
    bool joint_gates = false;  ///< gates know the interval that the cuts above leave
    double eta = 1e-6;         ///< shares below it become 0

    /// How cuts are verified; none: they are not.
    std::optional<Verification> verification;

    bool is_strict() const { return strict || cut_at == CutAt::upper; }
    bool has_noise() const { return !search_noise.empty() || !propagation_noise.empty(); }
    const Noise* searched_with(std::size_t column) const { return of(search_noise, column); }
    const Noise* propagated_with(std::size_t column) const { return of(propagation_noise, column); }

private:
    static const Noise* of(const NoiseModel& model, std::size_t column) {
        return model.empty() ? nullptr : model[column];
    }
};

}  // namespace clearwood
