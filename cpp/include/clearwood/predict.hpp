/// Prediction: where the weight of a row goes in a grown tree, and what the leaves then say.
///
/// A known value follows its branch, or divides as the evaluation says (evaluation.hpp). A missing
/// value (NaN, a negative code, a level without a branch) goes down every branch, its weight times
/// `missing_share`, as C4.5 release 8 does; the answer is the mean of the leaves' distributions by
/// the weight that reaches them. A row that is not divided needs one path and no weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/evaluation.hpp"
#include "clearwood/matrix.hpp"
#include "clearwood/packed.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// Nodes of each row: those of row r are nodes[row_start[r] ... row_start[r + 1]), in pre-order.
struct RowNodes {
    std::vector<std::int64_t> row_start{0};
    std::vector<std::int32_t> nodes;
};

/// Leaves of each row, laid out as RowNodes, and the row's share in each: a row's shares sum to 1
/// (less what ramps drop as release 8 does).
struct RowLeaves {
    RowNodes leaves;
    std::vector<double> shares;
};

/// Where no branch of a node would get any weight of a row (all its shares are 0), the row ends in
/// the node itself; "leaf" below means such a node too. Rows are dealt out in blocks to `n_threads`
/// threads; the answer does not depend on how many. A table or an evaluation that does not fit the
/// tree, or `out`, throws std::invalid_argument.
class Predictor {
public:
    /// Keeps a packed copy of the tree. Throws as `pack` does.
    Predictor(const TreeView& tree, std::size_t n_columns) : tree_(pack(tree, n_columns)) {}

    std::size_t n_classes() const { return tree_.n_classes; }
    std::size_t n_columns() const { return tree_.n_columns; }
    std::size_t n_nodes() const { return tree_.nodes.size(); }

    /// Class probabilities, n_rows x n_classes.
    void predict_proba(const Table& table, std::span<double> out, unsigned n_threads = 1,
                       const Evaluation& evaluation = {}) const;
    void predict_proba(const Matrix& matrix, std::span<double> out, unsigned n_threads = 1) const;

    /// The leaf with the largest share of each row; among equals the first in pre-order.
    void apply(const Table& table, std::span<std::int32_t> out, unsigned n_threads = 1,
               const Evaluation& evaluation = {}) const;

    /// Every node that a positive share of the row reaches.
    RowNodes decision_path(const Table& table, unsigned n_threads = 1,
                           const Evaluation& evaluation = {}) const;

    /// Every leaf that a positive share of the row reaches: what predict_proba averages over.
    RowLeaves leaf_weights(const Table& table, unsigned n_threads = 1,
                           const Evaluation& evaluation = {}) const;

    /// n_rows x n_nodes: which part of a row in a node's parent goes on to the node, be it reached
    /// or not; 1 at the root.
    void shares(const Table& table, std::span<double> out, const Evaluation& evaluation = {}) const;

private:
    PackedTree tree_;
};

}  // namespace clearwood
