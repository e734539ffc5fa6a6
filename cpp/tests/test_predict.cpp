/// Prediction: known values, missing values, and all the ways that a table can lie in memory.
#include "clearwood/predict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "hand_made.hpp"

using namespace clearwood;
using hand_made::cut;
using hand_made::leaf;
using hand_made::levels;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Table numbers(const std::vector<double>& values) {
    return {{NumericColumn{{values.data(), 1}}}, values.size()};
}

Table codes(const std::vector<std::int32_t>& values) {
    return {{NominalColumn{{values.data(), 1}, 3}}, values.size()};
}

std::vector<std::int32_t> leaves_of(const TreeArrays& tree, const Table& table) {
    std::vector<std::int32_t> out(table.n_rows);
    Predictor(view(tree), table.columns.size()).apply(table, out);
    return out;
}

std::vector<double> probabilities_of(const TreeArrays& tree, const Table& table) {
    std::vector<double> out(table.n_rows * static_cast<std::size_t>(tree.n_classes));
    Predictor(view(tree), table.columns.size()).predict_proba(table, out);
    return out;
}

/// Node 0 cuts at 5; its leaves 1 and 2 are sure of class 0 and class 1.
TreeArrays stump() {
    return hand_made::tree(2, cut(0, 5.0, leaf(0), leaf(1)));
}

/// Node 0 sends level 0 to leaf 1, level 1 to leaf 2 and knows no branch for level 2.
TreeArrays levels_stump() {
    return hand_made::tree(2, levels(0, {0, 1, no_branch}, {leaf(0), leaf(1)}));
}

/// Node 0 cuts at 0 (leaf 1), node 2 at 10 (leaves 3 and 4), of the same column.
TreeArrays two_cuts() {
    return hand_made::tree(3, cut(0, 0.0, leaf(0), cut(0, 10.0, leaf(1), leaf(2))));
}

}  // namespace

TEST("a value equal to the threshold goes to the first branch of a cut") {
    const std::vector<double> x{4.0, 5.0, std::nextafter(5.0, 6.0), 6.0};
    CHECK(leaves_of(stump(), numbers(x)) == std::vector<std::int32_t>{1, 1, 2, 2});
}

TEST("a value equal to the threshold goes to the second branch of a strict cut") {
    TreeArrays tree = stump();
    tree.strict[0] = 1;
    const std::vector<double> x{4.0, std::nextafter(5.0, 4.0), 5.0, 6.0};
    CHECK(leaves_of(tree, numbers(x)) == std::vector<std::int32_t>{1, 1, 2, 2});
}

TEST("a strict cut at zero sends both zeros to its second branch") {
    TreeArrays tree = stump();
    tree.strict[0] = 1;
    tree.threshold[0] = 0.0;
    const std::vector<double> x{-0.0, 0.0, -std::numeric_limits<double>::denorm_min()};
    CHECK(leaves_of(tree, numbers(x)) == std::vector<std::int32_t>{2, 2, 1});
}

TEST("a missing value is spread by the shares of the branches") {
    TreeArrays tree = stump();
    tree.missing_share = {0.25, 0.75};
    const std::vector<double> x{missing};
    const auto p = probabilities_of(tree, numbers(x));
    CHECK_NEAR(p[0], 0.25, 0.0);
    CHECK_NEAR(p[1], 0.75, 0.0);
}

TEST("shares that do not sum to 1 still give probabilities that do") {
    TreeArrays tree = stump();
    tree.missing_share = {1.0, 3.0};
    const std::vector<double> x{missing};
    const auto p = probabilities_of(tree, numbers(x));
    CHECK_NEAR(p[0], 0.25, 0.0);
    CHECK_NEAR(p[1], 0.75, 0.0);
}

TEST("a branch with share 0 is not entered by a missing value") {
    TreeArrays tree = two_cuts();
    tree.missing_share = {0.0, 1.0, 0.5, 0.5};
    const std::vector<double> x{missing};
    const Table table = numbers(x);
    const RowNodes path = Predictor(view(tree), 1).decision_path(table);
    CHECK(path.nodes == std::vector<std::int32_t>{0, 2, 3, 4});
    CHECK(path.row_start == std::vector<std::int64_t>{0, 4});
}

TEST("a row ends in the node itself where all its shares are 0") {
    TreeArrays tree = two_cuts();
    tree.missing_share = {0.0, 1.0, 0.0, 0.0};
    tree.distribution = {0, 0, 0, 0, 0, 0, 0.2, 0.3, 0.5, 0, 0, 0, 0, 0, 0};
    const std::vector<double> x{missing};
    const auto p = probabilities_of(tree, numbers(x));
    CHECK_NEAR(p[0], 0.2, 0.0);
    CHECK_NEAR(p[2], 0.5, 0.0);
    CHECK(leaves_of(tree, numbers(x)) == std::vector<std::int32_t>{2});
}

TEST("shares multiply on the way down") {
    TreeArrays tree = two_cuts();
    tree.missing_share = {0.5, 0.5, 0.25, 0.75};
    const std::vector<double> x{missing, 3.0};
    const Table table = numbers(x);
    const RowLeaves rows = Predictor(view(tree), 1).leaf_weights(table);
    CHECK(rows.leaves.row_start == std::vector<std::int64_t>{0, 3, 4});
    CHECK(rows.leaves.nodes == std::vector<std::int32_t>{1, 3, 4, 3});
    CHECK(rows.shares == std::vector<double>{0.5, 0.125, 0.375, 1.0});
}

TEST("apply gives the leaf with the largest share, and the first of equals") {
    TreeArrays tree = two_cuts();
    const std::vector<double> x{missing};
    tree.missing_share = {0.25, 0.75, 0.25, 0.75};
    CHECK(leaves_of(tree, numbers(x)) == std::vector<std::int32_t>{4});
    tree.missing_share = {0.5, 0.5, 1.0, 0.0};
    CHECK(leaves_of(tree, numbers(x)) == std::vector<std::int32_t>{1});
}

TEST("a level follows its branch; missing, unseen and branchless levels are spread") {
    const std::vector<std::int32_t> x{0, 1, 2, 7, missing_level, -5};
    const auto p = probabilities_of(levels_stump(), codes(x));
    CHECK(p == std::vector<double>{1, 0, 0, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
}

TEST("eight rows side by side end where each ends alone, with cuts and levels mixed") {
    const TreeArrays tree = hand_made::tree(
        4, levels(1, {0, 1, 1}, {cut(0, 3.0, leaf(0), cut(0, 6.0, leaf(1), leaf(2))), leaf(3)}));
    std::vector<double> x;
    std::vector<std::int32_t> site;
    for (std::int32_t row = 0; row < 37; ++row) {
        x.push_back(row % 5 == 4 ? missing : row % 9);
        site.push_back(row % 4 - 1);
    }
    const auto table_of = [&](std::size_t first, std::size_t n_rows) {
        return Table{{NumericColumn{{&x[first], 1}}, NominalColumn{{&site[first], 1}, 3}}, n_rows};
    };
    const auto together = leaves_of(tree, table_of(0, x.size()));
    for (std::size_t row = 0; row < x.size(); ++row)
        CHECK(leaves_of(tree, table_of(row, 1)).front() == together[row]);
    CHECK(together[1] == 2);  // x is 1, the site 0
    CHECK(together[2] == 6);  // the site 1
}

TEST("a tree of one leaf asks nothing") {
    const std::vector<double> x{1.0, missing};
    CHECK(probabilities_of(hand_made::tree(2, leaf(1)), numbers(x)) ==
          std::vector<double>{0, 1, 0, 1});
}

TEST("an empty table gives nothing") {
    CHECK(probabilities_of(stump(), numbers({})).empty());
    const RowNodes path = Predictor(view(stump()), 1).decision_path(numbers({}));
    CHECK(path.row_start == std::vector<std::int64_t>{0});
}

TEST("a chain of 100,000 cuts is followed to its end, and along all its branches") {
    constexpr std::int32_t n_cuts = 100'000;
    TreeArrays tree = hand_made::chain(n_cuts, 0.0);
    for (std::size_t branch = 0; branch < tree.missing_share.size(); ++branch)
        tree.missing_share[branch] = branch % 2 == 0 ? 1e-5 : 1.0 - 1e-5;
    const std::vector<double> x{1e9, missing};
    const RowNodes path = Predictor(view(tree), 1).decision_path(numbers(x));
    CHECK(path.row_start[1] == n_cuts + 1);
    CHECK(path.row_start[2] - path.row_start[1] == tree.n_nodes());
    CHECK(std::is_sorted(path.nodes.begin() + n_cuts + 1, path.nodes.end()));
    CHECK(leaves_of(tree, numbers(x))[0] == 2 * n_cuts);
}

TEST("finite numbers that overflow when added up are no missing values") {
    constexpr double huge = std::numeric_limits<double>::max();
    TreeArrays tree = hand_made::tree(
        3, cut(0, 0.0, leaf(0), cut(0, 10.0, leaf(1), cut(1, 0.0, leaf(0), leaf(2)))));
    const std::vector<double> x{huge};
    const std::vector<double> y{-huge};
    const Table table{{NumericColumn{{x.data(), 1}}, NumericColumn{{y.data(), 1}}}, 1};
    CHECK(leaves_of(tree, table) == std::vector<std::int32_t>{5});
}

TEST("matrices of any strides give what the table of their columns gives") {
    const std::vector<double> x{1, 9, 2, 7, 8, 3};
    const std::vector<double> expected{1, 0, 1, 0, 0, 1};  // rows 1, 2 and 8
    const Predictor predictor(view(stump()), 1);
    std::vector<double> out(6);
    predictor.predict_proba(Matrix{x.data(), 3, 1, 2, 1}, out);
    CHECK(out == expected);
    predictor.predict_proba(Matrix{x.data() + 4, 3, 1, -2, 1}, out);
    CHECK(out == std::vector<double>{0, 1, 1, 0, 1, 0});
}

TEST("the number of threads changes nothing") {
    TreeArrays tree = two_cuts();
    tree.missing_share = {0.125, 0.875, 0.5, 0.5};
    std::vector<double> x;
    for (int row = 0; row < 5000; ++row) x.push_back(row % 7 == 0 ? missing : row % 23 - 5);
    const Table table = numbers(x);
    const Predictor predictor(view(tree), 1);
    std::vector<double> one(3 * x.size());
    std::vector<double> four(3 * x.size());
    predictor.predict_proba(table, one, 1);
    predictor.predict_proba(table, four, 4);
    CHECK(one == four);
    CHECK(predictor.decision_path(table, 1).row_start ==
          predictor.decision_path(table, 4).row_start);
    CHECK(predictor.decision_path(table, 1).nodes == predictor.decision_path(table, 4).nodes);
    CHECK(predictor.leaf_weights(table, 1).shares == predictor.leaf_weights(table, 4).shares);
}

TEST("a table or room that does not fit the tree is refused") {
    const std::vector<double> x{1.0};
    const std::vector<std::int32_t> code{1};
    const Predictor predictor(view(stump()), 1);
    std::vector<double> out(2);
    CHECK_THROWS(std::invalid_argument, predictor.predict_proba(codes(code), out));
    CHECK_THROWS(std::invalid_argument, predictor.predict_proba(Table{{}, 1}, out));
    CHECK_THROWS(std::invalid_argument, predictor.predict_proba(numbers(x), out, 0));
    CHECK_THROWS(std::invalid_argument,
                 predictor.predict_proba(numbers(x), std::span(out).first(1)));
    CHECK_THROWS(std::invalid_argument,
                 Predictor(view(levels_stump()), 1).predict_proba(numbers(x), out));
    CHECK_THROWS(
        std::invalid_argument,
        Predictor(view(levels_stump()), 1).predict_proba(Matrix{x.data(), 1, 1, 1, 1}, out));
}

TEST("a column both cut and mapped by level is refused") {
    const TreeArrays tree = hand_made::tree(2, cut(0, 1.0, levels(0, {0}, {leaf(0)}), leaf(1)));
    CHECK_THROWS(InvalidTree, Predictor(view(tree), 1));
}

TEST("an infinite value is found wherever it stands") {
    for (const double infinite : {infinity, -infinity}) {
        for (std::size_t place = 0; place < 12; ++place) {
            std::vector<double> x(12, missing);
            x[place] = infinite;
            for (const Matrix matrix :
                 {Matrix{x.data(), 3, 4, 4, 1}, Matrix{x.data(), 4, 3, 1, 4}}) {
                CHECK_THROWS(InfiniteValue, check_finite(matrix));
                CHECK_THROWS(InfiniteValue, check_finite(Matrix{&x[11], 1, 12, 0, -1}));
            }
        }
    }
    try {
        const std::vector<double> x{0.0, 1.0, 2.0, 3.0, infinity, 5.0};
        check_finite({x.data(), 2, 3, 3, 1});
    } catch (const InfiniteValue& found) {
        CHECK(found.row == 1 && found.column == 1);
    }
}

TEST("the largest numbers, NaN of either sign and values beside the matrix are not infinite") {
    const std::vector<double> x{std::numeric_limits<double>::max(),    -missing, missing, infinity,
                                std::numeric_limits<double>::lowest(), 0.0,      -0.0,    infinity};
    check_finite({x.data(), 2, 3, 4, 1});
    CHECK_THROWS(InfiniteValue, check_finite({x.data(), 2, 4, 4, 1}));
}
