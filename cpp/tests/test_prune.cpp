#include <cmath>
#include <limits>
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

ErrorBasedResult prune(const TreeArrays& tree, const Table& table,
                       const std::vector<std::int32_t>& classes,
                       const ErrorBasedOptions& options = {},
                       const std::vector<double>& weights = {}) {
    return error_based(view(tree), table,
                       {.classes = classes, .n_classes = tree.n_classes, .weights = weights},
                       options);
}

/// Release 8's estimate for a leaf of n rows, e of them wrong, at confidence 0.25.
double estimate(double n, double e) {
    return e + added_errors(n, e, C45Bound(0.25));
}

std::vector<double> repeated(std::initializer_list<std::pair<int, double>> runs) {
    std::vector<double> values;
    for (const auto& [times, value] : runs)
        values.insert(values.end(), static_cast<std::size_t>(times), value);
    return values;
}

std::vector<std::int32_t> classes_of(std::initializer_list<std::pair<int, int>> runs) {
    std::vector<std::int32_t> values;
    for (const auto& [times, value] : runs)
        values.insert(values.end(), static_cast<std::size_t>(times), value);
    return values;
}

}  // namespace

TEST("a split that separates the classes is kept, with the estimates of its leaves") {
    const auto x = repeated({{6, 1.0}, {6, 2.0}});
    const Table table{.columns = {numbers(x)}, .n_rows = 12};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    const auto result = prune(tree, table, classes_of({{6, 0}, {6, 1}}));
    CHECK(result.replacement == std::vector<std::int32_t>{0, 1, 2});
    CHECK_NEAR(result.estimate[0], 2 * 6 * 0.2062994740159, 1e-12);
    CHECK_NEAR(result.estimate[1], estimate(6, 0), 1e-15);
    CHECK(result.masses == std::vector<double>{6, 6, 6, 0, 0, 6});
    CHECK(result.distribution == std::vector<double>{0.5, 0.5, 1, 0, 0, 1});
    CHECK(result.n_rows == std::vector<std::int64_t>{12, 6, 6});
    CHECK(result.missing_share == std::vector<double>{0.5, 0.5});
}

TEST("a split that separates nothing becomes a leaf") {
    const auto x = repeated({{4, 1.0}, {4, 2.0}});
    const Table table{.columns = {numbers(x)}, .n_rows = 8};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(0)));
    const auto result = prune(tree, table, classes_of({{3, 0}, {1, 1}, {3, 0}, {1, 1}}));
    CHECK(result.replacement[0] == leaf_replacement);
    CHECK_NEAR(result.estimate[0], estimate(8, 2), 1e-15);
    CHECK(result.label[0] == 0);
    CHECK(result.distribution[1] == 0.25);
}

TEST("the slack decides between a leaf and a subtree that is a little better") {
    const std::vector<double> x{1, 2};
    const Table table{.columns = {numbers(x)}, .n_rows = 2};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    const double gap = estimate(2, 1) - 2 * estimate(1, 0);  // 0.296
    CHECK(prune(tree, table, {0, 1}, {.slack = gap - 0.001}).replacement[0] == 0);
    CHECK(prune(tree, table, {0, 1}, {.slack = gap + 0.001}).replacement[0] == leaf_replacement);
}

TEST("a heavy branch that does as well alone takes its parent's place and all its rows") {
    const auto x = repeated({{1, 1.0}, {12, 2.0}});
    const auto z = repeated({{7, 1.0}, {6, 2.0}});
    const Table table{.columns = {numbers(x), numbers(z)}, .n_rows = 13};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), cut(1, 1.5, leaf(0), leaf(1))));
    const auto classes = classes_of({{7, 0}, {6, 1}});
    const auto result = prune(tree, table, classes);
    CHECK(result.replacement == std::vector<std::int32_t>{2, 1, 2, 3, 4});
    CHECK_NEAR(result.estimate[2], estimate(7, 0) + estimate(6, 0), 1e-15);
    CHECK(result.masses[4] == 7.0 && result.masses[5] == 6.0);
    CHECK(result.n_rows[3] == 7);
    CHECK_NEAR(result.missing_share[2], 7.0 / 13.0, 1e-15);
    const auto kept = prune(tree, table, classes, {.raising = Raising::none});
    CHECK(kept.replacement == std::vector<std::int32_t>{0, 1, 2, 3, 4});
    CHECK_NEAR(kept.estimate[0], estimate(1, 0) + 2 * estimate(6, 0), 1e-15);
}

TEST("raising the best branch finds a lighter one that raising the heaviest does not try") {
    const auto x = repeated({{5, 1.0}, {8, 2.0}});
    const auto z = repeated({{3, 1.0}, {2, 2.0}, {4, 1.0}, {4, 2.0}});
    const Table table{.columns = {numbers(x), numbers(z)}, .n_rows = 13};
    const auto tree = hand_made::tree(2, cut(0, 1.5, cut(1, 1.5, leaf(0), leaf(1)), leaf(0)));
    const auto classes = classes_of({{3, 0}, {2, 1}, {4, 0}, {4, 1}});
    CHECK(prune(tree, table, classes).replacement[0] == 0);
    const auto best = prune(tree, table, classes, {.raising = Raising::best});
    CHECK(best.replacement[0] == 1);
    CHECK_NEAR(best.estimate[1], estimate(7, 0) + estimate(6, 0), 1e-15);
}

TEST("of two equally heavy branches the last is tried") {
    const auto x = repeated({{6, 1.0}, {6, 2.0}});
    const auto z = repeated({{3, 1.0}, {3, 2.0}, {3, 1.0}, {3, 2.0}});
    const Table table{.columns = {numbers(x), numbers(z)}, .n_rows = 12};
    const auto split = cut(1, 1.5, leaf(0), leaf(1));
    const auto tree = hand_made::tree(2, cut(0, 1.5, split, split));
    const auto result = prune(tree, table, classes_of({{3, 0}, {3, 1}, {3, 0}, {3, 1}}));
    CHECK(result.replacement[0] == 4);
}

TEST("a raised branch is pruned again with the rows it inherits") {
    // Node 4 separates its own five rows by column 2; the four that come to it do not follow it.
    const auto x = repeated({{5, 1.0}, {15, 2.0}});
    const auto y = repeated({{4, 2.0}, {11, 1.0}, {5, 2.0}});
    const auto z = repeated({{15, 2.0}, {4, 1.0}, {1, 2.0}});
    const auto classes = classes_of({{4, 0}, {11, 1}, {4, 0}, {1, 1}});
    const Table table{.columns = {numbers(x), numbers(y), numbers(z)}, .n_rows = 20};
    const auto inner = cut(1, 1.5, leaf(1), cut(2, 1.5, leaf(0), leaf(1)));
    const auto grown = prune(hand_made::tree(2, inner), table, classes, {.raising = Raising::none});
    CHECK(grown.replacement[2] == leaf_replacement);
    const auto result = prune(hand_made::tree(2, cut(0, 1.5, leaf(0), inner)), table, classes);
    CHECK(result.replacement[0] == 2);
    CHECK(result.replacement[2] == 2);
    CHECK(result.replacement[4] == leaf_replacement);
    CHECK(result.masses[8] == 8.0 && result.masses[9] == 1.0);
    CHECK_NEAR(result.estimate[2], estimate(11, 0) + estimate(9, 1), 1e-14);
}

TEST("a row with a missing value goes down each branch with its part of the known weight") {
    auto x = repeated({{8, 1.0}, {4, 2.0}, {3, missing}});
    const Table table{.columns = {numbers(x)}, .n_rows = 15};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    const auto result = prune(tree, table, classes_of({{8, 0}, {4, 1}, {3, 0}}));
    CHECK(result.replacement[0] == 0);
    CHECK_NEAR(result.masses[2], 8.0 + 3.0 * 2.0 / 3.0, 1e-14);
    CHECK_NEAR(result.masses[4], 3.0 / 3.0, 1e-15);
    CHECK_NEAR(result.masses[5], 4.0, 1e-15);
    CHECK_NEAR(result.missing_share[0], 2.0 / 3.0, 1e-15);
    CHECK(result.n_rows == std::vector<std::int64_t>{15, 11, 7});
    CHECK_NEAR(result.estimate[0], estimate(10, 0) + estimate(5, 1), 1e-14);
}

TEST("a node at which every row is missing becomes a leaf") {
    const std::vector<double> x{missing, missing, missing};
    const Table table{.columns = {numbers(x)}, .n_rows = 3};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    const auto result = prune(tree, table, {0, 1, 1});
    CHECK(result.replacement[0] == leaf_replacement);
    CHECK(result.label[0] == 1);
    CHECK_NEAR(result.estimate[0], estimate(3, 1), 1e-15);
}

TEST("a level without a branch counts as missing") {
    const std::vector<std::int32_t> x{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, missing_level};
    const Table table{.columns = {codes(x, 3)}, .n_rows = 15};
    const auto tree = hand_made::tree(2, levels(0, {1, 0, no_branch}, {leaf(0), leaf(1)}));
    const auto result = prune(tree, table, classes_of({{6, 0}, {6, 1}, {3, 0}}));
    CHECK(result.replacement[0] == 0);
    CHECK(result.masses[2] == 1.5 && result.masses[3] == 6.0);
    CHECK(result.masses[4] == 7.5 && result.masses[5] == 0.0);
    CHECK(result.label[1] == 1 && result.label[2] == 0);
}

TEST("equally heavy classes leave a node its label, or give it the lowest") {
    const std::vector<double> x{1, 1};
    const Table table{.columns = {numbers(x)}, .n_rows = 2};
    const auto tree = hand_made::tree(3, leaf(2));
    CHECK(prune(tree, table, {1, 2}).label[0] == 2);
    CHECK(prune(tree, table, {1, 2}, {.label_tie = LabelTie::lowest}).label[0] == 1);
    CHECK(prune(tree, table, {1, 1}).label[0] == 1);
}

TEST("a leaf that no row reaches has its parent's distribution or its own label") {
    const std::vector<std::int32_t> x{0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2};
    const Table table{.columns = {codes(x, 3)}, .n_rows = 12};
    const auto tree = hand_made::tree(2, levels(0, {0, 1, 2}, {leaf(0), leaf(1), leaf(1)}));
    const auto classes = classes_of({{6, 0}, {6, 1}});
    const auto by_parent = prune(tree, table, classes);
    CHECK(by_parent.distribution[4] == 0.5 && by_parent.distribution[5] == 0.5);
    CHECK(by_parent.n_rows[2] == -1);
    CHECK(by_parent.estimate[2] == 0.0);
    CHECK(by_parent.missing_share[1] == 0.0);
    const auto by_label = prune(tree, table, classes, {.empty_leaf = EmptyLeaf::label});
    CHECK(by_label.distribution[4] == 0.0 && by_label.distribution[5] == 1.0);
}

TEST("a row of weight 0 counts as absent and weights count as rows") {
    const std::vector<double> x{1, 2, 1.2, missing};
    const Table table{.columns = {numbers(x)}, .n_rows = 4};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    const auto result = prune(tree, table, {0, 1, 1, 0}, {}, {6.0, 6.0, 0.0, 0.0});
    CHECK(result.replacement[0] == 0);
    CHECK_NEAR(result.estimate[0], 2 * estimate(6, 0), 1e-15);
    CHECK(result.n_rows == std::vector<std::int64_t>{2, 1, 1});
}

TEST("without any row the tree stays as it was grown") {
    const Table table{.columns = {numbers({})}, .n_rows = 0};
    auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    tree.masses = {6, 6, 6, 0, 0, 6};
    const auto result = prune(tree, table, {});
    CHECK(result.replacement == std::vector<std::int32_t>{0, 1, 2});
    CHECK(result.masses == tree.masses);
    CHECK(result.distribution == tree.distribution);
}

TEST("Laplace's correction enters the exact bound") {
    const auto x = repeated({{6, 1.0}, {16, 2.0}});
    const Table table{.columns = {numbers(x)}, .n_rows = 22};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    const ErrorBasedOptions options{.bound = ExactBound(0.25), .laplace = true};
    const auto result = prune(tree, table, classes_of({{7, 0}, {15, 1}}), options);
    CHECK_NEAR(result.estimate[1], 6 * 0.345957, 6e-6);
    CHECK_NEAR(result.estimate[2], 16 * 0.215133, 1.6e-5);
}

TEST("single precision compares rounded values with the rounded threshold") {
    const auto x = repeated({{6, 0.1}, {6, 0.5}});
    const Table table{.columns = {numbers(x)}, .n_rows = 12};
    const double below = std::nextafter(0.1, 0.0);  // rounds to the same float, 0.100000001
    const auto tree = hand_made::tree(2, cut(0, 0.1, leaf(0), leaf(1)));
    const auto just_below = hand_made::tree(2, cut(0, below, leaf(0), leaf(1)));
    const auto classes = classes_of({{6, 0}, {6, 1}});
    CHECK(prune(tree, table, classes, {.single_precision = true}).n_rows[1] == 6);
    CHECK(prune(just_below, table, classes, {.single_precision = true}).n_rows[1] == 6);
    CHECK(prune(just_below, table, classes, {.single_precision = false}).n_rows[1] == -1);
    const auto single = prune(tree, table, classes, {.single_precision = true});
    CHECK_NEAR(single.estimate[0], 12 * 0.2062994740159, 1e-6);
    CHECK(single.estimate[0] == static_cast<float>(single.estimate[0]));
}

TEST("the weight of the leaves of a pruned tree is the weight of the rows") {
    const std::vector<double> x{1, 2, missing, 4, 5, 6, missing, 8, 9, 10, 11, 12};
    const std::vector<double> z{1, missing, 1, 2, 2, missing, 1, 2, 1, 1, 2, 2};
    const Table table{.columns = {numbers(x), numbers(z)}, .n_rows = 12};
    const auto split = cut(1, 1.5, leaf(0), leaf(1));
    const auto tree = hand_made::tree(2, cut(0, 5.5, split, split));
    const auto result = prune(tree, table, {0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0}, {.slack = -100.0});
    CHECK(result.replacement == std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6});
    double total = 0.0;
    for (const std::size_t node : {2U, 3U, 5U, 6U})
        total += result.masses[2 * node] + result.masses[2 * node + 1];
    CHECK_NEAR(total, 12.0, 1e-12);
}

TEST("a chain of 100000 conditions is pruned without deep calls") {
    const auto tree = hand_made::chain(100'000, 0.5);
    const auto x = repeated({{6, 99'999.0}, {6, 100'000.0}});
    const Table table{.columns = {numbers(x)}, .n_rows = 12};
    const auto classes = classes_of({{6, 0}, {6, 1}});
    const auto result = prune(tree, table, classes);
    std::int32_t node = 0;
    while (result.replacement[static_cast<std::size_t>(node)] > node) {
        node = result.replacement[static_cast<std::size_t>(node)];
    }
    CHECK(node == 2 * 99'999);
    CHECK_NEAR(result.estimate[static_cast<std::size_t>(node)], 2 * estimate(6, 0), 1e-15);
    const auto kept = prune(tree, table, classes, {.raising = Raising::none});
    CHECK(kept.replacement[0] == 0);
    CHECK_NEAR(kept.estimate[0], 2 * estimate(6, 0), 1e-15);
}

TEST("what does not fit together is refused") {
    const std::vector<double> x{1, 2};
    const std::vector<std::int32_t> levels_of_x{0, 1};
    const Table table{.columns = {numbers(x)}, .n_rows = 2};
    const Table nominal{.columns = {codes(levels_of_x, 2)}, .n_rows = 2};
    const auto tree = hand_made::tree(2, cut(0, 1.5, leaf(0), leaf(1)));
    CHECK_THROWS(std::invalid_argument, prune(tree, nominal, {0, 1}));
    CHECK_THROWS(InvalidTree, prune(tree, Table{.columns = {}, .n_rows = 2}, {0, 1}));
    CHECK_THROWS(std::invalid_argument, prune(tree, table, {0}));
    CHECK_THROWS(std::invalid_argument, prune(tree, table, {0, 2}));
    CHECK_THROWS(std::invalid_argument, prune(tree, table, {0, 1}, {}, {1.0, -1.0}));
    CHECK_THROWS(std::invalid_argument, prune(tree, table, {0, 1}, {}, {1.0, missing}));
}
