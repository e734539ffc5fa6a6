/// The best level of a nominal column to part from the rest in a chain (algorithms.md H.3).
#pragma once

#include <vector>

#include "clearwood/split.hpp"
#include "clearwood/two_branches.hpp"

namespace clearwood {

/// The level is the first branch. Where the rest is carved away, levels that the node has not stay
/// in the chain, as a missing value does: nobody is known to be at low risk by them.
template <class Measure>
Split best_carved_level(const NodeContext& node, const LevelMasses& table, const Measure& general) {
    std::vector<double> known(table.n_classes, 0.0);
    for (std::size_t l = 0; l < table.n_levels(); ++l) {
        std::ranges::transform(table.level(l), known, known.begin(), std::plus{});
    }
    const Measure measure = looking_at(general, known, node.rows.masses);
    const auto whole = whole_purity(measure, known);
    auto best = whole;
    Split split;
    std::vector<double> rest(table.n_classes);
    std::size_t n_present = 0;
    for (std::size_t l = 0; l < table.n_levels(); ++l) {
        n_present += table.mass(l) > 0.0;
    }
    for (std::size_t l = 0; l < table.n_levels() && n_present > 1; ++l) {
        const auto level = table.level(l);
        std::ranges::transform(known, level, rest.begin(),
                               [](double all, double part) { return std::max(0.0, all - part); });
        const auto value = measure.of_cut(level, rest);
        if (!measure.better(value, best)) {
            continue;
        }
        best = value;
        split.available = true;
        split.missing_branch = measure.kept_branch(level, rest);
        split.branch_of_level.assign(table.n_levels(), 1);
        for (std::size_t other = 0; other < table.n_levels(); ++other) {
            if (split.missing_branch == 0 && !(table.mass(other) > 0.0)) {
                split.branch_of_level[other] = no_branch;
            }
        }
        split.branch_of_level[l] = 0;
    }
    if (split.available) {
        split.gain = gain_of(measure, best, whole, table.known, node.rows.mass);
        split.available = split.gain > 0.0;
    }
    return split;
}

}  // namespace clearwood
