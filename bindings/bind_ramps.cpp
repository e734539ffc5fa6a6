/// Fitting of probabilistic thresholds.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "bind.hpp"
#include "clearwood/ramps.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Classes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

auto fit_ramps(nb::handle tree, nb::handle table, const Classes& classes,
               const std::optional<Weights>& weights, bool single_precision) {
    std::vector<nb::object> keep;
    const clearwood::TreeView view = tree_view(tree, keep);
    const clearwood::Table& columns = core_table(table);
    clearwood::Labels labels{
        .classes = {classes.data(), classes.size()}, .n_classes = view.n_classes, .weights = {}};
    if (weights) labels.weights = {weights->data(), weights->size()};
    clearwood::Ramps ramps;
    {
        const nb::gil_scoped_release unlocked;
        ramps = clearwood::fit_ramps(view, columns, labels, single_precision);
    }
    return std::pair(to_numpy(std::move(ramps.lower)), to_numpy(std::move(ramps.upper)));
}

}  // namespace

void bind_ramps(nb::module_& m) {
    m.def(
        "fit_ramps", &fit_ramps, "tree"_a, "table"_a, "classes"_a.noconvert(),
        "weights"_a.noconvert().none() = nb::none(), "single_precision"_a = false,
        "(lower, upper) limits of C4.5's probabilistic thresholds, one of each a node; NaN except\n"
        "at cuts.");
}
