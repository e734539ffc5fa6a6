#include "clearwood/prune.hpp"

#include "clearwood/as_leaf.hpp"
#include "clearwood/box.hpp"
#include "clearwood/case_stack.hpp"
#include "clearwood/fits.hpp"
#include "clearwood/pruned_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// The pass, with a stack of its own: a tree may be as deep as it has nodes. `Real` is the type of
/// every stored number.
///
/// A branch that may be raised gets only the weight that is new to it: what it does not reach keeps
/// its estimate, and a leaf adds it to its masses. A gate is the same for every part of a row, so
/// both ways give the same masses: with whole weights to the bit, in a small part of the time on a
/// deep tree. All are sent where they meet what changes shares: a missing value, whose parts depend
/// on all other rows, or a gate that knew of the cut above the branch.
template <class Real>
class Pass {
public:
    Pass(const TreeView& tree, const Table& table, const Labels& labels,
         const ErrorBasedOptions& options)
        : pruned_(tree),
          tree_(tree),
          labels_(labels),
          options_(options),
          box_(table.columns.size()),
          cases_(tree, table, options),
          as_leaf_(at(tree.n_classes)) {
        for (std::size_t row = 0; row < table.n_rows; ++row) {
            const Real weight = static_cast<Real>(labels.weight(row));
            if (weight > Real(0)) cases_.push({static_cast<RowId>(row), weight});
        }
    }

    ErrorBasedResult run() {
        if (cases_.size() > 0) {
            open({.node = 0, .update = true, .cases = {0, cases_.size()}, .kept = 0});
        }
        while (!frames_.empty()) advance();
        return std::move(pruned_).finish(options_.empty_leaf);
    }

private:
    /// A node whose errors are being estimated: what C4.5 has as a call that calls itself.
    struct Frame {
        std::int32_t node = 0;
        bool update = false;       ///< prunes, where false only estimates
        bool on_top = false;       ///< its cases come on top of those that last reached the node
        bool has_missing = false;  ///< at its condition or one that stays below it
        Range cases = {};
        std::size_t kept = 0;  ///< cases to keep when the node is done
        Dealt dealt = {};
        Interval interval = {};  ///< of a box that is narrowed below the node: as it was
        std::int32_t tried = 0;  ///< the branch that comes next, or is awaited
        bool raises = false;     ///< the branches are done, those to raise are being tried
        std::int32_t heaviest = no_branch;
        std::int32_t raised = no_branch;
        Real as_leaf = 0;
        Real as_subtree = 0;
        Real as_raised = std::numeric_limits<Real>::infinity();
    };

    void open(Frame frame) {
        frame.node = pruned_.standing(frame.node);
        if (frame.update) frame.as_leaf = estimate_leaf(frame);
        frame.dealt = cases_.no_deal();
        if (!pruned_.is_leaf(frame.node)) deal(frame);
        frames_.push_back(frame);
    }

    void deal(Frame& frame) {
        frame.interval = box_[at(tree_.column[at(frame.node)])];
        frame.dealt =
            cases_.deal(frame.node, tree_.children(frame.node).size(), frame.cases, frame.interval);
        frame.has_missing = cases_.has_missing(frame.dealt);
        const auto branches = cases_.branches(frame.dealt);
        for (std::size_t i = 0; frame.on_top && i < branches.size(); ++i) {
            if (pruned_.is_reached(frame.node, i)) {
                branches[i].weight += static_cast<Real>(pruned_.mass(pruned_.child(frame.node, i)));
            }
        }
        Dealer<Real>::share(branches);
        frame.heaviest = Dealer<Real>::heaviest(branches);
    }

    bool has_weight(const Frame& frame, std::int32_t branch) {
        return cases_.branches(frame.dealt)[at(branch)].has_weight();
    }

    /// Whether the gates below a node know of its cut.
    bool narrows(std::int32_t node) const {
        return options_.joint_gates && tree_.is_cut(node) &&
               options_.propagated_with(at(tree_.column[at(node)]));
    }

    Real estimate_leaf(const Frame& frame) {
        const auto masses = pruned_.masses(frame.node);
        as_leaf_.start(masses.first(frame.on_top ? masses.size() : 0));
        for (const auto& [row, weight] : cases_[frame.cases]) {
            as_leaf_.add(labels_.classes[row], weight);
        }
        const std::int32_t label = as_leaf_.label(pruned_.label(frame.node), options_.label_tie);
        if (frame.update) {
            pruned_.set_rows(frame.node, frame.cases.size(), label);
            std::ranges::copy(as_leaf_.weights(), masses.begin());
        }
        return as_leaf_.estimate(label, options_);
    }

    /// Goes one step on with the node on top of the stack.
    void advance() {
        Frame& frame = frames_.back();
        if (frame.heaviest == no_branch) return close_leaf(frame);  // a leaf, or all are missing
        if (!frame.raises) {
            for (; frame.tried < frame.dealt.n_branches; ++frame.tried) {
                if (has_weight(frame, frame.tried)) return open_branch(frame);
            }
            if (!frame.update) return close(frame.as_subtree);
            frame.raises = true;
            frame.tried = options_.raising == Raising::best ? 0 : frame.heaviest;
        }
        if (options_.raising != Raising::none) {
            for (; frame.tried < frame.dealt.n_branches; ++frame.tried) {
                if (may_be_raised(frame)) return try_raising(frame);
            }
        }
        decide(frame);
    }

    bool may_be_raised(const Frame& frame) {
        if (options_.raising == Raising::heaviest) return frame.tried == frame.heaviest;
        return has_weight(frame, frame.tried);
    }

    void open_branch(const Frame& frame) {
        Frame child{.node = tree_.children(frame.node)[at(frame.tried)],
                    .update = frame.update,
                    .on_top = frame.on_top && pruned_.is_reached(frame.node, at(frame.tried)),
                    .kept = cases_.size()};
        if (child.on_top && cases_.is_without_cases(frame.dealt, frame.tried)) {
            child.node = pruned_.standing(child.node);
            return add(static_cast<Real>(pruned_.estimate(child.node)));
        }
        child.cases = cases_.of_branch(frame.dealt, frame.tried);
        if (narrows(frame.node)) {
            box_.narrow(at(tree_.column[at(frame.node)]), tree_.threshold[at(frame.node)],
                        frame.tried);
        }
        open(child);
    }

    /// Estimates the errors of a branch in the place of its parent.
    void try_raising(const Frame& frame) {
        if (frame.has_missing || narrows(frame.node)) {
            return open_raised(frame, frame.tried, false);
        }
        Frame child{.node = tree_.children(frame.node)[at(frame.tried)],
                    .on_top = true,
                    .kept = cases_.size()};
        child.cases = cases_.of_others(frame.dealt, frame.tried);
        open(child);
    }

    /// Opens a branch with all cases of its parent, whose own order is no longer needed.
    void open_raised(const Frame& frame, std::int32_t branch, bool update) {
        open({.node = tree_.children(frame.node)[at(branch)],
              .update = update,
              .cases = frame.cases,
              .kept = update ? frame.kept : cases_.size()});
    }

    void decide(Frame& frame) {
        const Standing standing = choose(frame);
        if (standing == Standing::leaf) return close_leaf(frame);
        if (standing == Standing::raised) return raise(frame);
        pruned_.keep(frame.node, static_cast<double>(frame.as_subtree));
        share_missing(frame);
        close(frame.as_subtree);
    }

    Standing choose(const Frame& frame) {
        Alternatives found{.leaf = static_cast<double>(frame.as_leaf),
                           .raised = static_cast<double>(frame.as_raised),
                           .subtree = static_cast<double>(frame.as_subtree)};
        if (!options_.size_rule) return SlackRule{options_.slack}(found, tie<Real>);
        found.weight = pruned_.mass(frame.node);
        found.subtree_nodes = pruned_.count_nodes(frame.node);
        if (frame.raised != no_branch)
            found.raised_nodes = pruned_.n_nodes(pruned_.child(frame.node, at(frame.raised)));
        return (*options_.size_rule)(found, tie<Real>);
    }

    /// The branch takes its parent's place, on the stack too.
    void raise(const Frame& decided) {
        const Frame frame = decided;
        pruned_.raise(frame.node, at(frame.raised));
        frames_.pop_back();
        cases_.forget(frame.dealt);
        open_raised(frame, frame.raised, true);
    }

    void share_missing(const Frame& frame) {
        const auto shares = pruned_.shares(frame.node);
        double total = 0.0;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const bool is_reached = has_weight(frame, static_cast<std::int32_t>(i));
            shares[i] = is_reached ? pruned_.mass(pruned_.child(frame.node, i)) : 0.0;
            total += shares[i];
        }
        for (double& share : shares) share /= total;
    }

    void close_leaf(Frame& frame) {
        if (!frame.update) frame.as_leaf = estimate_leaf(frame);
        if (frame.update) pruned_.make_leaf(frame.node, static_cast<double>(frame.as_leaf));
        frame.has_missing = false;
        close(frame.as_leaf);
    }

    /// Drops the node on top of the stack and hands its estimate to the one that waits for it.
    void close(Real estimate) {
        const Frame done = frames_.back();
        cases_.shrink(done.kept);
        cases_.forget(done.dealt);
        frames_.pop_back();
        if (frames_.empty()) return;
        Frame& parent = frames_.back();
        if (done.update) parent.has_missing |= done.has_missing;
        if (!parent.raises && narrows(parent.node)) {
            box_.widen(at(tree_.column[at(parent.node)]), parent.interval);
        }
        add(estimate);
    }

    /// Takes in the estimate that the node on top of the stack waits for.
    void add(Real estimate) {
        Frame& frame = frames_.back();
        if (!frame.raises) {
            frame.as_subtree += estimate;
        } else if (static_cast<double>(estimate) <=
                   static_cast<double>(frame.as_raised) * (1.0 + tie<Real>)) {
            frame.as_raised = estimate;
            frame.raised = frame.tried;
        }
        ++frame.tried;
    }

    PrunedTree pruned_;
    const TreeView& tree_;
    const Labels& labels_;
    const ErrorBasedOptions& options_;
    Box box_;
    CaseStack<Real> cases_;
    std::vector<Frame> frames_;
    AsLeaf<Real> as_leaf_;
};

void check_noise(const ErrorBasedOptions& options, const Table& table) {
    const NoiseModel& noise = options.propagation_noise;
    if (!noise.empty()) check(noise, table.columns.size(), table.n_rows);
    if (options.eta >= 0.0 && options.eta < 0.5) return;
    throw std::invalid_argument("eta must be at least 0 and below 0.5, got " +
                                std::to_string(options.eta));
}

}  // namespace

ErrorBasedResult error_based(const TreeView& tree, const Table& table, const Labels& labels,
                             const ErrorBasedOptions& options) {
    check(tree, table);
    check(labels, tree.n_classes, table.n_rows);
    check_noise(options, table);
    if (options.single_precision) return Pass<float>(tree, table, labels, options).run();
    return Pass<double>(tree, table, labels, options).run();
}

}  // namespace clearwood
