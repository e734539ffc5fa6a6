/// Many trees from one table, each from some of its rows by a plan of its own: cross-validation,
/// choice of parameters, experiments. The table is sorted once; a fit filters its rows out of the
/// orders. Each tree is the one that `grow` gives where all other rows weigh 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "clearwood/evaluation.hpp"
#include "clearwood/plan.hpp"
#include "clearwood/prune.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

/// Rows that trees are tried on, as a table of their own.
struct HeldOut {
    const Table* table = nullptr;
    Labels labels;
};

/// One tree to grow. What it points to is borrowed and may serve many fits.
struct Fit {
    std::size_t row_set = 0;  ///< which of the row sets to grow from
    const Plan* plan = nullptr;
    const ErrorBasedOptions* pruning = nullptr;  ///< none: as it was grown
    const HeldOut* held_out = nullptr;           ///< none: it is not tried
    const Evaluation* evaluation = nullptr;      ///< on the held-out rows; none: hard
};

/// What is kept of a fit beside its scores.
enum class Keep : std::uint8_t { scores, probabilities, trees };

/// Scores are means over held-out rows by their weights; NaN where there are none.
struct FitResult {
    std::int32_t n_leaves = 0;
    double accuracy = 0.0;  ///< of equally probable classes the first is predicted
    double log_loss = 0.0;  ///< in nats; probabilities below 2.2e-16 count as that
    std::vector<double> probabilities;  ///< held-out rows x classes, where kept
    TreeArrays tree;                    ///< where kept
};

/// One result a fit, whatever the number of threads. A row named twice in a set counts twice.
/// `keep_going` is asked as `grow` does. Throws std::invalid_argument where row sets, table, labels
/// and noise do not fit together.
std::vector<FitResult> fit_many(const Table& table, const Labels& labels,
                                std::span<const std::span<const RowId>> row_sets,
                                std::span<const Fit> fits, Keep keep, unsigned n_threads,
                                const std::function<bool()>& keep_going);

}  // namespace clearwood
