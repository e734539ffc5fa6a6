/// Soft search and soft propagation on tables small enough to work by hand (algorithms.md A, B).
#include <cmath>
#include <vector>

#include "check.hpp"
#include "clearwood/blurred.hpp"
#include "clearwood/grow.hpp"
#include "clearwood/presort.hpp"

using namespace clearwood;

namespace {

struct Noisy {
    std::vector<double> values;
    std::vector<std::int32_t> classes;
    double sd;
    std::vector<double> weights{};
    Noise noise{};

    Table table() const { return {{NumericColumn{{values.data(), 1}}}, values.size()}; }
    Labels labels() const { return {classes, 2, weights}; }
    NoiseModel model() {
        noise.scale = {&sd, 0};
        noise.cdf = NormalCdf();
        return {&noise};
    }
};

Plan gain_plan() {
    Plan plan;
    plan.score = InformationGain{};
    plan.chooser = BestScore{};
    return plan;
}

TreeArrays soft_searched(Noisy data, Plan plan) {
    plan.search_noise = data.model();
    return grow(data.table(), data.labels(), plan, {});
}

TreeArrays soft_propagated(Noisy data, Plan plan) {
    plan.propagation_noise = data.model();
    return grow(data.table(), data.labels(), plan, {});
}

const Noisy six{{1, 2, 3, 4, 5, 6}, {0, 0, 1, 0, 1, 1}, 0.5};
const Noisy toy{{-2, -2, 2, 2}, {0, 0, 1, 1}, 1.0};

}  // namespace

TEST("soft search finds the best of the paper's grid") {
    Plan plan = gain_plan();
    plan.soft_search.one_grid = true;
    plan.limits.max_depth = 1;
    const TreeArrays tree = soft_searched(six, plan);
    CHECK_NEAR(tree.threshold[0], 2.3, 1e-9);
    CHECK_NEAR(tree.gain[0], 0.300181, 1.5e-6);
}

TEST("release 8 penalty leaves the soft search without a split") {
    Plan plan = gain_plan();
    plan.penalty = true;
    CHECK(soft_searched(six, plan).n_nodes() == 1);
}

TEST("soft search of two clusters takes the middle") {
    for (const auto& [sd, gain] : {std::pair{0.5, 0.999481}, {1.0, 0.843385}, {2.0, 0.368917}}) {
        Noisy data = toy;
        data.sd = sd;
        Plan plan = gain_plan();
        plan.soft_search.window = 12.0;  // the worked numbers know no window
        plan.limits.max_depth = 1;
        const TreeArrays tree = soft_searched(data, plan);
        CHECK_NEAR(tree.threshold[0], 0.0, 1e-6);
        CHECK_NEAR(tree.gain[0], gain, 1.5e-6);
    }
}

TEST("little noise gives the hard midpoint") {
    for (const double sd : {1e-3, 1e-6, 1e-9}) {
        Noisy data = toy;
        data.sd = sd;
        CHECK_NEAR(soft_searched(data, gain_plan()).threshold[0], 0.0, 1e-12);
    }
}

TEST("weights count in the soft search") {
    Noisy data = six;
    data.weights = {1, 0.5, 0.25, 1, 0.5, 1};
    Plan plan = gain_plan();
    plan.search_noise = data.model();
    plan.limits.min_samples_leaf = 0.01;
    const Table table = data.table();
    const Labels labels = data.labels();
    Watch watch({});
    SortedRows sorted;
    const Presort presorted = presort(table, labels, 1, watch, sorted);
    std::vector<std::span<Entry>> orders{sorted.orders[0]};
    std::vector<double> masses{2.5, 1.75};
    const Rows rows{sorted.entries, orders, masses, 4.25, Counting::real, false};
    const EntropyTable none;
    const NodeContext node{table, presorted, plan, rows, none, data.weights, 2, 0.01};
    BlurredMasses blurred(node, 0);
    std::vector<double> left(2);
    blurred.below(3.5, left);
    CHECK_NEAR(left[0], 1.658655, 1.5e-6);
    CHECK_NEAR(left[1], 0.210336, 1.5e-6);
}

TEST("soft propagation divides rows by their gates") {
    Plan plan = gain_plan();
    plan.limits.max_depth = 1;
    Noisy data{{-2, 2}, {0, 1}, 1.0};
    const TreeArrays tree = soft_propagated(data, plan);
    CHECK_NEAR(tree.masses[2], 0.977250, 1e-6);
    CHECK_NEAR(tree.masses[3], 0.022750, 1e-6);
    CHECK_NEAR(tree.masses[2] + tree.masses[4], 1.0, 1e-12);
}

TEST("a cut lies strictly inside what the cuts above leave") {
    Noisy data{{-2, -1, 0, 1, 2, 3, 4, 5}, {0, 0, 1, 0, 1, 1, 0, 1}, 1.5};
    Plan plan = gain_plan();
    plan.limits.min_samples_leaf = 0.5;
    plan.limits.min_samples_split = 1.0;
    plan.limits.max_depth = 25;
    const TreeArrays tree = soft_propagated(data, plan);
    std::vector<double> lower(tree.kind.size(), -HUGE_VAL), upper(tree.kind.size(), HUGE_VAL);
    CHECK(tree.n_nodes() > 3);
    for (std::size_t node = 0; node < tree.kind.size(); ++node) {
        if (tree.kind[node] == 0) continue;
        CHECK(lower[node] < tree.threshold[node]);
        CHECK(tree.threshold[node] < upper[node]);
        for (int b = 0; b < 2; ++b) {
            const auto child = static_cast<std::size_t>(
                tree.child_ids[static_cast<std::size_t>(tree.child_start[node] + b)]);
            lower[child] = b == 0 ? lower[node] : tree.threshold[node];
            upper[child] = b == 0 ? tree.threshold[node] : upper[node];
        }
    }
}

TEST("children of a soft split share out all mass") {
    Noisy data{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 0, 1, 0, 1, 1, 1, 1}, 0.7};
    Plan plan = gain_plan();
    plan.limits.min_samples_leaf = 0.5;
    plan.limits.max_depth = 6;
    const TreeArrays tree = soft_propagated(data, plan);
    for (std::size_t node = 0; node < tree.kind.size(); ++node) {
        if (tree.kind[node] == 0) continue;
        for (std::size_t k = 0; k < 2; ++k) {
            double sum = 0.0;
            for (int b = 0; b < 2; ++b) {
                const auto child = static_cast<std::size_t>(
                    tree.child_ids[static_cast<std::size_t>(tree.child_start[node] + b)]);
                sum += tree.masses[child * 2 + k];
            }
            CHECK_NEAR(sum, tree.masses[node * 2 + k], 1e-9);
        }
    }
}
