#include "clearwood/added_errors.hpp"

#include "clearwood/quantile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace clearwood {
namespace {

// Below this number of errors release 8 takes a leaf for pure, and from the second on for mixed.
constexpr double no_errors = 1e-6;
constexpr double one_error = 0.9999;

double checked(double confidence, bool may_be_one) {
    const bool valid = confidence > 0.0 && (may_be_one ? confidence <= 1.0 : confidence < 1.0);
    if (valid) return confidence;
    throw std::invalid_argument("confidence must be above 0 and " +
                                std::string(may_be_one ? "at most 1" : "below 1") + ", got " +
                                std::to_string(confidence));
}

/// Square of release 8's normal deviate for an upper tail of `confidence`.
template <class Real>
Real squared_table_deviate(Real confidence) {
    static constexpr std::array tails = {Real(0.0),  Real(0.001), Real(0.005),
                                         Real(0.01), Real(0.05),  Real(0.10),
                                         Real(0.20), Real(0.40),  Real(1.00)};
    static constexpr std::array deviates = {Real(4.0),  Real(3.09), Real(2.58),
                                            Real(2.33), Real(1.65), Real(1.28),
                                            Real(0.84), Real(0.25), Real(0.00)};
    std::size_t next = 1;
    while (next + 1 < tails.size() && tails[next] < confidence) ++next;
    const Real rise = deviates[next] - deviates[next - 1];
    const Real part = rise * (confidence - tails[next - 1]) / (tails[next] - tails[next - 1]);
    const Real deviate = deviates[next - 1] + part;
    return deviate * deviate;
}

/// Exact limit of a leaf without errors.
template <class Real>
Real added_to_pure(Real n, Real confidence) {
    const double rate =
        1.0 - std::exp(std::log(static_cast<double>(confidence)) / static_cast<double>(n));
    return static_cast<Real>(static_cast<double>(n) * rate);
}

/// Normal approximation with continuity correction (the Wilson limit at e + 1/2); e + 1/2 < n.
template <class Real>
Real added_to_mixed(Real n, Real e, Real squared_deviate) {
    const double half_more = static_cast<double>(e) + 0.5;
    const double k = static_cast<double>(squared_deviate);
    const double root =
        std::sqrt(k * (half_more * (1.0 - half_more / static_cast<double>(n)) + k / 4.0));
    const Real weight = n + squared_deviate;
    const Real rate = static_cast<Real>((half_more + k / 2.0 + root) / static_cast<double>(weight));
    const Real expected = n * rate;
    return expected - e;
}

template <class Real>
Real added_by_c45(Real n, Real e, Real confidence, Real squared_deviate) {
    if (n <= Real(0)) return Real(0);
    if (static_cast<double>(e) < no_errors) return added_to_pure(n, confidence);
    if (static_cast<double>(e) < one_error) {
        const Real pure = added_to_pure(n, confidence);
        const Real step = added_by_c45(n, Real(1), confidence, squared_deviate) - pure;
        const Real part = e * step;
        return pure + part;
    }
    if (static_cast<double>(e) + 0.5 >= static_cast<double>(n)) {
        return static_cast<Real>(0.67 * static_cast<double>(n - e));
    }
    return added_to_mixed(n, e, squared_deviate);
}

}  // namespace

C45Bound::C45Bound(double confidence)
    : confidence_(checked(confidence, true)),
      squared_deviate_(squared_table_deviate(confidence)),
      squared_deviate_single_(squared_table_deviate(static_cast<float>(confidence))) {}

double C45Bound::operator()(double n, double e) const {
    return added_by_c45(n, e, confidence_, squared_deviate_);
}

float C45Bound::operator()(float n, float e) const {
    return added_by_c45(n, e, static_cast<float>(confidence_), squared_deviate_single_);
}

ExactBound::ExactBound(double confidence) : confidence_(checked(confidence, false)) {}

double ExactBound::operator()(double n, double e) const {
    if (n <= 0.0) return 0.0;
    if (e <= 0.0) return added_to_pure(n, confidence_) - e;
    if (e >= n) return n - e;
    return n * beta_upper_quantile(confidence_, e + 1.0, n - e) - e;
}

J48Bound::J48Bound(double confidence)
    : confidence_(checked(confidence, true)),
      squared_deviate_(confidence < 0.5 ? std::pow(normal_upper_quantile(confidence), 2) : 0.0) {}

double J48Bound::operator()(double n, double e) const {
    if (n <= 0.0 || confidence_ > 0.5) return 0.0;
    if (e <= 0.0) return added_to_pure(n, confidence_);
    if (e < 1.0) {
        const double pure = added_to_pure(n, confidence_);
        return pure + e * ((*this)(n, 1.0) - pure);
    }
    if (e + 0.5 >= n) return std::max(n - e, 0.0);
    return added_to_mixed(n, e, squared_deviate_);
}

AddedErrors bound_named(std::string_view name, double confidence) {
    if (name == C45Bound::name) return C45Bound(confidence);
    if (name == ExactBound::name) return ExactBound(confidence);
    if (name == J48Bound::name) return J48Bound(confidence);
    throw std::invalid_argument("bound must be 'c45', 'exact' or 'j48', got '" + std::string(name) +
                                "'");
}

double added_errors(double n, double e, const AddedErrors& bound) {
    return std::visit([&](const auto& form) { return form(n, e); }, bound);
}

float added_errors(float n, float e, const AddedErrors& bound) {
    return std::visit([&](const auto& form) { return static_cast<float>(form(n, e)); }, bound);
}

}  // namespace clearwood
