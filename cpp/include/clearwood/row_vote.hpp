/// One row's way through the votes of a tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/votes.hpp"

namespace clearwood {

/// Asks a tree about one row at a time. A stack of its own: a tree may be 100,000 nodes deep.
class RowVote {
public:
    explicit RowVote(const Ballot& ballot)
        : ballot_(ballot),
          tree_(ballot.tree_),
          n_classes_(tree_.n_classes),
          first_share_(tree_.nodes.size()) {}

    /// The answer of a subtree. What each node that was asked gave its first branch stays in
    /// `first_share`, until it is asked about another row.
    std::span<const double> ask(std::int32_t root, std::size_t row) {
        open_.clear();
        answers_.clear();
        asked_.clear();
        descend(root, row);
        while (!open_.empty()) {
            Open& here = open_.back();
            if (!here.first_has_answered) {
                here.first_has_answered = true;
                descend(tree_.node(here.node).first_child + 1, row);
            } else {
                settle(here);
                open_.pop_back();
            }
        }
        return std::span(answers_).first(n_classes_);
    }
    double first_share(std::int32_t node) const {
        return first_share_[static_cast<std::size_t>(node)];
    }
    /// The inner nodes that were asked about the row, whether or not their answer counted.
    std::span<const std::int32_t> asked() const { return asked_; }

    /// Calls visit(node, weight) for the nodes that get a part of the row last asked about, in
    /// pre-order.
    template <class Visit>
    void visit(const Visit& visit) {
        parts_.assign(1, {0, 1.0});
        while (!parts_.empty()) {
            const auto [node, weight] = parts_.back();
            parts_.pop_back();
            visit(node, weight);
            if (tree_.is_leaf(node)) continue;
            const double share = first_share(node);
            const std::int32_t child = tree_.node(node).first_child;
            if (share < 1.0) parts_.push_back({child + 1, weight * (1.0 - share)});
            if (share > 0.0) parts_.push_back({child, weight * share});
        }
    }

private:
    /// A node of which both subtrees answer.
    struct Open {
        std::int32_t node;
        Ballot::Poll poll;
        bool first_has_answered = false;
    };
    struct Part {
        std::int32_t node;
        double weight;
    };

    /// Down to the next leaf, whose answer is noted, or the next node at which a vote is split.
    void descend(std::int32_t node, std::size_t row) {
        for (;;) {
            if (tree_.is_leaf(node)) {
                const auto answer = tree_.distribution_of(node);
                answers_.insert(answers_.end(), answer.begin(), answer.end());
                return;
            }
            asked_.push_back(node);
            const Ballot::Poll poll = ballot_.poll(node, row);
            const std::int32_t child = tree_.node(node).first_child;
            if (poll.is_unanimous) {
                first_share_[static_cast<std::size_t>(node)] = poll.first_share;
                node = child + !poll.first_wins;
            } else {
                open_.push_back({node, poll});
                node = child;
            }
        }
    }
    static std::size_t heaviest(std::span<const double> probabilities) {
        return static_cast<std::size_t>(std::ranges::max_element(probabilities) -
                                        probabilities.begin());
    }
    /// Makes one answer of the last two.
    void settle(const Open& here) {
        const auto second = std::span(answers_).last(n_classes_);
        const auto first = std::span(answers_).last(2 * n_classes_).first(n_classes_);
        const bool agree =
            ballot_.conflict_ == Conflict::probability || heaviest(first) == heaviest(second);
        const double share = agree ? here.poll.first_share : here.poll.first_wins ? 1.0 : 0.0;
        first_share_[static_cast<std::size_t>(here.node)] = share;
        for (std::size_t k = 0; k < n_classes_; ++k)
            first[k] = share * first[k] + (1.0 - share) * second[k];
        answers_.resize(answers_.size() - n_classes_);
    }

    const Ballot& ballot_;
    const PackedTree& tree_;
    std::size_t n_classes_;
    std::vector<double> first_share_;
    std::vector<std::int32_t> asked_;
    std::vector<Open> open_;
    std::vector<double> answers_;
    std::vector<Part> parts_;
};

}  // namespace clearwood
