/// Decision chains.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "bound.hpp"
#include "clearwood/alpha_root.hpp"
#include "clearwood/carve.hpp"
#include "clearwood/parallel.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

/// The lock is released; Ctrl-C ends it.
clearwood::Chain carved(const clearwood::Table& table, const clearwood::Labels& labels,
                        const clearwood::Plan& plan, const clearwood::CarveOptions& options) {
    std::optional<clearwood::Chain> chain;
    {
        const nb::gil_scoped_release unlocked;
        try {
            chain = clearwood::carve(table, labels, plan, options, no_signal);
        } catch (const clearwood::Cancelled&) {
        }
    }
    if (!chain) {
        throw nb::python_error();  // what PyErr_CheckSignals has set
    }
    return *std::move(chain);
}

nb::dict steps_dict(const std::vector<clearwood::CarveStep>& steps) {
    std::vector<double> alpha, larger_share, velocity, events, weight;
    for (const clearwood::CarveStep& step : steps) {
        alpha.push_back(step.alpha);
        larger_share.push_back(step.larger_share);
        velocity.push_back(step.velocity);
        events.push_back(step.carved.events);
        weight.push_back(step.carved.mass);
    }
    nb::dict arrays;
    arrays["alpha"] = to_numpy(std::move(alpha));
    arrays["larger_share"] = to_numpy(std::move(larger_share));
    arrays["velocity"] = to_numpy(std::move(velocity));
    arrays["events"] = to_numpy(std::move(events));
    arrays["weight"] = to_numpy(std::move(weight));
    return arrays;
}

nb::tuple carve(nb::handle table, const Classes& classes, const std::optional<Weights>& weights,
                const BoundPlan& plan, std::size_t event, double velocity,
                std::optional<double> start_alpha, std::size_t max_length, bool stops_without_root,
                bool orders_risks, bool is_falling) {
    const clearwood::CarveOptions options{.velocity = velocity,
                                          .start_alpha = start_alpha,
                                          .stops_without_root = stops_without_root,
                                          .orders_risks = orders_risks,
                                          .is_falling = is_falling,
                                          .event = event,
                                          .max_length = max_length};
    clearwood::Chain chain =
        carved(core_table(table), labels_of(classes, 2, weights), plan.plan, options);
    return nb::make_tuple(tree_dict(std::move(chain.tree)), steps_dict(chain.steps));
}

}  // namespace

void bind_carve(nb::module_& m) {
    m.def("carve", &carve, "table"_a, "classes"_a.noconvert(), "weights"_a.noconvert().none(),
          "plan"_a, nb::kw_only(), "event"_a, "velocity"_a, "start_alpha"_a.none(), "max_length"_a,
          "stops_without_root"_a, "orders_risks"_a, "is_falling"_a,
          "The arrays of a decision chain, and those of its steps: see clearwood.growing.carve.");
    m.def("carving_alpha", &clearwood::carving_alpha, "velocity"_a, "larger_share"_a,
          "The alpha that a velocity asks for at a share of the larger class; None if none.");
    m.def("steepest_alpha", &clearwood::steepest_alpha, "larger_share"_a,
          "The alpha at which the velocity is highest.");
    m.def("carving_velocity", &clearwood::carving_velocity, "alpha"_a, "larger_share"_a,
          "How fast the alpha-zooming factor rises with the share of the larger class.");
}
