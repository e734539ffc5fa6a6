/// Orders of a column are held to a stable comparison sort, parts of an order to a plain filter.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "clearwood/rows.hpp"
#include "clearwood/sort.hpp"

using namespace clearwood;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::vector<RowId> sorted_plainly(const std::vector<double>& values,
                                  const std::vector<RowId>& rows) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isnan(values[i])) {
            places.push_back(i);
        }
    }
    std::ranges::stable_sort(places, {}, [&](std::size_t i) { return values[i]; });
    std::vector<RowId> order;
    for (const std::size_t i : places) {
        order.push_back(rows[i]);
    }
    return order;
}

std::vector<RowId> every_third(std::size_t count) {
    std::vector<RowId> rows;
    for (std::size_t i = 0; i < count; ++i) {
        rows.push_back(static_cast<RowId>(3 * i + 1));
    }
    return rows;
}

void check_sorts(const std::vector<double>& values) {
    const auto rows = every_third(values.size());
    std::vector<RowId> order;
    SortScratch scratch;
    sort_known(values, rows, order, scratch);
    CHECK(order == sorted_plainly(values, rows));
}

template <class Draw>
std::vector<double> drawn(std::size_t count, Draw draw) {
    std::vector<double> values(count);
    std::ranges::generate(values, draw);
    return values;
}

}  // namespace

TEST("a column of any length is sorted by value, then by row, without its missing values") {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (const std::size_t count : {0u, 1u, 2u, 48u, 49u, 700u, 5000u, 70'000u}) {
        check_sorts(drawn(count, [&] { return normal(random); }));
        check_sorts(drawn(count, [&] { return std::floor(3 * normal(random)); }));
        check_sorts(drawn(count, [&] { return random() % 4 == 0 ? missing : normal(random); }));
        check_sorts(std::vector<double>(count, missing));
    }
}

TEST("values crowded into a small part of the range are sorted exactly") {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    auto values = drawn(3000, [&] { return 1.0 + 1e-9 * normal(random); });
    values.push_back(1e300);
    check_sorts(values);
}

TEST("a range beyond the largest number is sorted exactly") {
    check_sorts({1e308, -1e308, 0.0, -0.0, 5e-324, 0.0, 1e308, -5e-324, missing, 3.0});
    std::mt19937 random(13);
    check_sorts(drawn(200, [&] { return (random() % 2 == 0 ? 1.7e308 : -1.7e308); }));
    check_sorts(drawn(200, [&] { return 5e-324 * static_cast<double>(random() % 5); }));
}

TEST("the parts of an order keep its order, and rows of every branch stand in each") {
    std::mt19937 random(17);
    const EntryCode code = EntryCode::for_sizes(500, 2);
    for (const std::size_t n_branches : {2u, 3u}) {
        for (const bool with_missing : {false, true}) {
            std::vector<Branch> branch_of_row(500);
            for (Branch& branch : branch_of_row) {
                branch = with_missing && random() % 5 == 0
                             ? every_branch
                             : static_cast<Branch>(random() % n_branches);
            }
            std::vector<Entry> order;
            for (RowId row = 0; row < 500; ++row) {
                order.push_back(code.pack(row, static_cast<std::int32_t>(row % 2)));
            }
            std::ranges::shuffle(order, random);
            std::vector<Entry> expected;
            for (std::size_t b = 0; b < n_branches; ++b) {
                std::ranges::copy_if(order, std::back_inserter(expected), [&](Entry entry) {
                    const Branch branch = branch_of_row[code.row(entry)];
                    return branch == every_branch || branch == b;
                });
            }
            std::vector<Entry> out(expected.size());
            std::vector<Entry> spare(order.size());
            std::vector<std::size_t> sizes(n_branches);
            Entry* place = with_missing ? out.data() : order.data();
            part(order, code, branch_of_row.data(), n_branches, place, spare, sizes);
            CHECK(std::equal(expected.begin(), expected.end(), place));
        }
    }
}
