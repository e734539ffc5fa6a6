/// The rows of all open nodes on one stack: pruning sends them down, and no call calls itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/deal.hpp"

namespace clearwood {

/// How a node dealt its cases out: where on the stack its stretches and gates begin.
struct Dealt {
    std::size_t stretches = 0;  ///< one a branch, then the divided cases, then the missing
    std::size_t gates = 0;      ///< of the divided cases
    std::int32_t n_branches = 0;
};

template <class Real>
class CaseStack {
public:
    /// All are borrowed.
    CaseStack(const TreeView& tree, const Table& table, const ErrorBasedOptions& options)
        : dealer_(tree, table, options) {}

    std::size_t size() const { return cases_.size(); }
    std::span<const Case<Real>> operator[](Range range) const {
        return std::span(cases_).subspan(range.first, range.size());
    }
    void push(Case<Real> one) { cases_.push_back(one); }
    void shrink(std::size_t n_cases) { cases_.resize(n_cases); }

    /// What a leaf has dealt: nothing.
    Dealt no_deal() const { return {stretches_.size(), gates_.size(), 0}; }
    /// Deals out, in place, the cases of a node of so many branches.
    Dealt deal(std::int32_t node, std::size_t n_branches, Range range, const Interval& interval) {
        Dealt dealt = no_deal();
        dealt.n_branches = static_cast<std::int32_t>(n_branches);
        stretches_.resize(dealt.stretches + n_branches + 2);
        dealer_.deal(node, interval, std::span(cases_).subspan(range.first, range.size()),
                     range.first, std::span(stretches_).subspan(dealt.stretches), gates_);
        return dealt;
    }
    /// Forgets what the last node has dealt.
    void forget(const Dealt& dealt) {
        stretches_.resize(dealt.stretches);
        gates_.resize(dealt.gates);
    }

    std::span<Stretch<Real>> branches(const Dealt& dealt) {
        return std::span(stretches_).subspan(dealt.stretches, at(dealt.n_branches));
    }
    bool has_missing(const Dealt& dealt) const { return missing(dealt).size() > 0; }
    /// Whether a branch gets none of the node's cases.
    bool is_without_cases(const Dealt& dealt, std::int32_t branch) const {
        return own(dealt, branch).cases.size() + divided(dealt).size() + missing(dealt).size() == 0;
    }

    /// The cases of a branch, with its parts of those that go to more than one: pushed, if any do.
    Range of_branch(const Dealt& dealt, std::int32_t branch) {
        const Stretch<Real> alone = own(dealt, branch);
        if (divided(dealt).size() + missing(dealt).size() == 0) return alone.cases;
        const std::size_t first = cases_.size();
        push(alone.cases, Real(1));
        push_divided(dealt, branch);
        push(missing(dealt), alone.share);
        return {first, cases_.size()};
    }

    /// What all other branches get, pushed. No case may be missing.
    Range of_others(const Dealt& dealt, std::int32_t branch) {
        const std::size_t first = cases_.size();
        for (std::int32_t other = 0; other < dealt.n_branches; ++other) {
            if (other == branch) continue;
            push(own(dealt, other).cases, Real(1));
            push_divided(dealt, other);
        }
        return {first, cases_.size()};
    }

private:
    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

    const Stretch<Real>& own(const Dealt& dealt, std::int32_t branch) const {
        return stretches_[dealt.stretches + at(branch)];
    }
    Range divided(const Dealt& dealt) const { return own(dealt, dealt.n_branches).cases; }
    Range missing(const Dealt& dealt) const { return own(dealt, dealt.n_branches + 1).cases; }

    /// Pushes cases once more, each with a part of its weight.
    void push(Range range, Real part) {
        push(range, [part](std::size_t) { return part; });
    }
    void push_divided(const Dealt& dealt, std::int32_t branch) {
        push(divided(dealt), [&](std::size_t i) {
            const Real first = gates_[dealt.gates + i];
            return branch == 0 ? first : Real(1) - first;
        });
    }
    template <class PartOf>
    void push(Range range, const PartOf& part_of) {
        const std::size_t to = cases_.size();
        cases_.resize(to + range.size());
        for (std::size_t i = 0; i < range.size(); ++i) {
            const Case<Real>& from = cases_[range.first + i];
            cases_[to + i] = {from.row, from.weight * part_of(i)};
        }
    }

    Dealer<Real> dealer_;
    std::vector<Case<Real>> cases_;
    std::vector<Stretch<Real>> stretches_;
    std::vector<Real> gates_;
};

}  // namespace clearwood
