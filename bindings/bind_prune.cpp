/// Error-based pruning and the bounds it rests on.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "bind.hpp"
#include "bound.hpp"
#include "clearwood/added_errors.hpp"
#include "clearwood/prune.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

clearwood::Raising raising_named(std::string_view name) {
    if (name == "none") return clearwood::Raising::none;
    if (name == "heaviest") return clearwood::Raising::heaviest;
    if (name == "best") return clearwood::Raising::best;
    throw std::invalid_argument("raising must be 'none', 'heaviest' or 'best', got '" +
                                std::string(name) + "'");
}

clearwood::EmptyLeaf empty_leaf_named(std::string_view name) {
    if (name == "parent") return clearwood::EmptyLeaf::parent;
    if (name == "label") return clearwood::EmptyLeaf::label;
    throw std::invalid_argument("empty_leaf must be 'parent' or 'label', got '" +
                                std::string(name) + "'");
}

clearwood::LabelTie label_tie_named(std::string_view name) {
    if (name == "current") return clearwood::LabelTie::current;
    if (name == "lowest") return clearwood::LabelTie::lowest;
    throw std::invalid_argument("label_tie must be 'current' or 'lowest', got '" +
                                std::string(name) + "'");
}

nb::dict to_dict(clearwood::ErrorBasedResult result, std::size_t n_classes) {
    const std::size_t n_nodes = result.label.size();
    nb::dict arrays;
    arrays["replacement"] = nb::cast(to_numpy(std::move(result.replacement)));
    arrays["masses"] = nb::cast(to_numpy_2d(std::move(result.masses), n_nodes, n_classes));
    arrays["distribution"] =
        nb::cast(to_numpy_2d(std::move(result.distribution), n_nodes, n_classes));
    arrays["label"] = nb::cast(to_numpy(std::move(result.label)));
    arrays["missing_share"] = nb::cast(to_numpy(std::move(result.missing_share)));
    arrays["n_rows"] = nb::cast(to_numpy(std::move(result.n_rows)));
    arrays["estimate"] = nb::cast(to_numpy(std::move(result.estimate)));
    return arrays;
}

clearwood::AddedErrors bound_of(std::string_view bound, double confidence, int tails) {
    if (tails == 1) return clearwood::bound_named(bound, confidence);
    if (tails == 2) return clearwood::bound_named(bound, confidence / 2.0);
    throw std::invalid_argument("tails must be 1 or 2, got " + std::to_string(tails));
}

nb::dict error_based(nb::handle tree, nb::handle table, const Classes& classes,
                     std::int32_t n_classes, const std::optional<Weights>& weights,
                     const clearwood::ErrorBasedOptions& options) {
    std::vector<nb::object> keep;
    const clearwood::TreeView view = tree_view(tree, keep);
    const clearwood::Table& columns = core_table(table);
    const clearwood::Labels labels = labels_of(classes, n_classes, weights);
    clearwood::ErrorBasedResult result;
    {
        const nb::gil_scoped_release unlocked;
        result = clearwood::error_based(view, columns, labels, options);
    }
    return to_dict(std::move(result), static_cast<std::size_t>(n_classes));
}

}  // namespace

void bind_prune(nb::module_& m) {
    nb::class_<BoundErrorBased>(m, "ErrorBased",
                                "How to prune: see clearwood.pruning.error_based.")
        .def(
            "__init__",
            [](BoundErrorBased* self, double confidence, int tails, std::string_view bound,
               bool laplace, double slack, std::string_view raising, std::string_view empty_leaf,
               std::string_view label_tie, bool single_precision, nb::handle noise, bool joint,
               double eta) {
                std::vector<nb::object> keep;
                const clearwood::NoiseModel model = noise_model(noise, keep);
                new (self) BoundErrorBased{{.bound = bound_of(bound, confidence, tails),
                                            .laplace = laplace,
                                            .slack = slack,
                                            .raising = raising_named(raising),
                                            .empty_leaf = empty_leaf_named(empty_leaf),
                                            .label_tie = label_tie_named(label_tie),
                                            .single_precision = single_precision,
                                            .propagation_noise = model,
                                            .joint_gates = joint,
                                            .eta = eta},
                                           std::move(keep)};
            },
            nb::kw_only(), "confidence"_a = 0.25, "tails"_a = 1, "bound"_a = "c45",
            "laplace"_a = false, "slack"_a = 0.1, "raising"_a = "heaviest",
            "empty_leaf"_a = "parent", "label_tie"_a = "current", "single_precision"_a = false,
            "noise"_a = nb::none(), "joint"_a = false, "eta"_a = 1e-6);

    m.def(
        "error_based",
        [](nb::handle tree, nb::handle table, const Classes& classes, std::int32_t n_classes,
           const std::optional<Weights>& weights, const BoundErrorBased& options) {
            return error_based(tree, table, classes, n_classes, weights, options.options);
        },
        "tree"_a, "table"_a, "classes"_a.noconvert(), "n_classes"_a,
        "weights"_a.noconvert().none(), "options"_a,
        "What error-based pruning makes of a tree: see clearwood.pruning.error_based.");

    m.def(
        "tree_size",
        [](nb::handle tree, nb::handle table, const Classes& classes, std::int32_t n_classes,
           const std::optional<Weights>& weights, double c, double log_columns,
           std::string_view raising) {
            return error_based(tree, table, classes, n_classes, weights,
                               {.bound = clearwood::NoBound(),
                                .size_rule = clearwood::SizeRule{c, log_columns},
                                .raising = raising_named(raising)});
        },
        "tree"_a, "table"_a, "classes"_a.noconvert(), "n_classes"_a,
        "weights"_a.noconvert().none() = nb::none(), nb::kw_only(), "c"_a, "log_columns"_a,
        "raising"_a = "heaviest",
        "What pruning by tree size makes of a tree: see clearwood.pruning.tree_size.");

    m.def(
        "added_errors",
        [](double n, double e, double confidence, std::string_view bound, bool single_precision) {
            const auto form = clearwood::bound_named(bound, confidence);
            if (!single_precision) return clearwood::added_errors(n, e, form);
            return static_cast<double>(
                clearwood::added_errors(static_cast<float>(n), static_cast<float>(e), form));
        },
        "n"_a, "e"_a, "confidence"_a = 0.25, "bound"_a = "c45", "single_precision"_a = false,
        "U(n, e): errors to expect beyond the e made, of n.");
}
