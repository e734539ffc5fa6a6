/// Measurement error in the one form that the core knows (docs/explanation/architecture.md):
///     P(true value <= t | measured x) = F((axis(t) - axis(x) - shift) / scale)
/// with F a standard CDF. Scale 0 is the exact hard branch, never a limit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "clearwood/table.hpp"

namespace clearwood {

enum class Axis : std::uint8_t { identity, log };

inline double on_axis(Axis axis, double value) {
    if (axis == Axis::identity) return value;
    return value > 0.0 ? std::log(value) : -HUGE_VAL;
}
inline double off_axis(Axis axis, double position) {
    return axis == Axis::identity ? position : std::exp(position);
}

/// All of the mass at 0.
struct StepCdf {
    static constexpr std::string_view name = "step";
    double operator()(double z) const { return z >= 0.0 ? 1.0 : 0.0; }
    double reach() const { return 0.0; }
};

/// Standard normal, by Hermite interpolation of a table of values and densities: within 2e-11.
class NormalCdf {
public:
    static constexpr std::string_view name = "normal";
    NormalCdf();
    double operator()(double z) const {
        const double distance = std::abs(z);
        if (!(distance < limit)) {
            return std::isnan(z) ? z : z > 0.0 ? 1.0 : 0.0;
        }
        const double scaled = distance * steps_per_unit;
        const auto cell = static_cast<std::size_t>(scaled);
        const double t = scaled - static_cast<double>(cell);
        const Knot& a = knots_[cell];
        const Knot& b = knots_[cell + 1];
        const double rise = b.value - a.value;
        const double upper = a.value + t * (a.slope + t * (3.0 * rise - 2.0 * a.slope - b.slope +
                                                           t * (a.slope + b.slope - 2.0 * rise)));
        return z > 0.0 ? upper : 1.0 - upper;
    }
    /// Beyond this many scales a row counts as certain, where no window is asked for.
    double reach() const { return limit; }

private:
    struct Knot {
        double value;
        double slope;  ///< density times the width of a cell
    };
    static constexpr double limit = 8.5;
    static constexpr double steps_per_unit = 128.0;
    const Knot* knots_;
};

/// Uniform on [-1, 1].
struct UniformCdf {
    static constexpr std::string_view name = "uniform";
    double operator()(double z) const { return std::clamp(0.5 + 0.5 * z, 0.0, 1.0); }
    double reach() const { return 1.0; }
};

/// Quantiles equally spaced in logit(p), linear in between.
class TableCdf {
public:
    static constexpr std::string_view name = "table";
    /// `quantiles` rise; the first belongs to p = `lowest`, the last to 1 - `lowest`.
    TableCdf(std::vector<double> quantiles, double lowest);
    double operator()(double z) const;
    double reach() const {
        return std::max(std::abs(quantiles_.front()), std::abs(quantiles_.back()));
    }
    std::span<const double> quantiles() const { return quantiles_; }

private:
    std::vector<double> quantiles_;
    std::vector<double> probabilities_;
};

/// Points of equal mass: what sampled search (UDT) takes for a distribution.
class PointsCdf {
public:
    static constexpr std::string_view name = "points";
    explicit PointsCdf(std::vector<double> points) : points_(std::move(points)) {}
    double operator()(double z) const {
        const auto below = std::ranges::upper_bound(points_, z) - points_.begin();
        return static_cast<double>(below) / static_cast<double>(points_.size());
    }
    double reach() const { return std::max(std::abs(points_.front()), std::abs(points_.back())); }
    std::span<const double> points() const { return points_; }

private:
    std::vector<double> points_;  // rising
};

using Cdf = std::variant<StepCdf, NormalCdf, UniformCdf, TableCdf, PointsCdf>;

/// The error of one column. `scale` has one value for all rows (stride 0) or one for each.
struct Noise {
    Axis axis = Axis::identity;
    double shift = 0.0;
    Strided<double> scale;
    bool per_row = false;
    Cdf cdf;
    std::size_t n_scales = 1;  ///< rows that `scale` speaks of, where per_row

    double constant_scale() const { return scale[0]; }
    /// Where a measured value lies on the axis, its bias taken off.
    double position(double measured) const { return on_axis(axis, measured) + shift; }
    /// Whether a value that is measured without spread lies in the first branch of a cut.
    bool is_below(double threshold, bool strict, double measured) const {
        if (shift == 0.0) return strict ? measured < threshold : measured <= threshold;
        const double place = on_axis(axis, threshold);
        return strict ? position(measured) < place : position(measured) <= place;
    }
};

/// One entry per column; no value where a column is read as exact. Empty: all are.
using NoiseModel = std::vector<const Noise*>;

/// Throws std::invalid_argument unless the model is empty or has an entry for each column, and a
/// scale for each row where a scale goes by row.
void check(const NoiseModel& model, std::size_t n_columns, std::size_t n_rows);

/// P(true <= place | measured), the place being on the axis; nothing true lies at -infinity, which
/// is where the log axis has all thresholds up to 0.
template <class F>
double probability_below(const F& cdf, double place, double position, double scale) {
    return place == -HUGE_VAL ? 0.0 : cdf((place - position) / scale);
}

/// P(true <= threshold | measured) of one cut; scale 0 compares the values themselves.
template <class F>
class Gate {
public:
    Gate(const F& cdf, const Noise& noise, double threshold, bool strict)
        : cdf_(cdf),
          noise_(noise),
          threshold_(threshold),
          strict_(strict),
          place_(on_axis(noise.axis, threshold)) {}

    double operator()(double scale, double measured) const {
        if (!(scale > 0.0)) return noise_.is_below(threshold_, strict_, measured) ? 1.0 : 0.0;
        return probability_below(cdf_, place_, noise_.position(measured), scale);
    }

private:
    const F& cdf_;
    const Noise& noise_;
    double threshold_;
    bool strict_;
    double place_;
};

/// The same within an open interval (lower, upper) that the true value is known to lie in ("joint"
/// gates; algorithms.md B.2). Where the interval has no mass, the side nearer to the reading.
template <class F>
class GateWithin {
public:
    GateWithin(const F& cdf, const Noise& noise, double lower, double upper, double threshold,
               bool strict)
        : cdf_(cdf),
          noise_(noise),
          threshold_(threshold),
          strict_(strict),
          lower_(on_axis(noise.axis, lower)),
          upper_(on_axis(noise.axis, upper)),
          place_(on_axis(noise.axis, threshold)) {}

    double operator()(double scale, double measured) const {
        if (!(scale > 0.0)) return noise_.is_below(threshold_, strict_, measured) ? 1.0 : 0.0;
        if (place_ >= upper_) return 1.0;
        const double position = noise_.position(measured);
        const double start = probability_below(cdf_, lower_, position, scale);
        const double mass = probability_below(cdf_, upper_, position, scale) - start;
        const double part = probability_below(cdf_, place_, position, scale) - start;
        if (mass > 0.0) return std::clamp(part / mass, 0.0, 1.0);
        return place_ > lower_ && position <= place_ ? 1.0 : 0.0;
    }

private:
    const F& cdf_;
    const Noise& noise_;
    double threshold_;
    bool strict_;
    double lower_;
    double upper_;
    double place_;
};

template <class F>
double gate(const F& cdf, const Noise& noise, double scale, double threshold, bool strict,
            double measured) {
    return Gate(cdf, noise, threshold, strict)(scale, measured);
}

template <class F>
double gate_within(const F& cdf, const Noise& noise, double scale, double lower, double upper,
                   double threshold, bool strict, double measured) {
    return GateWithin(cdf, noise, lower, upper, threshold, strict)(scale, measured);
}

/// Shares smaller than this become 0 and their complements 1: whoever descends a tree of depth d
/// is off by d * eta at most (algorithms.md B.4).
inline double clipped(double share, double eta) {
    return share < eta ? 0.0 : share > 1.0 - eta ? 1.0 : share;
}

}  // namespace clearwood
