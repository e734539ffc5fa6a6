/// A table only borrows: what its views read.
#include <array>
#include <vector>

#include "check.hpp"
#include "clearwood/table.hpp"

using namespace clearwood;

TEST("a strided view reads every third element") {
    const std::array<double, 7> values{0, 1, 2, 3, 4, 5, 6};
    const Strided<double> view(values.data() + 1, 3);
    CHECK(view[0] == 1.0);
    CHECK(view[1] == 4.0);
}

TEST("a negative stride reads backwards") {
    const std::array<std::int32_t, 3> codes{7, 8, 9};
    const Strided<std::int32_t> view(codes.data() + 2, -1);
    CHECK(view[0] == 9);
    CHECK(view[2] == 7);
}

TEST("a table tells numeric from nominal columns") {
    const Table table{{NumericColumn{}, NominalColumn{{}, 4}}, 0};
    CHECK(table.numeric(0) != nullptr);
    CHECK(table.nominal(0) == nullptr);
    CHECK(table.nominal(1)->n_levels == 4);
}

TEST("rows weigh 1 where no weights are given") {
    const std::vector<std::int32_t> classes{0, 1};
    const std::vector<double> weights{0.5, 2.0};
    CHECK(Labels{classes, 2, {}}.weight(1) == 1.0);
    CHECK((Labels{classes, 2, weights}.weight(1) == 2.0));
}
