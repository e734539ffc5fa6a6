/// Measurement error: models in the core's one form, which keep the memory that they view.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bind.hpp"
#include "convert.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

/// Probability of the first quantile of a table; the last has 1 less this.
constexpr double lowest_probability = 1e-9;

clearwood::Axis axis_named(std::string_view name) {
    if (name == "identity") return clearwood::Axis::identity;
    if (name == "log") return clearwood::Axis::log;
    throw std::invalid_argument("axis must be 'identity' or 'log', got '" + std::string(name) +
                                "'");
}

/// Rising numbers, of which there is at least one.
std::vector<double> rising(const std::optional<Numbers>& table, std::string_view cdf) {
    if (!table || table->size() == 0)
        throw std::invalid_argument("table must hold numbers where cdf is '" + std::string(cdf) +
                                    "'");
    std::vector<double> values(table->size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (*table)(i);
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }) ||
        !std::ranges::is_sorted(values))
        throw std::invalid_argument("the numbers of table must be finite and rise");
    return values;
}

clearwood::Cdf cdf_named(std::string_view name, const std::optional<Numbers>& table) {
    if (name == clearwood::StepCdf::name) return clearwood::StepCdf{};
    if (name == clearwood::NormalCdf::name) return clearwood::NormalCdf{};
    if (name == clearwood::UniformCdf::name) return clearwood::UniformCdf{};
    if (name == clearwood::TableCdf::name)
        return clearwood::TableCdf(rising(table, name), lowest_probability);
    if (name == clearwood::PointsCdf::name) return clearwood::PointsCdf(rising(table, name));
    throw std::invalid_argument(
        "cdf must be 'step', 'normal', 'uniform', 'table' or 'points', got '" + std::string(name) +
        "'");
}

void set_constant_scale(BoundNoise& bound, double scale) {
    if (!(scale >= 0.0 && std::isfinite(scale)))
        throw std::invalid_argument("scale must be finite and not negative, got " +
                                    std::to_string(scale));
    bound.constant_scale = scale;
    bound.noise.scale = clearwood::Strided(&bound.constant_scale, 0);
}

void set_scales(BoundNoise& bound, const Numbers& scales) {
    clearwood::Noise& noise = bound.noise;
    noise.scale = clearwood::Strided(scales.data(), static_cast<std::ptrdiff_t>(scales.stride(0)));
    noise.per_row = true;
    noise.n_scales = scales.size();
    bound.scales = nb::cast(scales);
    for (std::size_t row = 0; row < noise.n_scales; ++row)
        if (noise.scale[row] < 0.0 || std::isinf(noise.scale[row]))
            throw std::invalid_argument("scale must be finite and not negative, got " +
                                        std::to_string(noise.scale[row]) + " in row " +
                                        std::to_string(row));
}

void set_scale(BoundNoise& bound, nb::handle scale) {
    if (Numbers scales; nb::try_cast(scale, scales, false))
        set_scales(bound, scales);
    else if (PyFloat_Check(scale.ptr()) || PyLong_Check(scale.ptr()))  // NumPy's floats are floats
        set_constant_scale(bound, PyFloat_AsDouble(scale.ptr()));
    else
        throw nb::type_error("scale must be a number or a one-dimensional array of float64");
}

void make_noise(BoundNoise* self, std::string_view axis, double shift, nb::handle scale,
                std::string_view cdf, const std::optional<Numbers>& table) {
    if (!std::isfinite(shift))
        throw std::invalid_argument("shift must be finite, got " + std::to_string(shift));
    const clearwood::Axis on = axis_named(axis);
    clearwood::Cdf standard = cdf_named(cdf, table);
    new (self) BoundNoise();
    self->noise.axis = on;
    self->noise.shift = shift;
    self->noise.cdf = std::move(standard);
    try {
        set_scale(*self, scale);
    } catch (...) {
        self->~BoundNoise();
        throw;
    }
}

/// No spread and no shift is no noise at all.
const clearwood::Noise* inexact(const BoundNoise& bound) {
    const bool is_exact =
        !bound.noise.per_row && !(bound.noise.constant_scale() > 0.0) && bound.noise.shift == 0.0;
    return is_exact ? nullptr : &bound.noise;
}

}  // namespace

clearwood::NoiseModel noise_model(nb::handle noise, std::vector<nb::object>& keep) {
    clearwood::NoiseModel model;
    if (noise.is_none()) return model;
    for (const nb::handle of_column : noise) {
        keep.push_back(nb::borrow(of_column));
        model.push_back(of_column.is_none() ? nullptr
                                            : inexact(nb::cast<const BoundNoise&>(of_column)));
    }
    return model;
}

void bind_noise(nb::module_& m) {
    nb::class_<BoundNoise>(
        m, "Noise",
        "Where the true values of a column may lie: P(true <= t | measured x) is\n"
        "F((axis(t) - axis(x) - shift) / scale). Scale 0 reads the value as exact.")
        .def(
            "__init__", &make_noise, "axis"_a, "shift"_a, "scale"_a, "cdf"_a,
            "table"_a.noconvert().none() = nb::none(),
            "axis is 'identity' or 'log'; scale one number, or an array with one a row, which\n"
            "is viewed and kept; cdf 'step', 'normal', 'uniform' (on -1 to 1), 'table' (quantiles\n"
            "equally spaced in logit(p), from p = 1e-9 to 1 - 1e-9) or 'points' (of equal mass).")
        .def_prop_ro("per_row", [](const BoundNoise& bound) { return bound.noise.per_row; });
}
