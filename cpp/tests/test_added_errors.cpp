#include <cmath>
#include <stdexcept>

#include "check.hpp"
#include "clearwood/added_errors.hpp"
#include "clearwood/quantile.hpp"

using namespace clearwood;

namespace {

double upper_rate(double n, double e, const AddedErrors& bound) {
    return (e + added_errors(n, e, bound)) / n;
}

/// P[Bin(n, p) <= e] term by term.
double at_most(int e, int n, double p) {
    double sum = 0.0;
    double term = std::pow(1.0 - p, n);
    for (int k = 0; k <= e; ++k) {
        sum += term;
        term *= static_cast<double>(n - k) / (k + 1) * p / (1.0 - p);
    }
    return sum;
}

}  // namespace

TEST("release 8 gives the upper rates that Quinlan prints and its program computes") {
    const C45Bound bound(0.25);
    CHECK_NEAR(upper_rate(6, 0, bound), 0.2063, 5e-5);
    CHECK_NEAR(upper_rate(9, 0, bound), 0.1428, 5e-5);
    CHECK_NEAR(upper_rate(2, 1, bound), 0.8981, 5e-5);
    CHECK_NEAR(upper_rate(3, 1, bound), 0.6856, 5e-5);
    CHECK_NEAR(upper_rate(16, 1, bound), 0.1567, 5e-5);
    CHECK_NEAR(upper_rate(14, 5, bound), 0.4854, 5e-5);
    CHECK_NEAR(upper_rate(10, 3, C45Bound(0.01)), 0.6905, 1e-4);
    CHECK_NEAR(upper_rate(100, 25, C45Bound(0.01)), 0.3673, 5e-5);
}

TEST("release 8 interpolates below one error and takes two thirds of the rest near all") {
    const C45Bound bound(0.25);
    const double none = added_errors(10.0, 0.0, bound);
    const double one = added_errors(10.0, 1.0, bound);
    CHECK_NEAR(added_errors(10.0, 0.4, bound), none + 0.4 * (one - none), 1e-12);
    CHECK_NEAR(added_errors(10.0, 9.75, bound), 0.67 * 0.25, 1e-12);
    CHECK_NEAR(added_errors(1.0, 0.25, C45Bound(0.0005)), 0.749624968, 1e-6);
}

TEST("release 8 in single precision gives the original's bits") {
    const AddedErrors bound = C45Bound(0.05);
    CHECK(added_errors(100.0F, 99.0F, bound) == 0.931541443F);
    CHECK(added_errors(1.0F, 0.25F, C45Bound(0.0005)) == 0.749624968F);
    CHECK(added_errors(1.0F, 0.9999F, C45Bound(0.0005)) == 9.99569893e-05F);
    CHECK(added_errors(50.0F, 3.0F, C45Bound(0.001)) == 10.1101665F);
}

TEST("the exact limit continues Clopper-Pearson to real counts") {
    const ExactBound bound(0.25);
    CHECK_NEAR(upper_rate(6, 0, bound), 0.206299, 5e-7);
    CHECK_NEAR(upper_rate(9, 0, bound), 0.142756, 5e-7);
    CHECK_NEAR(upper_rate(1, 0, bound), 0.75, 1e-15);
    CHECK_NEAR(upper_rate(16, 1, bound), 0.159611, 5e-7);
    CHECK_NEAR(upper_rate(20, 2, bound), 0.186749, 5e-7);
    CHECK_NEAR(upper_rate(10, 0.4, bound), 0.178333, 5e-7);
    CHECK_NEAR(upper_rate(10.5, 1.5, bound), 0.289161, 5e-7);
    CHECK_NEAR(upper_rate(6, 0, ExactBound(0.125)), 0.292893, 5e-7);
    CHECK_NEAR(upper_rate(6, 0.75, bound), 0.345957, 5e-7);
    CHECK_NEAR(upper_rate(7, 7, bound), 1.0, 1e-15);
}

TEST("at the exact limit the binomial tail is the confidence") {
    for (const double confidence : {0.001, 0.05, 0.25, 0.9}) {
        for (const int e : {0, 1, 5, 29}) {
            const double rate = upper_rate(30, e, ExactBound(confidence));
            CHECK_NEAR(at_most(e, 30, rate), confidence, 1e-11);
        }
    }
}

TEST("the exact limit never falls with the errors nor rises with the rows") {
    for (double e = 0.0; e < 20.0; e += 0.37) {
        CHECK(upper_rate(20, e, ExactBound(0.25)) <= upper_rate(20, e + 0.37, ExactBound(0.25)));
        CHECK(upper_rate(20 + e, 2, ExactBound(0.25)) >= upper_rate(21 + e, 2, ExactBound(0.25)));
    }
}

TEST("J48 uses the true normal deviate and leaves no more than all rows wrong") {
    const J48Bound bound(0.25);
    const double z = 0.6744897501960817;
    CHECK_NEAR(normal_upper_quantile(0.25), z, 1e-15);
    const double p =
        (5.5 + z * z / 2 + z * std::sqrt(5.5 * (1 - 5.5 / 14) + z * z / 4)) / (14 + z * z);
    CHECK_NEAR(added_errors(14.0, 5.0, bound), 14 * p - 5, 1e-12);
    CHECK_NEAR(added_errors(6.0, 0.0, bound), added_errors(6.0, 0.0, C45Bound(0.25)), 1e-15);
    CHECK(added_errors(10.0, 9.75, bound) == 0.25);
    CHECK(added_errors(10.0, 2.0, J48Bound(0.6)) == 0.0);
}

TEST("nothing is added to an empty leaf") {
    for (const auto* name : {"c45", "exact", "j48"}) {
        CHECK(added_errors(0.0, 0.0, bound_named(name, 0.25)) == 0.0);
    }
}

TEST("a bound refuses a confidence or a name that makes no sense") {
    CHECK_THROWS(std::invalid_argument, C45Bound(0.0));
    CHECK_THROWS(std::invalid_argument, C45Bound(1.5));
    CHECK_THROWS(std::invalid_argument, ExactBound(1.0));
    CHECK_THROWS(std::invalid_argument, J48Bound(std::nan("")));
    CHECK_THROWS(std::invalid_argument, bound_named("C45", 0.25));
}

TEST("the normal quantile undoes the normal tail") {
    for (const double upper : {1e-300, 1e-12, 0.001, 0.2, 0.5, 0.7, 0.999999}) {
        const double z = normal_upper_quantile(upper);
        CHECK_NEAR(0.5 * std::erfc(z / std::sqrt(2.0)) / upper, 1.0, 1e-12);
    }
}

TEST("the beta quantile undoes the beta tail over nine orders of magnitude") {
    for (const double a : {1.0, 1.4, 30.0, 1e4}) {
        for (const double b : {2.0, 50.0, 1e3, 1e5}) {
            for (const double upper : {1e-5, 0.25, 0.75}) {
                const double x = beta_upper_quantile(upper, a, b);
                CHECK_NEAR(beta_upper_tail(x, a, b) / upper, 1.0, 1e-8);
            }
        }
    }
    CHECK_NEAR(beta_upper_quantile(0.25, 1.0, 2.0), 0.5, 1e-14);
    CHECK_NEAR(beta_upper_quantile(0.25, 2.0, 1.0), std::sqrt(0.75), 1e-14);
}
