#include "clearwood/prune.hpp"

#include "clearwood/deal.hpp"
#include "clearwood/fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

double sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The pass, with a stack of its own: a tree may be as deep as it has nodes. `Real` is the type of
/// every stored number.
template <class Real>
class Pass {
public:
    Pass(const TreeView& tree, const Table& table, const Labels& labels,
         const ErrorBasedOptions& options)
        : tree_(tree), labels_(labels), options_(options), dealer_(tree, table) {
        result_.replacement.resize(tree.kind.size());
        std::iota(result_.replacement.begin(), result_.replacement.end(), 0);
        result_.masses.assign(tree.masses.begin(), tree.masses.end());
        result_.distribution.assign(tree.distribution.begin(), tree.distribution.end());
        result_.label.assign(tree.label.begin(), tree.label.end());
        result_.missing_share.assign(tree.missing_share.begin(), tree.missing_share.end());
        result_.n_rows.assign(tree.kind.size(), -1);
        result_.estimate.assign(tree.kind.size(), 0.0);
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
        set_distributions();
        return std::move(result_);
    }

private:
    /// A node whose errors are being estimated: what C4.5 has as a call that calls itself.
    struct Frame {
        std::int32_t node = 0;
        bool update = false;    ///< prunes, where false only estimates
        std::size_t first = 0;  ///< its cases are cases_[first ... last)
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

    /// The node that stands at the place of `node`. Shortens the way there for the next time.
    std::int32_t standing(std::int32_t node) {
        auto& replacement = result_.replacement;
        for (std::int32_t next = replacement[at(node)]; next != node && next != leaf_replacement;
             next = replacement[at(node)]) {
            if (replacement[at(next)] != leaf_replacement) {
                replacement[at(node)] = replacement[at(next)];
            }
            node = next;
        }
        return node;
    }

    bool is_leaf(std::int32_t node) const {
        return tree_.is_leaf(node) || result_.replacement[at(node)] == leaf_replacement;
    }

    std::span<Stretch<Real>> branches_of(const Frame& frame) {
        return std::span(branches_).subspan(frame.branches, at(frame.n_branches) + 1);
    }

    void open(Frame frame) {
        frame.node = standing(frame.node);
        frame.as_leaf = estimate_leaf(frame);
        frame.branches = branches_.size();
        if (!is_leaf(frame.node)) deal(frame);
        frames_.push_back(frame);
    }

    void deal(Frame& frame) {
        frame.n_branches = static_cast<std::int32_t>(tree_.children(frame.node).size());
        branches_.resize(frame.branches + at(frame.n_branches) + 1);
        const auto branches = branches_of(frame);
        dealer_.deal(frame.node, std::span(cases_).subspan(frame.first, frame.last - frame.first),
                     frame.first, branches);
        for (std::int32_t i = 0; i < frame.n_branches; ++i) {
            if (branches[at(i)].empty()) continue;
            if (frame.heaviest == no_branch ||
                branches[at(i)].share >= branches[at(frame.heaviest)].share) {
                frame.heaviest = i;
            }
        }
    }

    Real estimate_leaf(const Frame& frame) {
        std::ranges::fill(class_weight_, Real(0));
        Real total = 0;
        for (std::size_t i = frame.first; i < frame.last; ++i) {
            total += cases_[i].weight;
            class_weight_[at(labels_.classes[cases_[i].row])] += cases_[i].weight;
        }
        const std::int32_t label = heaviest_class(frame.node);
        if (frame.update) store(frame, label);
        Real errors = total - class_weight_[at(label)];
        if (options_.laplace) {
            const Real n_classes = static_cast<Real>(tree_.n_classes);
            errors = total * (errors + n_classes - 1) / (total + n_classes);
        }
        return errors + added_errors(total, errors, options_.bound);
    }

    std::int32_t heaviest_class(std::int32_t node) const {
        std::int32_t best = options_.label_tie == LabelTie::lowest ? 0 : result_.label[at(node)];
        for (std::int32_t c = 0; c < tree_.n_classes; ++c) {
            if (class_weight_[at(c)] > class_weight_[at(best)]) best = c;
        }
        return best;
    }

    void store(const Frame& frame, std::int32_t label) {
        result_.label[at(frame.node)] = label;
        result_.n_rows[at(frame.node)] = static_cast<std::int64_t>(frame.last - frame.first);
        std::ranges::copy(class_weight_, masses(frame.node).begin());
    }

    std::span<double> masses(std::int32_t node) { return of_node(result_.masses, node); }

    std::span<double> of_node(std::vector<double>& values, std::int32_t node) const {
        return std::span(values).subspan(at(node) * at(tree_.n_classes), at(tree_.n_classes));
    }

    /// Goes one step on with the node on top of the stack.
    void advance() {
        Frame& frame = frames_.back();
        if (frame.heaviest == no_branch) return close_leaf(frame);  // a leaf, or all are missing
        if (!frame.raises) {
            for (; frame.tried < frame.n_branches; ++frame.tried) {
                if (!branches_of(frame)[at(frame.tried)].empty()) return open_branch(frame);
            }
            if (!frame.update) return close(frame.as_subtree);
            frame.raises = true;
            frame.tried = options_.raising == Raising::best ? 0 : frame.heaviest;
        }
        if (options_.raising != Raising::none) {
            for (; frame.tried < frame.n_branches; ++frame.tried) {
                if (may_be_raised(frame)) return open_raised(frame, frame.tried, false);
            }
        }
        decide(frame);
    }

    bool may_be_raised(const Frame& frame) {
        if (options_.raising == Raising::heaviest) return frame.tried == frame.heaviest;
        return !branches_of(frame)[at(frame.tried)].empty();
    }

    /// Pushes a branch with its own cases and its part of the missing ones.
    void open_branch(const Frame& frame) {
        const auto branch = branches_of(frame)[at(frame.tried)];
        const auto missing = branches_of(frame).back();
        const std::size_t kept = cases_.size();
        Frame child{.node = tree_.children(frame.node)[at(frame.tried)],
                    .update = frame.update,
                    .first = branch.first,
                    .last = branch.last,
                    .kept = kept};
        if (missing.first < missing.last) {
            child.first = kept;
            child.last = kept + (branch.last - branch.first) + (missing.last - missing.first);
            cases_.resize(child.last);
            const auto begin = cases_.begin();
            const auto from = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
            const auto rest = std::copy(from(branch.first), from(branch.last), from(kept));
            std::transform(from(missing.first), from(missing.last), rest, [&](Case<Real> c) {
                return Case<Real>{c.row, c.weight * branch.share};
            });
        }
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

    void decide(const Frame& frame) {
        const double subtree = static_cast<double>(frame.as_subtree) + options_.slack;
        const double raised = static_cast<double>(frame.as_raised) + options_.slack;
        const double leaf = static_cast<double>(frame.as_leaf);
        if (leaf <= raised && leaf <= subtree) return close_leaf(frame);
        if (static_cast<double>(frame.as_raised) <= subtree) return raise(frame);
        result_.estimate[at(frame.node)] = static_cast<double>(frame.as_subtree);
        share_missing(frame);
        close(frame.as_subtree);
    }

    /// The branch takes its parent's place, on the stack too.
    void raise(const Frame& decided) {
        const Frame frame = decided;
        result_.replacement[at(frame.node)] =
            standing(tree_.children(frame.node)[at(frame.raised)]);
        frames_.pop_back();
        branches_.resize(frame.branches);
        open_raised(frame, frame.raised, true);
    }

    void share_missing(const Frame& frame) {
        const auto shares =
            std::span(result_.missing_share)
                .subspan(at(tree_.child_start[at(frame.node)]), at(frame.n_branches));
        double total = 0.0;
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const auto reached = masses(standing(tree_.children(frame.node)[i]));
            shares[i] = branches_of(frame)[i].empty() ? 0.0 : sum(reached);
            total += shares[i];
        }
        for (double& share : shares) share /= total;
    }

    void close_leaf(const Frame& frame) {
        if (frame.update) {
            if (!tree_.is_leaf(frame.node)) result_.replacement[at(frame.node)] = leaf_replacement;
            result_.estimate[at(frame.node)] = static_cast<double>(frame.as_leaf);
        }
        close(frame.as_leaf);
    }

    /// Drops the node on top of the stack and hands its estimate to the one that waits for it.
    void close(Real estimate) {
        cases_.resize(frames_.back().kept);
        branches_.resize(frames_.back().branches);
        frames_.pop_back();
        if (frames_.empty()) return;
        Frame& parent = frames_.back();
        if (!parent.raises) {
            parent.as_subtree += estimate;
        } else if (estimate <= parent.as_raised) {
            parent.as_raised = estimate;
            parent.raised = parent.tried;
        }
        ++parent.tried;
    }

    /// Class shares of every node of the pruned tree, parents before children.
    void set_distributions() {
        std::vector<std::pair<std::int32_t, std::int32_t>> open{{standing(0), standing(0)}};
        while (!open.empty()) {
            const auto [node, parent] = open.back();
            open.pop_back();
            set_distribution(node, parent);
            if (is_leaf(node)) continue;
            for (const std::int32_t child : tree_.children(node))
                open.emplace_back(standing(child), node);
        }
    }

    void set_distribution(std::int32_t node, std::int32_t parent) {
        const auto reached = masses(node);
        const auto distribution = of_node(result_.distribution, node);
        const double total = sum(reached);
        if (total > 0.0) {
            if (result_.n_rows[at(node)] < 0) return;
            std::ranges::transform(reached, distribution.begin(),
                                   [&](double mass) { return mass / total; });
        } else if (options_.empty_leaf == EmptyLeaf::label) {
            std::ranges::fill(distribution, 0.0);
            distribution[at(result_.label[at(node)])] = 1.0;
        } else if (node != parent) {
            std::ranges::copy(of_node(result_.distribution, parent), distribution.begin());
        }
    }

    const TreeView& tree_;
    const Labels& labels_;
    const ErrorBasedOptions& options_;
    Dealer<Real> dealer_;
    ErrorBasedResult result_;
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
