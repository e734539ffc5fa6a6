#include "clearwood/predict.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "clearwood/descent.hpp"
#include "clearwood/parallel.hpp"
#include "clearwood/walk.hpp"

namespace clearwood {

namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

void check_n_columns(const PackedTree& tree, std::size_t n_columns) {
    if (n_columns != tree.n_columns)
        throw std::invalid_argument("the tree was made for " + std::to_string(tree.n_columns) +
                                    " columns, the table has " + std::to_string(n_columns));
}

[[noreturn]] void throw_wrong_kind(std::size_t column, const char* wanted) {
    throw std::invalid_argument("the tree wants " + std::string(wanted) + " in column " +
                                std::to_string(column));
}

Inputs inputs_of(const PackedTree& tree, const Table& table) {
    check_n_columns(tree, table.columns.size());
    Inputs inputs{{}, {}, table.n_rows};
    for (const std::size_t index : tree.cut_columns) {
        const NumericColumn* column = table.numeric(index);
        if (column == nullptr) throw_wrong_kind(index, "numbers");
        inputs.numeric.push_back(column->values);
    }
    for (const std::size_t index : tree.level_columns) {
        const NominalColumn* column = table.nominal(index);
        if (column == nullptr) throw_wrong_kind(index, "level codes");
        inputs.nominal.push_back(column->codes);
    }
    return inputs;
}

Inputs inputs_of(const PackedTree& tree, const Matrix& matrix) {
    check_n_columns(tree, matrix.n_columns);
    if (!tree.level_columns.empty()) throw_wrong_kind(tree.level_columns.front(), "level codes");
    Inputs inputs{{}, {}, matrix.n_rows};
    for (const std::size_t index : tree.cut_columns) inputs.numeric.push_back(matrix.column(index));
    return inputs;
}

void check_size(std::size_t size, std::size_t wanted) {
    if (size != wanted)
        throw std::invalid_argument("out must have room for " + std::to_string(wanted) +
                                    " values, got " + std::to_string(size));
}

template <class Evaluation>
void mean_of_leaves(const PackedTree& tree, Walk<Evaluation>& walk, std::size_t row,
                    std::span<double> out) {
    std::ranges::fill(out, 0.0);
    double total = 0.0;
    walk(row, [&](std::int32_t node, double weight, bool ends_here) {
        if (!ends_here) return;
        const auto distribution = tree.distribution_of(node);
        for (std::size_t k = 0; k < out.size(); ++k) out[k] += weight * distribution[k];
        total += weight;
    });
    for (double& probability : out) probability /= total;
}

template <class Evaluation>
std::int32_t main_leaf(Walk<Evaluation>& walk, std::size_t row) {
    Parcel best{0, 0.0};
    walk(row, [&](std::int32_t node, double weight, bool ends_here) {
        if (ends_here && weight > best.weight) best = {node, weight};
    });
    return best.node;
}

/// Fewer rows than this are not worth a thread.
constexpr std::size_t least_rows_for_thread = 512;

std::size_t n_blocks_for(std::size_t n_rows, unsigned n_threads) {
    if (n_threads == 0) throw std::invalid_argument("n_threads must be at least 1, got 0");
    return std::clamp<std::size_t>(n_rows / least_rows_for_thread, 1, n_threads);
}

/// Calls work(block, first_row, last_row) for each block, each in a thread of its own.
template <class Work>
void over_blocks(std::size_t n_rows, std::size_t n_blocks, Work work) {
    Watch watch({});
    parallel_for(static_cast<unsigned>(n_blocks), n_blocks, watch,
                 [&](std::size_t block, std::size_t) {
                     work(block, n_rows * block / n_blocks, n_rows * (block + 1) / n_blocks);
                 });
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& part) {
    all.insert(all.end(), part.begin(), part.end());
}

void append(RowNodes& all, const RowNodes& part) {
    const std::int64_t offset = all.row_start.back();
    for (std::size_t row = 1; row < part.row_start.size(); ++row)
        all.row_start.push_back(offset + part.row_start[row]);
    append(all.nodes, part.nodes);
}

void end_row(RowNodes& rows) {
    rows.row_start.push_back(static_cast<std::int64_t>(rows.nodes.size()));
}

RowNodes paths(const PackedTree& tree, const Inputs& inputs, std::size_t first, std::size_t last) {
    Walk walk(tree, HardEvaluation{tree, inputs});
    RowNodes rows;
    for (std::size_t row = first; row < last; ++row) {
        walk(row,
             [&](std::int32_t node, double, bool) { rows.nodes.push_back(tree.id[at(node)]); });
        end_row(rows);
    }
    return rows;
}

RowLeaves leaves(const PackedTree& tree, const Inputs& inputs, std::size_t first,
                 std::size_t last) {
    Walk walk(tree, HardEvaluation{tree, inputs});
    RowLeaves rows;
    for (std::size_t row = first; row < last; ++row) {
        const std::size_t n_before = rows.shares.size();
        double total = 0.0;
        walk(row, [&](std::int32_t node, double weight, bool ends_here) {
            if (!ends_here) return;
            rows.leaves.nodes.push_back(tree.id[at(node)]);
            rows.shares.push_back(weight);
            total += weight;
        });
        for (double& share : std::span(rows.shares).subspan(n_before)) share /= total;
        end_row(rows.leaves);
    }
    return rows;
}

void probabilities(const PackedTree& tree, const Inputs& inputs, std::span<double> out,
                   unsigned n_threads) {
    const std::size_t n_classes = tree.n_classes;
    check_size(out.size(), inputs.n_rows * n_classes);
    over_blocks(
        inputs.n_rows, n_blocks_for(inputs.n_rows, n_threads),
        [&](std::size_t, std::size_t first, std::size_t last) {
            Walk walk(tree, HardEvaluation{tree, inputs});
            descend_rows(tree, inputs, first, last, [&](std::size_t row, const Descent& descent) {
                const auto row_out = out.subspan(row * n_classes, n_classes);
                if (!descent.all_known()) return mean_of_leaves(tree, walk, row, row_out);
                std::ranges::copy(tree.distribution_of(descent.node()), row_out.begin());
            });
        });
}

}  // namespace

void Predictor::predict_proba(const Table& table, std::span<double> out, unsigned n_threads) const {
    probabilities(tree_, inputs_of(tree_, table), out, n_threads);
}

void Predictor::predict_proba(const Matrix& matrix, std::span<double> out,
                              unsigned n_threads) const {
    probabilities(tree_, inputs_of(tree_, matrix), out, n_threads);
}

void Predictor::apply(const Table& table, std::span<std::int32_t> out, unsigned n_threads) const {
    const Inputs inputs = inputs_of(tree_, table);
    check_size(out.size(), inputs.n_rows);
    over_blocks(
        inputs.n_rows, n_blocks_for(inputs.n_rows, n_threads),
        [&](std::size_t, std::size_t first, std::size_t last) {
            Walk walk(tree_, HardEvaluation{tree_, inputs});
            descend_rows(tree_, inputs, first, last, [&](std::size_t row, const Descent& descent) {
                out[row] =
                    tree_.id[at(descent.all_known() ? descent.node() : main_leaf(walk, row))];
            });
        });
}

RowNodes Predictor::decision_path(const Table& table, unsigned n_threads) const {
    const Inputs inputs = inputs_of(tree_, table);
    std::vector<RowNodes> parts(n_blocks_for(inputs.n_rows, n_threads));
    over_blocks(inputs.n_rows, parts.size(),
                [&](std::size_t block, std::size_t first, std::size_t last) {
                    parts[block] = paths(tree_, inputs, first, last);
                });
    for (std::size_t block = 1; block < parts.size(); ++block) append(parts[0], parts[block]);
    return std::move(parts[0]);
}

RowLeaves Predictor::leaf_weights(const Table& table, unsigned n_threads) const {
    const Inputs inputs = inputs_of(tree_, table);
    std::vector<RowLeaves> parts(n_blocks_for(inputs.n_rows, n_threads));
    over_blocks(inputs.n_rows, parts.size(),
                [&](std::size_t block, std::size_t first, std::size_t last) {
                    parts[block] = leaves(tree_, inputs, first, last);
                });
    for (std::size_t block = 1; block < parts.size(); ++block) {
        append(parts[0].leaves, parts[block].leaves);
        append(parts[0].shares, parts[block].shares);
    }
    return std::move(parts[0]);
}

}  // namespace clearwood
