/// Decision chains: the alpha of a step, the chain of the hand example, and what is missing
/// (algorithms.md H.2, H.3).
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "clearwood/alpha_root.hpp"
#include "clearwood/carve.hpp"
#include "clearwood/gains.hpp"
#include "clearwood/measure.hpp"
#include "hand_made.hpp"

using namespace clearwood;
using hand_made::codes;
using hand_made::numbers;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Rows {
    std::vector<std::int32_t> classes;
    std::vector<double> weights;
};

CarveOptions with(double velocity, std::size_t max_length) {
    CarveOptions options;
    options.velocity = velocity;
    options.max_length = max_length;
    return options;
}

Chain carved(const Table& table, const Rows& rows, double least, const CarveOptions& options) {
    Plan plan;
    plan.chooser = BestScore{};
    plan.limits.min_samples_leaf = least;
    return carve(table, {rows.classes, 2, rows.weights}, plan, options, {});
}

}  // namespace

TEST("the larger root is the one whose alpha falls towards balance") {
    const std::array<std::pair<double, double>, 5> roots{
        {{0.95, 142.589}, {0.9, 62.031}, {0.8, 25.903}, {0.7, 15.059}, {0.6, 9.953}}};
    for (const auto& [w, alpha] : roots) {
        CHECK_NEAR(*carving_alpha(0.1, w), alpha, 1e-3);
        CHECK_NEAR(carving_velocity(*carving_alpha(0.1, w), w), 0.1, 1e-12);
    }
}

TEST("there is no root above the peak, which exists at balance too") {
    CHECK(!carving_alpha(1.0, 0.6));
    CHECK(!carving_alpha(0.1, 0.5));
    CHECK_NEAR(steepest_alpha(0.5), 3.469578, 1e-6);
    CHECK_NEAR(steepest_alpha(0.9), 9.491223, 1e-6);
    CHECK_NEAR(carving_velocity(steepest_alpha(0.9), 0.9), 3.879584, 1e-6);
}

TEST("no alpha exceeds its limit") {
    CHECK(*carving_alpha(1e-9, 0.99) == most_alpha);
    CHECK(*carving_alpha(0.1, 0.9999) == most_alpha);
    CHECK(*carving_alpha(0.0, 0.7) == most_alpha);
    CHECK(steepest_alpha(0.9999) == most_alpha);
    CHECK(!carving_alpha(1e6, 0.9999));
}

TEST("the hand example has its rules and its alphas") {
    const std::vector<double> x0{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const std::vector<double> x1{5, 9, 3, 8, 1, 7, 2, 6, 4, 10};
    const Table table{.columns = {numbers(x0), numbers(x1)}, .n_rows = 10};
    const Rows rows{{0, 0, 0, 0, 0, 1, 0, 1, 1, 0}, {}};
    const Chain chain = carved(table, rows, 1.0, with(0.5, 8));
    CHECK(chain.steps.size() == 3);
    CHECK_NEAR(chain.steps[0].alpha, 9.145933, 1e-6);
    CHECK_NEAR(chain.steps[1].alpha, 5.179189, 1e-6);
    CHECK(chain.steps[2].alpha == chain.steps[1].alpha);
    CHECK(chain.tree.n_nodes() == 7);
    CHECK(chain.tree.column[0] == 0 && chain.tree.threshold[0] == 5.5);
    CHECK(chain.tree.column[2] == 0 && chain.tree.threshold[2] == 9.5);
    CHECK(chain.tree.column[3] == 1 && chain.tree.threshold[3] == 3.0);
    clearwood::check(view(chain.tree), 2);
}

TEST("rows with a missing value stay, whichever branch goes on") {
    const std::vector<double> rising{1, 1, 1, 2, 2, missing};
    const std::vector<double> falling{2, 2, 2, 1, 1, missing};
    const Rows rows{{0, 0, 0, 1, 1, 0}, {}};
    for (const auto* column : {&rising, &falling}) {
        const Table table{.columns = {numbers(*column)}, .n_rows = 6};
        const Chain chain = carved(table, rows, 1.0, with(0.1, 1));
        const std::size_t kept = column == &rising ? 1 : 0;
        CHECK(chain.tree.missing_share[kept] == 1.0);
        CHECK(chain.tree.missing_share[1 - kept] == 0.0);
        CHECK(chain.tree.masses[2 * (kept + 1)] == 1.0);
        CHECK(chain.tree.masses[2 * (kept + 1) + 1] == 2.0);
        CHECK(chain.steps[0].carved.mass == 3.0);
    }
}

TEST("a level is one side, and a level that the node has not stays where the rest is carved") {
    const std::vector<std::int32_t> ward{0, 0, 1, 1, 2, 2, -1};
    const Table table{.columns = {codes(ward, 4)}, .n_rows = 7};
    const Rows rows{{1, 1, 0, 0, 0, 0, 0}, {}};
    const Chain chain = carved(table, rows, 1.0, with(0.5, 1));
    CHECK((chain.tree.level_branch == std::vector<std::int32_t>{0, 1, 1, no_branch}));
    CHECK((chain.tree.missing_share == std::vector<double>{1.0, 0.0}));
}

TEST("a cut that would break the order of risks is worth nothing") {
    const std::array<double, 2> node{60.0, 20.0};
    Carving step;
    step.alpha = 8.0;
    step.last = {2.0, 20.0};  // risk 0.1
    step.least = 5.0;
    const CarvingMeasure measure = looking_at(step.weights(), node, node);
    const auto worth = [&](std::array<double, 2> left) {
        const std::array<double, 2> right{node[0] - left[0], node[1] - left[1]};
        return purity_of(measure, left, right);
    };
    CHECK(std::isinf(worth({30.0, 1.0})));   // below the last
    CHECK(std::isinf(worth({30.0, 10.0})));  // no lower than the node
    CHECK(std::isinf(worth({4.0, 0.5})));    // too light
    CHECK(measure.better(worth({30.0, 5.0}), worth({4.0, 0.5})));
    CHECK(!measure.better(worth({30.0, 1.0}), worth({4.0, 0.5})));
    CHECK(std::isfinite(worth({30.0, 5.0})));
    CHECK(std::isfinite(worth({30.0, 15.0})));  // the other side is carved
}

TEST("no cut between two of a chain is purer than their bound, where values are missing too") {
    std::vector<std::int64_t> scratch;
    const std::array<double, 2> known{50.0, 30.0};
    for (const double absent : {0.0, 9.0}) {
        const std::array<double, 2> node{known[0] + absent, known[1] + absent / 3};
        for (const bool is_falling : {false, true}) {
            Carving step;
            step.alpha = 12.0;
            step.is_falling = is_falling;
            const CarvingMeasure measure = looking_at(step.weights(), known, node);
            CarvingMeasure::BinaryScan low(measure, known, scratch);
            low.move(0, 10.0);
            CarvingMeasure::BinaryScan high = low;
            high.move(0, 6.0);
            high.move(1, 6.0);
            const double bound = CarvingMeasure::BinaryScan::highest_between(low, high);
            for (const std::size_t first : {0u, 1u}) {
                CarvingMeasure::BinaryScan between = low;
                for (int move = 0; move < 6; ++move) {
                    between.move(first, 1.0);
                    CHECK(!(between.value() > bound + 1e-12));
                }
            }
        }
    }
}

TEST("a chain needs two classes and a row that weighs something") {
    const std::vector<double> x{0, 1, 2};
    const Table table{.columns = {numbers(x)}, .n_rows = 3};
    const std::vector<std::int32_t> three{0, 1, 2};
    CHECK_THROWS(std::invalid_argument, carve(table, {three, 3, {}}, Plan{}, {}, {}));
    CHECK_THROWS(std::invalid_argument,
                 carved(table, {{0, 1, 0}, {0.0, 0.0, 0.0}}, 1.0, CarveOptions{}));
    const Chain alone = carved(table, {{0, 0, 0}, {}}, 1.0, CarveOptions{});
    CHECK(alone.tree.n_nodes() == 1 && alone.steps.empty());
}
