/// Verified trees on the eight rows of algorithms.md G.6: discernibility, witnesses, copies, votes.
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "clearwood/grow.hpp"
#include "clearwood/growth.hpp"
#include "clearwood/predict.hpp"

using namespace clearwood;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Numbers {
    std::vector<std::vector<double>> columns;

    Table table() const {
        Table table;
        for (const auto& column : columns) {
            table.columns.push_back(NumericColumn{{column.data(), 1}});
        }
        table.n_rows = columns.front().size();
        return table;
    }
};

const Numbers eight{
    {{1, 2, 3, 4, 5, 6, 7, 8}, {10, 11, 12, 19, 13, 20, 21, 22}, {9, 8, 7, 6, 3, 2, 4, 1}}};
const std::vector<std::int32_t> classes{0, 0, 0, 0, 1, 1, 1, 1};

Plan verified(std::size_t n_verifiers, double agreement) {
    Plan plan;
    plan.score = Discernibility{};
    plan.chooser = BestScore{};
    plan.grouping = Grouping::one_vs_rest;
    plan.strict = true;
    plan.limits.max_depth = 50;
    plan.verification = Verification{.n_verifiers = n_verifiers, .agreement = agreement};
    return plan;
}

TreeArrays grown(const Plan& plan, const Numbers& rows = eight) {
    return grow(rows.table(), {classes, 2, {}}, plan, {});
}

std::vector<std::int32_t> answers(const TreeArrays& tree, const Numbers& rows, Conflict conflict) {
    const WitnessArrays& w = tree.witnesses;
    const WitnessEvaluation evaluation{w.start, w.column,      w.threshold,
                                       w.level, w.is_reversed, conflict};
    const Table table = rows.table();
    std::vector<double> out(2 * table.n_rows);
    Predictor(view(tree), table.columns.size()).predict_proba(table, out, 1, evaluation);
    std::vector<std::int32_t> labels;
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        labels.push_back(out[2 * row] >= out[2 * row + 1] ? 0 : 1);
    }
    return labels;
}

}  // namespace

TEST("a cut discerns the pairs that lie on both sides") {
    const TreeArrays tree = grown(verified(0, 0.9));
    CHECK(tree.n_nodes() == 3);
    CHECK(tree.column[0] == 0);
    CHECK_NEAR(tree.threshold[0], 4.5, 0.0);
    CHECK_NEAR(tree.gain[0] * 8, 16.0, 1e-12);
    CHECK(tree.strict[0] == 1);
    CHECK(tree.witnesses.column.empty());
}

TEST("a falling column is a witness only where columns may be mirrored") {
    const TreeArrays both = grown(verified(2, 0.9));
    CHECK(both.witnesses.column == std::vector<std::int32_t>{2});
    CHECK_NEAR(both.witnesses.threshold[0], 5.0, 0.0);
    CHECK(both.witnesses.is_reversed[0] == 1);
    CHECK_NEAR(both.witnesses.agreement[0], 1.0, 0.0);
    Plan same = verified(2, 0.9);
    same.verification->mirrored = false;
    CHECK(grown(same).witnesses.column.empty());
}

TEST("a row on which a witness disagrees goes both ways") {
    const TreeArrays tree = grown(verified(2, 0.5));
    CHECK(tree.n_nodes() == 7);
    CHECK(tree.witnesses.start[1] == 2);
    CHECK(tree.witnesses.column[0] == 2);
    CHECK(tree.witnesses.column[1] == 1);
    CHECK_NEAR(tree.witnesses.threshold[1], 12.5, 0.0);
    CHECK_NEAR(tree.witnesses.agreement[1], 0.75, 1e-12);
    CHECK(tree.n_rows[1] == 4);
    CHECK(tree.n_rows[2] == 5);
}

TEST("the votes of G.6 are counted as the paper counts them") {
    const TreeArrays tree = grown(verified(2, 0.5));
    const Numbers asked{{{2, 2, 7, 2}, {20, 20, 10, 11}, {1, 9, 9, 9}}};
    CHECK((answers(tree, asked, Conflict::paper) == std::vector<std::int32_t>{1, 1, 0, 0}));
    CHECK((answers(tree, asked, Conflict::main) == std::vector<std::int32_t>{1, 0, 0, 0}));
}

TEST("where the cut's value is missing the witnesses decide, and the larger branch a tie") {
    const TreeArrays tree = grown(verified(1, 0.9));
    const Numbers asked{{{missing, missing, missing}, {0, 0, 0}, {9, 1, missing}}};
    CHECK((answers(tree, asked, Conflict::paper) == std::vector<std::int32_t>{0, 1, 0}));
}

TEST("a witness that keeps growth from getting on is dropped") {
    Plan plan = verified(2, 0.5);
    plan.verification->max_dup_fraction = 0.1;  // one row of eight is more
    CHECK(grown(plan).witnesses.column == std::vector<std::int32_t>{2});
}

TEST("a tree that is full has been grown level by level") {
    Plan plan = verified(2, 0.5);
    plan.verification->max_nodes = 5;
    const TreeArrays tree = grown(plan);
    CHECK(tree.n_nodes() == 5);
    CHECK((tree.n_rows == std::vector<std::int64_t>{8, 4, 5, 2, 4}));
}

TEST("a tree that has all its nodes is not sought deeper") {
    Plan plan = verified(2, 0.5);
    plan.verification->max_nodes = 7;
    plan.limits.max_depth = std::numeric_limits<std::int32_t>::max();
    CHECK(grown(plan).n_nodes() == 7);
}

TEST("a tree grown best first is no larger than a verified one may be") {
    Plan plan = verified(2, 0.5);
    plan.limits.max_leaf_nodes = 4;
    CHECK(grown(plan).n_nodes() == 7);
    for (const std::int32_t max_nodes : {6, 5}) {
        plan.verification->max_nodes = max_nodes;
        CHECK(grown(plan).n_nodes() == 5);
    }
}

TEST("threads find the witnesses that one finds") {
    constexpr std::size_t n_columns = 8;
    constexpr std::size_t n_rows = Growth::cells_for_threads / n_columns;
    Numbers many{std::vector(n_columns, std::vector<double>(n_rows))};
    std::vector<std::int32_t> halves(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        halves[row] = row >= n_rows / 2;
        for (std::size_t column = 0; column < n_columns; ++column) {
            // Each column moves other rows out of order, the later ones more of them.
            const std::size_t moved = row * (2 * column + 3) % 64 < column ? n_rows - row : row;
            many.columns[column][row] = static_cast<double>(moved);
        }
    }
    Plan plan = verified(5, 0.5);
    plan.limits.max_depth = 3;
    const auto witnesses = [&](unsigned n_threads) {
        plan.n_threads = n_threads;
        return grow(many.table(), {halves, 2, {}}, plan, {}).witnesses;
    };
    const WitnessArrays one = witnesses(1);
    const WitnessArrays three = witnesses(3);
    CHECK(one.start[1] == 5);
    CHECK(one.start == three.start);
    CHECK(one.column == three.column);
    CHECK(one.agreement == three.agreement);
}

TEST("masses whose squares have no room in 64 bits are not counted as whole numbers") {
    const std::vector<double> weights{2e9, 2e9};
    const std::vector<double> lighter{1e9, 1e9};
    constexpr std::size_t n_rows = std::size_t{1} << 30;
    CHECK(counting_of({{}, 2, weights}, n_rows) == Counting::real);
    CHECK(counting_of({{}, 2, lighter}, n_rows) == Counting::whole);
}

TEST("witnesses that do not fit the tree are refused") {
    const TreeArrays tree = grown(verified(1, 0.9));
    const Predictor predictor(view(tree), 3);
    std::vector<double> out(16);
    WitnessArrays wrong = tree.witnesses;
    wrong.column[0] = 7;
    CHECK_THROWS(std::invalid_argument,
                 predictor.predict_proba(
                     eight.table(), out, 1,
                     WitnessEvaluation{wrong.start, wrong.column, wrong.threshold, wrong.level,
                                       wrong.is_reversed, Conflict::paper}));
    wrong = tree.witnesses;
    wrong.start.pop_back();
    CHECK_THROWS(std::invalid_argument,
                 predictor.predict_proba(
                     eight.table(), out, 1,
                     WitnessEvaluation{wrong.start, wrong.column, wrong.threshold, wrong.level,
                                       wrong.is_reversed, Conflict::paper}));
}
