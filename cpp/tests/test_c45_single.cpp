/// C4.5's searches in single precision on columns small enough to follow by hand.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "check.hpp"
#include "clearwood/parallel.hpp"
#include "clearwood/presort.hpp"
#include "clearwood/split.hpp"

using namespace clearwood;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Plan c45_plan() {
    Plan plan;
    plan.score = InformationGain{};
    plan.chooser = GainRatio{};
    plan.penalty = true;
    plan.limits.c45_minimum = true;
    plan.compatibility.single_precision = true;
    return plan;
}

/// A root node with one column of two classes.
struct Root {
    std::vector<double> values;
    std::vector<std::int32_t> codes;
    std::vector<std::int32_t> classes;
    std::int32_t n_levels = 0;
    double minimum = 1.0;
    Plan plan = c45_plan();
    std::vector<double> weights = {};

    Split best() const {
        const Labels labels{classes, 2, weights};
        Table table{{}, classes.size()};
        if (n_levels == 0) {
            table.columns.emplace_back(NumericColumn{{values.data(), 1}});
        } else {
            table.columns.emplace_back(NominalColumn{{codes.data(), 1}, n_levels});
        }
        Watch watch(nullptr);
        SortedRows sorted;
        const Presort presorted = presort(table, labels, 1, watch, sorted);
        std::vector<std::span<Entry>> orders(sorted.orders.begin(), sorted.orders.end());
        std::vector<double> masses(2, 0.0);
        for (std::size_t row = 0; row < classes.size(); ++row) {
            masses[static_cast<std::size_t>(classes[row])] += labels.weight(row);
        }
        const Rows rows{sorted.entries, orders, masses, masses[0] + masses[1],
                        weights.empty() ? Counting::unit : Counting::real};
        const EntropyTable entropy_table;
        const NodeContext node{table, presorted, plan, rows, entropy_table, weights, 2, minimum};
        SearchScratch scratch;
        return n_levels == 0 ? best_cut_single(node, 0, scratch)
                             : best_levels_single(node, 0, scratch);
    }
};

Root numeric(std::vector<double> values, std::vector<std::int32_t> classes) {
    return {std::move(values), {}, std::move(classes)};
}

Root nominal(std::int32_t n_levels, std::vector<std::int32_t> codes,
             std::vector<std::int32_t> classes) {
    return {{}, std::move(codes), std::move(classes), n_levels};
}

Split candidate(std::int32_t column, double gain, double info) {
    Split split;
    split.column = column;
    split.available = true;
    split.gain = gain;
    split.info = info;
    return split;
}

const std::vector<std::uint8_t> none_many(3, 0);

}  // namespace

TEST("a cut gains its information less log2 of the number of cuts per row") {
    const Split split = numeric({4, 1, 3, 2}, {1, 0, 1, 0}).best();
    CHECK(split.available);
    CHECK(split.position == 2);
    CHECK_NEAR(split.gain, 1.0 - std::log2(3.0) / 4.0, 1e-7);
    CHECK_NEAR(split.info, 1.0, 1e-7);
}

TEST("what single precision stores is a float") {
    const Split split = numeric({1, 2, 3, 4, 5}, {0, 0, 1, 1, 1}).best();
    CHECK(split.gain == static_cast<double>(static_cast<float>(split.gain)));
    CHECK(split.info == static_cast<double>(static_cast<float>(split.info)));
}

TEST("values less than 1e-5 apart are not parted") {
    CHECK(!numeric({1, 1 + 5e-6}, {0, 1}).best().available);
    CHECK(numeric({1, 1 + 2e-5}, {0, 1}).best().available);
}

TEST("values that are the same float are not parted even where doubles differ by more than 1e-5") {
    CHECK(!numeric({1e6, 1e6 + 2e-2}, {0, 1}).best().available);
}

TEST("of equally good cuts the lowest wins") {
    Root root = numeric({1, 2, 3, 4}, {0, 1, 1, 0});
    root.plan.penalty = false;
    CHECK(root.best().position == 1);
}

TEST("a cut whose gain the penalty eats is not available") {
    CHECK(!numeric({1, 2, 3, 4}, {0, 1, 1, 0}).best().available);
}

TEST("each branch of a cut weighs a tenth of the mean class mass") {
    Root root = numeric({}, {});
    for (int row = 0; row < 60; ++row) {
        root.values.push_back(row);
        root.classes.push_back(row < 2);
    }
    root.minimum = 2.0;
    CHECK(root.best().position == 3);  // 0.1 * 60 / 2
    root.plan.limits.c45_minimum = false;
    CHECK(root.best().position == 2);
}

TEST("two branches must reach the minimum, and so must half of the known mass") {
    Root root = numeric({1, 2, 3, 4, missing}, {0, 0, 1, 1, 1});
    root.minimum = 2.0;
    CHECK(root.best().position == 2);
    root.minimum = 2.5;
    CHECK(!root.best().available);
}

TEST("a missing value takes its share off the gain of a cut and adds to its split information") {
    Root root = numeric({1, 2, 3, 4, missing, missing, missing, missing}, {0, 0, 1, 1, 0, 1, 0, 1});
    root.plan.penalty = false;
    CHECK_NEAR(root.best().gain, 0.5, 1e-7);
    CHECK_NEAR(root.best().info, 1.5, 1e-7);
}

TEST("weights count as masses") {
    Root root = numeric({1, 2, 3}, {0, 1, 1});
    root.weights = {2.0, 0.5, 1.5};
    root.plan.penalty = false;
    CHECK(root.best().position == 1);
    CHECK_NEAR(root.best().gain, 1.0, 1e-7);
    CHECK_NEAR(root.best().info, 1.0, 1e-7);
}

TEST("every declared level has its branch, with or without rows") {
    const Split split = nominal(3, {0, 0, 2, 2}, {0, 0, 1, 1}).best();
    CHECK(split.available);
    CHECK(split.n_branches == 3);
    CHECK(split.branch_of_level == (std::vector<std::int32_t>{0, 1, 2}));
    CHECK_NEAR(split.gain, 1.0, 1e-7);
    CHECK_NEAR(split.info, 1.0, 1e-7);
}

TEST("levels that gain nothing are available") {
    const Split split = nominal(2, {0, 0, 1, 1}, {0, 1, 0, 1}).best();
    CHECK(split.available);
    CHECK(split.gain == 0.0);
}

TEST("levels are not available where no value is known or one branch alone is heavy enough") {
    CHECK(!nominal(2, {-1, -1}, {0, 1}).best().available);
    Root root = nominal(2, {0, 0, 0, 1}, {0, 0, 0, 1});
    root.minimum = 2.0;
    CHECK(!root.best().available);
}

TEST("levels are grouped where the plan says so and there are more than two") {
    Root root = nominal(3, {0, 0, 1, 1, 2, 2}, {0, 0, 0, 0, 1, 1});
    root.plan.grouping = Grouping::grouped;
    CHECK(root.best().branch_of_level == (std::vector<std::int32_t>{0, 0, 1}));
    root.n_levels = 2;
    root.codes = {0, 0, 0, 0, 1, 1};
    CHECK(root.best().branch_of_level == (std::vector<std::int32_t>{0, 1}));
}

TEST("the highest gain ratio wins among gains of at least the average") {
    std::vector<Split> splits{candidate(0, 0.4, 0.8), candidate(1, 0.1, 0.1), candidate(2, 0.3, 1)};
    CHECK(choose_single(c45_plan(), splits, none_many) == 0);
    CHECK_NEAR(splits[0].score, 0.5, 1e-7);
}

TEST("of equal gain ratios the first column wins") {
    std::vector<Split> splits{candidate(0, 0.25, 0.5), candidate(1, 0.25, 0.5)};
    CHECK(choose_single(c45_plan(), splits, none_many) == 0);
}

TEST("by gain the highest gain wins") {
    Plan plan = c45_plan();
    plan.chooser = BestScore{};
    plan.compatibility.by_gain = true;
    std::vector<Split> splits{candidate(0, 0.3, 0.4), candidate(1, 0.4, 4.0)};
    CHECK(choose_single(plan, splits, none_many) == 1);
}

TEST("many-valued columns do not count in the average but may win") {
    std::vector<Split> splits{candidate(0, 0.9, 1.0), candidate(1, 0.2, 0.5)};
    CHECK(choose_single(c45_plan(), splits, std::vector<std::uint8_t>{1, 0}) == 0);
    splits[0].info = 9.0;
    CHECK(choose_single(c45_plan(), splits, std::vector<std::uint8_t>{1, 0}) == 1);
}

TEST("no column wins where only many-valued ones are available") {
    std::vector<Split> splits{candidate(0, 0.9, 1.0), Split{}};
    splits[1].column = 1;
    CHECK(choose_single(c45_plan(), splits, std::vector<std::uint8_t>{1, 0}) == -1);
}
