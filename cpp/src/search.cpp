/// The best cut of a numeric column: one pass over its order, each gap between two values a
/// candidate (c45.md A.1 for C4.5's minimum and penalty).
#include <cmath>
#include <numeric>
#include <tuple>

#include "clearwood/gains.hpp"
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
    std::int32_t missing_branch = -1;
};

/// Which cuts may be made: by the mass of the first branch, and by position in the order.
struct Allowed {
    MassRange mass;
    std::size_t first;
    std::size_t last;

    bool at(std::size_t position) const { return position >= first && position < last; }
};

/// A scan that can bound the purity of all cuts between two states.
template <class Scan>
concept Bounded = requires(const Scan scan) { Scan::highest_between(scan, scan); };

/// Cuts bounded at once: more after every stretch that was passed over, few where one was not.
constexpr std::size_t shortest_stretch = 64;
constexpr std::size_t longest_stretch = 4096;

/// One pass over a column's order.
template <class Scan, class Measure, class Weight>
class CutScan {
public:
    using Best = BestCut<typename Measure::Value>;

    CutScan(const NodeContext& node, std::size_t index, const Measure& measure,
            std::span<const double> totals, Weight weight, Allowed allowed, SearchScratch& scratch)
        : node_(node),
          index_(index),
          order_(node.rows.orders[index]),
          measure_(measure),
          weight_(weight),
          allowed_(allowed),
          scan_(measure, totals, scratch.scan),
          best_{whole_purity(measure, totals)} {
        std::tie(low_, high_) = as_mass<typename Scan::Mass>(allowed.mass);
    }

    Best best() {
        std::size_t i = 0;
        for (; i + 1 < order_.size(); ++i) {
            move(scan_, i);
            if (scan_.mass() >= low_) {
                break;
            }
        }
        if constexpr (Bounded<Scan>) {
            in_stretches(i);
        } else {
            try_cuts(i, order_.size() - 1);
        }
        return best_;
    }

private:
    void move(Scan& scan, std::size_t i) const {
        const EntryCode code = node_.presort.code;
        scan.move(code.label(order_[i]),
                  static_cast<typename Scan::Mass>(weight_[code.row(order_[i])]));
    }

    /// Tries the cuts behind places i ... last - 1; the rows up to i have moved.
    void try_cuts(std::size_t& i, std::size_t last) {
        for (; i < last && scan_.mass() <= high_; move(scan_, ++i)) {
            const auto value = scan_.value();
            if (measure_.better(value, best_.value) &&
                node_.presort.distinct(index_, order_[i], order_[i + 1]) && allowed_.at(i + 1)) {
                best_ = {value, i + 1, static_cast<double>(scan_.mass())};
                if constexpr (ChoosesSides<Measure>) {
                    best_.missing_branch = scan_.kept_branch();
                }
            }
        }
    }

    /// The same, passing over stretches that can hold nothing better.
    void in_stretches(std::size_t i) {
        const double bar =
            purity_for(measure_, best_.value, node_.least_gain(), node_.rows.mass);
        std::size_t stretch = shortest_stretch;
        while (i + 1 < order_.size() && scan_.mass() <= high_) {
            Scan end = scan_;
            const std::size_t last = std::min(i + stretch, order_.size() - 1);
            for (std::size_t next = i; next < last;) {
                move(end, ++next);
            }
            if (measure_.better(Scan::highest_between(scan_, end), std::max(best_.value, bar))) {
                if (stretch == shortest_stretch) {
                    try_cuts(i, last);
                }
                stretch = shortest_stretch;
            } else {
                scan_ = end;
                i = last;
                stretch = std::min(2 * stretch, longest_stretch);
            }
        }
    }

    const NodeContext& node_;
    std::size_t index_;
    std::span<const Entry> order_;
    const Measure& measure_;
    Weight weight_;
    Allowed allowed_;
    Scan scan_;
    Best best_;
    typename Scan::Mass low_;
    typename Scan::Mass high_;
};

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
    const auto by = [&]<class Scan>() {
        return CutScan<Scan, Measure, Weight>(node, index, measure, totals, weight, allowed,
                                              scratch)
            .best();
    };
    return totals.size() == 2 ? by.template operator()<typename Measure::BinaryScan>()
                              : by.template operator()<typename Measure::Scan>();
}

template <class Measure, class Weight>
Split search_column(NodeContext node, std::size_t index, const Measure& general, Weight weight,
                    SearchScratch& scratch) {
    Split split;
    split.column = static_cast<std::int32_t>(node.presort.numeric[index]);
    const auto totals = known_masses(node, index, weight, scratch);
    const double known = std::accumulate(totals.begin(), totals.end(), 0.0);
    const Measure measure = looking_at(general, totals, node.rows.masses);
    node.min_samples_leaf = least_mass(measure, node.min_samples_leaf);
    const MassRange counted = counted_range(node, known);
    // A minimum above C4.5's 25 still holds for both branches.
    const double floor = std::max(counted.low, node.min_samples_leaf);
    if (known < 2 * floor) {
        return split;
    }
    const auto [first, last] = positions_inside(node, index);
    Allowed allowed{{floor, known - floor}, first, last};
    auto best = scan(node, index, measure, totals, weight, allowed, scratch);
    if (best.position != 0 && node.checks_propagation && !propagates(node, index, best.position)) {
        std::tie(allowed.first, allowed.last) = positions_that_propagate(node, index, first, last);
        best = scan(node, index, measure, totals, weight, allowed, scratch);
    }
    if (best.position == 0) {
        return split;
    }
    const double mass = node.rows.mass;
    split.gain = gain_of(measure, best.value, whole_purity(measure, totals), known, mass);
    if (node.plan.penalty) {
        const auto n_cuts = static_cast<double>(count_cuts(node, index, counted));
        split.gain -= std::log2(std::max(1.0, n_cuts)) / mass;
    }
    split.available = split.gain > 0.0;
    split.position = best.position;
    split.missing_branch = best.missing_branch;
    const double sides[] = {best.first_mass, known - best.first_mass};
    split.info = split_information(sides, mass - known, mass);
    return split;
}

/// Calls `search(measure, weight)` with those of the plan and of how the node's weight is counted.
template <class Search>
auto by_counting(const NodeContext& node, const Search& search) {
    const auto by_score = [&](const auto& score) {
        switch (node.rows.counting) {
            case Counting::unit:
                return search(score.counts(node.entropy_table), UnitWeight{});
            case Counting::whole:
                return search(score.counts(node.entropy_table), WholeWeight{node.weights.data()});
            default:
                return search(score.weights(), RealWeight{node.weights.data()});
        }
    };
    return std::visit(by_score, node.plan.score);
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
        mass += node.weight(node.presort.code.row(order[i]));
        if (mass > range.high) {
            break;
        }
        count += mass >= range.low && node.presort.distinct(numeric_index, order[i], order[i + 1]);
    }
    return count;
}

double highest_gain(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch) {
    const auto highest = [&](const auto& general, auto weight) {
        const auto totals = known_masses(node, numeric_index, weight, scratch);
        const auto measure = looking_at(general, totals, node.rows.masses);
        const double known = std::accumulate(totals.begin(), totals.end(), 0.0);
        const Allowed any{{0.0, known}, 1, node.rows.orders[numeric_index].size()};
        const auto best = scan(node, numeric_index, measure, totals, weight, any, scratch);
        return gain_of(measure, best.value, whole_purity(measure, totals), known,
                       node.rows.mass);
    };
    return by_counting(node, highest);
}

Split best_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch) {
    return by_counting(node, [&](const auto& measure, auto weight) {
        return search_column(node, numeric_index, measure, weight, scratch);
    });
}

}  // namespace clearwood
