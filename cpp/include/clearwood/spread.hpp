/// Where the weight of rows goes when it divides on the way down a packed tree: many rows at once,
/// node by node. A part of weight 0 goes nowhere, so the cost is that of the nodes really reached.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
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
    /// each node that they reach, in pre-order (packed ids); `ending` are the parcels that end
    /// there: all at a leaf, elsewhere those that no branch takes a part of.
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
            const bool is_leaf = tree_.is_leaf(pile.node);
            if (!is_leaf) send_on(pile.node);
            visit(pile.node, std::span<const Parcel>(here_),
                  std::span<const Parcel>(is_leaf ? here_ : stranded_));
        }
    }

private:
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
};

}  // namespace clearwood
