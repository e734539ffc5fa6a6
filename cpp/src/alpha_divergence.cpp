#include "clearwood/alpha_divergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace clearwood {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr double same_alpha = 1e-8;  // this near to 0 or 1 the limits hold
constexpr double left_by_rounding = 1e-12;  // of a node's mass: a low power makes much of it

/// log(exp(one) + exp(other)).
double log_add(double one, double other) {
    const auto [low, high] = std::minmax(one, other);
    return low == minus_infinity ? high : high + std::log1p(std::exp(low - high));
}

/// log(exp(high) - exp(low)); minus infinity unless high is the higher.
double log_subtract(double high, double low) {
    return high > low ? high + std::log(-std::expm1(low - high)) : minus_infinity;
}

/// log(1 + exp(x)), and its inverse.
double log_one_plus_exp(double x) {
    return x > 0.0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
double log_exp_minus_one(double x) {
    return x > 1.0 ? x + std::log1p(-std::exp(-x)) : std::log(std::expm1(x));
}

}  // namespace

double AlphaDivergence::divergence(double gain) const {
    if (!is_logarithmic()) {
        return gain;
    }
    return std::min(std::expm1(gain) / (alpha * (alpha - 1.0)), std::numeric_limits<double>::max());
}

double AlphaDivergence::priority(double mass, double gain) const {
    return is_logarithmic() ? std::log(mass) + log_exp_minus_one(gain) : mass * gain;
}

AlphaMeasure::AlphaMeasure(const AlphaDivergence& score) : score_(score) {}

void AlphaMeasure::look_at(std::span<const double> known, std::span<const double>) {
    residue_ = left_by_rounding * std::accumulate(known.begin(), known.end(), 0.0);
    if (score_.reference == Reference::product) {
        refer_to(known);
    } else {
        reference_.assign(known.size(), 1.0 / static_cast<double>(known.size()));
    }
    log_reference_.resize(reference_.size());
    std::ranges::transform(reference_, log_reference_.begin(),
                           [](double share) { return std::log(share); });
}

void AlphaMeasure::refer_to(std::span<const double> masses) {
    const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
    reference_.assign(masses.size(), 0.0);
    for (std::size_t k = 0; k < masses.size() && total > 0.0; ++k) {
        reference_[k] = share(masses[k], total);
    }
}

double AlphaMeasure::share(double mass, double total) const {
    const double added = score_.smoothing;
    const double own = mass > residue_ ? mass : 0.0;
    return (own + added) / (total + added * static_cast<double>(reference_.size()));
}

/// The part of a class in D, up to a multiple of P - Q, which sums to 0 over the classes: so
/// rearranged nothing cancels, near alpha 0 and 1 neither.
double AlphaMeasure::excess(double share, std::size_t label) const {
    const double q = reference_[label];
    const double alpha = score_.alpha;
    if (!(q > 0.0)) {
        return 0.0;  // a class that the node has not, no branch has
    }
    if (alpha == 2.0) {
        return share * (share / q - 1.0) / 2.0;
    }
    if (alpha > 0.5 && !(share > 0.0)) {
        return 0.0;
    }
    const double log_ratio = std::log(share) - log_reference_[label];
    if (std::abs(alpha - 1.0) < same_alpha) {
        return share * log_ratio;
    }
    if (std::abs(alpha) < same_alpha) {
        return -q * log_ratio;
    }
    const double scale = alpha * (alpha - 1.0);
    return alpha > 0.5 ? share * std::expm1((alpha - 1.0) * log_ratio) / scale
                       : q * std::expm1(alpha * log_ratio) / scale;
}

AlphaMeasure::Value AlphaMeasure::sum_of_excess(std::span<const double> masses,
                                                double total) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < masses.size(); ++k) {
        sum += excess(share(masses[k], total), k);
    }
    return total * sum;
}

AlphaMeasure::Value AlphaMeasure::log_sum(std::span<const double> masses, double total) const {
    double sum = minus_infinity;
    for (std::size_t k = 0; k < masses.size(); ++k) {
        const double part = share(masses[k], total);
        if (part > 0.0 && reference_[k] > 0.0) {
            const double log_part = std::log(part);
            sum = log_add(sum, log_part + (score_.alpha - 1.0) * (log_part - log_reference_[k]));
        }
    }
    return std::log(total) + sum;
}

AlphaMeasure::Value AlphaMeasure::purity(std::span<const double> masses) const {
    double total = 0.0;
    for (const double mass : masses) {
        total += mass;
    }
    if (!(total > 0.0)) {
        return score_.is_logarithmic() ? minus_infinity : 0.0;
    }
    return score_.is_logarithmic() ? log_sum(masses, total) : sum_of_excess(masses, total);
}

AlphaMeasure::Value AlphaMeasure::joined(Value one, Value other) const {
    return score_.is_logarithmic() ? log_add(one, other) : one + other;
}

double AlphaMeasure::gain(Value split, Value whole, double mass) const {
    return score_.is_logarithmic()
               ? log_one_plus_exp(log_subtract(split, whole) - std::log(mass))
               : (split - whole) / mass;
}

double AlphaMeasure::purity_for(double whole, double gain, double mass) const {
    if (!score_.is_logarithmic()) {
        return whole + mass * gain;
    }
    return gain > 0.0 ? log_add(whole, std::log(mass) + log_exp_minus_one(gain)) : whole;
}

double AlphaMeasure::least_equal(double best, double whole, double mass, double tolerance) const {
    return best -
           (score_.is_logarithmic() ? tolerance : tolerance * std::max(mass, best - whole));
}

double AlphaMeasure::BinaryScan::highest_between(const BinaryScan& low, const BinaryScan& high) {
    if (!low.measure_->is_convex()) {
        return std::numeric_limits<double>::infinity();
    }
    return highest_corner(low, high, [&](const Sides& sides) { return low.value_of(sides); });
}

}  // namespace clearwood
