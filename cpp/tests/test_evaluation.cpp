/// Soft evaluation and ramps: worked gates, coupling, clipping, and the fit of ramps.
#include "clearwood/evaluation.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "check.hpp"
#include "clearwood/predict.hpp"
#include "clearwood/ramps.hpp"
#include "hand_made.hpp"

using namespace clearwood;
using hand_made::cut;
using hand_made::leaf;
using hand_made::levels;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Noise normal(const double& sd) {
    Noise noise;
    noise.scale = {&sd, 0};
    noise.cdf = NormalCdf{};
    return noise;
}

Table one_column(const std::vector<double>& values) {
    return {{hand_made::numbers(values)}, values.size()};
}

/// Shares of the first row, by leaf.
std::map<std::int32_t, double> shares_of(const TreeArrays& tree, const Table& table,
                                         const Evaluation& evaluation) {
    const RowLeaves rows =
        Predictor(view(tree), table.columns.size()).leaf_weights(table, 1, evaluation);
    std::map<std::int32_t, double> shares;
    for (std::int64_t i = 0; i < rows.leaves.row_start[1]; ++i)
        shares[rows.leaves.nodes[static_cast<std::size_t>(i)]] =
            rows.shares[static_cast<std::size_t>(i)];
    return shares;
}

/// x <= 0 ends in leaf 1; beyond, x <= 1 in leaf 3 and the rest in leaf 4.
TreeArrays retested() {
    return hand_made::tree(2, cut(0, 0.0, leaf(0), cut(0, 1.0, leaf(0), leaf(1))));
}

TreeArrays stump() {
    return hand_made::tree(2, cut(0, 5.0, leaf(0), leaf(1)));
}

}  // namespace

TEST("a normal reading of 10 lies below 11 with probability .841345") {
    const double sd = 1.0;
    CHECK_NEAR(gate(NormalCdf{}, normal(sd), sd, 11.0, false, 10.0), 0.841345, 1e-6);
}

TEST("the normal CDF is within 2e-11 of the error function") {
    for (double z = -9.0; z < 9.0; z += 0.0137)
        CHECK_NEAR(NormalCdf{}(z), 0.5 * std::erfc(-z / std::sqrt(2.0)), 2e-11);
}

TEST("a lognormal reading of 10 with CV .1 lies below 11 with probability .830332") {
    const double sigma = std::sqrt(std::log(1.01));
    Noise noise = normal(sigma);
    noise.axis = Axis::log;
    CHECK_NEAR(gate(NormalCdf{}, noise, sigma, 11.0, false, 10.0), 0.830332, 1e-6);
}

TEST("nothing true lies below a threshold of zero on the log axis") {
    const double sigma = 0.1;
    Noise noise = normal(sigma);
    noise.axis = Axis::log;
    for (const double threshold : {0.0, -3.0}) {
        CHECK(gate(NormalCdf{}, noise, sigma, threshold, false, 10.0) == 0.0);
        CHECK(gate(NormalCdf{}, noise, sigma, threshold, false, -5.0) == 0.0);
    }
}

TEST("a device that reads 2 too high has its shift taken off") {
    const double sd = 1.0;
    Noise noise = normal(sd);
    noise.shift = -2.0;
    CHECK_NEAR(gate(NormalCdf{}, noise, sd, 10.0, false, 12.0), 0.5, 1e-12);
}

TEST("scale zero compares the values, by the strictness of the cut") {
    const double none = 0.0;
    CHECK(gate(NormalCdf{}, normal(none), 0.0, 5.0, false, 5.0) == 1.0);
    CHECK(gate(NormalCdf{}, normal(none), 0.0, 5.0, true, 5.0) == 0.0);
}

TEST("a gate within an interval is the conditional probability") {
    const double sd = 1.0;
    const double phi_1 = 0.841344746;
    const double share = gate_within(NormalCdf{}, normal(sd), sd, 0.0, HUGE_VAL, 1.0, false, 0.0);
    CHECK_NEAR(share, (phi_1 - 0.5) / 0.5, 1e-8);
}

TEST("a gate within an interval without mass takes the side nearer to the reading") {
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const auto share = [&](double threshold, double measured) {
        return gate_within(NormalCdf{}, noise, sd, 100.0, 101.0, threshold, false, measured);
    };
    CHECK(share(100.5, 0.0) == 1.0);
    CHECK(share(100.5, 300.0) == 0.0);
    CHECK(share(101.0, 300.0) == 1.0);
    CHECK(share(102.0, 300.0) == 1.0);
    CHECK(share(100.0, 0.0) == 0.0);
}

TEST("independent gates multiply as two readings, joint gates as one") {
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const std::vector<double> x{0.0};
    const auto independent =
        shares_of(retested(), one_column(x), SoftEvaluation{{&noise}, Coupling::independent, 0.0});
    const auto joint =
        shares_of(retested(), one_column(x), SoftEvaluation{{&noise}, Coupling::joint, 0.0});
    CHECK_NEAR(independent.at(3), 0.420672, 1e-6);
    CHECK_NEAR(independent.at(4), 0.079328, 1e-6);
    CHECK_NEAR(joint.at(3), 0.341345, 1e-6);
    CHECK_NEAR(joint.at(4), 0.158655, 1e-6);
}

TEST("joint gates forget a cut of another branch") {
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const std::vector<double> x{0.0};
    const std::vector<std::int32_t> code{1};
    const Table table{{hand_made::numbers(x), hand_made::codes(code, 2)}, 1};
    const TreeArrays tree =
        hand_made::tree(2, levels(1, {0, 1},
                                  {cut(0, -1.0, leaf(0), cut(0, 2.0, leaf(0), leaf(1))),
                                   cut(0, 1.0, leaf(0), leaf(1))}));
    const auto joint =
        shares_of(tree, table, SoftEvaluation{{&noise, nullptr}, Coupling::joint, 0.0});
    CHECK(joint.size() == 2);
    CHECK_NEAR(joint.at(7), 0.841345, 1e-6);
}

TEST("a missing value divides by the shares of the branches, whatever the noise") {
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const std::vector<double> x{missing};
    const auto shares = shares_of(stump(), one_column(x), SoftEvaluation{{&noise}});
    CHECK(shares.at(1) == 0.5 && shares.at(2) == 0.5);
}

TEST("a share below eta goes to the sibling") {
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const std::vector<double> x{7.0};
    const auto all =
        shares_of(stump(), one_column(x), SoftEvaluation{{&noise}, Coupling::independent, 0.0});
    const auto clipped_shares =
        shares_of(stump(), one_column(x), SoftEvaluation{{&noise}, Coupling::independent, 0.03});
    CHECK_NEAR(all.at(1), 0.022750, 1e-6);
    CHECK(clipped_shares.size() == 1 && clipped_shares.at(2) == 1.0);
}

TEST("a chain of 100,000 cuts is evaluated softly") {
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const std::vector<double> x{50'000.3};
    for (const Coupling coupling : {Coupling::independent, Coupling::joint}) {
        const auto shares = shares_of(hand_made::chain(100'000, 0.0), one_column(x),
                                      SoftEvaluation{{&noise}, coupling, 1e-6});
        double total = 0.0;
        for (const auto& [node, share] : shares) total += share;
        CHECK_NEAR(total, 1.0, 1e-12);
        CHECK(shares.size() > 3 && shares.size() < 20);
    }
}

TEST("noise that does not fit the table is refused") {
    const std::vector<double> x{1.0, 2.0};
    const std::vector<double> scales{1.0};
    Noise noise = normal(scales[0]);
    noise.per_row = true;
    CHECK_THROWS(std::invalid_argument,
                 shares_of(stump(), one_column(x), SoftEvaluation{{&noise}}));
    CHECK_THROWS(std::invalid_argument,
                 shares_of(stump(), one_column(x), SoftEvaluation{{nullptr, nullptr}}));
}

TEST("ramps reach to where the errors rise by one standard error") {
    const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<std::int32_t> classes{0, 0, 0, 1, 0, 1, 1, 1};
    TreeArrays tree = stump();
    tree.threshold[0] = 4.5;
    const Ramps ramps = fit_ramps(view(tree), one_column(x), {classes, 2, {}}, false);
    CHECK(ramps.lower[0] == 1.0);
    CHECK_NEAR(ramps.upper[0], 5.0 + std::sqrt(2.5 * 6.5 / 9.0) + 1.0, 1e-12);
    CHECK(std::isnan(ramps.lower[1]) && std::isnan(ramps.upper[2]));
}

TEST("a cut that no row reaches has a ramp without width") {
    const std::vector<double> x{-1.0, -2.0};
    const std::vector<std::int32_t> classes{0, 1};
    const Ramps ramps = fit_ramps(view(retested()), one_column(x), {classes, 2, {}}, false);
    CHECK(ramps.lower[2] == 1.0 && ramps.upper[2] == 1.0);
}

TEST("rows that are missing at a cut count neither there nor below") {
    const std::vector<double> x{-1.0, 3.0, missing, missing, missing};
    const std::vector<std::int32_t> classes{0, 1, 0, 1, 0};
    const Ramps ramps = fit_ramps(view(retested()), one_column(x), {classes, 2, {}}, false);
    const std::vector<double> known{-1.0, 3.0};
    const Ramps alone =
        fit_ramps(view(retested()), one_column(known), {std::span(classes).first(2), 2, {}}, false);
    for (const std::size_t node : {0, 2}) {
        CHECK(ramps.lower[node] == alone.lower[node]);
        CHECK(ramps.upper[node] == alone.upper[node]);
    }
}
