/// Many fits in one call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bind.hpp"
#include "bound.hpp"
#include "clearwood/fit_many.hpp"
#include "clearwood/parallel.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using RowSet = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// Table, classes, weights.
using HeldOutRows = std::tuple<nb::handle, Classes, std::optional<Weights>>;
/// Row set, plan, pruning, held-out rows (-1: none), evaluation.
using FitChoices = std::tuple<std::size_t, const BoundPlan*, std::optional<const BoundErrorBased*>,
                              std::int64_t, std::optional<const BoundEvaluation*>>;

clearwood::Keep keep_named(std::string_view name) {
    if (name == "scores") return clearwood::Keep::scores;
    if (name == "probabilities") return clearwood::Keep::probabilities;
    if (name == "trees") return clearwood::Keep::trees;
    throw std::invalid_argument("keep must be 'scores', 'probabilities' or 'trees', got '" +
                                std::string(name) + "'");
}

std::vector<clearwood::HeldOut> held_out_of(const std::vector<HeldOutRows>& given,
                                            std::int32_t n_classes) {
    std::vector<clearwood::HeldOut> result;
    for (const auto& [table, classes, weights] : given) {
        result.push_back({&core_table(table), labels_of(classes, n_classes, weights)});
    }
    return result;
}

clearwood::Fit fit_of(const FitChoices& choices, const std::vector<clearwood::HeldOut>& held_out) {
    const auto& [row_set, plan, pruning, tried_on, evaluation] = choices;
    clearwood::Fit fit{.row_set = row_set, .plan = &plan->plan};
    if (pruning) fit.pruning = &(*pruning)->options;
    if (evaluation) fit.evaluation = &(*evaluation)->evaluation;
    if (tried_on >= 0) fit.held_out = &held_out.at(static_cast<std::size_t>(tried_on));
    return fit;
}

/// The lock is released; Ctrl-C ends it.
std::vector<clearwood::FitResult> fitted(const clearwood::Table& table,
                                         const clearwood::Labels& labels,
                                         std::span<const std::span<const std::uint32_t>> row_sets,
                                         std::span<const clearwood::Fit> fits,
                                         clearwood::Keep keep, unsigned n_threads) {
    bool cancelled = false;
    std::vector<clearwood::FitResult> results;
    {
        const nb::gil_scoped_release unlocked;
        try {
            results = clearwood::fit_many(table, labels, row_sets, fits, keep, n_threads, no_signal);
        } catch (const clearwood::Cancelled&) {
            cancelled = true;
        }
    }
    if (cancelled) {
        throw nb::python_error();  // what PyErr_CheckSignals has set
    }
    return results;
}

/// Leaves, accuracies, log losses; then what was kept of each fit, or nothing.
nb::tuple to_python(std::vector<clearwood::FitResult> results, clearwood::Keep keep,
                    std::size_t n_classes) {
    std::vector<std::int32_t> n_leaves;
    std::vector<double> accuracy;
    std::vector<double> log_loss;
    nb::list kept;
    for (clearwood::FitResult& result : results) {
        n_leaves.push_back(result.n_leaves);
        accuracy.push_back(result.accuracy);
        log_loss.push_back(result.log_loss);
        if (keep == clearwood::Keep::trees) {
            kept.append(tree_dict(std::move(result.tree)));
        } else if (keep == clearwood::Keep::probabilities) {
            const std::size_t n_rows = result.probabilities.size() / n_classes;
            kept.append(to_numpy_2d(std::move(result.probabilities), n_rows, n_classes));
        }
    }
    return nb::make_tuple(to_numpy(std::move(n_leaves)), to_numpy(std::move(accuracy)),
                          to_numpy(std::move(log_loss)), kept);
}

nb::tuple fit_many(nb::handle table, const Classes& classes, std::int32_t n_classes,
                   const std::optional<Weights>& weights, const std::vector<RowSet>& row_sets,
                   const std::vector<FitChoices>& fits, const std::vector<HeldOutRows>& held_out,
                   std::string_view keep, unsigned n_threads) {
    std::vector<std::span<const std::uint32_t>> sets;
    for (const RowSet& rows : row_sets) {
        sets.emplace_back(rows.data(), rows.size());
    }
    const auto tried_on = held_out_of(held_out, n_classes);
    std::vector<clearwood::Fit> chosen;
    for (const FitChoices& choices : fits) {
        chosen.push_back(fit_of(choices, tried_on));
    }
    return to_python(fitted(core_table(table), labels_of(classes, n_classes, weights), sets, chosen,
                            keep_named(keep), n_threads),
                     keep_named(keep), static_cast<std::size_t>(n_classes));
}

}  // namespace

void bind_fit_many(nb::module_& m) {
    m.def("fit_many", &fit_many, "table"_a, "classes"_a.noconvert(), "n_classes"_a,
          "weights"_a.noconvert().none(), "row_sets"_a, "fits"_a, "held_out"_a, "keep"_a,
          "n_threads"_a,
          "Leaves, accuracy and log loss of each fit, and what was kept of it: see\n"
          "clearwood.estimators.fit_many.");
}
