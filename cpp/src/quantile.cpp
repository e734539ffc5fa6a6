#include "clearwood/quantile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace clearwood {
namespace {

constexpr double stirling_from = 12.0;

/// What Stirling's formula for log Gamma(x) leaves out, for x >= 12 (DLMF 5.11.1).
double stirling_remainder(double x) {
    static constexpr std::array coefficients = {
        1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360.0, 1.0 / 156};
    double series = 0.0;
    for (auto term = coefficients.rbegin(); term != coefficients.rend(); ++term) {
        series = series / (x * x) + *term;
    }
    return series / x;
}

/// log Gamma(x) for x > 0. Not `std::lgamma`, which writes a global sign, so that threads collide.
double log_gamma(double x) {
    double shift = 1.0;
    for (; x < stirling_from; x += 1.0) shift *= x;
    return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2.0 * std::numbers::pi) +
           stirling_remainder(x) - std::log(shift);
}

/// -log B(a, b), where the difference of two large log Gammas would lose digits.
double log_inverse_beta(double a, double b) {
    const auto [small, large] = std::minmax(a, b);
    if (large < stirling_from) return log_gamma(a + b) - log_gamma(a) - log_gamma(b);
    return small * std::log(a + b) + (large - 0.5) * std::log1p(small / large) - small +
           stirling_remainder(a + b) - stirling_remainder(large) - log_gamma(small);
}

struct Beta {
    double a;
    double b;
    double log_norm = log_inverse_beta(a, b);

    /// x^a (1 - x)^b / B(a, b)
    double kernel(double x) const {
        return std::exp(log_norm + a * std::log(x) + b * std::log1p(-x));
    }
};

/// The continued fraction of I_x(a, b) = kernel / (a * fraction) (DLMF 8.17.22), by Lentz's method.
/// Converges fast for x < (a + 1) / (a + b + 2).
double incomplete_beta_fraction(double x, double a, double b) {
    constexpr double tiny = 1e-300;
    const auto guarded = [](double value) { return std::abs(value) < tiny ? tiny : value; };
    double numerator = 1.0;
    double denominator = 0.0;
    double fraction = 1.0;
    for (int term = 1; term < 1'000'000; ++term) {
        const double m = term / 2;
        const double coefficient =
            term % 2 == 0 ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                          : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        denominator = 1.0 / guarded(1.0 + coefficient * denominator);
        numerator = guarded(1.0 + coefficient / numerator);
        const double change = numerator * denominator;
        fraction *= change;
        if (std::abs(change - 1.0) < 1e-16) break;
    }
    return fraction;
}

double upper_tail(double x, const Beta& beta) {
    if (x <= 0.0) return 1.0;
    if (x >= 1.0) return 0.0;
    const auto [a, b, norm] = beta;
    if (x < (a + 1) / (a + b + 2)) {
        return 1.0 - beta.kernel(x) / (a * incomplete_beta_fraction(x, a, b));
    }
    return beta.kernel(x) / (b * incomplete_beta_fraction(1.0 - x, b, a));
}

/// Newton on log P(Z > z): concave, so that any start converges and each step doubles the digits.
double refined_normal(double z, double upper) {
    for (int step = 0; step < 60; ++step) {
        const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
        const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
        const double change = std::log(tail / upper) * tail / density;
        z += change;
        if (std::abs(change) <= 1e-15 * (1.0 + std::abs(z))) break;
    }
    return z;
}

}  // namespace

double normal_upper_quantile(double upper) {
    if (upper > 0.5) return -normal_upper_quantile(1.0 - upper);
    return refined_normal(std::sqrt(-2.0 * std::log(2.0 * upper)), upper);
}

double beta_upper_tail(double x, double a, double b) {
    return upper_tail(x, Beta{a, b});
}

double beta_upper_quantile(double upper, double a, double b) {
    const Beta beta{a, b};
    double low = 0.0;
    double high = 1.0;
    double x = a / (a + b);
    double last_step = 1.0;
    for (int iteration = 0; iteration < 300; ++iteration) {
        const double excess = upper_tail(x, beta) - upper;
        (excess > 0.0 ? low : high) = x;
        const double newton = excess * x * (1.0 - x) / beta.kernel(x);
        // Newton's step where it stays inside the bracket and shrinks fast, else half the bracket.
        const bool trusted =
            x + newton > low && x + newton < high && std::abs(newton) < 0.5 * last_step;
        const double next = trusted ? x + newton : 0.5 * (low + high);
        last_step = std::abs(next - x);
        x = next;
        if (last_step <= 2.0 * std::numeric_limits<double>::epsilon() * x) break;
    }
    return x;
}

}  // namespace clearwood
