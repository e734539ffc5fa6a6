/// How many errors a leaf should expect beyond those it made: U(N, e) for N training weight of
/// which e is wrong, N and e real numbers. e + U is N times an upper confidence limit of the error
/// rate (Quinlan 1993, C4.5: Programs for Machine Learning, section 4.2; Clopper and Pearson 1934).
#pragma once

#include <string_view>
#include <variant>

namespace clearwood {

/// The exact (Clopper-Pearson) limit, continued to real N and e through the beta quantile.
class ExactBound {
public:
    static constexpr std::string_view name = "exact";

    /// Throws std::invalid_argument unless 0 < confidence < 1.
    explicit ExactBound(double confidence);
    double operator()(double n, double e) const;

private:
    double confidence_;
};

/// C4.5 release 8: exact where no error was made, a normal approximation with deviates
/// interpolated in its short table elsewhere.
class C45Bound {
public:
    static constexpr std::string_view name = "c45";

    /// Throws std::invalid_argument unless 0 < confidence <= 1.
    explicit C45Bound(double confidence);
    double operator()(double n, double e) const;
    /// As the original computes it: every stored number is rounded to single precision.
    float operator()(float n, float e) const;

private:
    double confidence_;
    double squared_deviate_;
    float squared_deviate_single_;
};

/// Weka's J48: as C4.5 with the exact normal deviate. Above confidence 0.5 it adds nothing.
class J48Bound {
public:
    static constexpr std::string_view name = "j48";

    /// Throws std::invalid_argument unless 0 < confidence <= 1.
    explicit J48Bound(double confidence);
    double operator()(double n, double e) const;

private:
    double confidence_;
    double squared_deviate_;
};

/// Nothing: the errors made are the estimate.
struct NoBound {
    static constexpr std::string_view name = "none";

    double operator()(double, double) const { return 0.0; }
};

using AddedErrors = std::variant<C45Bound, ExactBound, J48Bound, NoBound>;

/// The bound of that name ("c45", "exact", "j48"). Throws std::invalid_argument for another name.
AddedErrors bound_named(std::string_view name, double confidence);

/// U(n, e); 0 where n is 0. Bounds without a single-precision form of their own are computed in
/// double precision and rounded once.
double added_errors(double n, double e, const AddedErrors& bound);
float added_errors(float n, float e, const AddedErrors& bound);

}  // namespace clearwood
