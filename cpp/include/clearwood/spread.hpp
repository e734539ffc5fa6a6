/// Where the weight of rows goes when it divides on the way down a packed tree: many rows at once,
/// node by node. A part of weight 0 goes nowhere, so the cost is that of the nodes really reached.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "clearwood/gates.hpp"
#include "clearwood/inputs.hpp"
#include "clearwood/packed.hpp"

namespace clearwood {

/// A part of a row; `place` counts the rows that were sent.
struct Parcel {
    std::uint32_t place;
    double weight;
};

template <class Gates>
class Spread {
public:
    Spread(const PackedTree& tree, const Inputs& inputs, const Gates& gates)
        : tree_(tree), inputs_(inputs), gates_(gates) {}

    /// Sends the rows down from `root`, each with weight 1. Calls visit(node, parcels, ending) for
    /// the nodes that they reach, for each row in pre-order (packed ids); `ending` are the parcels
    /// that end there: all at a leaf, elsewhere those that no branch takes a part of.
    template <class Visit>
    void operator()(std::int32_t root, std::span<const RowId> rows, Visit visit) {
        rows_ = rows;
        for (std::uint32_t place = 0; place < rows.size(); ++place)
            waiting_.push_back({place, 1.0});
        piles_.assign(1, {root, 0});
        while (!piles_.empty()) {
            const Pile pile = piles_.back();
            piles_.pop_back();
            const auto start = waiting_.begin() + static_cast<std::ptrdiff_t>(pile.start);
            here_.assign(start, waiting_.end());
            waiting_.erase(start, waiting_.end());
            if (may_go_alone && here_.size() <= few_parcels) {
                for (const Parcel& parcel : here_) follow(pile.node, parcel, visit);
                continue;
            }
            const bool is_leaf = tree_.is_leaf(pile.node);
            if (!is_leaf) send_on(pile.node);
            visit(pile.node, std::span<const Parcel>(here_),
                  std::span<const Parcel>(is_leaf ? here_ : stranded_));
        }
    }

private:
    /// So few parcels have few nodes in common: each goes its way alone. Not where gates are soft:
    /// made ready for a node, they should serve all of its rows.
    static constexpr bool may_go_alone = std::is_same_v<Gates, HardGates>;
    static constexpr std::size_t few_parcels = 32;

    struct Part {
        std::int32_t node;
        double weight;
    };

    /// Sends one parcel down from a node.
    template <class Visit>
    void follow(std::int32_t node, const Parcel& parcel, Visit& visit) {
        alone_.assign(1, {node, parcel.weight});
        while (!alone_.empty()) {
            const Part part = alone_.back();
            alone_.pop_back();
            follow_part(part, parcel.place, visit);
        }
    }

    /// As far as a part goes undivided.
    template <class Visit>
    void follow_part(Part part, std::uint32_t place, Visit& visit) {
        const Parcel here{place, part.weight};
        const std::span<const Parcel> all(&here, 1);
        for (;;) {
            if (tree_.is_leaf(part.node)) return visit(part.node, all, all);
            const std::size_t n_waiting = alone_.size();
            const std::int32_t branch = branch_or_divide(part, rows_[place]);
            const bool ends = branch == no_branch && alone_.size() == n_waiting;
            visit(part.node, all, ends ? all : all.first(0));
            if (branch == no_branch) return;
            part.node = tree_.node(part.node).first_child + branch;
        }
    }

    /// The branch that takes all of a row; else no_branch, and what the branches get waits.
    std::int32_t branch_or_divide(const Part& part, RowId row) {
        const PackedNode& node = tree_.node(part.node);
        if (!node.is_cut()) {
            const std::int32_t branch = tree_.branch_of(node.levels, inputs_.level(node, row));
            return branch != no_branch ? branch : divide_alone(part, tree_.shares_of(part.node));
        }
        const double value = inputs_.number(node, row);
        if (std::isnan(value)) return divide_alone(part, tree_.shares_of(part.node));
        return std::int32_t{value > node.threshold};
    }

    /// Lets the parts for the branches wait, the first on top.
    std::int32_t divide_alone(const Part& part, std::span<const double> shares) {
        const std::int32_t first_child = tree_.node(part.node).first_child;
        for (std::size_t branch = shares.size(); branch-- > 0;) {
            const double weight = part.weight * shares[branch];
            if (weight > 0.0)
                alone_.push_back({first_child + static_cast<std::int32_t>(branch), weight});
        }
        return no_branch;
    }

    /// waiting_[start ...), up to the next pile, waits to enter the node.
    struct Pile {
        std::int32_t node;
        std::size_t start;
    };

    /// What goes to one branch. Adding never jumps: which parts are 0 is hard to foresee.
    class Bag {
    public:
        void empty_for(std::size_t n_parcels) {
            size_ = 0;
            if (room_.size() <= n_parcels) room_.resize(n_parcels + 1);
        }
        /// Returns whether there is anything in the parcel, which stays out otherwise.
        bool add(Parcel parcel) {
            const bool is_filled = parcel.weight > 0.0;
            room_[size_] = parcel;
            size_ += is_filled;
            return is_filled;
        }
        std::span<const Parcel> parcels() const { return std::span(room_).first(size_); }

    private:
        std::vector<Parcel> room_;
        std::size_t size_ = 0;
    };

    void send_on(std::int32_t node) {
        const auto n_branches =
            static_cast<std::size_t>(tree_.n_branches[static_cast<std::size_t>(node)]);
        if (branches_.size() < n_branches) branches_.resize(n_branches);
        for (std::size_t branch = 0; branch < n_branches; ++branch)
            branches_[branch].empty_for(here_.size());
        stranded_.clear();
        tree_.node(node).is_cut() ? divide_by_cut(node) : divide_by_level(node);
        for (std::size_t branch = n_branches; branch-- > 0;) {
            const std::span<const Parcel> parcels = branches_[branch].parcels();
            if (parcels.empty()) continue;
            piles_.push_back({tree_.node(node).first_child + static_cast<std::int32_t>(branch),
                              waiting_.size()});
            waiting_.insert(waiting_.end(), parcels.begin(), parcels.end());
        }
    }

    void divide_by_cut(std::int32_t node) {
        const auto of_missing = tree_.shares_of(node);
        const Shares missing{of_missing[0], of_missing[1]};
        const Strided<double> values =
            inputs_.numeric[static_cast<std::size_t>(tree_.node(node).column)];
        gates_.at(node, [&](const auto& gate) {
            for (const Parcel& parcel : here_) {
                const RowId row = rows_[parcel.place];
                const double value = values[row];
                const Shares shares = std::isnan(value) ? missing : gate(row, value);
                const bool first = send(parcel, 0, shares.first);
                const bool second = send(parcel, 1, shares.second);
                if (!first && !second) stranded_.push_back(parcel);
            }
        });
    }

    void divide_by_level(std::int32_t node) {
        const PackedNode& here = tree_.node(node);
        const auto of_missing = tree_.shares_of(node);
        for (const Parcel& parcel : here_) {
            const std::int32_t branch =
                tree_.branch_of(here.levels, inputs_.level(here, rows_[parcel.place]));
            bool sent = branch != no_branch && send(parcel, static_cast<std::size_t>(branch), 1.0);
            if (branch == no_branch)
                for (std::size_t each = 0; each < of_missing.size(); ++each)
                    sent |= send(parcel, each, of_missing[each]);
            if (!sent) stranded_.push_back(parcel);
        }
    }

    bool send(const Parcel& parcel, std::size_t branch, double share) {
        const double weight = parcel.weight * share;
        return branches_[branch].add({parcel.place, weight});
    }

    const PackedTree& tree_;
    const Inputs& inputs_;
    const Gates& gates_;
    std::span<const RowId> rows_;
    std::vector<Pile> piles_;  // a stack of its own: a tree may be 100,000 nodes deep
    std::vector<Parcel> waiting_;
    std::vector<Parcel> here_;
    std::vector<Bag> branches_;
    std::vector<Parcel> stranded_;
    std::vector<Part> alone_;
};

}  // namespace clearwood
