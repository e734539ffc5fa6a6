#include "clearwood/blurred.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace clearwood {
namespace {

constexpr double edge_tolerance = 1e-9;  // a row whose window ends at the threshold is outside
constexpr std::size_t fewest_rows_for_cells = 256;

}  // namespace

double window_reach(const Cdf& cdf, double window) {
    if (std::holds_alternative<NormalCdf>(cdf)) {
        return window / 2;
    }
    const auto* table = std::get_if<TableCdf>(&cdf);
    if (!table) {
        return std::visit([](const auto& each) { return each.reach(); }, cdf);
    }
    const double tail = 0.5 * std::erfc(window / 2 / std::numbers::sqrt2);
    double reach = 0.0;
    for (const double quantile : table->quantiles()) {
        const double p = (*table)(quantile);
        if (p >= tail && p <= 1.0 - tail) {
            reach = std::max(reach, std::abs(quantile));
        }
    }
    return reach;
}

BlurredMasses::BlurredMasses(const NodeContext& node, std::size_t numeric_index)
    : node_(node),
      column_(node.presort.numeric[numeric_index]),
      values_(node.presort.values.empty() ? nullptr : node.presort.values[numeric_index].data()),
      order_(node.rows.orders[numeric_index]),
      noise_(*node.plan.searched_with(column_)),
      n_classes_(static_cast<std::size_t>(node.n_classes)),
      per_row_(noise_.per_row),
      joint_(node.plan.joint_gates) {
    count_totals();
    const SoftSearch& search = node.plan.soft_search;
    grid_.half_window = window_reach(noise_.cdf, search.window);
    grid_.step = search.step;
    if (per_row_ || order_.empty()) {
        gather();
    } else {
        grid_.scale = noise_.constant_scale();
        grid_.origin = noise_.position(value_at(0)) - grid_.half_window * grid_.scale;
        highest_ = noise_.position(value_at(order_.size() - 1));
        fill_cells();
        if (!cells_) {
            gather();
        }
    }
    if (joint_) {
        limit_to(node.interval(column_));
    }
}

double BlurredMasses::value_at(std::size_t place) const {
    const RowId row = node_.presort.code.row(order_[place]);
    return values_ ? values_[row] : node_.table.numeric(column_)->values[row];
}

double BlurredMasses::weight_at(std::size_t place) const {
    return node_.weight(node_.presort.code.row(order_[place]));
}

void BlurredMasses::count_totals() {
    if (order_.size() == node_.rows.entries.size()) {
        totals_.assign(node_.rows.masses.begin(), node_.rows.masses.end());
    } else {
        totals_.assign(n_classes_, 0.0);
        for (std::size_t place = 0; place < order_.size(); ++place) {
            totals_[node_.presort.code.label(order_[place])] += weight_at(place);
        }
    }
    for (const double total : totals_) {
        total_ += total;
    }
}

/// Many rows under normal noise of one scale become cells, read in the order of the table.
void BlurredMasses::fill_cells() {
    const bool is_plain = !joint_ && std::holds_alternative<NormalCdf>(noise_.cdf);
    if (!is_plain || order_.size() < fewest_rows_for_cells || !values_ ||
        !CellMoments::serve(grid_) || CellMoments::cells_for(grid_, highest_) > order_.size()) {
        return;
    }
    cells_.emplace(grid_, highest_, n_classes_);
    for (const Entry entry : node_.rows.entries) {
        const RowId row = node_.presort.code.row(entry);
        if (!std::isnan(values_[row])) {
            const double weight = node_.weight(row);
            cells_->add(noise_.position(values_[row]), node_.presort.code.label(entry), weight);
        }
    }
    cells_->finish();
    if (cells_->has_gap() && !node_.plan.soft_search.one_grid) {
        cells_.reset();
    }
}

void BlurredMasses::gather() {
    positions_.resize(order_.size());
    weights_.resize(order_.size());
    labels_.resize(order_.size());
    scales_.resize(per_row_ ? order_.size() : 0);
    cumulated_.assign((order_.size() + 1) * n_classes_, 0.0);
    for (std::size_t i = 0; i < order_.size(); ++i) {
        labels_[i] = static_cast<std::uint32_t>(node_.presort.code.label(order_[i]));
        weights_[i] = weight_at(i);
        positions_[i] = noise_.position(value_at(i));
        if (per_row_) {
            scales_[i] = noise_.scale[node_.presort.code.row(order_[i])];
        }
        double* here = &cumulated_[i * n_classes_];
        for (std::size_t k = 0; k < n_classes_; ++k) {
            here[n_classes_ + k] = here[k];
        }
        here[n_classes_ + labels_[i]] += weights_[i];
    }
}

/// Joint gates: what each row's distribution has inside the box.
void BlurredMasses::limit_to(Interval interval) {
    upper_ = on_axis(noise_.axis, interval.upper);
    const double lower = on_axis(noise_.axis, interval.lower);
    const auto by_cdf = [&](const auto& cdf) {
        for (std::size_t row = 0; row < n_rows(); ++row) {
            const double s = scale(row);
            starts_.push_back(s > 0.0 ? cdf((lower - positions_[row]) / s) : 0.0);
            widths_.push_back(s > 0.0 ? cdf((upper_ - positions_[row]) / s) - starts_.back() : 0.0);
        }
    };
    std::visit(by_cdf, noise_.cdf);
}

/// One scale: only the rows whose window holds `tau` need the distribution.
template <class F>
void BlurredMasses::add_window(const F& cdf, double tau, std::span<double> masses) const {
    const double scale = grid_.scale;
    const double half = grid_.half_window * scale;
    const double slack = edge_tolerance * scale;
    const auto first =
        std::ranges::upper_bound(positions_, tau - half + slack) - positions_.begin();
    const auto last = std::ranges::lower_bound(positions_, tau + half - slack) - positions_.begin();
    const auto from = static_cast<std::size_t>(first);
    std::copy_n(cumulated_.begin() + first * static_cast<std::ptrdiff_t>(n_classes_), n_classes_,
                masses.begin());
    for (std::size_t row = from; row < static_cast<std::size_t>(last); ++row) {
        masses[labels_[row]] += weights_[row] * cdf((tau - positions_[row]) / scale);
    }
}

/// Each row has its own scale.
template <class F>
void BlurredMasses::add_each(const F& cdf, double tau, std::span<double> masses) const {
    std::ranges::fill(masses, 0.0);
    for (std::size_t row = 0; row < n_rows(); ++row) {
        const double s = scales_[row];
        if (!(s > 0.0)) {
            masses[labels_[row]] += positions_[row] - noise_.shift <= tau ? weights_[row] : 0.0;
            continue;
        }
        const double z = (tau - positions_[row]) / s;
        if (z >= grid_.half_window - edge_tolerance) {
            masses[labels_[row]] += weights_[row];
        } else if (z > -grid_.half_window + edge_tolerance) {
            masses[labels_[row]] += weights_[row] * cdf(z);
        }
    }
}

/// Joint gates: the part of each row's distribution in the box that is up to `tau`.
template <class F>
void BlurredMasses::add_within(const F& cdf, double tau, std::span<double> masses) const {
    std::ranges::fill(masses, 0.0);
    for (std::size_t row = 0; row < n_rows(); ++row) {
        double share = positions_[row] - noise_.shift <= tau ? 1.0 : 0.0;
        if (widths_[row] > 0.0) {
            const double z = (std::min(tau, upper_) - positions_[row]) / scale(row);
            share = std::clamp((cdf(z) - starts_[row]) / widths_[row], 0.0, 1.0);
        }
        masses[labels_[row]] += weights_[row] * share;
    }
}

void BlurredMasses::below(double tau, std::span<double> masses) {
    if (positions_.size() != order_.size()) {
        gather();  // cells do not serve a threshold off their grid
    }
    const auto by_cdf = [&](const auto& cdf) {
        if (joint_) {
            add_within(cdf, tau, masses);
        } else if (per_row_) {
            add_each(cdf, tau, masses);
        } else {
            add_window(cdf, tau, masses);
        }
    };
    std::visit(by_cdf, noise_.cdf);
}

std::size_t BlurredMasses::measured_below(double tau, bool strict) const {
    std::size_t first = 0;
    std::size_t last = order_.size();
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        const double value = on_axis(noise_.axis, value_at(middle));
        if (strict ? value < tau : value <= tau) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

bool BlurredMasses::parts_measured(double tau, bool strict, double least) const {
    const std::size_t count = measured_below(tau, strict);
    double mass = 0.0;
    for (std::size_t place = count; place > 0 && mass < least; --place) {
        mass += weight_at(place - 1);
    }
    if (count == 0 || mass < least) {
        return false;
    }
    mass = 0.0;
    for (std::size_t place = count; place < order_.size() && mass < least; ++place) {
        mass += weight_at(place);
    }
    return count < order_.size() && mass >= least;
}

}  // namespace clearwood
