/// Between NumPy and the core: views of arrays going in, arrays that own their memory coming out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "clearwood/noise.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

template <class T>
using Array1d = nanobind::ndarray<nanobind::numpy, const T, nanobind::ndim<1>>;
template <class T>
using Array2d = nanobind::ndarray<nanobind::numpy, const T, nanobind::ndim<2>>;

/// Hands the vector to Python: returns its data and the object that owns them.
template <class T>
std::pair<const T*, nanobind::capsule> handed_over(std::vector<T> values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    const T* data = owned->data();
    return {data, nanobind::capsule(owned.release(), [](void* vector) noexcept {
                delete static_cast<std::vector<T>*>(vector);
            })};
}

/// A read-only NumPy array of the values, without a copy. Needs the interpreter lock.
template <class T>
Array1d<T> to_numpy(std::vector<T> values) {
    const std::size_t size = values.size();
    const auto [data, owner] = handed_over(std::move(values));
    return Array1d<T>(data, {size}, owner);
}

/// The same in two dimensions, row after row.
template <class T>
Array2d<T> to_numpy_2d(std::vector<T> values, std::size_t n_rows, std::size_t n_columns) {
    const auto [data, owner] = handed_over(std::move(values));
    return Array2d<T>(data, {n_rows, n_columns}, owner);
}

/// Lets other Python threads run while it lives, if the work is long enough to be worth it.
class UnlockedFor {
public:
    explicit UnlockedFor(std::size_t n_rows) {
        if (n_rows >= 256) released_.emplace();
    }

private:
    std::optional<nanobind::gil_scoped_release> released_;
};

/// Views the arrays of a tree, a mapping by the names of TreeArrays (`n_classes` is the width of
/// `distribution`). `keep` takes the arrays, which must outlive the view. Throws TypeError for an
/// array of the wrong kind, InvalidTree for one that is absent; contents are not looked at.
clearwood::TreeView tree_view(nanobind::handle arrays, std::vector<nanobind::object>& keep);

/// The arrays by name, read-only; `masses` and `distribution` in two dimensions.
nanobind::dict tree_dict(clearwood::TreeArrays&& tree);

/// What a Python `_core.Table` holds.
struct BoundTable {
    clearwood::Table table;
    nanobind::object arrays;  ///< whose memory the table views
};

/// The table inside a Python `_core.Table`; lives as long as that object.
const clearwood::Table& core_table(nanobind::handle table);

/// What a Python `_core.Noise` holds. It stays where it is, since its scale may lie in itself.
struct BoundNoise {
    BoundNoise() = default;
    BoundNoise(const BoundNoise&) = delete;
    BoundNoise& operator=(const BoundNoise&) = delete;

    clearwood::Noise noise;
    double constant_scale = 0.0;
    nanobind::object scales;  ///< whose memory the scale views, where it goes by row
};

/// The noise of each column: a sequence of `_core.Noise` or None, one a column; one without spread
/// and shift is as None. None for no noise at all gives an empty model. `keep` takes the objects,
/// which must outlive the model.
clearwood::NoiseModel noise_model(nanobind::handle noise, std::vector<nanobind::object>& keep);
