/// The best cut of a numeric column: one pass over its order, each gap between two values a
/// candidate (c45.md A.1 for C4.5's minimum and penalty).
#include <cmath>

#include "clearwood/split.hpp"

namespace clearwood {
namespace {

/// The range of first-branch masses that may be cut.
struct Range {
    double low;
    double high;
};

Range counted_range(const NodeContext& node, double known) {
    const double floor = node.min_samples_leaf;
    double least = floor;
    if (node.plan.limits.c45_minimum) {
        const double tenth = 0.1 * known / node.n_classes;
        least = tenth <= floor ? floor : std::min(tenth, 25.0);
    }
    return {least, known - least};
}

/// Limits in the scan's own type: whole masses are compared as integers.
template <class Mass>
std::pair<Mass, Mass> as_mass(Range range) {
    if constexpr (std::is_integral_v<Mass>) {
        return {static_cast<Mass>(std::ceil(range.low)), static_cast<Mass>(std::floor(range.high))};
    } else {
        return {range.low, range.high};
    }
}

template <class Value>
struct BestCut {
    Value value;
    std::size_t position = 0;
    double first_mass = 0.0;
};

template <class Scan, class Measure, class Weight>
BestCut<typename Measure::Value> scan_cuts(const NodeContext& node, std::size_t index,
                                           const Measure& measure, std::span<const double> totals,
                                           Weight weight, Range range, SearchScratch& scratch) {
    const std::span<const Entry> order = node.rows.orders[index];
    const EntryCode code = node.presort.code;
    const auto [low, high] = as_mass<typename Scan::Mass>(range);
    Scan scan(measure, totals, scratch.scan);
    BestCut<typename Measure::Value> best{measure.purity(totals)};
    const auto move = [&](Entry entry) { scan.move(code.label(entry), weight[code.row(entry)]); };
    std::size_t i = 0;
    for (; i + 1 < order.size(); ++i) {
        move(order[i]);
        if (scan.mass() >= low) {
            break;
        }
    }
    for (; i + 1 < order.size() && scan.mass() <= high; move(order[++i])) {
        const auto value = scan.value();
        if (measure.better(value, best.value) &&
            node.presort.distinct(index, order[i], order[i + 1])) {
            best = {value, i + 1, static_cast<double>(scan.mass())};
        }
    }
    return best;
}

/// How many cuts the search had to choose from (the T of release 8's penalty).
template <class Weight>
std::size_t count_cuts(const NodeContext& node, std::size_t index, Weight weight, Range range) {
    const std::span<const Entry> order = node.rows.orders[index];
    std::size_t count = 0;
    double mass = 0.0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        mass += static_cast<double>(weight[node.presort.code.row(order[i])]);
        if (mass > range.high) {
            break;
        }
        count += mass >= range.low && node.presort.distinct(index, order[i], order[i + 1]);
    }
    return count;
}

/// Class masses of the rows with a known value.
template <class Weight>
std::span<const double> known_masses(const NodeContext& node, std::size_t index, Weight weight,
                                     SearchScratch& scratch) {
    const std::span<const Entry> order = node.rows.orders[index];
    if (order.size() == node.rows.entries.size()) {
        return node.rows.masses;
    }
    scratch.totals.assign(node.rows.masses.size(), 0.0);
    for (const Entry entry : order) {
        scratch.totals[node.presort.code.label(entry)] +=
            static_cast<double>(weight[node.presort.code.row(entry)]);
    }
    return scratch.totals;
}

template <class Measure, class Weight>
Split search_column(const NodeContext& node, std::size_t index, const Measure& measure,
                    Weight weight, SearchScratch& scratch) {
    Split split;
    split.column = static_cast<std::int32_t>(node.presort.numeric[index]);
    const auto totals = known_masses(node, index, weight, scratch);
    double known = 0.0;
    for (const double total : totals) {
        known += total;
    }
    if (known < 2 * node.min_samples_leaf) {
        return split;
    }
    const Range counted = counted_range(node, known);
    const double floor =
        std::max(counted.low, node.min_samples_leaf);  // M above 25 still holds for both branches
    const Range allowed{floor, known - floor};
    const auto best = totals.size() == 2
                          ? scan_cuts<typename Measure::BinaryScan>(node, index, measure, totals,
                                                                    weight, allowed, scratch)
                          : scan_cuts<typename Measure::Scan>(node, index, measure, totals, weight,
                                                              allowed, scratch);
    if (best.position == 0) {
        return split;
    }
    const double mass = node.rows.mass;
    split.gain = measure.in_bits(best.value - measure.purity(totals)) / mass;
    if (node.plan.penalty) {
        const auto n_cuts = static_cast<double>(count_cuts(node, index, weight, counted));
        split.gain -= std::log2(std::max(1.0, n_cuts)) / mass;
    }
    split.available = split.gain > 0.0;
    split.position = best.position;
    const double sides[] = {best.first_mass, known - best.first_mass};
    split.info = split_information(sides, mass - known, mass);
    return split;
}

}  // namespace

double split_information(std::span<const double> branch_masses, double missing, double total) {
    double sum = n_log_n(total) - n_log_n(missing);
    for (const double mass : branch_masses) {
        sum -= n_log_n(mass);
    }
    return sum / total;
}

Split best_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch) {
    const auto search = [&](auto score) {
        using S = decltype(score);
        switch (node.rows.counting) {
            case Counting::unit:
                return search_column(node, numeric_index, S::counts(node.entropy_table),
                                     UnitWeight{}, scratch);
            case Counting::whole:
                return search_column(node, numeric_index, S::counts(node.entropy_table),
                                     WholeWeight{node.weights.data()}, scratch);
            default:
                return search_column(node, numeric_index, typename S::Weights{},
                                     RealWeight{node.weights.data()}, scratch);
        }
    };
    return std::visit(search, node.plan.score);
}

}  // namespace clearwood
