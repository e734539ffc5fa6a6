/// Growing: a plan in plain values in, the arrays of a tree out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bound.hpp"
#include "clearwood/grow.hpp"
#include "clearwood/parallel.hpp"
#include "convert.hpp"
#include "named.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class Variant, std::size_t I = 0>
Variant alternative_named(std::string_view name, const char* what) {
    if constexpr (I < std::variant_size_v<Variant>) {
        using Alternative = std::variant_alternative_t<I, Variant>;
        return Alternative::name == name ? Variant(Alternative{})
                                         : alternative_named<Variant, I + 1>(name, what);
    } else {
        throw std::invalid_argument("no " + std::string(what) + " is named '" + std::string(name) +
                                    "'");
    }
}

constexpr Named<clearwood::Grouping> groupings[] = {
    {"branches", clearwood::Grouping::branches},
    {"grouped", clearwood::Grouping::grouped},
    {"subset", clearwood::Grouping::subset},
    {"one_vs_rest", clearwood::Grouping::one_vs_rest}};
constexpr Named<clearwood::CutAt> cut_places[] = {{"midpoint", clearwood::CutAt::midpoint},
                                                  {"observed", clearwood::CutAt::observed},
                                                  {"upper", clearwood::CutAt::upper}};

constexpr Named<clearwood::SampledBounds> sampled_bounds_menu[] = {
    {"none", clearwood::SampledBounds::none},
    {"BP", clearwood::SampledBounds::homogeneous},
    {"LP", clearwood::SampledBounds::local},
    {"GP", clearwood::SampledBounds::global},
    {"ES", clearwood::SampledBounds::end_points}};

/// The noise of each column; a constant scale of 0 is none at all.
clearwood::NoiseModel inexact(clearwood::NoiseModel model) {
    for (const clearwood::Noise*& noise : model) {
        const bool is_exact = noise && !noise->per_row && !(noise->constant_scale() > 0.0);
        noise = is_exact ? nullptr : noise;
    }
    return model;
}

void set_noise(BoundPlan* self, nb::handle search_noise, nb::handle propagation_noise,
               double window, double step, bool one_grid, std::string_view sampled_bounds,
               bool joint_gates, double eta) {
    clearwood::Plan& plan = self->plan;
    plan.search_noise = inexact(noise_model(search_noise, self->keep));
    plan.propagation_noise = inexact(noise_model(propagation_noise, self->keep));
    plan.soft_search = {.window = window, .step = step, .one_grid = one_grid};
    plan.sampled_bounds =
        value_named(sampled_bounds_menu, sampled_bounds, "sampled_bounds");
    plan.joint_gates = joint_gates;
    plan.eta = eta;
}

constexpr Named<clearwood::Reference> references[] = {
    {"product", clearwood::Reference::product}, {"uniform", clearwood::Reference::uniform}};

void set_divergence(BoundPlan* self, double alpha, std::string_view reference, double smoothing) {
    self->plan.score = clearwood::AlphaDivergence{
        alpha, value_named(references, reference, "reference"), smoothing};
}

constexpr Named<clearwood::Disagreement> disagreements[] = {{"any", clearwood::Disagreement::any},
                                                            {"all", clearwood::Disagreement::all}};

void set_verification(BoundPlan* self, std::size_t n_verifiers, double agreement, bool mirrored,
                      std::string_view disagreement, std::int32_t max_nodes,
                      double max_dup_fraction, double min_purity) {
    clearwood::Plan& plan = self->plan;
    plan.strict = true;
    plan.limits.min_purity = min_purity;
    plan.verification = clearwood::Verification{
        .n_verifiers = n_verifiers,
        .agreement = agreement,
        .mirrored = mirrored,
        .disagreement = value_named(disagreements, disagreement, "disagreement"),
        .max_nodes = max_nodes,
        .max_dup_fraction = max_dup_fraction};
}

/// The witnesses by name; none where the tree is not verified.
nb::object witness_dict(clearwood::WitnessArrays&& witnesses) {
    if (witnesses.start.empty()) return nb::none();
    nb::dict arrays;
    arrays["start"] = to_numpy(std::move(witnesses.start));
    arrays["column"] = to_numpy(std::move(witnesses.column));
    arrays["threshold"] = to_numpy(std::move(witnesses.threshold));
    arrays["level"] = to_numpy(std::move(witnesses.level));
    arrays["is_reversed"] = to_numpy(std::move(witnesses.is_reversed));
    arrays["agreement"] = to_numpy(std::move(witnesses.agreement));
    return arrays;
}

/// The arrays of the tree; how many thresholds could have been tried under noise; how many were;
/// the witnesses.
nb::tuple grow(nb::handle table, const Classes& classes, std::int32_t n_classes,
               const std::optional<Weights>& weights, const BoundPlan& bound) {
    const clearwood::Table& columns = core_table(table);
    const clearwood::Labels labels = labels_of(classes, n_classes, weights);
    clearwood::TreeArrays tree;
    clearwood::Effort effort;
    bool cancelled = false;
    {
        const nb::gil_scoped_release unlocked;
        try {
            tree = clearwood::grow(columns, labels, bound.plan, no_signal, &effort);
        } catch (const clearwood::Cancelled&) {
            cancelled = true;
        }
    }
    if (cancelled) {
        throw nb::python_error();  // what PyErr_CheckSignals has set
    }
    nb::object witnesses = witness_dict(std::move(tree.witnesses));
    return nb::make_tuple(tree_dict(std::move(tree)), effort.candidates.load(),
                          effort.evaluations.load(), witnesses);
}

}  // namespace

void bind_grow(nb::module_& m) {
    nb::class_<BoundPlan>(m, "Plan", "How to grow: see clearwood.growing.Plan.")
        .def(
            "__init__",
            [](BoundPlan* self, std::string_view criterion, std::string_view chooser,
               std::string_view nominal, std::string_view cut_at, bool penalty, bool c45_levels,
               bool c45_minimum, bool empty_leaf_label, bool collapse, double min_samples_leaf,
               double min_samples_split, std::int32_t max_depth, std::int32_t max_leaf_nodes,
               bool single_precision, bool minimum_leak, std::vector<double> cost,
               unsigned n_threads) {
                new (self) BoundPlan();
                clearwood::Plan& plan = self->plan;
                plan.score = alternative_named<clearwood::Score>(criterion, "criterion");
                plan.chooser = alternative_named<clearwood::Chooser>(chooser, "chooser");
                plan.grouping = value_named(groupings, nominal, "nominal");
                plan.cut_at = value_named(cut_places, cut_at, "cut_at");
                plan.penalty = penalty;
                plan.c45_levels = c45_levels;
                plan.empty_leaf_label = empty_leaf_label;
                plan.collapse = collapse;
                plan.limits = {.min_samples_leaf = min_samples_leaf,
                               .min_samples_split = min_samples_split,
                               .c45_minimum = c45_minimum,
                               .max_depth = max_depth,
                               .max_leaf_nodes = max_leaf_nodes};
                plan.compatibility = {.single_precision = single_precision,
                                      .minimum_leak = minimum_leak,
                                      .by_gain = chooser == "best_score"};
                plan.cost = std::move(cost);
                plan.n_threads = n_threads;
            },
            nb::kw_only(), "criterion"_a, "chooser"_a, "nominal"_a, "cut_at"_a, "penalty"_a,
            "c45_levels"_a, "c45_minimum"_a, "empty_leaf_label"_a, "collapse"_a,
            "min_samples_leaf"_a, "min_samples_split"_a, "max_depth"_a, "max_leaf_nodes"_a,
            "single_precision"_a, "minimum_leak"_a, "cost"_a, "n_threads"_a)
        .def("set_noise", &set_noise, nb::kw_only(), "search_noise"_a.none(),
             "propagation_noise"_a.none(), "window"_a, "step"_a, "one_grid"_a, "sampled_bounds"_a,
             "joint_gates"_a, "eta"_a,
             "Noise of each column, in the search of thresholds and for training weight.")
        .def("set_divergence", &set_divergence, nb::kw_only(), "alpha"_a, "reference"_a,
             "smoothing"_a, "Splits by alpha-divergence: see clearwood.growing.AlphaDivergence.")
        .def("set_verification", &set_verification, nb::kw_only(), "n_verifiers"_a, "agreement"_a,
             "mirrored"_a, "disagreement"_a, "max_nodes"_a, "max_dup_fraction"_a, "min_purity"_a,
             "RS-V: strict cuts, each with up to n_verifiers witnesses (0: RS-C).");
    m.def("grow", &grow, "table"_a, "classes"_a.noconvert(), "n_classes"_a,
          "weights"_a.noconvert().none(), "plan"_a,
          "The arrays of a grown tree, thresholds that could have been tried under noise, those "
          "that were, and the witnesses of a verified tree: see clearwood.growing.grow.");
}
