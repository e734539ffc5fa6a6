#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "clearwood/depth_two.hpp"
#include "hand_made.hpp"

using namespace clearwood;
using hand_made::codes;
using hand_made::numbers;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

DepthTwoTree best(const Table& table, const std::vector<std::int32_t>& classes,
                  std::int32_t n_classes = 2, const std::vector<double>& weights = {}) {
    return optimal_depth_two(table,
                             {.classes = classes, .n_classes = n_classes, .weights = weights});
}

}  // namespace

TEST("exclusive or, in which no first cut gains anything, is solved without an error") {
    const std::vector<double> x{0, 0, 1, 1, 0, 1};
    const std::vector<double> z{0, 1, 0, 1, 1, 1};
    const Table table{.columns = {numbers(x), numbers(z)}, .n_rows = 6};
    const DepthTwoTree tree = best(table, {0, 1, 1, 0, 1, 0});
    CHECK(tree.errors == 0.0);
    CHECK(tree.root.column == 0);
    CHECK(tree.root.threshold == 0.5);
    CHECK(tree.branches[0].column == 1 && tree.branches[1].column == 1);
}

TEST("a table of one class is a leaf") {
    const std::vector<double> x{0, 1, 2};
    const Table table{.columns = {numbers(x)}, .n_rows = 3};
    const DepthTwoTree tree = best(table, {1, 1, 1});
    CHECK(tree.root.column == -1);
    CHECK(tree.branches.empty());
    CHECK(tree.errors == 0.0);
}

TEST("a branch that needs no condition is a leaf") {
    const std::vector<double> x{0, 1, 2, 3};
    const Table table{.columns = {numbers(x)}, .n_rows = 4};
    const DepthTwoTree tree = best(table, {0, 0, 1, 0});
    CHECK(tree.errors == 0.0);
    CHECK(tree.root.threshold == 1.5);
    CHECK(tree.branches[0].column == -1);
    CHECK(tree.branches[1].threshold == 2.5);
}

TEST("a nominal root has a branch for each level, each with a condition of its own") {
    const std::vector<std::int32_t> site{0, 0, 1, 1, 2, 2};
    const std::vector<double> x{1, 2, 1, 2, 1, 2};
    const Table table{.columns = {codes(site, 3), numbers(x)}, .n_rows = 6};
    const DepthTwoTree tree = best(table, {0, 1, 1, 0, 1, 1});
    CHECK(tree.errors == 0.0);
    CHECK(tree.root.column == 0);
    CHECK(tree.branches.size() == 3);
    CHECK(tree.branches[0].threshold == 1.5);
    CHECK(tree.branches[2].column == -1);
}

TEST("missing values go to the branch where they do least harm") {
    const std::vector<double> x{0, 0, 0, 1, 1, 1, missing, missing};
    const Table table{.columns = {numbers(x)}, .n_rows = 8};
    const DepthTwoTree tree = best(table, {0, 0, 0, 1, 1, 1, 1, 1});
    CHECK(tree.errors == 0.0);
    CHECK(tree.root.missing == 1);
    CHECK(tree.root.threshold == 0.5);
}

TEST("missing values may have a branch of their own") {
    const std::vector<double> x{1, 2, 3, missing, missing};
    const Table table{.columns = {numbers(x)}, .n_rows = 5};
    const DepthTwoTree tree = best(table, {0, 0, 0, 1, 1});
    CHECK(tree.errors == 0.0);
    CHECK(tree.root.missing == 1);
    CHECK(tree.root.threshold == 3.0);
    CHECK(tree.branches[1].column == -1);
}

TEST("weights count as rows, and rows of weight 0 not at all") {
    const std::vector<double> x{0, 1, 2, 3};
    const Table table{.columns = {numbers(x)}, .n_rows = 4};
    const DepthTwoTree tree = best(table, {0, 1, 0, 1}, 2, {2.5, 0.0, 1.0, 4.0});
    CHECK(tree.errors == 0.0);
    CHECK(tree.root.threshold == 2.5);
}

TEST("labels that do not fit the table are refused") {
    const std::vector<double> x{0, 1};
    const Table table{.columns = {numbers(x)}, .n_rows = 2};
    CHECK_THROWS(std::invalid_argument, best(table, {0}));
}

TEST("a nominal column of one level is no condition") {
    const std::vector<std::int32_t> site{0, -1};
    const std::vector<double> x{0, missing};
    const Table table{.columns = {codes(site, 1), numbers(x)}, .n_rows = 2};
    const DepthTwoTree tree = best(table, {1, 0});
    CHECK(tree.errors == 0.0);
    CHECK(tree.root.column == 1);
}
