#include "clearwood/propagation.hpp"

#include "clearwood/cut_place.hpp"

namespace clearwood {
namespace {

const Noise* noise_of(const NodeContext& node, std::size_t numeric_index) {
    return node.plan.propagated_with(node.presort.numeric[numeric_index]);
}

double value_at(const NodeContext& node, std::size_t numeric_index, std::size_t place) {
    const NumericColumn& column = *node.table.numeric(node.presort.numeric[numeric_index]);
    return column.values[node.presort.code.row(node.rows.orders[numeric_index][place])];
}

/// The first position in [first, last) for which `holds`; it holds for all behind it.
template <class Holds>
std::size_t first_that(std::size_t first, std::size_t last, const Holds& holds) {
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (holds(middle)) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

}  // namespace

double threshold_at(const NodeContext& node, std::size_t numeric_index, std::size_t position) {
    const Gap gap{value_at(node, numeric_index, position - 1),
                  value_at(node, numeric_index, position)};
    if (node.plan.cut_at == CutAt::upper || gap.lower == gap.upper) {
        return gap.upper;
    }
    return node.plan.cut_at == CutAt::midpoint ? short_midpoint(gap, node.plan.is_strict())
                                               : gap.lower / 2 + gap.upper / 2;
}

std::pair<std::size_t, std::size_t> positions_inside(const NodeContext& node,
                                                     std::size_t numeric_index) {
    const std::size_t n = node.rows.orders[numeric_index].size();
    const Interval interval = node.interval(node.presort.numeric[numeric_index]);
    std::size_t first = 1;
    std::size_t last = n;
    if (std::isfinite(interval.lower)) {
        first = first_that(1, n, [&](std::size_t position) {
            return threshold_at(node, numeric_index, position) > interval.lower;
        });
    }
    if (std::isfinite(interval.upper)) {
        last = first_that(1, n, [&](std::size_t position) {
            return threshold_at(node, numeric_index, position) >= interval.upper;
        });
    }
    return {first, last};
}

PropagatedMass propagated_mass(const NodeContext& node, std::size_t numeric_index,
                               double threshold) {
    const std::size_t column = node.presort.numeric[numeric_index];
    const NumericColumn& values = *node.table.numeric(column);
    const Noise& noise = *noise_of(node, numeric_index);
    const Interval interval = node.interval(column);
    const bool strict = node.plan.is_strict();
    PropagatedMass mass{0.0, 0.0};
    const auto add_up = [&](const auto& cdf) {
        for (const Entry entry : node.rows.orders[numeric_index]) {
            const RowId row = node.presort.code.row(entry);
            const double weight = node.weight(row);
            const double value = values.values[row];
            const double share = node.plan.joint_gates
                                     ? gate_within(cdf, noise, noise.scale[row], interval.lower,
                                                   interval.upper, threshold, strict, value)
                                     : gate(cdf, noise, noise.scale[row], threshold, strict, value);
            mass.known += weight;
            mass.first += weight * clipped(share, node.plan.eta);
        }
    };
    std::visit(add_up, noise.cdf);
    return mass;
}

bool propagates(const NodeContext& node, std::size_t numeric_index, double threshold) {
    if (!noise_of(node, numeric_index)) {
        return true;
    }
    const PropagatedMass mass = propagated_mass(node, numeric_index, threshold);
    return mass.first >= node.min_samples_leaf && mass.known - mass.first >= node.min_samples_leaf;
}

bool propagates(const NodeContext& node, std::size_t numeric_index, std::size_t position) {
    return !noise_of(node, numeric_index) ||
           propagates(node, numeric_index, threshold_at(node, numeric_index, position));
}

std::pair<std::size_t, std::size_t> positions_that_propagate(const NodeContext& node,
                                                             std::size_t numeric_index,
                                                             std::size_t first, std::size_t last) {
    const auto mass_at = [&](std::size_t position) {
        return propagated_mass(node, numeric_index, threshold_at(node, numeric_index, position));
    };
    const std::size_t from = first_that(first, last, [&](std::size_t position) {
        return mass_at(position).first >= node.min_samples_leaf;
    });
    const std::size_t to = first_that(from, last, [&](std::size_t position) {
        const PropagatedMass mass = mass_at(position);
        return mass.known - mass.first < node.min_samples_leaf;
    });
    return {from, to};
}

}  // namespace clearwood
