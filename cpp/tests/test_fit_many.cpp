/// Many fits in one call against one by one.
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "clearwood/fit_many.hpp"
#include "clearwood/grow.hpp"
#include "clearwood/predict.hpp"

using namespace clearwood;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t n_rows = 60;

/// Three columns that look random, of which one has gaps; classes follow the first, by and large.
struct Made {
    std::vector<double> values;
    std::vector<std::int32_t> classes;
    std::vector<double> weights;

    Made() {
        std::uint32_t state = 7;
        const auto draw = [&] { return (state = state * 1664525u + 1013904223u) >> 16; };
        for (std::size_t row = 0; row < n_rows; ++row) {
            for (std::size_t column = 0; column < 3; ++column) {
                values.push_back(draw() % 40);
            }
            classes.push_back((values[3 * row] + draw() % 16 > 26) + (draw() % 9 == 0));
            weights.push_back(1.0 + draw() % 3);
            if (draw() % 5 == 0) values[3 * row + 1] = missing;
        }
    }
    Table table() const {
        Table result{{}, n_rows};
        for (std::size_t column = 0; column < 3; ++column) {
            result.columns.emplace_back(NumericColumn{{values.data() + column, 3}});
        }
        return result;
    }
    Labels labels(bool weighted) const {
        return {classes, 3, weighted ? std::span<const double>(weights) : std::span<const double>()};
    }
};

/// Rows whose number leaves a rest of `fold` by 4 are kept out.
std::vector<RowId> without(std::size_t fold) {
    std::vector<RowId> rows;
    for (RowId row = 0; row < n_rows; ++row) {
        if (row % 4 != fold) rows.push_back(row);
    }
    return rows;
}

/// The same rows as a table of their own.
TreeArrays grown_apart(const Made& made, const std::vector<RowId>& rows, bool weighted,
                       const Plan& plan) {
    Made part;
    part.values.clear();
    part.classes.clear();
    part.weights.clear();
    for (const RowId row : rows) {
        for (std::size_t column = 0; column < 3; ++column) {
            part.values.push_back(made.values[3 * row + column]);
        }
        part.classes.push_back(made.classes[row]);
        part.weights.push_back(made.weights[row]);
    }
    Table table = part.table();
    table.n_rows = rows.size();
    return grow(table, part.labels(weighted), plan, {});
}

bool same_values(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
               return x == y || (std::isnan(x) && std::isnan(y));
           });
}

bool same(const TreeArrays& a, const TreeArrays& b) {
    return a.kind == b.kind && a.column == b.column && same_values(a.threshold, b.threshold) &&
           a.strict == b.strict && a.child_ids == b.child_ids && a.masses == b.masses &&
           a.distribution == b.distribution && a.missing_share == b.missing_share &&
           a.label == b.label && same_values(a.gain, b.gain) && a.n_rows == b.n_rows;
}

struct Folds {
    std::vector<std::vector<RowId>> rows{without(0), without(1), without(2), without(3)};
    std::vector<std::span<const RowId>> spans{rows.begin(), rows.end()};
};

void check_each_fold(const Plan& plan, bool weighted) {
    const Made made;
    const Folds folds;
    std::vector<Fit> fits;
    for (std::size_t fold = 0; fold < 4; ++fold) fits.push_back({.row_set = fold, .plan = &plan});
    const auto results = fit_many(made.table(), made.labels(weighted), folds.spans, fits,
                                  Keep::trees, 1, {});
    for (std::size_t fold = 0; fold < 4; ++fold) {
        CHECK(results[fold].tree.n_nodes() > 3);
        CHECK(same(results[fold].tree, grown_apart(made, folds.rows[fold], weighted, plan)));
    }
}

}  // namespace

TEST("each of many fits is the tree that its rows alone would give") {
    for (const CutAt cut_at : {CutAt::midpoint, CutAt::observed, CutAt::upper}) {
        Plan plan;
        plan.cut_at = cut_at;
        check_each_fold(plan, false);
        check_each_fold(plan, true);
    }
}

TEST("each of many fits is the tree of its rows alone under noise too") {
    const double sd = 2.0;
    const Noise noise{.scale = Strided<double>(&sd, 0), .cdf = NormalCdf()};
    Plan plan;
    plan.limits.max_depth = 5;
    plan.search_noise = {&noise, nullptr, &noise};
    check_each_fold(plan, true);
    plan.propagation_noise = {&noise, &noise, nullptr};
    check_each_fold(plan, true);
}

TEST("a presort that keeps values for one plan changes nothing in another") {
    const double sd = 2.0;
    const Noise noise{.scale = Strided<double>(&sd, 0), .cdf = NormalCdf()};
    const Made made;
    const Folds folds;
    Plan hard;
    Plan soft;
    soft.search_noise = {&noise, &noise, &noise};
    const std::vector<Fit> fits{{.row_set = 0, .plan = &hard}, {.row_set = 0, .plan = &soft}};
    const auto results =
        fit_many(made.table(), made.labels(false), folds.spans, fits, Keep::trees, 2, {});
    CHECK(same(results[0].tree, grown_apart(made, folds.rows[0], false, hard)));
    CHECK(same(results[1].tree, grown_apart(made, folds.rows[0], false, soft)));
}

TEST("a row named twice counts twice") {
    const Made made;
    const std::vector<RowId> twice{3, 3, 8, 9, 9, 20, 31, 44, 44, 50};
    const std::vector<std::span<const RowId>> sets{twice};
    Plan plan;
    const std::vector<Fit> fits{{.row_set = 0, .plan = &plan}};
    const auto results = fit_many(made.table(), made.labels(false), sets, fits, Keep::trees, 1, {});
    const auto& masses = results[0].tree.masses;
    CHECK(masses == std::vector<double>(masses) && masses[0] + masses[1] + masses[2] == 10.0);
    CHECK(results[0].tree.n_rows[0] == 7);
}

TEST("scores are the means over held-out rows, by any number of threads") {
    const Made made;
    const Table table = made.table();
    const Labels labels = made.labels(true);
    const Folds folds;
    Plan plan;
    plan.limits.min_samples_leaf = 4;
    const ErrorBasedOptions pruning;
    const HeldOut held_out{&table, labels};
    std::vector<Fit> fits;
    for (std::size_t i = 0; i < 40; ++i) {
        fits.push_back({.row_set = i % 4,
                        .plan = &plan,
                        .pruning = i % 8 < 4 ? &pruning : nullptr,
                        .held_out = &held_out});
    }
    const auto one = fit_many(table, labels, folds.spans, fits, Keep::probabilities, 1, {});
    const auto three = fit_many(table, labels, folds.spans, fits, Keep::probabilities, 3, {});
    for (std::size_t i = 0; i < fits.size(); ++i) {
        CHECK(one[i].probabilities == three[i].probabilities);
        CHECK(one[i].log_loss == three[i].log_loss);
    }
    CHECK(one[0].n_leaves < one[4].n_leaves);
    double right = 0.0;
    double loss = 0.0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const auto p = std::span(one[0].probabilities).subspan(3 * row, 3);
        const auto label = static_cast<std::size_t>(made.classes[row]);
        loss -= made.weights[row] * std::log(std::max(p[label], 2.220446049250313e-16));
        right += made.weights[row] *
                 (std::max_element(p.begin(), p.end()) - p.begin() == made.classes[row]);
    }
    const double total = std::accumulate(made.weights.begin(), made.weights.end(), 0.0);
    CHECK_NEAR(one[0].accuracy, right / total, 1e-12);
    CHECK_NEAR(one[0].log_loss, loss / total, 1e-12);
}

TEST("a fit that names no row set, or rows that are not there, is refused") {
    const Made made;
    const Plan plan;
    const std::vector<RowId> rows{0, 1, 60};
    const std::vector<std::span<const RowId>> sets{rows};
    const std::vector<Fit> none;
    const std::vector<Fit> second{{.row_set = 1, .plan = &plan}};
    const std::vector<std::span<const RowId>> good{std::span(rows).first(2)};
    CHECK_THROWS(std::invalid_argument,
                 fit_many(made.table(), made.labels(false), sets, none, Keep::trees, 1, {}));
    CHECK_THROWS(std::invalid_argument,
                 fit_many(made.table(), made.labels(false), good, second, Keep::trees, 1, {}));
}
