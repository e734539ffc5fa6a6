/// The best cut of a numeric column: one pass over its order, each gap between two values a
/// candidate (c45.md A.1 for C4.5's minimum and penalty).
#include <cmath>
#include <numeric>
#include <tuple>

#include "clearwood/propagation.hpp"
#include "clearwood/split.hpp"

namespace clearwood {
namespace {

/// Limits in the scan's own type: whole masses are compared as integers.
template <class Mass>
std::pair<Mass, Mass> as_mass(MassRange range) {
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

/// Which cuts may be made: by the mass of the first branch, and by position in the order.
struct Allowed {
    MassRange mass;
    std::size_t first;
    std::size_t last;

    bool at(std::size_t position) const { return position >= first && position < last; }
};

template <class Scan, class Measure, class Weight>
BestCut<typename Measure::Value> scan_cuts(const NodeContext& node, std::size_t index,
                                           const Measure& measure, std::span<const double> totals,
                                           Weight weight, Allowed allowed, SearchScratch& scratch) {
    const std::span<const Entry> order = node.rows.orders[index];
    const EntryCode code = node.presort.code;
    const auto [low, high] = as_mass<typename Scan::Mass>(allowed.mass);
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
            node.presort.distinct(index, order[i], order[i + 1]) && allowed.at(i + 1)) {
            best = {value, i + 1, static_cast<double>(scan.mass())};
        }
    }
    return best;
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
BestCut<typename Measure::Value> scan(const NodeContext& node, std::size_t index,
                                      const Measure& measure, std::span<const double> totals,
                                      Weight weight, Allowed allowed, SearchScratch& scratch) {
    return totals.size() == 2 ? scan_cuts<typename Measure::BinaryScan>(
                                    node, index, measure, totals, weight, allowed, scratch)
                              : scan_cuts<typename Measure::Scan>(node, index, measure, totals,
                                                                  weight, allowed, scratch);
}

template <class Measure, class Weight>
Split search_column(const NodeContext& node, std::size_t index, const Measure& measure,
                    Weight weight, SearchScratch& scratch) {
    Split split;
    split.column = static_cast<std::int32_t>(node.presort.numeric[index]);
    const auto totals = known_masses(node, index, weight, scratch);
    const double known = std::accumulate(totals.begin(), totals.end(), 0.0);
    if (known < 2 * node.min_samples_leaf) {
        return split;
    }
    const MassRange counted = counted_range(node, known);
    // A minimum above C4.5's 25 still holds for both branches.
    const double floor = std::max(counted.low, node.min_samples_leaf);
    const auto [first, last] = positions_inside(node, index);
    Allowed allowed{{floor, known - floor}, first, last};
    auto best = scan(node, index, measure, totals, weight, allowed, scratch);
    if (best.position != 0 && !propagates(node, index, best.position)) {
        std::tie(allowed.first, allowed.last) = positions_that_propagate(node, index, first, last);
        best = scan(node, index, measure, totals, weight, allowed, scratch);
    }
    if (best.position == 0) {
        return split;
    }
    const double mass = node.rows.mass;
    split.gain = measure.in_bits(best.value - measure.purity(totals)) / mass;
    if (node.plan.penalty) {
        const auto n_cuts = static_cast<double>(count_cuts(node, index, counted));
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

MassRange counted_range(const NodeContext& node, double known) {
    const double floor = node.min_samples_leaf;
    double least = floor;
    if (node.plan.limits.c45_minimum) {
        const double tenth = 0.1 * known / node.n_classes;
        least = tenth <= floor ? floor : std::min(tenth, 25.0);
    }
    return {least, known - least};
}

std::size_t count_cuts(const NodeContext& node, std::size_t numeric_index, MassRange range) {
    const std::span<const Entry> order = node.rows.orders[numeric_index];
    std::size_t count = 0;
    double mass = 0.0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        mass += node.weights.empty() ? 1.0 : node.weights[node.presort.code.row(order[i])];
        if (mass > range.high) {
            break;
        }
        count += mass >= range.low && node.presort.distinct(numeric_index, order[i], order[i + 1]);
    }
    return count;
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
