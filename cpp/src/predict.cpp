#include "clearwood/predict.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "clearwood/answers.hpp"
#include "clearwood/blocks.hpp"
#include "clearwood/descent.hpp"
#include "clearwood/votes.hpp"

namespace clearwood {

namespace {

void check_size(std::size_t size, std::size_t wanted) {
    if (size != wanted)
        throw std::invalid_argument("out must have room for " + std::to_string(wanted) +
                                    " values, got " + std::to_string(size));
}

/// Calls use(gates) with the gates of the evaluation; hard ones where it divides nothing.
template <class Use>
void with_gates(const PackedTree& tree, const Evaluation& evaluation, std::size_t n_rows, Use use) {
    if (const auto* soft = std::get_if<SoftEvaluation>(&evaluation)) {
        check(soft->noise, tree.n_columns, n_rows);
        const auto is_noisy = [&](std::size_t column) {
            return !soft->noise.empty() && soft->noise[column] != nullptr;
        };
        if (std::ranges::any_of(tree.cut_columns, is_noisy)) return use(SoftGates(tree, *soft));
    }
    if (const auto* ramps = std::get_if<RampEvaluation>(&evaluation))
        return use(RampGates(tree, *ramps));
    use(HardGates(tree));
}

/// Rows sent down together: their parcels stay in the fast memory, their nodes are shared.
constexpr std::size_t rows_at_once = 512;

/// Calls work(rows) for consecutive rows of [first, last), a few at a time.
template <class Work>
void over_rows(std::size_t first, std::size_t last, Work work) {
    std::vector<RowId> rows;
    for (std::size_t start = first; start < last; start += rows_at_once) {
        rows.resize(std::min(rows_at_once, last - start));
        std::iota(rows.begin(), rows.end(), static_cast<RowId>(start));
        work(std::span<const RowId>(rows));
    }
}

/// Hard rows that meet no missing value take one path; the others are gathered and divided.
template <class Divide, class Emit>
void descend_or_divide(const PackedTree& tree, const Inputs& inputs, std::size_t first,
                       std::size_t last, Divide& divide, Emit emit) {
    std::vector<RowId> divided;
    descend_rows(tree, inputs, first, last, [&](std::size_t row, const Descent& descent) {
        if (descent.all_known()) return emit(row, descent.node());
        divided.push_back(static_cast<RowId>(row));
        if (divided.size() == rows_at_once) {
            divide(divided);
            divided.clear();
        }
    });
    if (!divided.empty()) divide(divided);
}

/// Answers for all rows in threads: emit(row, node) for those that end in one node without being
/// divided, make_divide() makes what answers for the others.
template <class Gates, class MakeDivide, class Emit>
void answer(const PackedTree& tree, const Inputs& inputs, unsigned n_threads,
            MakeDivide make_divide, Emit emit) {
    over_blocks(inputs.n_rows, n_blocks_for(inputs.n_rows, n_threads),
                [&](std::size_t, std::size_t first, std::size_t last) {
                    auto divide = make_divide();
                    if constexpr (std::is_same_v<Gates, HardGates>)
                        descend_or_divide(tree, inputs, first, last, divide, emit);
                    else
                        over_rows(first, last, divide);
                });
}

void probabilities(const PackedTree& tree, const Inputs& inputs, std::span<double> out,
                   unsigned n_threads, const Evaluation& evaluation) {
    check_size(out.size(), inputs.n_rows * tree.n_classes);
    with_gates(tree, evaluation, inputs.n_rows, [&]<class Gates>(const Gates& gates) {
        answer<Gates>(
            tree, inputs, n_threads, [&] { return Means(tree, inputs, gates, out); },
            [&](std::size_t row, std::int32_t node) {
                std::ranges::copy(tree.distribution_of(node),
                                  out.subspan(row * tree.n_classes).begin());
            });
    });
}

/// Of each row the nodes that parcels of it reach, and their weights; or only where they end.
template <class Gates>
RowLeaves reached(const PackedTree& tree, const Inputs& inputs, const Gates& gates,
                  unsigned n_threads, bool only_ends) {
    std::vector<RowLeaves> parts(n_blocks_for(inputs.n_rows, n_threads));
    over_blocks(inputs.n_rows, parts.size(),
                [&](std::size_t block, std::size_t first, std::size_t last) {
                    Spread spread(tree, inputs, gates);
                    ByRow by_row;
                    over_rows(first, last, [&](std::span<const RowId> rows) {
                        by_row.start(rows.size());
                        spread(0, rows, [&](std::int32_t node, auto parcels, auto ending) {
                            by_row.add(tree.id_of(node), only_ends ? ending : parcels);
                        });
                        by_row.append_to(parts[block]);
                    });
                });
    for (std::size_t block = 1; block < parts.size(); ++block) append(parts[0], parts[block]);
    return std::move(parts[0]);
}

}  // namespace

void Predictor::predict_proba(const Table& table, std::span<double> out, unsigned n_threads,
                              const Evaluation& evaluation) const {
    if (const auto* witnesses = std::get_if<WitnessEvaluation>(&evaluation)) {
        check_size(out.size(), table.n_rows * tree_.n_classes);
        return Ballot(tree_, table, *witnesses).probabilities(out, n_threads);
    }
    probabilities(tree_, inputs_of(tree_, table), out, n_threads, evaluation);
}

void Predictor::predict_proba(const Matrix& matrix, std::span<double> out,
                              unsigned n_threads) const {
    probabilities(tree_, inputs_of(tree_, matrix), out, n_threads, HardEvaluation{});
}

void Predictor::apply(const Table& table, std::span<std::int32_t> out, unsigned n_threads,
                      const Evaluation& evaluation) const {
    const Inputs inputs = inputs_of(tree_, table);
    check_size(out.size(), inputs.n_rows);
    if (const auto* witnesses = std::get_if<WitnessEvaluation>(&evaluation))
        return Ballot(tree_, table, *witnesses).main_leaves(out, n_threads);
    with_gates(tree_, evaluation, inputs.n_rows, [&]<class Gates>(const Gates& gates) {
        answer<Gates>(
            tree_, inputs, n_threads, [&] { return MainLeaves(tree_, inputs, gates, out); },
            [&](std::size_t row, std::int32_t node) { out[row] = tree_.id_of(node); });
    });
}

RowNodes Predictor::decision_path(const Table& table, unsigned n_threads,
                                  const Evaluation& evaluation) const {
    if (const auto* witnesses = std::get_if<WitnessEvaluation>(&evaluation))
        return Ballot(tree_, table, *witnesses).reached(n_threads, false).leaves;
    const Inputs inputs = inputs_of(tree_, table);
    RowLeaves rows;
    with_gates(tree_, evaluation, inputs.n_rows,
               [&](const auto& gates) { rows = reached(tree_, inputs, gates, n_threads, false); });
    return std::move(rows.leaves);
}

RowLeaves Predictor::leaf_weights(const Table& table, unsigned n_threads,
                                  const Evaluation& evaluation) const {
    if (const auto* witnesses = std::get_if<WitnessEvaluation>(&evaluation))
        return Ballot(tree_, table, *witnesses).reached(n_threads, true);
    const Inputs inputs = inputs_of(tree_, table);
    RowLeaves rows;
    with_gates(tree_, evaluation, inputs.n_rows, [&]<class Gates>(const Gates& gates) {
        rows = reached(tree_, inputs, gates, n_threads, true);
        if (is_whole<Gates>) make_whole(rows.leaves, rows.shares);
    });
    return rows;
}

void Predictor::shares(const Table& table, std::span<double> out,
                       const Evaluation& evaluation) const {
    const Inputs inputs = inputs_of(tree_, table);
    const std::size_t n_nodes = tree_.nodes.size();
    check_size(out.size(), inputs.n_rows * n_nodes);
    if (const auto* witnesses = std::get_if<WitnessEvaluation>(&evaluation))
        return Ballot(tree_, table, *witnesses).shares(out);
    with_gates(tree_, evaluation, inputs.n_rows, [&](const auto& gates) {
        for (std::size_t row = 0; row < inputs.n_rows; ++row)
            shares_of_row(tree_, inputs, gates, row, out.subspan(row * n_nodes, n_nodes));
    });
}

}  // namespace clearwood
