#include "clearwood/blurred.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace clearwood {
namespace {

constexpr double edge_tolerance = 1e-9;  // a row whose window ends at the threshold is outside

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
    : noise_(*node.plan.searched_with(node.presort.numeric[numeric_index])),
      n_classes_(static_cast<std::size_t>(node.n_classes)),
      per_row_(noise_.per_row),
      joint_(node.plan.joint_gates),
      reach_(window_reach(noise_.cdf, node.plan.soft_search.window)) {
    if (!per_row_) {
        scale_ = noise_.constant_scale();
    }
    gather(node, numeric_index);
    if (joint_) {
        limit_to(node.interval(node.presort.numeric[numeric_index]));
    }
}

void BlurredMasses::gather(const NodeContext& node, std::size_t numeric_index) {
    const NumericColumn& column = *node.table.numeric(node.presort.numeric[numeric_index]);
    const auto order = node.rows.orders[numeric_index];
    totals_.assign(n_classes_, 0.0);
    positions_.reserve(order.size());
    weights_.reserve(order.size());
    labels_.reserve(order.size());
    cumulated_.reserve((order.size() + 1) * n_classes_);
    cumulated_.assign(n_classes_, 0.0);
    for (const Entry entry : order) {
        const RowId row = node.presort.code.row(entry);
        const double value = on_axis(noise_.axis, column.values[row]);
        const auto label = static_cast<std::uint32_t>(node.presort.code.label(entry));
        const double weight = node.weights.empty() ? 1.0 : node.weights[row];
        values_.push_back(value);
        positions_.push_back(value + noise_.shift);
        weights_.push_back(weight);
        labels_.push_back(label);
        if (per_row_) {
            scales_.push_back(noise_.scale[row]);
        }
        totals_[label] += weight;
        total_ += weight;
        cumulated_.insert(cumulated_.end(), totals_.begin(), totals_.end());
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
    const double half = reach_ * scale_;
    const double slack = edge_tolerance * scale_;
    const auto first =
        std::ranges::upper_bound(positions_, tau - half + slack) - positions_.begin();
    const auto last = std::ranges::lower_bound(positions_, tau + half - slack) - positions_.begin();
    const auto from = static_cast<std::size_t>(first);
    std::copy_n(cumulated_.begin() + first * static_cast<std::ptrdiff_t>(n_classes_), n_classes_,
                masses.begin());
    for (std::size_t row = from; row < static_cast<std::size_t>(last); ++row) {
        masses[labels_[row]] += weights_[row] * cdf((tau - positions_[row]) / scale_);
    }
}

/// Each row has its own scale.
template <class F>
void BlurredMasses::add_each(const F& cdf, double tau, std::span<double> masses) const {
    std::ranges::fill(masses, 0.0);
    for (std::size_t row = 0; row < n_rows(); ++row) {
        const double s = scales_[row];
        if (!(s > 0.0)) {
            masses[labels_[row]] += values_[row] <= tau ? weights_[row] : 0.0;
            continue;
        }
        const double z = (tau - positions_[row]) / s;
        if (z >= reach_ - edge_tolerance) {
            masses[labels_[row]] += weights_[row];
        } else if (z > -reach_ + edge_tolerance) {
            masses[labels_[row]] += weights_[row] * cdf(z);
        }
    }
}

/// Joint gates: the part of each row's distribution in the box that is up to `tau`.
template <class F>
void BlurredMasses::add_within(const F& cdf, double tau, std::span<double> masses) const {
    std::ranges::fill(masses, 0.0);
    for (std::size_t row = 0; row < n_rows(); ++row) {
        double share = values_[row] <= tau ? 1.0 : 0.0;
        if (widths_[row] > 0.0) {
            const double z = (std::min(tau, upper_) - positions_[row]) / scale(row);
            share = std::clamp((cdf(z) - starts_[row]) / widths_[row], 0.0, 1.0);
        }
        masses[labels_[row]] += weights_[row] * share;
    }
}

void BlurredMasses::below(double tau, std::span<double> masses) const {
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

std::size_t BlurredMasses::measured_below(double tau, bool strict, double& mass) const {
    const auto place =
        strict ? std::ranges::lower_bound(values_, tau) : std::ranges::upper_bound(values_, tau);
    const auto count = static_cast<std::size_t>(place - values_.begin());
    mass = 0.0;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        mass += cumulated_[count * n_classes_ + k];
    }
    return count;
}

}  // namespace clearwood
