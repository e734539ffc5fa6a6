#include "clearwood/cut_place.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace clearwood {
namespace {

constexpr double tolerated_part_of_gap = 0.01;
constexpr int most_digits = 17;

double middle(Gap gap) {
    const double half = gap.upper / 2 - gap.lower / 2;  // the difference itself may overflow
    const double mid = gap.lower + half;
    return mid >= gap.lower && mid < gap.upper ? mid : gap.lower;
}

double rounded(double value, int digits) {
    char text[64];
    const auto written =
        std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1);
    double result = value;
    std::from_chars(text, written.ptr, result);
    return result;
}

float single_middle(Gap gap) {
    const auto lower = static_cast<float>(gap.lower);
    const auto upper = static_cast<float>(gap.upper);
    return static_cast<float>((static_cast<double>(lower) + static_cast<double>(upper)) / 2);
}

}  // namespace

double short_midpoint(Gap gap, bool strict) {
    const double mid = middle(gap);
    if (strict && mid == gap.lower) {
        return gap.upper;
    }
    const double tolerance = tolerated_part_of_gap * (gap.upper / 2 - gap.lower / 2) * 2;
    for (int digits = 1; digits < most_digits; ++digits) {
        const double candidate = rounded(mid, digits);
        const bool parts = strict ? candidate > gap.lower && candidate <= gap.upper
                                  : candidate >= gap.lower && candidate < gap.upper;
        if (std::abs(candidate - mid) <= tolerance && parts) {
            return candidate;
        }
    }
    return mid;
}

std::vector<double> observed_cuts(const NumericColumn& column, const Labels& labels,
                                  std::span<const Gap> gaps, bool single_precision) {
    const auto key = [&](double value) {
        return single_precision ? static_cast<float>(value) : value;
    };
    std::vector<double> middles;
    for (const Gap gap : gaps) {
        middles.push_back(single_precision ? single_middle(gap) : middle(gap));
    }
    std::vector<std::size_t> order(gaps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return middles[i]; });
    std::vector<double> sorted;
    for (const std::size_t i : order) {
        sorted.push_back(middles[i]);
    }
    // The largest value up to each middle and above the one before it; then carried upwards.
    std::vector<double> largest(gaps.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t row = 0; row < labels.classes.size(); ++row) {
        const double value = column.values[row];
        const auto place = std::ranges::lower_bound(sorted, key(value));
        if (!std::isnan(value) && labels.weight(row) > 0.0 && place != sorted.end()) {
            double& here = largest[static_cast<std::size_t>(place - sorted.begin())];
            here = std::max(here, value);
        }
    }
    std::vector<double> result(gaps.size());
    double so_far = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < order.size(); ++i) {
        so_far = std::max(so_far, largest[i]);
        result[order[i]] = so_far;
    }
    return result;
}

}  // namespace clearwood
