/// The best threshold of a blurred column (algorithms.md A). The class masses left of a threshold
/// rise with it, and purity is convex in them; so between two thresholds purity is nowhere higher
/// than at a corner of the box that their masses span. Whole stretches of the grid fall to that.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "clearwood/gains.hpp"
#include "clearwood/propagation.hpp"
#include "clearwood/soft_grid.hpp"
#include "clearwood/split.hpp"

namespace clearwood {
namespace {

constexpr std::size_t parts_of_block = 8;
constexpr std::size_t most_classes_bounded = 6;  // beyond, the corners are too many
constexpr double plateau_tolerance = 1e-9;       // in units of the gain (algorithms.md D8)
constexpr double no_gain = 1e-9;

struct Found {
    std::size_t index;
    double purity;
};

template <class Measure>
class SoftScan {
public:
    SoftScan(const NodeContext& node, std::size_t numeric_index, const Measure& measure,
             Arena& memory)
        : node_(node),
          numeric_index_(numeric_index),
          rows_(node, numeric_index),
          measure_(looking_at(measure, rows_.totals(), node.rows.masses)),
          grid_(rows_, node.plan.soft_search),
          memory_(memory),
          n_classes_(static_cast<std::size_t>(node.n_classes)),
          whole_(whole_purity(measure_, rows_.totals())) {
        node_.min_samples_leaf = least_mass(measure_, node.min_samples_leaf);
        const MassRange counted = counted_range(node_, rows_.total());
        least_ = std::max(counted.low, node_.min_samples_leaf);
        to_beat_ = purity_for(measure_, whole_, node.least_gain(), node.rows.mass);
    }

    Split best() {
        Split split;
        split.column = static_cast<std::int32_t>(node_.presort.numeric[numeric_index_]);
        if (rows_.total() < 2 * node_.min_samples_leaf || grid_.size() == 0) {
            return split;
        }
        const auto ends = memory_.take<double>(2 * n_classes_);
        const auto lowest = ends.first(n_classes_);
        const auto highest = ends.last(n_classes_);
        const double at_lowest = evaluate(0, lowest);
        const double at_highest = evaluate(grid_.size() - 1, highest);
        search({0, at_lowest, lowest}, {grid_.size() - 1, at_highest, highest});
        if (node_.effort) {
            node_.effort->candidates += grid_.size();
            node_.effort->evaluations += evaluations_;
        }
        if (found_.empty()) {
            return split;
        }
        finish(split, widest_plateau());
        return split;
    }

private:
    /// What is lower is neither the best here nor better than other columns.
    double worth_a_look() const { return std::max(equal_to_best(), to_beat_); }

    double equal_to_best() const {
        return least_equal(measure_, best_, whole_, node_.rows.mass, plateau_tolerance);
    }

    std::span<const double> right_of(std::span<const double> left) {
        right_.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) {
            right_[k] = std::max(0.0, rows_.totals()[k] - left[k]);
        }
        return right_;
    }

    double purity(std::span<const double> left) {
        return purity_of(measure_, left, right_of(left));
    }
    /// What bounds build on.
    double unlimited(std::span<const double> left) {
        return unlimited_purity(measure_, left, right_of(left));
    }

    bool is_allowed(double tau, std::span<const double> left) const {
        double mass = 0.0;
        for (const double part : left) {
            mass += part;
        }
        const Noise& noise = *node_.plan.searched_with(node_.presort.numeric[numeric_index_]);
        const double threshold = off_axis(noise.axis, tau);
        const std::size_t column = node_.presort.numeric[numeric_index_];
        if (mass < least_ || rows_.total() - mass < least_ ||
            !node_.interval(column).contains(threshold)) {
            return false;
        }
        if (node_.plan.propagated_with(column)) {
            return !node_.checks_propagation || propagates(node_, numeric_index_, threshold);
        }
        return rows_.parts_measured(tau, is_strict(), least_);
    }

    bool is_strict() const { return node_.plan.is_strict(); }

    void masses_at(std::size_t index, std::span<double> left) {
        if (rows_.has_cells()) {
            rows_.below_at(index, left);
        } else {
            rows_.below(grid_[index], left);
        }
    }

    /// The masses at a candidate, and their purity were every cut allowed; remembers it if it may
    /// be the best.
    double evaluate(std::size_t index, std::span<double> left) {
        const double tau = grid_[index];
        masses_at(index, left);
        ++evaluations_;
        const double value = purity(left);
        if (value >= worth_a_look() && value > whole_ && is_allowed(tau, left)) {
            best_ = std::max(best_, value);
            found_.push_back({index, value});
        }
        return ChoosesSides<Measure> ? unlimited(left) : value;
    }

    /// A candidate that has been evaluated.
    struct Known {
        std::size_t index;
        double purity;
        std::span<const double> masses;
    };

    /// No threshold between two has a higher purity.
    double bound(const Known& low, const Known& high) {
        if (n_classes_ > most_classes_bounded || !corners_bound(measure_)) {
            return std::numeric_limits<double>::infinity();
        }
        corner_.resize(n_classes_);
        double highest = std::max(low.purity, high.purity);
        const std::size_t all_high = (std::size_t{1} << n_classes_) - 1;
        for (std::size_t corner = 1; corner < all_high; ++corner) {
            for (std::size_t k = 0; k < n_classes_; ++k) {
                corner_[k] = corner >> k & 1 ? high.masses[k] : low.masses[k];
            }
            highest = std::max(highest, unlimited(corner_));
        }
        return highest;
    }

    /// Looks between two candidates, the most promising stretch first.
    void search(const Known& low, const Known& high) {
        if (high.index - low.index < 2) {
            return;
        }
        const std::size_t n_parts = std::min(parts_of_block, high.index - low.index);
        const auto masses = memory_.take<double>(n_parts * n_classes_);
        std::array<Known, parts_of_block + 1> known;
        known[0] = low;
        known[n_parts] = high;
        for (std::size_t part = 1; part < n_parts; ++part) {
            const auto place = masses.subspan(part * n_classes_, n_classes_);
            const std::size_t index = low.index + part * (high.index - low.index) / n_parts;
            known[part] = {index, evaluate(index, place), place};
        }
        std::array<double, parts_of_block> highest;
        for (std::size_t part = 0; part < n_parts; ++part) {
            highest[part] = bound(known[part], known[part + 1]);
        }
        for (std::size_t tried = 0; tried < n_parts; ++tried) {
            const auto most = std::max_element(highest.begin(), highest.begin() + n_parts);
            if (*most < worth_a_look()) {
                return;
            }
            *most = -std::numeric_limits<double>::infinity();
            const auto part = static_cast<std::size_t>(most - highest.begin());
            search(known[part], known[part + 1]);
        }
    }

    /// Neighbouring candidates, first to last, that share the highest purity.
    struct Plateau {
        std::size_t first;
        std::size_t last;
    };

    /// A plateau's ends, where propagated mass was not looked at before: mass rises with the
    /// threshold, so between two good ends all is good. If none is, the split is refused later.
    void keep_what_propagates() {
        const std::size_t column = node_.presort.numeric[numeric_index_];
        if (node_.checks_propagation || !node_.plan.propagated_with(column) || found_.size() < 2) {
            return;
        }
        const Noise& noise = *node_.plan.searched_with(column);
        const auto good = [&](const Found& each) {
            return propagates(node_, numeric_index_, off_axis(noise.axis, grid_[each.index]));
        };
        const auto first = std::ranges::find_if(found_, good);
        if (first == found_.end()) {
            return;
        }
        const auto last = std::find_if(found_.rbegin(), found_.rend(), good).base();
        found_ = std::vector<Found>(first, last);
    }

    /// The longest one; of equals the lowest.
    Plateau widest_plateau() {
        std::erase_if(found_, [&](const Found& each) { return each.purity < equal_to_best(); });
        std::ranges::sort(found_, {}, &Found::index);
        keep_what_propagates();
        Plateau widest{found_.front().index, found_.front().index};
        Plateau current = widest;
        for (const Found& each : found_) {
            current = each.index <= current.last + 1 ? Plateau{current.first, each.index}
                                                     : Plateau{each.index, each.index};
            if (width(current) > width(widest)) {
                widest = current;
            }
        }
        return widest;
    }

    double width(const Plateau& plateau) const {
        return grid_[plateau.last] - grid_[plateau.first];
    }

    void finish(Split& split, const Plateau& plateau) {
        std::vector<double> left(n_classes_);
        double tau = grid_[plateau.first];
        masses_at(plateau.first, left);
        if (plateau.first < plateau.last) {
            std::vector<double> at_middle(n_classes_);
            const double middle = tau / 2 + grid_[plateau.last] / 2;
            rows_.below(middle, at_middle);
            const bool counts = !ChoosesSides<Measure> || purity(at_middle) > whole_;
            if (counts && is_allowed(middle, at_middle)) {
                tau = middle;
                left = at_middle;
            }
        }
        const Noise& noise = *node_.plan.searched_with(node_.presort.numeric[numeric_index_]);
        const double mass = node_.rows.mass;
        split.gain = gain_of(measure_, purity(left), whole_, rows_.total(), mass);
        if (node_.plan.penalty) {
            const MassRange counted = counted_range(node_, rows_.total());
            const auto n_cuts = static_cast<double>(count_cuts(node_, numeric_index_, counted));
            split.gain -= std::log2(std::max(1.0, n_cuts)) / mass;
        }
        split.available = split.gain > no_gain;
        split.threshold = off_axis(noise.axis, tau);
        split.position = rows_.measured_below(tau, is_strict());
        if constexpr (ChoosesSides<Measure>) {
            split.missing_branch = measure_.kept_branch(left, right_of(left));
        }
        double first = 0.0;
        for (const double part : left) {
            first += part;
        }
        const double sides[] = {first, rows_.total() - first};
        split.info = split_information(sides, mass - rows_.total(), mass);
    }

    NodeContext node_;  ///< with the least mass that the measure asks of a branch
    std::size_t numeric_index_;
    BlurredMasses rows_;
    Measure measure_;
    SoftGrid grid_;
    Arena& memory_;
    std::size_t n_classes_;
    double whole_;
    double least_ = 0.0;
    double to_beat_ = 0.0;
    double best_ = -std::numeric_limits<double>::infinity();
    std::uint64_t evaluations_ = 0;
    std::vector<double> right_;
    std::vector<double> corner_;
    std::vector<Found> found_;
};

}  // namespace

Split best_soft_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch& scratch) {
    const auto mark = scratch.memory.mark();
    const auto search = [&](const auto& score) {
        return SoftScan(node, numeric_index, score.weights(), scratch.memory).best();
    };
    Split split = std::visit(search, node.plan.score);
    scratch.memory.release(mark);
    return split;
}

}  // namespace clearwood
