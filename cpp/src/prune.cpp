#include "clearwood/prune.hpp"

#include "clearwood/deal.hpp"
#include "clearwood/fits.hpp"
#include "clearwood/pruned_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// Doubles that differ by less, relatively, are equal but for the order of a sum.
template <class Real>
constexpr double tie = std::is_same_v<Real, double> ? 1e-10 : 0.0;

/// The pass, with a stack of its own: a tree may be as deep as it has nodes. `Real` is the type of
/// every stored number.
///
/// A branch that may be raised gets only the rows that are new to it: what they do not reach keeps
/// its estimate, and a leaf adds them to its masses. With whole weights this gives the bits of
/// sending all, in a small part of the time on a deep tree. Where rows are missing at a condition,
/// their parts depend on all others, and all are sent.
template <class Real>
class Pass {
public:
    Pass(const TreeView& tree, const Table& table, const Labels& labels,
         const ErrorBasedOptions& options)
        : pruned_(tree), tree_(tree), labels_(labels), options_(options), dealer_(tree, table) {
        class_weight_.resize(at(tree.n_classes));
        for (std::size_t row = 0; row < table.n_rows; ++row) {
            const Real weight = static_cast<Real>(labels.weight(row));
            if (weight > Real(0)) cases_.push_back({static_cast<RowId>(row), weight});
        }
    }

    ErrorBasedResult run() {
        if (!cases_.empty()) {
            open({.node = 0, .update = true, .first = 0, .last = cases_.size(), .kept = 0});
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
        std::size_t first = 0;     ///< its cases are cases_[first ... last)
        std::size_t last = 0;
        std::size_t kept = 0;      ///< cases to keep when the node is done
        std::size_t branches = 0;  ///< its branches are branches_[branches ...], the missing last
        std::int32_t n_branches = 0;
        std::int32_t tried = 0;  ///< the branch that comes next, or is awaited
        bool raises = false;     ///< the branches are done, those to raise are being tried
        std::int32_t heaviest = no_branch;
        std::int32_t raised = no_branch;
        Real as_leaf = 0;
        Real as_subtree = 0;
        Real as_raised = std::numeric_limits<Real>::infinity();
    };

    std::span<Stretch<Real>> branches_of(const Frame& frame) {
        return std::span(branches_).subspan(frame.branches, at(frame.n_branches) + 1);
    }

    void open(Frame frame) {
        frame.node = pruned_.standing(frame.node);
        if (frame.update) frame.as_leaf = estimate_leaf(frame);
        frame.branches = branches_.size();
        if (!pruned_.is_leaf(frame.node)) deal(frame);
        frames_.push_back(frame);
    }

    void deal(Frame& frame) {
        frame.n_branches = static_cast<std::int32_t>(tree_.children(frame.node).size());
        branches_.resize(frame.branches + at(frame.n_branches) + 1);
        const auto branches = branches_of(frame);
        dealer_.deal(frame.node, std::span(cases_).subspan(frame.first, frame.last - frame.first),
                     frame.first, branches);
        frame.has_missing = branches.back().size() > 0;
        for (std::size_t i = 0; frame.on_top && i < at(frame.n_branches); ++i) {
            if (pruned_.is_reached(frame.node, i)) {
                branches[i].weight += static_cast<Real>(pruned_.mass(pruned_.child(frame.node, i)));
            }
        }
        dealer_.share(branches.first(at(frame.n_branches)));
        frame.heaviest = dealer_.heaviest(branches.first(at(frame.n_branches)));
    }

    Real estimate_leaf(const Frame& frame) {
        std::ranges::fill(class_weight_, Real(0));
        for (std::size_t c = 0; frame.on_top && c < class_weight_.size(); ++c) {
            class_weight_[c] = static_cast<Real>(pruned_.masses(frame.node)[c]);
        }
        Real total = std::accumulate(class_weight_.begin(), class_weight_.end(), Real(0));
        for (std::size_t i = frame.first; i < frame.last; ++i) {
            total += cases_[i].weight;
            class_weight_[at(labels_.classes[cases_[i].row])] += cases_[i].weight;
        }
        const std::int32_t label = heaviest_class(frame.node);
        if (frame.update) store(frame, label);
        Real errors = total - class_weight_[at(label)];
        const Real k = static_cast<Real>(tree_.n_classes);
        if (options_.laplace) errors = total * (errors + k - 1) / (total + k);
        return errors + added_errors(total, errors, options_.bound);
    }

    std::int32_t heaviest_class(std::int32_t node) const {
        std::int32_t best = options_.label_tie == LabelTie::lowest ? 0 : pruned_.label(node);
        for (std::int32_t c = 0; c < tree_.n_classes; ++c) {
            if (class_weight_[at(c)] > class_weight_[at(best)]) best = c;
        }
        return best;
    }

    void store(const Frame& frame, std::int32_t label) {
        pruned_.set_rows(frame.node, frame.last - frame.first, label);
        std::ranges::copy(class_weight_, pruned_.masses(frame.node).begin());
    }

    /// Goes one step on with the node on top of the stack.
    void advance() {
        Frame& frame = frames_.back();
        if (frame.heaviest == no_branch) return close_leaf(frame);  // a leaf, or all are missing
        if (!frame.raises) {
            for (; frame.tried < frame.n_branches; ++frame.tried) {
                if (branches_of(frame)[at(frame.tried)].has_weight()) return open_branch(frame);
            }
            if (!frame.update) return close(frame.as_subtree);
            frame.raises = true;
            frame.tried = options_.raising == Raising::best ? 0 : frame.heaviest;
        }
        if (options_.raising != Raising::none) {
            for (; frame.tried < frame.n_branches; ++frame.tried) {
                if (may_be_raised(frame)) return try_raising(frame);
            }
        }
        decide(frame);
    }

    bool may_be_raised(const Frame& frame) {
        if (options_.raising == Raising::heaviest) return frame.tried == frame.heaviest;
        return branches_of(frame)[at(frame.tried)].has_weight();
    }

    /// Pushes a branch with its own cases and its part of the missing ones.
    void open_branch(const Frame& frame) {
        const auto branch = branches_of(frame)[at(frame.tried)];
        const auto missing = branches_of(frame).back();
        Frame child{.node = tree_.children(frame.node)[at(frame.tried)],
                    .update = frame.update,
                    .on_top = frame.on_top && pruned_.is_reached(frame.node, at(frame.tried)),
                    .first = branch.first,
                    .last = branch.last,
                    .kept = cases_.size()};
        if (child.on_top && branch.size() + missing.size() == 0) {
            child.node = pruned_.standing(child.node);
            return add(static_cast<Real>(pruned_.estimate(child.node)));
        }
        if (missing.size() > 0) {
            child.first = cases_.size();
            push(branch.first, branch.last, Real(1));
            push(missing.first, missing.last, branch.share);
            child.last = cases_.size();
        }
        open(child);
    }

    /// Copies cases to the top of the stack, a part of the weight of each.
    void push(std::size_t first, std::size_t last, Real part) {
        const std::size_t to = cases_.size();
        cases_.resize(to + (last - first));
        for (std::size_t i = 0; i < last - first; ++i) {
            cases_[to + i] = {cases_[first + i].row, cases_[first + i].weight * part};
        }
    }

    /// Estimates the errors of a branch in the place of its parent.
    void try_raising(const Frame& frame) {
        if (frame.has_missing) return open_raised(frame, frame.tried, false);
        const auto branch = branches_of(frame)[at(frame.tried)];
        Frame child{.node = tree_.children(frame.node)[at(frame.tried)],
                    .on_top = true,
                    .first = cases_.size(),
                    .kept = cases_.size()};
        push(frame.first, branch.first, Real(1));
        push(branch.last, frame.last, Real(1));
        child.last = cases_.size();
        open(child);
    }

    /// Pushes a branch with all cases of its parent, whose own order is no longer needed.
    void open_raised(const Frame& frame, std::int32_t branch, bool update) {
        open({.node = tree_.children(frame.node)[at(branch)],
              .update = update,
              .first = frame.first,
              .last = frame.last,
              .kept = update ? frame.kept : cases_.size()});
    }

    void decide(Frame& frame) {
        const double leaf = static_cast<double>(frame.as_leaf);
        const double slack = options_.slack + tie<Real> * leaf;
        const double subtree = static_cast<double>(frame.as_subtree) + slack;
        const double raised = static_cast<double>(frame.as_raised) + slack;
        if (leaf <= raised && leaf <= subtree) return close_leaf(frame);
        if (static_cast<double>(frame.as_raised) <= subtree) return raise(frame);
        pruned_.keep(frame.node, static_cast<double>(frame.as_subtree));
        share_missing(frame);
        close(frame.as_subtree);
    }

    /// The branch takes its parent's place, on the stack too.
    void raise(const Frame& decided) {
        const Frame frame = decided;
        pruned_.raise(frame.node, at(frame.raised));
        frames_.pop_back();
        branches_.resize(frame.branches);
        open_raised(frame, frame.raised, true);
    }

    void share_missing(const Frame& frame) {
        const auto shares = pruned_.shares(frame.node);
        double total = 0.0;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const bool is_reached = branches_of(frame)[i].has_weight();
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
        cases_.resize(done.kept);
        branches_.resize(done.branches);
        frames_.pop_back();
        if (frames_.empty()) return;
        if (done.update) frames_.back().has_missing |= done.has_missing;
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
    Dealer<Real> dealer_;
    std::vector<Case<Real>> cases_;
    std::vector<Stretch<Real>> branches_;
    std::vector<Frame> frames_;
    std::vector<Real> class_weight_;
};

}  // namespace

ErrorBasedResult error_based(const TreeView& tree, const Table& table, const Labels& labels,
                             const ErrorBasedOptions& options) {
    check(tree, table);
    check(labels, tree.n_classes, table.n_rows);
    if (options.single_precision) return Pass<float>(tree, table, labels, options).run();
    return Pass<double>(tree, table, labels, options).run();
}

}  // namespace clearwood
