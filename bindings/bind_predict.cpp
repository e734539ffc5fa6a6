/// Prediction with a tree given as arrays.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>

#include "bind.hpp"
#include "clearwood/predict.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using clearwood::Predictor;
using Numbers2d = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

Predictor make_predictor(nb::handle arrays, std::size_t n_columns) {
    std::vector<nb::object> keep;
    return Predictor(tree_view(arrays, keep), n_columns);
}

Array2d<double> predict_proba(const Predictor& predictor, const BoundTable& bound,
                              unsigned n_threads) {
    const clearwood::Table& table = bound.table;
    std::vector<double> out(table.n_rows * predictor.n_classes());
    {
        const UnlockedFor unlocked(table.n_rows);
        predictor.predict_proba(table, out, n_threads);
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

Array1d<std::int32_t> apply(const Predictor& predictor, const BoundTable& bound,
                            unsigned n_threads) {
    const clearwood::Table& table = bound.table;
    std::vector<std::int32_t> out(table.n_rows);
    {
        const UnlockedFor unlocked(table.n_rows);
        predictor.apply(table, out, n_threads);
    }
    return to_numpy(std::move(out));
}

auto decision_path(const Predictor& predictor, const BoundTable& bound, unsigned n_threads) {
    const clearwood::Table& table = bound.table;
    clearwood::RowNodes rows;
    {
        const UnlockedFor unlocked(table.n_rows);
        rows = predictor.decision_path(table, n_threads);
    }
    return std::pair(to_numpy(std::move(rows.row_start)), to_numpy(std::move(rows.nodes)));
}

auto leaf_weights(const Predictor& predictor, const BoundTable& bound, unsigned n_threads) {
    const clearwood::Table& table = bound.table;
    clearwood::RowLeaves rows;
    {
        const UnlockedFor unlocked(table.n_rows);
        rows = predictor.leaf_weights(table, n_threads);
    }
    return std::tuple(to_numpy(std::move(rows.leaves.row_start)),
                      to_numpy(std::move(rows.leaves.nodes)), to_numpy(std::move(rows.shares)));
}

}  // namespace

void bind_predict(nb::module_& m) {
    nb::class_<Predictor>(m, "Predictor",
                          "A packed copy of a tree, for tables of n_columns columns.")
        .def(
            "__init__",
            [](Predictor* self, const nb::typed<nb::mapping, nb::str, nb::object>& arrays,
               std::size_t n_columns) { new (self) Predictor(make_predictor(arrays, n_columns)); },
            "arrays"_a, "n_columns"_a,
            "Of the arrays of a tree by name; InvalidTreeError if they contradict each other.")
        .def("predict_proba", &predict_proba, "table"_a, "n_threads"_a = 1,
             "Class probabilities (n_rows, n_classes).")
        .def("predict_proba_matrix", &predict_proba_matrix, "X"_a.noconvert(), "n_threads"_a = 1,
             "The same for numbers alone (n_rows, n_columns), float64 with any strides.\n\n"
             "InfiniteValueError, with row and column as its args, if a value is infinite.")
        .def("apply", &apply, "table"_a, "n_threads"_a = 1,
             "The leaf with the largest share of each row; among equals the first in pre-order.")
        .def(
            "decision_path", &decision_path, "table"_a, "n_threads"_a = 1,
            "(indptr, indices): the nodes that a positive share of each row reaches, in pre-order.")
        .def("leaf_weights", &leaf_weights, "table"_a, "n_threads"_a = 1,
             "(indptr, indices, shares): the leaves of each row and its shares there, which sum to "
             "1.");
}
