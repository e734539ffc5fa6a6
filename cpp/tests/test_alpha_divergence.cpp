/// Alpha-divergence as a measure: worked numbers, limits and large alphas (algorithms.md H.1).
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "check.hpp"
#include "clearwood/alpha_divergence.hpp"
#include "clearwood/gains.hpp"

using namespace clearwood;

namespace {

using Masses = std::array<double, 2>;

/// D of a cut, or its gain over the unsplit node where the reference is uniform.
double gain(double alpha, Reference reference, const Masses& left, const Masses& right) {
    const Masses whole{left[0] + right[0], left[1] + right[1]};
    const AlphaDivergence score{alpha, reference, 0.0};
    const AlphaMeasure measure = looking_at(score.weights(), whole, whole);
    const double purity = purity_of(measure, left, right);
    return score.divergence(
        gain_of(measure, purity, whole_purity(measure, whole), 100.0, 100.0));
}

/// A uniform D of the split that a gain is over.
double unsplit(double alpha, double share) {
    return (1.0 - std::pow(2.0, alpha - 1.0) *
                      (std::pow(share, alpha) + std::pow(1.0 - share, alpha))) /
           (alpha * (1.0 - alpha));
}

constexpr Masses left{27.0, 3.0};
constexpr Masses right{42.0, 28.0};

}  // namespace

TEST("alpha divergence of the worked example") {
    CHECK_NEAR(gain(0.5, Reference::product, left, right), 0.055495, 5e-7);
    CHECK_NEAR(gain(1.0, Reference::product, left, right), 0.050468, 5e-7);
    CHECK_NEAR(gain(2.0, Reference::product, left, right), 0.044180, 5e-7);
    for (const auto& [alpha, expected] :
         {std::pair{0.5, 0.140866}, {2.0, 0.110000}, {3.0, 0.110000}, {4.0, 0.120333}}) {
        CHECK_NEAR(gain(alpha, Reference::uniform, left, right) + unsplit(alpha, 0.31), expected,
                   5e-7);
    }
}

TEST("alpha divergence is continuous at its limits") {
    for (const Reference reference : {Reference::product, Reference::uniform}) {
        const double at_one = gain(1.0, reference, left, right);
        CHECK_NEAR(gain(1.0 + 1e-7, reference, left, right), at_one, 1e-7);
        CHECK_NEAR(gain(1.0 - 1e-7, reference, left, right), at_one, 1e-7);
        const double at_zero = gain(0.0, reference, left, right);
        CHECK_NEAR(gain(1e-7, reference, left, right), at_zero, 1e-7);
        CHECK_NEAR(gain(-1e-7, reference, left, right), at_zero, 1e-7);
        const double at_two = gain(2.0, reference, left, right);  // beyond, by logarithms
        CHECK_NEAR(gain(2.0 + 1e-9, reference, left, right), at_two, 1e-9);
    }
}

TEST("large alphas prefer the purest branch") {
    const std::array<std::pair<Masses, Masses>, 2> cuts{
        {{{48.0, 2.0}, {32.0, 18.0}}, {{20.0, 0.0}, {60.0, 20.0}}}};
    const Masses whole{80.0, 20.0};
    for (const double alpha : {64.0, 256.0, 1000.0, 5000.0, 1e6}) {
        const AlphaDivergence score{alpha, Reference::uniform, 0.0};
        const AlphaMeasure measure = looking_at(score.weights(), whole, whole);
        const double balanced = purity_of(measure, cuts[0].first, cuts[0].second);
        const double pure = purity_of(measure, cuts[1].first, cuts[1].second);
        CHECK(measure.better(pure, balanced));
        CHECK(std::isfinite(pure));
    }
}

TEST("the purity for a gain has that gain") {
    for (const double alpha : {0.5, 2.0, 3.0, 100.0}) {
        const Masses whole{69.0, 31.0};
        const AlphaDivergence score{alpha, Reference::product, 0.0};
        const AlphaMeasure measure = looking_at(score.weights(), whole, whole);
        const double unsplit_purity = whole_purity(measure, whole);
        const double purity = purity_for(measure, unsplit_purity, 0.7, 100.0);
        CHECK_NEAR(gain_of(measure, purity, unsplit_purity, 100.0, 100.0), 0.7, 1e-12);
    }
}

TEST("no cut between two is purer than their bound") {
    const Masses totals{50.0, 30.0};
    std::vector<std::int64_t> scratch;
    for (const double alpha : {0.3, 1.0, 2.0, 9.0, 300.0}) {
        for (const Reference reference : {Reference::product, Reference::uniform}) {
            const AlphaMeasure measure =
                looking_at(AlphaDivergence{alpha, reference, 0.0}.weights(), totals, totals);
            AlphaMeasure::BinaryScan low(measure, totals, scratch);
            low.move(0, 4.0);
            AlphaMeasure::BinaryScan high = low;
            high.move(1, 6.0);
            high.move(0, 3.0);
            const double bound = AlphaMeasure::BinaryScan::highest_between(low, high);
            for (const std::size_t first : {0u, 1u}) {
                AlphaMeasure::BinaryScan between = low;
                for (int step = 0; step < 3; ++step) {
                    between.move(first, 1.0);
                    CHECK(between.value() <= bound + 1e-9);
                }
            }
        }
    }
}
