/// The optimal tree of depth two.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "bind.hpp"
#include "clearwood/depth_two.hpp"
#include "clearwood/parallel.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Classes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Condition = std::tuple<std::int32_t, double, std::int32_t>;

Condition condition(const clearwood::Stump& stump) {
    return {stump.column, stump.threshold, stump.missing};
}

/// Asks Python for signals; takes the lock only while it asks.
bool no_signal() {
    const nb::gil_scoped_acquire locked;
    return PyErr_CheckSignals() == 0;
}

/// The core's answer; nothing where Python has set an error.
std::optional<clearwood::DepthTwoTree> searched(const clearwood::Table& table,
                                                const clearwood::Labels& labels,
                                                unsigned n_threads) {
    const nb::gil_scoped_release unlocked;
    try {
        return clearwood::optimal_depth_two(table, labels, n_threads, no_signal);
    } catch (const clearwood::Cancelled&) {
        return std::nullopt;
    }
}

std::tuple<Condition, std::vector<Condition>, double> optimal_depth_two(
    nb::handle table, const Classes& classes, std::int32_t n_classes,
    const std::optional<Weights>& weights, unsigned n_threads) {
    clearwood::Labels labels{
        .classes = {classes.data(), classes.size()}, .n_classes = n_classes, .weights = {}};
    if (weights) labels.weights = {weights->data(), weights->size()};
    const auto tree = searched(core_table(table), labels, n_threads);
    if (!tree) throw nb::python_error();  // what PyErr_CheckSignals has set
    std::vector<Condition> branches;
    for (const clearwood::Stump& stump : tree->branches) branches.push_back(condition(stump));
    return {condition(tree->root), std::move(branches), tree->errors};
}

}  // namespace

void bind_depth_two(nb::module_& m) {
    m.def("optimal_depth_two", &optimal_depth_two, "table"_a, "classes"_a.noconvert(),
          "n_classes"_a, "weights"_a.noconvert().none() = nb::none(), "n_threads"_a = 1,
          "(root, branches, errors) of the tree of depth two with the fewest errors.\n\n"
          "A condition is (column, threshold, branch of missing values): column -1 is a leaf,\n"
          "threshold NaN a branch for each level, branch -1 that no value was missing.");
}
