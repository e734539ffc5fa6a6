/// Prediction with a tree given as arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bind.hpp"
#include "bound.hpp"
#include "clearwood/predict.hpp"
#include "convert.hpp"
#include "named.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using clearwood::Predictor;
using Numbers2d = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

template <class T>
using Flat = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PerNode = Flat<double>;

const clearwood::Evaluation& evaluation_of(const BoundEvaluation* bound) {
    static const clearwood::Evaluation hard;
    return bound == nullptr ? hard : bound->evaluation;
}

constexpr Named<clearwood::Coupling> couplings[] = {
    {"independent", clearwood::Coupling::independent}, {"joint", clearwood::Coupling::joint}};
constexpr Named<clearwood::Conflict> conflicts[] = {
    {"paper", clearwood::Conflict::paper},
    {"main", clearwood::Conflict::main},
    {"probability", clearwood::Conflict::probability}};

BoundEvaluation soft(nb::handle noise, std::string_view coupling, double eta) {
    if (!(eta >= 0.0 && eta < 0.5))
        throw std::invalid_argument("eta must be at least 0 and below 0.5, got " +
                                    std::to_string(eta));
    BoundEvaluation bound;
    clearwood::NoiseModel model = noise_model(noise, bound.keep);
    bound.evaluation = clearwood::SoftEvaluation{
        std::move(model), value_named(couplings, coupling, "coupling"), eta};
    return bound;
}

BoundEvaluation ramps(const PerNode& lower, const PerNode& upper, bool as_release_8) {
    return {clearwood::RampEvaluation{
                {lower.data(), lower.size()}, {upper.data(), upper.size()}, as_release_8},
            {nb::cast(lower), nb::cast(upper)}};
}

BoundEvaluation witnesses(const Flat<std::int32_t>& start, const Flat<std::int32_t>& column,
                          const Flat<double>& threshold, const Flat<std::int32_t>& level,
                          const Flat<std::uint8_t>& is_reversed, std::string_view conflict) {
    return {clearwood::WitnessEvaluation{{start.data(), start.size()},
                                         {column.data(), column.size()},
                                         {threshold.data(), threshold.size()},
                                         {level.data(), level.size()},
                                         {is_reversed.data(), is_reversed.size()},
                                         value_named(conflicts, conflict, "conflict")},
            {nb::cast(start), nb::cast(column), nb::cast(threshold), nb::cast(level),
             nb::cast(is_reversed)}};
}

Predictor make_predictor(nb::handle arrays, std::size_t n_columns) {
    std::vector<nb::object> keep;
    return Predictor(tree_view(arrays, keep), n_columns);
}

Array2d<double> predict_proba(const Predictor& predictor, const BoundTable& bound,
                              unsigned n_threads, const BoundEvaluation* evaluation) {
    const clearwood::Table& table = bound.table;
    std::vector<double> out(table.n_rows * predictor.n_classes());
    {
        const UnlockedFor unlocked(table.n_rows);
        predictor.predict_proba(table, out, n_threads, evaluation_of(evaluation));
    }
    return to_numpy_2d(std::move(out), table.n_rows, predictor.n_classes());
}

Array2d<double> predict_proba_matrix(const Predictor& predictor, const Numbers2d& X,
                                     unsigned n_threads) {
    const clearwood::Matrix matrix{X.data(), X.shape(0), X.shape(1), X.stride(0), X.stride(1)};
    std::vector<double> out(matrix.n_rows * predictor.n_classes());
    {
        const UnlockedFor unlocked(matrix.n_rows);
        clearwood::check_finite(matrix);
        predictor.predict_proba(matrix, out, n_threads);
    }
    return to_numpy_2d(std::move(out), matrix.n_rows, predictor.n_classes());
}

Array1d<std::int32_t> apply(const Predictor& predictor, const BoundTable& bound, unsigned n_threads,
                            const BoundEvaluation* evaluation) {
    const clearwood::Table& table = bound.table;
    std::vector<std::int32_t> out(table.n_rows);
    {
        const UnlockedFor unlocked(table.n_rows);
        predictor.apply(table, out, n_threads, evaluation_of(evaluation));
    }
    return to_numpy(std::move(out));
}

auto decision_path(const Predictor& predictor, const BoundTable& bound, unsigned n_threads,
                   const BoundEvaluation* evaluation) {
    const clearwood::Table& table = bound.table;
    clearwood::RowNodes rows;
    {
        const UnlockedFor unlocked(table.n_rows);
        rows = predictor.decision_path(table, n_threads, evaluation_of(evaluation));
    }
    return std::pair(to_numpy(std::move(rows.row_start)), to_numpy(std::move(rows.nodes)));
}

auto leaf_weights(const Predictor& predictor, const BoundTable& bound, unsigned n_threads,
                  const BoundEvaluation* evaluation) {
    const clearwood::Table& table = bound.table;
    clearwood::RowLeaves rows;
    {
        const UnlockedFor unlocked(table.n_rows);
        rows = predictor.leaf_weights(table, n_threads, evaluation_of(evaluation));
    }
    return std::tuple(to_numpy(std::move(rows.leaves.row_start)),
                      to_numpy(std::move(rows.leaves.nodes)), to_numpy(std::move(rows.shares)));
}

Array2d<double> shares(const Predictor& predictor, const BoundTable& bound,
                       const BoundEvaluation* evaluation) {
    const clearwood::Table& table = bound.table;
    std::vector<double> out(table.n_rows * predictor.n_nodes());
    {
        const UnlockedFor unlocked(table.n_rows);
        predictor.shares(table, out, evaluation_of(evaluation));
    }
    return to_numpy_2d(std::move(out), table.n_rows, predictor.n_nodes());
}

}  // namespace

void bind_predict(nb::module_& m) {
    nb::class_<BoundEvaluation>(m, "Evaluation",
                                "What becomes of a row at a cut when it is predicted; none: hard.")
        .def_static("soft", &soft, "noise"_a.none(), "coupling"_a = "independent", "eta"_a = 1e-6,
                    "By measurement error: a sequence of Noise or None, one a column of the\n"
                    "table. coupling is 'independent' or 'joint'; shares below eta become 0.")
        .def_static("ramps", &ramps, "lower"_a.noconvert(), "upper"_a.noconvert(),
                    "as_release_8"_a = false,
                    "By C4.5's probabilistic thresholds, one limit of each kind a node, NaN where\n"
                    "it has none. as_release_8 adds 0.001 to widths and drops shares up to 0.01.")
        .def_static("witnesses", &witnesses, "start"_a.noconvert(), "column"_a.noconvert(),
                    "threshold"_a.noconvert(), "level"_a.noconvert(), "is_reversed"_a.noconvert(),
                    "conflict"_a = "paper",
                    "By the vote of witnesses; conflict is 'paper', 'main' or 'probability'.");

    nb::class_<Predictor>(m, "Predictor",
                          "A packed copy of a tree, for tables of n_columns columns.")
        .def(
            "__init__",
            [](Predictor* self, const nb::typed<nb::mapping, nb::str, nb::object>& arrays,
               std::size_t n_columns) { new (self) Predictor(make_predictor(arrays, n_columns)); },
            "arrays"_a, "n_columns"_a,
            "Of the arrays of a tree by name; InvalidTreeError if they contradict each other.")
        .def("predict_proba", &predict_proba, "table"_a, "n_threads"_a = 1,
             "evaluation"_a.none() = nb::none(), "Class probabilities (n_rows, n_classes).")
        .def("predict_proba_matrix", &predict_proba_matrix, "X"_a.noconvert(), "n_threads"_a = 1,
             "The same for numbers alone (n_rows, n_columns), float64 with any strides.\n\n"
             "InfiniteValueError, with row and column as its args, if a value is infinite.")
        .def("apply", &apply, "table"_a, "n_threads"_a = 1, "evaluation"_a.none() = nb::none(),
             "The leaf with the largest share of each row; among equals the first in pre-order.")
        .def(
            "decision_path", &decision_path, "table"_a, "n_threads"_a = 1,
            "evaluation"_a.none() = nb::none(),
            "(indptr, indices): the nodes that a positive share of each row reaches, in pre-order.")
        .def("leaf_weights", &leaf_weights, "table"_a, "n_threads"_a = 1,
             "evaluation"_a.none() = nb::none(),
             "(indptr, indices, shares): the leaves of each row and its shares there, which sum to "
             "1.")
        .def("shares", &shares, "table"_a, "evaluation"_a.none() = nb::none(),
             "(n_rows, n_nodes): which part of a row in a node's parent goes on to the node, be\n"
             "it reached or not; 1 at the root.");
}
