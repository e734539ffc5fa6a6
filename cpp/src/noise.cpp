#include "clearwood/noise.hpp"

#include <array>
#include <numbers>
#include <stdexcept>
#include <string>

namespace clearwood {
namespace {

constexpr std::size_t n_knots = 8 * 128 + 66;  // up to the limit of NormalCdf and one beyond

}  // namespace

NormalCdf::NormalCdf() {
    static const auto table = [] {
        std::array<Knot, n_knots> knots{};
        for (std::size_t i = 0; i < n_knots; ++i) {
            const double z = static_cast<double>(i) / steps_per_unit;
            const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
            knots[i] = {0.5 * std::erfc(-z / std::numbers::sqrt2), density / steps_per_unit};
        }
        return knots;
    }();
    knots_ = table.data();
}

TableCdf::TableCdf(std::vector<double> quantiles, double lowest)
    : quantiles_(std::move(quantiles)) {
    if (quantiles_.size() < 2 || !std::ranges::is_sorted(quantiles_)) {
        throw std::invalid_argument("a table of quantiles must rise and hold at least two");
    }
    const double start = std::log(lowest / (1.0 - lowest));
    const double step = -2.0 * start / static_cast<double>(quantiles_.size() - 1);
    for (std::size_t i = 0; i < quantiles_.size(); ++i) {
        probabilities_.push_back(1.0 / (1.0 + std::exp(-(start + step * static_cast<double>(i)))));
    }
}

void check(const NoiseModel& model, std::size_t n_columns, std::size_t n_rows) {
    if (model.empty()) return;
    if (model.size() != n_columns)
        throw std::invalid_argument("noise must have one entry a column, " +
                                    std::to_string(n_columns) + ", got " +
                                    std::to_string(model.size()));
    for (std::size_t column = 0; column < n_columns; ++column) {
        const Noise* noise = model[column];
        if (noise != nullptr && noise->per_row && noise->n_scales != n_rows)
            throw std::invalid_argument("the noise of column " + std::to_string(column) +
                                        " must have one scale a row, " + std::to_string(n_rows) +
                                        ", got " + std::to_string(noise->n_scales));
    }
}

double TableCdf::operator()(double z) const {
    const auto above = std::ranges::upper_bound(quantiles_, z);
    if (above == quantiles_.begin()) return 0.0;
    if (above == quantiles_.end()) return 1.0;
    const auto i = static_cast<std::size_t>(above - quantiles_.begin());
    const double part = (z - quantiles_[i - 1]) / (quantiles_[i] - quantiles_[i - 1]);
    return probabilities_[i - 1] + part * (probabilities_[i] - probabilities_[i - 1]);
}

}  // namespace clearwood
