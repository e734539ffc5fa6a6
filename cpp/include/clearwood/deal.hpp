/// Deals weighted rows out to the branches of a condition, in place: pruning sends the training rows
/// through the tree again, many times over, and allocates nothing while it does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// A row with the part of its weight that is at hand.
template <class Real>
struct Case {
    RowId row;
    Real weight;
};

/// A stretch of the stack of cases and, at an inner node, its part of the node's known weight.
template <class Real>
struct Stretch {
    std::size_t first = 0;
    std::size_t last = 0;
    Real weight = 0;
    Real share = 0;

    bool has_weight() const { return weight > Real(0); }
    std::size_t size() const { return last - first; }
};

/// Deals the cases of a node out to its branches.
template <class Real>
class Dealer {
public:
    Dealer(const TreeView& tree, const Table& table) : tree_(tree), table_(table) {}

    /// Orders `cases` by branch, the missing last, and describes each branch, then the missing,
    /// as stretches counted from `offset`. Keeps the order of the cases within a branch.
    void deal(std::int32_t node, std::span<Case<Real>> cases, std::size_t offset,
              std::span<Stretch<Real>> branches) {
        find_branches(node, cases, branches.size() - 1);
        for (std::size_t i = 0; i < cases.size(); ++i) {
            ++branches[branch_[i]].last;
            branches[branch_[i]].weight += cases[i].weight;
        }
        for (Stretch<Real>& branch : branches) {
            branch.first = offset;
            offset += branch.last;
            branch.last = offset;
        }
        reorder(cases, branches);
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
            if (!branches[i].has_weight() || branches[i].share < largest) continue;
            largest = branches[i].share;
            best = static_cast<std::int32_t>(i);
        }
        return best;
    }

private:
    void find_branches(std::int32_t node, std::span<const Case<Real>> cases, std::size_t missing) {
        branch_.resize(std::max(branch_.size(), cases.size()));
        const auto note = [&](std::size_t i, std::int32_t branch) {
            branch_[i] = branch == no_branch ? missing : static_cast<std::size_t>(branch);
        };
        const std::size_t column =
            static_cast<std::size_t>(tree_.column[static_cast<std::size_t>(node)]);
        if (tree_.is_cut(node)) {
            const auto values = table_.numeric(column)->values;
            // Rounded as the values are: a value that was on the first side of the cut stays there.
            const auto threshold =
                static_cast<Real>(tree_.threshold[static_cast<std::size_t>(node)]);
            const bool strict = tree_.strict[static_cast<std::size_t>(node)] != 0;
            for (std::size_t i = 0; i < cases.size(); ++i) {
                const auto value = static_cast<Real>(values[cases[i].row]);
                const bool first = strict ? value < threshold : value <= threshold;
                note(i, std::isnan(value) ? no_branch : first ? 0 : 1);
            }
        } else {
            const auto codes = table_.nominal(column)->codes;
            for (std::size_t i = 0; i < cases.size(); ++i) {
                note(i, tree_.branch_of(node, codes[cases[i].row]));
            }
        }
    }

    void reorder(std::span<Case<Real>> cases, std::span<const Stretch<Real>> branches) {
        const auto has_all = [&](const auto& branch) { return branch.size() == cases.size(); };
        if (std::ranges::any_of(branches, has_all)) return;
        const std::size_t offset = branches.front().first;
        sorted_.resize(std::max(sorted_.size(), cases.size()));
        next_.clear();
        for (const Stretch<Real>& branch : branches) next_.push_back(branch.first - offset);
        for (std::size_t i = 0; i < cases.size(); ++i) sorted_[next_[branch_[i]]++] = cases[i];
        std::copy_n(sorted_.begin(), cases.size(), cases.begin());
    }

    const TreeView& tree_;
    const Table& table_;
    std::vector<std::size_t> branch_;
    std::vector<std::size_t> next_;
    std::vector<Case<Real>> sorted_;
};

}  // namespace clearwood
