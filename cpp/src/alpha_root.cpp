#include "clearwood/alpha_root.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clearwood {
namespace {

/// log(w / (1 - w)).
double log_odds(double w) {
    return std::log(w) - std::log1p(-w);
}

/// log f; each of its terms is concave in alpha.
double log_velocity(double alpha, double w) {
    return std::log(alpha) + (alpha - 1.0) * std::log(w) +
           std::log(-std::expm1((1.0 - alpha) * log_odds(w)));
}

/// Its derivative by alpha, which falls from infinity to log w.
double slope(double alpha, double w) {
    const double s = log_odds(w);
    const double last = s > 0.0 ? s / std::expm1((alpha - 1.0) * s) : 1.0 / (alpha - 1.0);
    return 1.0 / alpha + std::log(w) + last;
}

/// Where a falling function crosses 0 between two places, to the last bit.
template <class F>
double crossing(const F& falling, double low, double high) {
    for (double middle = std::midpoint(low, high); low < middle && middle < high;
         middle = std::midpoint(low, high)) {
        (falling(middle) > 0.0 ? low : high) = middle;
    }
    return low;
}

}  // namespace

double carving_velocity(double alpha, double w) {
    return std::exp(log_velocity(alpha, w));
}

double steepest_alpha(double w) {
    const auto falling = [&](double alpha) { return slope(alpha, w); };
    return falling(most_alpha) > 0.0 ? most_alpha : crossing(falling, 1.0, most_alpha);
}

std::optional<double> carving_alpha(double velocity, double w) {
    const auto falling = [&](double alpha) {
        return log_velocity(alpha, w) - std::log(velocity);
    };
    if (!(velocity > 0.0)) {
        return most_alpha;  // f comes near 0 as alpha grows
    }
    const double peak = steepest_alpha(w);
    if (falling(most_alpha) >= 0.0) {
        return most_alpha;  // the larger root lies beyond
    }
    if (peak < most_alpha) {
        return falling(peak) < 0.0 ? std::nullopt
                                   : std::optional(crossing(falling, peak, most_alpha));
    }
    // The peak, and with it the larger root if there is one, is not below the limit.
    const double beyond = -1.0 / std::log(w);  // f grows up to about here
    return falling(std::max(beyond, most_alpha)) < 0.0 ? std::nullopt : std::optional(most_alpha);
}

}  // namespace clearwood
