/// Error-based pruning (Quinlan 1993, C4.5: Programs for Machine Learning, chapter 4): one pass from
/// the leaves to the root over the training rows. At each inner node the pessimistic estimate of the
/// errors of the subtree, of a leaf and of one of the branches standing in the node's place
/// ("raised") are compared. A raised branch gets all rows of the node and is pruned once more.
/// Where noise divides rows between the branches of a cut, all of this is done with parts of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "clearwood/added_errors.hpp"
#include "clearwood/noise.hpp"
#include "clearwood/replacement_rule.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// Which branches may stand in the place of their parent: none, the one with the largest weight
/// (of equal ones the last), or the one with the smallest estimate (of equal ones the last).
enum class Raising { none, heaviest, best };

/// The class distribution of a leaf that no row reaches: that of its parent, or all on its label.
enum class EmptyLeaf { parent, label };

/// Which of equally heavy classes labels a node: the label it has, or the lowest index.
enum class LabelTie { current, lowest };

struct ErrorBasedOptions {
    AddedErrors bound = C45Bound(0.25);
    /// e is replaced by n (e + K - 1) / (n + K) before the bound, K the number of classes.
    bool laplace = false;
    /// A leaf or a raised branch is taken if it costs at most this many errors more.
    double slack = 0.1;
    /// Decides in the place of the slack.
    std::optional<SizeRule> size_rule = {};
    Raising raising = Raising::heaviest;
    EmptyLeaf empty_leaf = EmptyLeaf::parent;
    LabelTie label_tie = LabelTie::current;
    /// Values, weights, sums and estimates are rounded to single precision, as in C4.5 release 8.
    bool single_precision = false;

    /// Per column; noise divides the weight of a row between the branches of a cut, as it does in
    /// growing. Empty: all exact.
    NoiseModel propagation_noise = {};
    bool joint_gates = false;  ///< gates know the interval that the cuts above leave
    double eta = 1e-6;         ///< shares below it become 0

    const Noise* propagated_with(std::size_t column) const {
        return propagation_noise.empty() ? nullptr : propagation_noise[column];
    }
};

inline constexpr std::int32_t leaf_replacement = -1;

/// Everything is indexed by the nodes (`missing_share`: the branches) of the tree as it was. What
/// is said of a node holds for its final place; nodes that no row reaches keep their contents.
struct ErrorBasedResult {
    /// What stands at the node: itself, leaf_replacement, or a descendant, whose own entry then
    /// says what stands there. At most n_nodes such steps lead to a node that stays or is a leaf.
    std::vector<std::int32_t> replacement;
    std::vector<double> masses;        ///< n_nodes x n_classes
    std::vector<double> distribution;  ///< n_nodes x n_classes
    std::vector<std::int32_t> label;
    std::vector<double> missing_share;  ///< weight in the branch by weight in all branches
    std::vector<std::int64_t> n_rows;   ///< rows that reach the node; -1: none does
    std::vector<double> estimate;       ///< pessimistic number of errors; 0 where no row comes
};

/// What error-based pruning makes of a tree, given training rows. A row that is missing at a
/// condition goes down each branch in proportion to the weight known to go there; a node at which
/// all rows are missing becomes a leaf. Rows of weight 0 count as absent.
/// Throws InvalidTree for a damaged tree and std::invalid_argument where tree, table, labels and
/// noise do not fit together, a class is out of range, a weight negative or not finite, or eta
/// negative or not below one half.
ErrorBasedResult error_based(const TreeView& tree, const Table& table, const Labels& labels,
                             const ErrorBasedOptions& options);

}  // namespace clearwood
