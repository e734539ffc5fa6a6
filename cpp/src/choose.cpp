/// Chooses among the columns' best splits.
#include <cmath>

#include "clearwood/split.hpp"

namespace clearwood {
namespace {

constexpr double epsilon = 1e-3;            // C4.5's, in every comparison of A.4
constexpr double equal_up_to = 1e-11;      // what rounding makes of equal scores, in bits
constexpr double no_average = 1'000'000.0;  // no column sets a standard: none qualifies

double cost_of(const Plan& plan, const Split& split) {
    return plan.cost.empty() ? 0.0 : plan.cost[static_cast<std::size_t>(split.column)];
}

/// The place of the highest score above `floor`; ties: cheaper, then earlier.
std::int32_t highest(const Plan& plan, std::span<const Split> splits, double floor) {
    std::int32_t best = -1;
    for (std::size_t i = 0; i < splits.size(); ++i) {
        if (!splits[i].available || !(splits[i].score > floor)) {
            continue;
        }
        if (best >= 0) {
            const Split& leader = splits[static_cast<std::size_t>(best)];
            const double difference = splits[i].score - leader.score;
            const bool tie = std::abs(difference) <= equal_up_to;
            if (tie ? cost_of(plan, splits[i]) >= cost_of(plan, leader) : difference < 0.0) {
                continue;
            }
        }
        best = static_cast<std::int32_t>(i);
    }
    return best;
}

/// Mean gain of the available columns that are not many-valued (c45.md A.4).
double average_gain(std::span<const Split> splits, std::span<const std::uint8_t> many_valued) {
    double sum = 0.0;
    int count = 0;
    for (const Split& split : splits) {
        if (split.available && !many_valued[static_cast<std::size_t>(split.column)]) {
            sum += split.gain;
            ++count;
        }
    }
    return count == 0 ? no_average : sum / count;
}

std::int32_t choose_by(BestScore, const Plan& plan, std::span<Split> splits,
                       std::span<const std::uint8_t>) {
    for (Split& split : splits) {
        split.score = split.gain;
    }
    return highest(plan, splits, plan.c45_levels ? -epsilon : 0.0);
}

std::int32_t choose_by(GainRatio, const Plan& plan, std::span<Split> splits,
                       std::span<const std::uint8_t> many_valued) {
    const double average = average_gain(splits, many_valued);
    for (Split& split : splits) {
        const bool qualifies = split.gain >= average - epsilon && split.info > epsilon;
        split.score = qualifies ? split.gain / split.info : -epsilon;
    }
    return highest(plan, splits, plan.c45_levels ? -epsilon : 0.0);
}

}  // namespace

std::int32_t choose(const Plan& plan, std::span<Split> splits,
                    std::span<const std::uint8_t> many_valued) {
    return std::visit([&](auto chooser) { return choose_by(chooser, plan, splits, many_valued); },
                      plan.chooser);
}

}  // namespace clearwood
