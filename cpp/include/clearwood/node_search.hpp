/// Finds the best split of a node: every column searched, one chosen.
#pragma once

#include <span>
#include <vector>

#include "clearwood/growth.hpp"
#include "clearwood/split.hpp"
#include "clearwood/verify.hpp"

namespace clearwood {

class NodeSearch {
public:
    /// `n_threads` search the columns of large nodes.
    NodeSearch(const Growth& growth, Watch& watch, unsigned n_threads);

    NodeContext context(const Rows& rows, std::span<const double> weights, const Box& box) const;
    bool must_be_leaf(std::span<const double> masses, std::int32_t depth) const;
    /// Not `available` if no column has a good enough split. Verified where the plan asks for it.
    Split best(const Rows& rows, std::span<const double> weights, const Box& box);

    /// Nominal columns that have been tested level by level on the path: they say nothing more.
    std::vector<std::uint8_t>& tested() { return tested_; }

private:
    Split search_column(const NodeContext& node, std::size_t column, SearchScratch& scratch) const;
    Split search_numeric(const NodeContext& node, std::size_t column, SearchScratch& scratch) const;
    /// A column and the most that a split of it can gain.
    struct Prospect {
        std::size_t column;
        double gain;
    };
    std::vector<Prospect> prospects(const Rows& rows, std::span<const double> weights,
                                    const Box& box);
    void search_columns(const Rows& rows, std::span<const double> weights, const Box& box,
                        bool checks_propagation);
    bool highest_gain_wins() const;
    bool may_pass_over() const;
    std::int32_t chosen();
    bool propagates_split(const Rows& rows, std::span<const double> weights, const Box& box,
                          const Split& split) const;
    void note_minimum_leak(const NodeContext& node, std::size_t column);

    const Growth& growth_;
    Watch& watch_;
    unsigned n_threads_;
    std::vector<std::uint8_t> tested_;
    std::vector<Split> splits_;
    std::vector<SearchScratch> scratch_;
    double min_samples_leaf_;
    Verifier verifier_;
};

}  // namespace clearwood
