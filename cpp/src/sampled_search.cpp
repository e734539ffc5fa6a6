/// The best threshold among sample points (UDT). Entropy and Gini impurity are concave in the mass
/// that a cut moves; while only one class moves, the best is at an end of the interval. Elsewhere a
/// bound of the whole interval tells whether its inside can hold the best (algorithms.md E.3).
#include <algorithm>
#include <cmath>
#include <limits>

#include "clearwood/gains.hpp"
#include "clearwood/propagation.hpp"
#include "clearwood/sample_points.hpp"
#include "clearwood/split.hpp"

namespace clearwood {
namespace {

constexpr std::size_t ends_per_coarse_interval = 10;
constexpr double equal_purity = 1e-9;  // per unit of mass: a bound this near may hide the best

template <class Measure>
class SampledScan {
public:
    SampledScan(const NodeContext& node, std::size_t numeric_index, const Measure& measure)
        : node_(node),
          numeric_index_(numeric_index),
          bounds_(node.plan.sampled_bounds),
          points_(node, numeric_index),
          measure_(looking_at(measure, points_.totals(), node.rows.masses)),
          whole_(whole_purity(measure_, points_.totals())) {
        node_.min_samples_leaf = least_mass(measure_, node.min_samples_leaf);
        least_ = std::max(counted_range(node_, points_.total()).low, node_.min_samples_leaf);
    }

    Split best() {
        Split split;
        split.column = static_cast<std::int32_t>(node_.presort.numeric[numeric_index_]);
        if (points_.total() < 2 * node_.min_samples_leaf || points_.size() < 2) {
            return split;
        }
        if (!node_.plan.propagated_with(node_.presort.numeric[numeric_index_])) {
            measured_ = cumulated_weights();
        }
        best_ = whole_;
        floor_ = purity_for(measure_, whole_, node_.least_gain(), node_.rows.mass);
        search();
        if (node_.effort) {
            node_.effort->candidates += points_.size() - 1;
            node_.effort->evaluations += evaluations_;
        }
        if (place_ > 0) {
            finish(split);
        }
        return split;
    }

private:
    void search() {
        const auto ends = points_.ends();
        if (bounds_ == SampledBounds::none) {
            evaluate_inside(0, points_.size());
            return;
        }
        if (bounds_ != SampledBounds::end_points) {
            evaluate_ends(ends);
            search_intervals(ends);
            return;
        }
        std::vector<std::size_t> coarse;
        for (std::size_t i = 0; i < ends.size(); i += ends_per_coarse_interval) {
            coarse.push_back(i);
        }
        if (coarse.back() + 1 != ends.size()) {
            coarse.push_back(ends.size() - 1);
        }
        for (const std::size_t i : coarse) {
            evaluate(ends[i]);
        }
        std::vector<std::span<const std::size_t>> survivors;
        for (std::size_t i = 0; i + 1 < coarse.size(); ++i) {
            if (may_hold_best(ends[coarse[i]], ends[coarse[i + 1]])) {
                survivors.push_back(ends.subspan(coarse[i], coarse[i + 1] - coarse[i] + 1));
                evaluate_ends(survivors.back().subspan(1, survivors.back().size() - 2));
            }
        }
        for (const auto survivor : survivors) {
            search_intervals(survivor);
        }
    }

    void evaluate_ends(std::span<const std::size_t> ends) {
        for (const std::size_t end : ends) {
            evaluate(end);
        }
    }

    void search_intervals(std::span<const std::size_t> ends) {
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            // Where cuts are limited, or the measure is not convex, the best may lie between.
            const bool ends_suffice = !ChoosesSides<Measure> && corners_bound(measure_) &&
                                      moving_classes(ends[i], ends[i + 1]) <= 1 &&
                                      is_allowed(ends[i]) && is_allowed(ends[i + 1]);
            const bool bounded = bounds_ >= SampledBounds::local;
            if (!ends_suffice && (!bounded || may_hold_best(ends[i], ends[i + 1]))) {
                evaluate_inside(ends[i], ends[i + 1]);
            }
        }
    }

    void evaluate_inside(std::size_t first, std::size_t last) {
        for (std::size_t place = first + 1; place < last; ++place) {
            evaluate(place);
        }
    }

    int moving_classes(std::size_t first, std::size_t last) const {
        int count = 0;
        for (std::size_t k = 0; k < points_.totals().size(); ++k) {
            count += points_.below(last)[k] > points_.below(first)[k];
        }
        return count;
    }

    /// A cut after `place` points: two values to cut between, and enough mass on both sides.
    bool is_allowed(std::size_t place) const {
        if (place == 0 || place >= points_.size() ||
            points_.value(place) == points_.value(place - 1)) {
            return false;
        }
        double mass = 0.0;
        for (const double part : points_.below(place)) {
            mass += part;
        }
        const double threshold = points_.value(place - 1);
        return mass >= least_ && points_.total() - mass >= least_ &&
               node_.interval(node_.presort.numeric[numeric_index_]).contains(threshold) &&
               divides(threshold);
    }

    /// Whether both sides have enough mass when rows are sent on, by noise or by measured value.
    bool divides(double threshold) const {
        if (node_.plan.propagated_with(node_.presort.numeric[numeric_index_])) {
            return !node_.checks_propagation || propagates(node_, numeric_index_, threshold);
        }
        const std::size_t place = measured_up_to(threshold);
        return place > 0 && place + 1 < measured_.size() && measured_[place] >= least_ &&
               measured_.back() - measured_[place] >= least_;
    }

    /// Weight of the first i measured values, in rising order.
    std::vector<double> cumulated_weights() const {
        std::vector<double> sums{0.0};
        for (const Entry entry : node_.rows.orders[numeric_index_]) {
            const RowId row = node_.presort.code.row(entry);
            sums.push_back(sums.back() + node_.weight(row));
        }
        return sums;
    }

    double purity(std::span<const double> left) {
        right_.resize(left.size());
        for (std::size_t k = 0; k < left.size(); ++k) {
            right_[k] = std::max(0.0, points_.totals()[k] - left[k]);
        }
        return purity_of(measure_, left, right_);
    }

    /// The highest wins; of equals the lowest threshold.
    void evaluate(std::size_t place) {
        if (!is_allowed(place)) {
            return;
        }
        ++evaluations_;
        const double value = purity(points_.below(place));
        const bool better = measure_.better(value, best_);
        const bool earlier_equal = !measure_.better(best_, value) && place < place_;
        if (better || earlier_equal) {
            best_ = std::max(best_, value);
            place_ = place;
        }
    }

    /// Tsang et al.'s lower bound of the entropy inside an interval, from the class masses before,
    /// inside and behind it; for other measures the interval is kept.
    bool may_hold_best(std::size_t first, std::size_t last) const {
        if constexpr (!std::is_same_v<Measure, EntropyWeights>) {
            return true;
        } else {
            double before = 0.0, behind = 0.0;
            for (std::size_t c = 0; c < points_.totals().size(); ++c) {
                before += points_.below(first)[c];
                behind += points_.totals()[c] - points_.below(last)[c];
            }
            double bound = 0.0;
            const auto part = [](double mass, double share) {
                return mass > 0.0 ? mass * std::log2(share) : 0.0;
            };
            for (std::size_t c = 0; c < points_.totals().size(); ++c) {
                const double left = points_.below(first)[c];
                const double inside = points_.below(last)[c] - left;
                const double right = points_.totals()[c] - points_.below(last)[c];
                const double alpha = (left + inside) / (before + inside);
                const double beta = (right + inside) / (behind + inside);
                bound += part(left, alpha) + part(right, beta);
                bound += inside > 0.0 ? part(inside, std::max(alpha, beta)) : 0.0;
            }
            const bool others_count = bounds_ >= SampledBounds::global;
            const double to_beat = others_count ? std::max(best_, floor_) : best_;
            return bound >= to_beat - equal_purity * points_.total();
        }
    }

    std::size_t measured_up_to(double threshold) const {
        const NumericColumn& column = *node_.table.numeric(node_.presort.numeric[numeric_index_]);
        const auto order = node_.rows.orders[numeric_index_];
        const bool strict = node_.plan.is_strict();
        const auto after = std::ranges::partition_point(order, [&](Entry entry) {
            const double value = column.values[node_.presort.code.row(entry)];
            return strict ? value < threshold : value <= threshold;
        });
        return static_cast<std::size_t>(after - order.begin());
    }

    void finish(Split& split) {
        const double mass = node_.rows.mass;
        split.gain = gain_of(measure_, best_, whole_, points_.total(), mass);
        if (node_.plan.penalty) {
            const MassRange counted = counted_range(node_, points_.total());
            const auto n_cuts = static_cast<double>(count_cuts(node_, numeric_index_, counted));
            split.gain -= std::log2(std::max(1.0, n_cuts)) / mass;
        }
        split.available = split.gain > tie_tolerance;
        split.threshold = points_.value(place_ - 1);
        split.position = measured_up_to(split.threshold);
        if constexpr (ChoosesSides<Measure>) {
            purity(points_.below(place_));
            split.missing_branch = measure_.kept_branch(points_.below(place_), right_);
        }
        double first = 0.0;
        for (const double part : points_.below(place_)) {
            first += part;
        }
        const double sides[] = {first, points_.total() - first};
        split.info = split_information(sides, mass - points_.total(), mass);
    }

    NodeContext node_;  ///< with the least mass that the measure asks of a branch
    std::size_t numeric_index_;
    SampledBounds bounds_;
    SamplePoints points_;
    Measure measure_;
    double whole_;
    double least_ = 0.0;
    double floor_ = 0.0;
    double best_ = 0.0;
    std::size_t place_ = 0;
    std::uint64_t evaluations_ = 0;
    std::vector<double> right_;
    std::vector<double> measured_;  ///< where rows are sent on by measured value
};

}  // namespace

Split best_sampled_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch&) {
    const auto search = [&](const auto& score) {
        return SampledScan(node, numeric_index, score.weights()).best();
    };
    return std::visit(search, node.plan.score);
}

}  // namespace clearwood
