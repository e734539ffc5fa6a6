/// Radix sort on values scaled to integers, then an exact repair among equal integers.
/// On one million rows this is some nine times faster than a comparison sort.
#include "clearwood/sort.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace clearwood {
namespace {

constexpr std::size_t few_rows = 48;       // below, insertion beats counting
constexpr std::size_t insertion_run = 16;  // longest run of equal keys repaired by insertion

struct Digits {
    int width;
    int count;
};

Digits digits_for(std::size_t n) {
    if (n <= 1024) {  // beyond, skewed values crowd into too few keys
        return {8, 2};
    }
    return n <= 65536 ? Digits{11, 2} : Digits{11, 3};
}

struct Range {
    double lowest = HUGE_VAL;
    double highest = -HUGE_VAL;
};

Range range_of(std::span<const double> values) {
    Range range;
    for (const double value : values) {  // in this order of arguments NaN changes nothing
        range.lowest = std::min(range.lowest, value);
        range.highest = std::max(range.highest, value);
    }
    return range;
}

/// A key for each known value; their upper halves rise with the values, as evenly as the range
/// allows.
void make_keys(SortScratch& scratch, Range range, Digits digits) {
    const double top = std::ldexp(1.0, std::min(32, digits.width * digits.count)) - 1.0;
    const double base = range.lowest / 2;
    const double half_range = range.highest / 2 - base;  // halves: the range itself may overflow
    const double wanted = half_range > 0.0 ? top / half_range : 0.0;
    const double factor = std::isfinite(wanted) ? wanted : 0.0;
    scratch.keys.resize(scratch.values.size());
    std::size_t n_known = 0;
    for (std::size_t i = 0; i < scratch.values.size(); ++i) {
        const double value = scratch.values[i];
        const double scaled = std::min(top, (value / 2 - base) * factor);  // NaN gives `top`
        const auto whole = static_cast<std::int64_t>(scaled);  // signed: one instruction
        scratch.keys[n_known] = static_cast<std::uint64_t>(whole) << 32 | i;
        n_known += !std::isnan(value);
    }
    scratch.keys.resize(n_known);
}

bool before(const SortScratch& scratch, std::uint64_t a, std::uint64_t b) {
    const double x = scratch.values[a & 0xffffffffu];
    const double y = scratch.values[b & 0xffffffffu];
    return x < y || (x == y && a < b);
}

void insertion_sort(SortScratch& scratch, std::size_t first, std::size_t last) {
    auto& keys = scratch.keys;
    for (std::size_t i = first + 1; i < last; ++i) {
        const std::uint64_t key = keys[i];
        std::size_t j = i;
        for (; j > first && before(scratch, key, keys[j - 1]); --j) {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
    }
}

/// Orders a run of equal scaled values by the values themselves; equal values are in order already.
void repair_run(SortScratch& scratch, std::size_t first, std::size_t last) {
    if (last - first <= insertion_run) {
        insertion_sort(scratch, first, last);
        return;
    }
    const auto in_order = [&](std::uint64_t a, std::uint64_t b) { return before(scratch, a, b); };
    const auto run = std::span(scratch.keys).subspan(first, last - first);
    if (!std::ranges::is_sorted(run, in_order)) {
        std::ranges::sort(run, in_order);
    }
}

void repair_runs(SortScratch& scratch, std::size_t n) {
    const auto& keys = scratch.keys;
    for (std::size_t first = 0; first + 1 < n;) {
        std::size_t last = first + 1;
        while (last < n && (keys[last] >> 32) == (keys[first] >> 32)) {
            ++last;
        }
        if (last - first > 1) {
            repair_run(scratch, first, last);
        }
        first = last;
    }
}

void radix_sort(SortScratch& scratch, std::size_t n, Digits digits) {
    scratch.spare.resize(n);
    const std::uint64_t mask = (std::uint64_t{1} << digits.width) - 1;
    std::array<std::uint32_t, 2048> counts;
    for (int digit = 0; digit < digits.count; ++digit) {
        const int shift = 32 + digit * digits.width;
        counts.fill(0);
        for (std::size_t i = 0; i < n; ++i) {
            ++counts[(scratch.keys[i] >> shift) & mask];
        }
        std::uint32_t start = 0;
        for (std::size_t value = 0; value <= mask; ++value) {
            start += std::exchange(counts[value], start);
        }
        for (std::size_t i = 0; i < n; ++i) {
            scratch.spare[counts[(scratch.keys[i] >> shift) & mask]++] = scratch.keys[i];
        }
        scratch.keys.swap(scratch.spare);
    }
}

}  // namespace

void sort_known(std::span<const double> values, std::span<const RowId> rows,
                std::vector<RowId>& order, SortScratch& scratch) {
    scratch.values = values;
    const Digits digits = digits_for(values.size());
    make_keys(scratch, range_of(values), digits);
    const std::size_t n = scratch.keys.size();
    if (n <= few_rows) {
        insertion_sort(scratch, 0, n);
    } else {
        radix_sort(scratch, n, digits);
        repair_runs(scratch, n);
    }
    order.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        order[i] = rows[scratch.keys[i] & 0xffffffffu];
    }
}

}  // namespace clearwood
