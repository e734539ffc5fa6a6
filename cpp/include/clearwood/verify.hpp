/// Finds the witnesses of a split, and drops those that would keep growth from getting on
/// (algorithms.md G.2, G.3).
#pragma once

#include <span>
#include <vector>

#include "clearwood/growth.hpp"
#include "clearwood/witness_scan.hpp"

namespace clearwood {

class Verifier {
public:
    Verifier(const Growth& growth, Watch& watch);

    /// Fixes the threshold of a cut and fills its witnesses, strongest first. `bests` are the best
    /// splits of all columns, each searched in full; their scores spare most columns the scan, for
    /// a witness parts all pairs that it shares with the cut.
    void verify(const NodeContext& node, std::span<const Split> bests,
                std::span<SearchScratch> scratch, Split& split);

private:
    void mark_sides(const NodeContext& node, const Split& split);
    struct Sides {
        std::vector<double> first;
        std::vector<double> second;
    };
    Sides masses_of_sides(const NodeContext& node) const;
    struct Candidate {
        std::size_t column;
        double highest_agreement;
    };
    double highest_agreement(const NodeContext& node, std::span<const Split> bests,
                             std::size_t column, double pairs) const;
    std::vector<Candidate> candidates(const NodeContext& node, std::span<const Split> bests,
                                      std::size_t main_column, double pairs) const;
    void keep_strongest(std::vector<Witness>& found) const;
    std::vector<Witness> strongest(const NodeContext& node, const WitnessedCut& cut,
                                   std::span<const Candidate> candidates,
                                   std::span<SearchScratch> scratch);
    void drop_hindering(const NodeContext& node, std::vector<Witness>& witnesses) const;
    bool hinders(const NodeContext& node, std::span<const Witness> witnesses) const;

    const Growth& growth_;
    Watch& watch_;
    std::vector<Opinion> side_;  ///< by row, of the cut at work
};

/// The branch that a split with a threshold, or a map of levels, gives a row.
Opinion side_of(const Table& table, const Split& split, std::size_t row);

/// Whether the witnesses send a row to both branches of a cut that gives it `side`.
bool disagrees(const Table& table, std::size_t row, Opinion side,
               std::span<const Witness> witnesses, Disagreement rule);

}  // namespace clearwood
