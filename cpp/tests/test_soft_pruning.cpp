/// Error-based pruning that divides rows by their gates, on numbers that can be worked by hand.
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "clearwood/prune.hpp"
#include "hand_made.hpp"

using namespace clearwood;
using hand_made::codes;
using hand_made::cut;
using hand_made::leaf;
using hand_made::levels;
using hand_made::numbers;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Normal noise of one standard deviation on column 0; borrows it.
Noise normal(const double& sd) {
    return {.scale = Strided<double>(&sd, 0), .cdf = NormalCdf()};
}

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

ErrorBasedResult prune(const TreeArrays& tree, const Table& table,
                       const std::vector<std::int32_t>& classes, const ErrorBasedOptions& options) {
    return error_based(view(tree), table,
                       {.classes = classes, .n_classes = tree.n_classes, .weights = {}}, options);
}

double estimate(double n, double e) {
    return e + added_errors(n, e, C45Bound(0.25));
}

bool same_bits(const ErrorBasedResult& a, const ErrorBasedResult& b) {
    return a.replacement == b.replacement && a.masses == b.masses &&
           a.distribution == b.distribution && a.label == b.label &&
           a.missing_share == b.missing_share && a.n_rows == b.n_rows && a.estimate == b.estimate;
}

/// x = 1 ... 20, class 1 above 10, but x = 8 and x = 14 the other way round; cut at 10.5.
struct Twenty {
    std::vector<double> x = std::vector<double>(20);
    std::vector<std::int32_t> classes = std::vector<std::int32_t>(20);
    TreeArrays tree = hand_made::tree(2, cut(0, 10.5, leaf(0), leaf(1)));

    Twenty() {
        std::iota(x.begin(), x.end(), 1.0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            classes[i] = (x[i] > 10.0) != (x[i] == 8.0 || x[i] == 14.0);
        }
    }
    Table table() const { return {.columns = {numbers(x)}, .n_rows = x.size()}; }
};

/// Two columns, the first noisy, with rows that miss a value and cuts that test a column again.
struct Mixed {
    std::vector<double> x{1, 2, missing, 4, 5, 6, missing, 8, 9, 10, 11, 12, 3, 7, 4};
    std::vector<std::int32_t> site{0, 1, 0, 2, 1, missing_level, 0, 1, 2, 0, 1, 0, 1, 1, 0};
    std::vector<std::int32_t> classes{0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 1};
    TreeArrays tree = hand_made::tree(
        2, cut(0, 5.5, cut(0, 2.5, leaf(0), levels(1, {0, 1, 2}, {leaf(0), leaf(1), leaf(0)})),
               levels(1, {0, 1, no_branch}, {cut(0, 9.5, leaf(1), leaf(0)), leaf(1)})));

    Table table() const { return {.columns = {numbers(x), codes(site, 3)}, .n_rows = x.size()}; }
};

}  // namespace

TEST("noise moves the estimates of two leaves towards that of their parent") {
    const Twenty rows;
    struct Line {
        double sd, wrong, raw, laplace;
    };
    for (const auto [sd, wrong, raw, laplace] :
         {Line{0, 1, 4.947413, 6.403543}, Line{2, 1.643802, 6.354660, 7.532522},
          Line{4, 2.126998, 7.374221, 8.359440}, Line{8, 3.077511, 9.308515, 9.942111}}) {
        const Noise noise = normal(sd);
        ErrorBasedOptions options{.bound = ExactBound(0.25), .propagation_noise = {&noise}};
        const auto kept = prune(rows.tree, rows.table(), rows.classes, options);
        CHECK(kept.replacement[0] == 0);
        CHECK_NEAR(kept.masses[3], wrong, 1e-6);
        CHECK_NEAR(kept.masses[2] + kept.masses[3], 10.0, 1e-9);
        CHECK_NEAR(kept.estimate[0], raw, 1e-6);
        options.laplace = true;
        CHECK_NEAR(prune(rows.tree, rows.table(), rows.classes, options).estimate[0], laplace,
                   1e-6);
    }
}

TEST("a split that noise wipes out becomes a leaf with the estimate of its parent") {
    const Twenty rows;
    const double sd = 1000.0;
    const Noise noise = normal(sd);
    const auto result = prune(rows.tree, rows.table(), rows.classes,
                              {.bound = ExactBound(0.25), .propagation_noise = {&noise}});
    CHECK(result.replacement[0] == leaf_replacement);
    CHECK_NEAR(result.estimate[0], 11.963741, 1e-6);
}

TEST("without noise, or with a scale of 0, every number is the hard one to the bit") {
    const Mixed rows;
    const double zero = 0.0;
    const Noise exact = normal(zero);
    for (const bool single : {false, true}) {
        for (const Raising raising : {Raising::none, Raising::heaviest, Raising::best}) {
            ErrorBasedOptions options{.raising = raising, .single_precision = single};
            const auto hard = prune(rows.tree, rows.table(), rows.classes, options);
            for (const bool joint : {false, true}) {
                options.joint_gates = joint;
                for (const Noise* noise : std::array<const Noise*, 2>{nullptr, &exact}) {
                    options.propagation_noise = {noise, nullptr};
                    CHECK(same_bits(prune(rows.tree, rows.table(), rows.classes, options), hard));
                }
            }
        }
    }
}

TEST("noise on a column that no cut tests changes nothing") {
    const Mixed rows;
    Table table = rows.table();
    table.columns.push_back(numbers(rows.x));
    const double sd = 3.0;
    const Noise noise = normal(sd);
    const auto hard = prune(rows.tree, table, rows.classes, {});
    CHECK(same_bits(prune(rows.tree, table, rows.classes,
                          {.propagation_noise = {nullptr, nullptr, &noise}, .joint_gates = true}),
                    hard));
}

TEST("a row whose own scale is 0 stays whole") {
    const std::vector<double> x{1, 1, 2};
    const std::vector<double> scale{0, 1, 0};
    const Noise noise{.scale = Strided<double>(scale.data(), 1),
                      .per_row = true,
                      .cdf = NormalCdf(),
                      .n_scales = 3};
    const Table table{.columns = {numbers(x)}, .n_rows = 3};
    const auto tree = hand_made::tree(2, cut(0, 1.0, leaf(0), leaf(1)));
    const auto result = prune(tree, table, {0, 0, 1}, {.slack = -9, .propagation_noise = {&noise}});
    CHECK_NEAR(result.masses[2], 1.5, 1e-10);
    CHECK_NEAR(result.masses[4], 0.5, 1e-10);
    CHECK(result.masses[5] == 1.0);
    CHECK(result.n_rows == std::vector<std::int64_t>{3, 2, 2});
}

TEST("rows divided by noise and by missing values keep their weight together") {
    const Mixed rows;
    const double sd = 2.0;
    const Noise noise = normal(sd);
    for (const bool joint : {false, true}) {
        for (const double eta : {0.0, 1e-6, 0.1}) {
            const auto result = prune(rows.tree, rows.table(), rows.classes,
                                      {.slack = -100.0,
                                       .raising = Raising::none,
                                       .propagation_noise = {&noise, nullptr},
                                       .joint_gates = joint,
                                       .eta = eta});
            for (std::size_t node = 0; node < rows.tree.kind.size(); ++node) {
                CHECK(result.replacement[node] == static_cast<std::int32_t>(node));
                const auto children = view(rows.tree).children(static_cast<std::int32_t>(node));
                for (std::size_t c = 0; c < 2 && !children.empty(); ++c) {
                    double sum = 0.0;
                    for (const auto child : children) {
                        sum += result.masses[2 * static_cast<std::size_t>(child) + c];
                    }
                    CHECK_NEAR(sum, result.masses[2 * node + c], 1e-12);
                }
            }
        }
    }
}

TEST("a missing value is shared by what noise leaves to the branches") {
    const std::vector<double> x{-1, -1, 1, missing};
    const Table table{.columns = {numbers(x)}, .n_rows = 4};
    const auto tree = hand_made::tree(2, cut(0, 0.0, leaf(0), leaf(1)));
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const auto result =
        prune(tree, table, {0, 0, 1, 1}, {.slack = -9, .propagation_noise = {&noise}});
    const double first = 2.0 * normal_cdf(1.0) + normal_cdf(-1.0);
    CHECK_NEAR(result.masses[3], normal_cdf(-1.0) + first / 3.0, 1e-10);
    CHECK_NEAR(result.missing_share[0], (first + first / 3.0) / 4.0, 1e-10);
}

TEST("shares below eta go to the other branch whole") {
    const std::vector<double> x{-1, 1};
    const Table table{.columns = {numbers(x)}, .n_rows = 2};
    const auto tree = hand_made::tree(2, cut(0, 0.0, leaf(0), leaf(1)));
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const auto result =
        prune(tree, table, {0, 1}, {.slack = -9, .propagation_noise = {&noise}, .eta = 0.16});
    CHECK(result.masses == std::vector<double>{1, 1, 1, 0, 0, 1});
    CHECK(result.n_rows == std::vector<std::int64_t>{2, 1, 1});
}

TEST("joint gates know the interval that the cuts above leave, independent gates do not") {
    const std::vector<double> x{0};
    const Table table{.columns = {numbers(x)}, .n_rows = 1};
    const auto tree = hand_made::tree(2, cut(0, 0.0, leaf(0), cut(0, 1.0, leaf(0), leaf(0))));
    const double sd = 1.0;
    const Noise noise = normal(sd);
    ErrorBasedOptions options{.slack = -9, .raising = Raising::none, .propagation_noise = {&noise}};
    const auto independent = prune(tree, table, {0}, options);
    CHECK_NEAR(independent.masses[6], 0.420672, 1e-6);
    CHECK_NEAR(independent.masses[8], 0.079328, 1e-6);
    options.joint_gates = true;
    const auto joint = prune(tree, table, {0}, options);
    CHECK_NEAR(joint.masses[6], 0.341345, 1e-6);
    CHECK_NEAR(joint.masses[8], 0.158655, 1e-6);
}

TEST("joint gates forget the interval of a branch when the next one is entered") {
    const std::vector<double> x{0};
    const Table table{.columns = {numbers(x)}, .n_rows = 1};
    const auto tree = hand_made::tree(
        2, cut(0, 0.0, cut(0, -1.0, leaf(0), leaf(0)), cut(0, 1.0, leaf(0), leaf(0))));
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const auto result = prune(tree, table, {0},
                              {.slack = -9,
                               .raising = Raising::none,
                               .propagation_noise = {&noise},
                               .joint_gates = true});
    const double outer = normal_cdf(-1.0);
    CHECK_NEAR(result.masses[4], outer, 1e-10);
    CHECK_NEAR(result.masses[6], 0.5 - outer, 1e-10);
    CHECK_NEAR(result.masses[10], 0.5 - outer, 1e-10);
    CHECK_NEAR(result.masses[12], outer, 1e-10);
}

TEST("a raised branch gets both parts of every row, in joint mode by the gates of its new place") {
    // The outer cut separates nothing; the inner one, in its second branch, separates the classes.
    const std::vector<double> x{0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4};
    const std::vector<std::int32_t> classes{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
    const Table table{.columns = {numbers(x)}, .n_rows = x.size()};
    const auto tree = hand_made::tree(2, cut(0, -0.5, leaf(0), cut(0, 2.0, leaf(0), leaf(1))));
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const double in = 6.0 * normal_cdf(2.0);
    for (const bool joint : {false, true}) {
        const auto result =
            prune(tree, table, classes, {.propagation_noise = {&noise}, .joint_gates = joint});
        CHECK(result.replacement[0] == 2);
        CHECK_NEAR(result.masses[6], in, 1e-9);
        CHECK_NEAR(result.masses[7], 6.0 - in, 1e-9);
        CHECK_NEAR(result.estimate[2], 2.0 * estimate(6.0, 6.0 - in), 1e-9);
        CHECK(result.n_rows[3] == 12);
    }
}

TEST("a chain of 100000 noisy cuts is pruned without deep calls") {
    const auto tree = hand_made::chain(100'000, 0.5);
    std::vector<double> x(12, 99'999.0);
    std::fill(x.begin() + 6, x.end(), 100'000.0);
    const std::vector<std::int32_t> classes{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
    const Table table{.columns = {numbers(x)}, .n_rows = 12};
    const double sd = 0.1;
    const Noise noise = normal(sd);
    ErrorBasedOptions options{.propagation_noise = {&noise}, .eta = 1e-3};
    CHECK(prune(tree, table, classes, options).replacement[0] != 0);
    options.raising = Raising::none;
    options.joint_gates = true;
    const auto kept = prune(tree, table, classes, options);
    CHECK(kept.replacement[0] == 0);
    CHECK_NEAR(kept.estimate[0], 2 * estimate(6, 0), 1e-15);
}

TEST("noise that does not fit the table and an eta out of range are refused") {
    const Mixed rows;
    const double sd = 1.0;
    const Noise noise = normal(sd);
    const auto refused = [&](const NoiseModel& model, double eta) {
        return prune(rows.tree, rows.table(), rows.classes,
                     {.propagation_noise = model, .eta = eta});
    };
    CHECK_THROWS(std::invalid_argument, refused({&noise}, 0.0));
    const std::vector<double> scales{1, 1};
    const Noise short_one{.scale = Strided<double>(scales.data(), 1),
                          .per_row = true,
                          .cdf = NormalCdf(),
                          .n_scales = scales.size()};
    CHECK_THROWS(std::invalid_argument, refused({&short_one, nullptr}, 0.0));
    CHECK_THROWS(std::invalid_argument, refused({}, -1e-9));
    CHECK_THROWS(std::invalid_argument, refused({}, 0.5));
    CHECK_THROWS(std::invalid_argument, refused({}, missing));
}
