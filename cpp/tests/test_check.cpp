/// The harness itself: what it takes as near, and that it notices what is false.
#include <limits>
#include <stdexcept>

#include "check.hpp"

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Number of failures that `body` notes; they are taken back.
template <class Body>
std::size_t noted(Body body) {
    const std::size_t before = check::failures().size();
    body();
    const std::size_t count = check::failures().size() - before;
    check::failures().resize(before);
    return count;
}

}  // namespace

TEST("near is within the tolerance, which may be reached") {
    CHECK(check::near(1.0, 1.5, 0.5));
    CHECK(!check::near(1.0, 1.75, 0.5));
}

TEST("NaN is near NaN and nothing else") {
    CHECK(check::near(not_a_number, not_a_number, 0.0));
    CHECK(!check::near(not_a_number, 1.0, 1e300));
}

TEST("an infinity is near itself only") {
    CHECK(check::near(infinity, infinity, 0.0));
    CHECK(!check::near(infinity, -infinity, 1.0));
}

TEST("a false check is noted once, a true one never") {
    CHECK(noted([] { CHECK(1 + 1 == 3); }) == 1);
    CHECK(noted([] { CHECK(1 + 1 == 2); }) == 0);
    CHECK(noted([] { CHECK_NEAR(1.0, 2.0, 0.5); }) == 1);
}

TEST("an exception that does not come is noted") {
    CHECK(noted([] { CHECK_THROWS(std::invalid_argument, 1 + 1); }) == 1);
    CHECK(noted([] { CHECK_THROWS(std::invalid_argument, throw std::invalid_argument("")); }) == 0);
}
