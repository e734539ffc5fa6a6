/// C4.5's value grouping on tables small enough to follow by hand.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "clearwood/c45_groups.hpp"

using namespace clearwood;

namespace {

using Branches = std::vector<std::int32_t>;

/// Masses of two or three classes, a row for each level.
struct Masses {
    std::vector<double> values;
    std::size_t n_classes;
};

template <class Real = double>
GroupedLevels groups(const Masses& masses, double missing = 0.0, double minimum = 2.0,
                     bool by_gain = false) {
    return c45_groups<Real>(masses.values, masses.n_classes, missing, minimum, by_gain);
}

double entropy(double a, double b) {
    const double p = a / (a + b);
    return -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

const Masses pure{{4, 0, 4, 0, 0, 4, 0, 4}, 2};
const Masses one_class_each{{8, 0, 0, 0, 8, 0, 0, 0, 8}, 3};

}  // namespace

TEST("levels of the same one class share a branch") {
    const auto found = groups(pure);
    CHECK(found.available);
    CHECK(found.branch_of_level == Branches{0, 0, 1, 1});
    CHECK(found.n_branches == 2);
    CHECK_NEAR(found.gain, 1.0, 1e-12);
    CHECK_NEAR(found.info, 1.0, 1e-12);
}

TEST("a missing value takes its share off the gain and is a category of the split information") {
    const auto found = groups(pure, 8.0);
    CHECK_NEAR(found.gain, 16.0 / 24.0, 1e-12);
    CHECK_NEAR(found.info, std::log2(3.0), 1e-12);
}

TEST("groups stay apart where merging does not raise the gain ratio") {
    const auto found = groups(one_class_each);
    CHECK(found.branch_of_level == Branches{0, 1, 2});
    CHECK_NEAR(found.gain, std::log2(3.0), 1e-12);
    CHECK_NEAR(found.info, std::log2(3.0), 1e-12);
}

TEST("by gain the climb ends with two groups, and the last of equal merges wins") {
    const auto found = groups(one_class_each, 0.0, 2.0, true);
    CHECK(found.branch_of_level == Branches{0, 1, 1});
    CHECK_NEAR(found.gain, std::log2(3.0) - 2.0 / 3.0, 1e-12);
}

TEST("a merge takes its group's place and the last group moves into the gap") {
    // a and b are pure: ab, d, c. Then ab + d: 0.406 / 0.779 beats the 0.653 / 1.526 of three.
    const auto found = groups({{3, 0, 3, 0, 0, 3, 2, 2}, 2});
    CHECK(found.branch_of_level == Branches{0, 0, 1, 0});
    CHECK_NEAR(found.gain, entropy(8, 5) - 10.0 / 13.0 * entropy(8, 2), 1e-12);
    CHECK_NEAR(found.info, entropy(10, 3), 1e-12);
}

TEST("levels that hardly occur share the last branch") {
    const auto found = groups({{0, 0, 4, 0, 0, 0.5, 0, 4}, 2});
    CHECK(found.available);
    CHECK(found.branch_of_level == Branches{2, 0, 2, 1});
    CHECK(found.n_branches == 3);
}

TEST("the heaviest group takes no part while fewer than three groups are heavy enough") {
    const auto found = groups({{6, 4, 1, 2, 2, 1, 1, 2}, 2}, 0.0, 5.0);
    const auto alone = found.branch_of_level[0];
    CHECK(found.branch_of_level[1] != alone);
    CHECK(found.branch_of_level[2] != alone);
    CHECK(found.branch_of_level[3] != alone);
}

TEST("no grouping is available without two groups that are heavy enough") {
    CHECK(!groups(pure, 0.0, 9.0).available);
    CHECK(groups(pure, 0.0, 8.0).available);
}

TEST("no grouping is available where no value is known") {
    CHECK(!groups({{0, 0, 0, 0, 0, 0}, 2}, 7.0).available);
}

TEST("no grouping is available where levels tell nothing of the class") {
    CHECK(!groups({{2, 2, 2, 2, 2, 2}, 2}).available);
    CHECK(!groups<float>({{2, 2, 2, 2, 2, 2}, 2}).available);
}

TEST("single precision agrees with double up to its rounding") {
    const Masses masses{{5, 1, 3, 4, 1, 6, 2, 2, 7, 3, 4, 9}, 2};
    const auto exact = groups(masses, 3.0);
    const auto rounded = groups<float>(masses, 3.0);
    CHECK(rounded.branch_of_level == exact.branch_of_level);
    CHECK_NEAR(rounded.gain, exact.gain, 1e-6);
    CHECK_NEAR(rounded.info, exact.info, 1e-6);
}
