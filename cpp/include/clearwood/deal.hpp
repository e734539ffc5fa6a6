/// Deals weighted rows out to the branches of a condition, in place: pruning sends the training
/// rows through the tree again, many times over, and allocates nothing while it does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "clearwood/box.hpp"
#include "clearwood/gates.hpp"
#include "clearwood/noise.hpp"
#include "clearwood/prune.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// Doubles that differ by less, relatively, are equal but for the order of a sum.
template <class Real>
inline constexpr double tie = std::is_same_v<Real, double> ? 1e-10 : 0.0;

/// A row with the part of its weight that is at hand.
template <class Real>
struct Case {
    RowId row;
    Real weight;
};

/// Cases that lie side by side.
struct Range {
    std::size_t first = 0;
    std::size_t last = 0;

    std::size_t size() const { return last - first; }
};

/// The cases that go to one branch alone and, of an inner node's branch, its known weight and its
/// part of that of all branches, rows that noise divides included.
template <class Real>
struct Stretch {
    Range cases;
    Real weight = 0;
    Real share = 0;

    bool has_weight() const { return weight > Real(0); }
};

/// Deals the cases of a node out to its branches. A value known exactly sends a row to one branch;
/// noise divides its weight w between the branches of a cut, w g and w (1 - g), g the gate.
template <class Real>
class Dealer {
public:
    /// All are borrowed.
    Dealer(const TreeView& tree, const Table& table, const ErrorBasedOptions& options)
        : tree_(tree), table_(table), options_(options) {}

    /// Orders `cases` by branch, then those that noise divides, then the missing, each of which it
    /// describes in a stretch counted from `offset`; keeps the order of the cases of a stretch.
    /// Adds the gates of the divided cases to `gates`. `interval` is what the cuts above leave to
    /// the column, if gates are to know.
    void deal(std::int32_t node, const Interval& interval, std::span<Case<Real>> cases,
              std::size_t offset, std::span<Stretch<Real>> stretches, std::vector<Real>& gates) {
        to_.resize(std::max(to_.size(), cases.size()));
        const std::size_t old_gates = gates.size();
        find_branches(node, interval, cases, stretches.size(), gates);
        weigh(cases, stretches, std::span(gates).subspan(old_gates));
        for (Stretch<Real>& stretch : stretches) {
            stretch.cases.first = offset;
            offset += stretch.cases.last;
            stretch.cases.last = offset;
        }
        reorder(cases, stretches);
    }

    /// Each branch's part of their common weight.
    static void share(std::span<Stretch<Real>> branches) {
        Real known = 0;
        for (const Stretch<Real>& branch : branches) known += branch.weight;
        if (!(known > Real(0))) return;
        for (Stretch<Real>& branch : branches) branch.share = branch.weight / known;
    }

    /// Of equally heavy branches the last; no_branch where none has weight.
    static std::int32_t heaviest(std::span<const Stretch<Real>> branches) {
        std::int32_t best = no_branch;
        Real largest = 0;
        for (std::size_t i = 0; i < branches.size(); ++i) {
            if (!branches[i].has_weight()) continue;
            const double least = static_cast<double>(largest) * (1.0 - tie<Real>);
            if (static_cast<double>(branches[i].share) < least) continue;
            largest = std::max(largest, branches[i].share);
            best = static_cast<std::int32_t>(i);
        }
        return best;
    }

private:
    /// The threshold is rounded as the values are: a value on its first side stays there.
    struct Cut {
        Strided<double> values;
        Real threshold;
        bool strict;

        Real value(RowId row) const { return static_cast<Real>(values[row]); }
        bool is_first(Real value) const { return strict ? value < threshold : value <= threshold; }
    };

    /// Places of the last two stretches, before `n_stretches`.
    static std::size_t divided(std::size_t n_stretches) { return n_stretches - 2; }
    static std::size_t missing(std::size_t n_stretches) { return n_stretches - 1; }

    void find_branches(std::int32_t node, const Interval& interval,
                       std::span<const Case<Real>> cases, std::size_t n_stretches,
                       std::vector<Real>& gates) {
        const auto i = static_cast<std::size_t>(node);
        const auto column = static_cast<std::size_t>(tree_.column[i]);
        if (!tree_.is_cut(node)) return find_levels(node, cases, missing(n_stretches));
        const Cut cut{table_.numeric(column)->values, static_cast<Real>(tree_.threshold[i]),
                      tree_.strict[i] != 0};
        const Noise* noise = options_.propagated_with(column);
        if (!noise) return find_sides(cut, cases, missing(n_stretches));
        const auto by_cdf = [&](const auto& cdf) {
            const auto threshold = static_cast<double>(cut.threshold);
            const auto find = [&](const auto& probability) {
                find_gates(cut, NoiseGate{probability, noise->scale, options_.eta}, cases,
                           n_stretches, gates);
            };
            if (!options_.joint_gates) return find(Gate(cdf, *noise, threshold, cut.strict));
            find(GateWithin(cdf, *noise, interval.lower, interval.upper, threshold, cut.strict));
        };
        std::visit(by_cdf, noise->cdf);
    }

    void find_levels(std::int32_t node, std::span<const Case<Real>> cases, std::size_t missing) {
        const auto column = tree_.column[static_cast<std::size_t>(node)];
        const auto codes = table_.nominal(static_cast<std::size_t>(column))->codes;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const std::int32_t branch = tree_.branch_of(node, codes[cases[i].row]);
            to_[i] = branch == no_branch ? missing : static_cast<std::size_t>(branch);
        }
    }

    void find_sides(const Cut& cut, std::span<const Case<Real>> cases, std::size_t missing) {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Real value = cut.value(cases[i].row);
            to_[i] = std::isnan(value) ? missing : cut.is_first(value) ? 0 : 1;
        }
    }

    template <class G>
    void find_gates(const Cut& cut, const NoiseGate<G>& gate, std::span<const Case<Real>> cases,
                    std::size_t n_stretches, std::vector<Real>& gates) {
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Real value = cut.value(cases[i].row);
            if (std::isnan(value)) {
                to_[i] = missing(n_stretches);
                continue;
            }
            const Shares shares = gate(cases[i].row, static_cast<double>(value));
            const auto first = static_cast<Real>(shares.first);
            to_[i] = first >= Real(1) ? 0 : first > Real(0) ? divided(n_stretches) : 1;
            if (to_[i] == divided(n_stretches)) gates.push_back(first);
        }
    }

    /// Counts the cases of each stretch (in `cases.last`) and adds up the weights of the branches.
    void weigh(std::span<const Case<Real>> cases, std::span<Stretch<Real>> stretches,
               std::span<const Real> gates) const {
        auto gate = gates.begin();
        for (std::size_t i = 0; i < cases.size(); ++i) {
            ++stretches[to_[i]].cases.last;
            stretches[to_[i]].weight += cases[i].weight;
            if (gates.empty() || to_[i] != divided(stretches.size())) continue;
            stretches[0].weight += cases[i].weight * *gate;
            stretches[1].weight += cases[i].weight * (Real(1) - *gate++);
        }
    }

    void reorder(std::span<Case<Real>> cases, std::span<const Stretch<Real>> stretches) {
        const auto has_all = [&](const auto& stretch) {
            return stretch.cases.size() == cases.size();
        };
        if (std::ranges::any_of(stretches, has_all)) return;
        const std::size_t offset = stretches.front().cases.first;
        sorted_.resize(std::max(sorted_.size(), cases.size()));
        next_.clear();
        for (const auto& stretch : stretches) next_.push_back(stretch.cases.first - offset);
        for (std::size_t i = 0; i < cases.size(); ++i) sorted_[next_[to_[i]]++] = cases[i];
        std::copy_n(sorted_.begin(), cases.size(), cases.begin());
    }

    const TreeView& tree_;
    const Table& table_;
    const ErrorBasedOptions& options_;
    std::vector<std::size_t> to_;  ///< the stretch that each case goes to
    std::vector<std::size_t> next_;
    std::vector<Case<Real>> sorted_;
};

}  // namespace clearwood
