/// Prediction by the vote of witnesses (algorithms.md G.4, G.5).
///
/// Where all witnesses agree with the cut, its branch answers alone; otherwise both subtrees do, and
/// their answers become one. Whatever the rule, the answer is a mean of leaves: every node passes on
/// a share of the row that depends on what the subtrees say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/inputs.hpp"
#include "clearwood/packed.hpp"
#include "clearwood/predict.hpp"
#include "clearwood/witness.hpp"

namespace clearwood {

class Ballot {
public:
    /// Throws std::invalid_argument where the witnesses do not fit tree and table.
    Ballot(const PackedTree& tree, const Table& table, const WitnessEvaluation& evaluation);

    /// As the functions of Predictor.
    void probabilities(std::span<double> out, unsigned n_threads) const;
    void main_leaves(std::span<std::int32_t> out, unsigned n_threads) const;
    RowLeaves reached(unsigned n_threads, bool only_leaves) const;
    void shares(std::span<double> out) const;

private:
    friend class RowVote;

    /// What a node's condition and its witnesses say of a row.
    struct Poll {
        bool is_unanimous;
        bool first_wins;     ///< where the subtrees' answers differ; of a unanimous poll the branch
        double first_share;  ///< of the mean where they do not
    };
    Poll poll(std::int32_t node, std::size_t row) const;
    Opinion main_opinion(std::int32_t node, std::size_t row) const;
    bool first_wins(Opinion main, std::size_t for_first, std::size_t n_votes,
                    double missing_share) const;
    std::span<const Witness> witnesses_of(std::int32_t node) const;
    void check_branches() const;

    const PackedTree& tree_;
    const Table& table_;
    Inputs inputs_;
    Conflict conflict_;
    std::vector<Witness> witnesses_;
    std::vector<std::size_t> start_;  ///< by packed node, n_nodes + 1
};

}  // namespace clearwood
