/// What Python's objects of the core hold, where more than one file of bindings needs to know.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "clearwood/evaluation.hpp"
#include "clearwood/plan.hpp"
#include "clearwood/prune.hpp"
#include "clearwood/table.hpp"

/// A `_core.Plan`.
struct BoundPlan {
    clearwood::Plan plan;
    std::vector<nanobind::object> keep;  ///< the noise that the plan points to
};

/// A `_core.Evaluation`.
struct BoundEvaluation {
    clearwood::Evaluation evaluation;
    std::vector<nanobind::object> keep;  ///< whose memory the evaluation views
};

/// A `_core.ErrorBased`.
struct BoundErrorBased {
    clearwood::ErrorBasedOptions options;
    std::vector<nanobind::object> keep;  ///< the noise that the options point to
};

using Classes = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig,
                                  nanobind::device::cpu>;
using Weights =
    nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

inline clearwood::Labels labels_of(const Classes& classes, std::int32_t n_classes,
                                   const std::optional<Weights>& weights) {
    clearwood::Labels labels{
        .classes = {classes.data(), classes.size()}, .n_classes = n_classes, .weights = {}};
    if (weights) {
        labels.weights = {weights->data(), weights->size()};
    }
    return labels;
}

/// Asks Python for signals; takes the lock only while it asks.
inline bool no_signal() {
    const nanobind::gil_scoped_acquire locked;
    return PyErr_CheckSignals() == 0;
}
