/// The search over sample points (UDT): its worked example, and that its bounds change nothing.
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "clearwood/grow.hpp"

using namespace clearwood;

namespace {

std::vector<double> uniform_points(std::size_t count) {
    std::vector<double> points;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back((2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(count) - 1.0);
    }
    return points;
}

/// A column whose values are uniform within `half` of what was read.
struct Uncertain {
    std::vector<std::vector<double>> columns;
    std::vector<std::int32_t> classes;
    double half = 0.0;
    std::size_t n_points = 40;

    TreeArrays grown(SampledBounds bounds, Effort& effort, std::int32_t max_depth = 6) const {
        Table table;
        table.n_rows = classes.size();
        Noise noise;
        noise.scale = {&half, 0};
        noise.cdf = PointsCdf(uniform_points(n_points));
        Plan plan;
        plan.score = InformationGain{};
        plan.chooser = BestScore{};
        plan.sampled_bounds = bounds;
        plan.joint_gates = true;
        plan.limits.max_depth = max_depth;
        plan.limits.min_samples_leaf = 0.5;
        for (const auto& column : columns) {
            table.columns.push_back(NumericColumn{{column.data(), 1}});
            plan.search_noise.push_back(&noise);
            plan.propagation_noise.push_back(&noise);
        }
        return grow(table, {classes, 2, {}}, plan, {}, &effort);
    }
};

std::uint32_t next(std::uint32_t& state) {
    return state = state * 1664525u + 1013904223u;
}

Uncertain random_table(std::uint32_t seed) {
    Uncertain data{{{}, {}, {}}, {}, 0.6};
    for (int row = 0; row < 40; ++row) {
        data.classes.push_back(static_cast<std::int32_t>(next(seed) >> 31));
        for (auto& column : data.columns) {
            const double noise = static_cast<double>(next(seed) >> 16) / 65536.0;
            column.push_back(noise * 6.0 + data.classes.back());
        }
    }
    return data;
}

}  // namespace

TEST("every bound gives the tree of the exhaustive search, for less work") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const Uncertain data = random_table(seed);
        Effort all;
        const TreeArrays exhaustive = data.grown(SampledBounds::none, all);
        CHECK(exhaustive.n_nodes() > 5);
        std::uint64_t before = all.evaluations;
        for (const SampledBounds bounds : {SampledBounds::homogeneous, SampledBounds::local,
                                           SampledBounds::global, SampledBounds::end_points}) {
            Effort effort;
            const TreeArrays bounded = data.grown(bounds, effort);
            CHECK(bounded.kind == exhaustive.kind);
            CHECK(bounded.column == exhaustive.column);
            for (std::size_t i = 0; i < bounded.kind.size() && i < exhaustive.kind.size(); ++i) {
                CHECK_NEAR(bounded.threshold[i], exhaustive.threshold[i], 0.0);
            }
            CHECK(effort.evaluations <= before);
            if (bounds != SampledBounds::global) before = effort.evaluations;
        }
    }
}

TEST("masses at a sample point are the parts of the rows below it") {
    Uncertain data;
    data.columns.push_back({1, 2, 3, 5});
    data.classes = {0, 0, 1, 1};
    data.half = 1.0;
    data.n_points = 100;
    Effort effort;
    const TreeArrays tree = data.grown(SampledBounds::none, effort, 1);
    CHECK(effort.evaluations > 100);
    CHECK_NEAR(tree.threshold[0], 1.99, 1e-9);
    CHECK_NEAR(tree.gain[0], 0.548795, 1.5e-6);
    CHECK_NEAR(tree.masses[2], 1.5, 1e-9);
    CHECK_NEAR(tree.masses[4], 0.5, 1e-9);
}
