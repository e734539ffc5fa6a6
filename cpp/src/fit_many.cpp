#include "clearwood/fit_many.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "clearwood/grow.hpp"
#include "clearwood/predict.hpp"
#include "clearwood/presort.hpp"
#include "clearwood/rebuild.hpp"

namespace clearwood {
namespace {

constexpr double least_probability = std::numeric_limits<double>::epsilon();

/// The rows of one set as a thread has them ready for fit after fit.
struct ReadyRows {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    std::size_t row_set = none;
    std::vector<double> weights;  ///< of every row of the table; 0 outside the set
    std::vector<std::uint8_t> is_in;
    SortedRows sorted;
    SortedRows used;  ///< by the fit at work
};

class FitMany {
public:
    FitMany(const Table& table, const Labels& labels,
            std::span<const std::span<const RowId>> row_sets, const Presort& presort,
            const SortedRows& all, Watch& watch)
        : table_(table),
          labels_(labels),
          row_sets_(row_sets),
          presort_(presort),
          all_(all),
          watch_(watch) {}

    FitResult fit(const Fit& fit, Keep keep, ReadyRows& ready) const {
        if (ready.row_set != fit.row_set) {
            make_ready(fit.row_set, ready);
        }
        const Labels labels{labels_.classes, labels_.n_classes, ready.weights};
        ready.used = ready.sorted;
        FitResult result;
        result.tree = grow_sorted(table_, labels, *fit.plan, presort_, ready.used, watch_);
        if (fit.pruning) {
            result.tree = rebuilt(
                result.tree, error_based(view(result.tree), table_, labels, *fit.pruning));
        }
        result.n_leaves = static_cast<std::int32_t>(
            std::ranges::count(result.tree.kind, static_cast<std::int8_t>(NodeKind::leaf)));
        try_on_held_out(fit, result);
        if (keep != Keep::probabilities) {
            result.probabilities = {};
        }
        if (keep != Keep::trees) {
            result.tree = {};
        }
        return result;
    }

private:
    void make_ready(std::size_t row_set, ReadyRows& ready) const {
        ready.weights.assign(table_.n_rows, 0.0);
        ready.is_in.assign(table_.n_rows, 0);
        for (const RowId row : row_sets_[row_set]) {
            ready.weights[row] += labels_.weight(row);
            ready.is_in[row] = labels_.weight(row) > 0.0;
        }
        filter(all_, presort_.code, ready.is_in, ready.sorted);
        ready.row_set = row_set;
    }

    void try_on_held_out(const Fit& fit, FitResult& result) const {
        result.accuracy = result.log_loss = std::numeric_limits<double>::quiet_NaN();
        if (!fit.held_out) {
            return;
        }
        const auto n_classes = static_cast<std::size_t>(labels_.n_classes);
        const Table& table = *fit.held_out->table;
        result.probabilities.resize(table.n_rows * n_classes);
        Predictor(view(result.tree), table.columns.size())
            .predict_proba(table, result.probabilities, 1,
                           fit.evaluation ? *fit.evaluation : Evaluation{});
        score(fit.held_out->labels, n_classes, result);
    }

    static void score(const Labels& truth, std::size_t n_classes, FitResult& result) {
        double right = 0.0;
        double loss = 0.0;
        double total = 0.0;
        for (std::size_t row = 0; row < truth.classes.size(); ++row) {
            const auto p = std::span(result.probabilities).subspan(row * n_classes, n_classes);
            const auto label = static_cast<std::size_t>(truth.classes[row]);
            const double weight = truth.weight(row);
            const auto predicted = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
            right += predicted == label ? weight : 0.0;
            loss -= weight * std::log(std::max(p[label], least_probability));
            total += weight;
        }
        result.accuracy = right / total;
        result.log_loss = loss / total;
    }

    const Table& table_;
    const Labels& labels_;
    std::span<const std::span<const RowId>> row_sets_;
    const Presort& presort_;
    const SortedRows& all_;
    Watch& watch_;
};

void check_row_sets(std::span<const std::span<const RowId>> row_sets, std::size_t n_rows) {
    for (const auto rows : row_sets) {
        if (std::ranges::any_of(rows, [&](RowId row) { return row >= n_rows; })) {
            throw std::invalid_argument("a row set names a row that the table does not have");
        }
    }
}

void check_fit(const Fit& fit, const Table& table, const Labels& labels, std::size_t n_row_sets) {
    if (fit.row_set >= n_row_sets || !fit.plan) {
        throw std::invalid_argument("a fit names a row set that does not exist, or has no plan");
    }
    if (!fit.held_out) {
        return;
    }
    check_sizes(*fit.held_out->table, fit.held_out->labels);
    if (fit.held_out->labels.n_classes != labels.n_classes ||
        fit.held_out->table->columns.size() != table.columns.size()) {
        throw std::invalid_argument("held-out rows have other classes or columns than the table");
    }
}

}  // namespace

std::vector<FitResult> fit_many(const Table& table, const Labels& labels,
                                std::span<const std::span<const RowId>> row_sets,
                                std::span<const Fit> fits, Keep keep, unsigned n_threads,
                                const std::function<bool()>& keep_going) {
    check_sizes(table, labels);
    check_row_sets(row_sets, table.n_rows);
    bool keeps_values = false;
    for (const Fit& fit : fits) {
        check_fit(fit, table, labels, row_sets.size());
        keeps_values = keeps_values || !fit.plan->search_noise.empty();
    }
    Watch watch(keep_going);
    SortedRows all;
    const Presort sorted = presort(table, labels, n_threads, watch, all, keeps_values);
    const FitMany fitter(table, labels, row_sets, sorted, all, watch);
    std::vector<ReadyRows> ready(std::max(1u, n_threads));
    std::vector<FitResult> results(fits.size());
    parallel_for(n_threads, fits.size(), watch, [&](std::size_t item, std::size_t thread) {
        results[item] = fitter.fit(fits[item], keep, ready[thread]);
    });
    return results;
}

}  // namespace clearwood
