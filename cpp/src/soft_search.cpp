/// The best threshold of a blurred column (algorithms.md A). The class masses left of a threshold
/// rise with it, and purity is convex in them; so between two thresholds purity is nowhere higher
/// than at a corner of the box that their masses span. Whole stretches of the grid fall to that.
#include <algorithm>
#include <cmath>
#include <limits>

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
    SoftScan(const NodeContext& node, std::size_t numeric_index, const Measure& measure)
        : node_(node),
          numeric_index_(numeric_index),
          measure_(measure),
          rows_(node, numeric_index),
          grid_(rows_, node.plan.soft_search),
          n_classes_(static_cast<std::size_t>(node.n_classes)),
          whole_(measure.purity(rows_.totals())) {
        const MassRange counted = counted_range(node, rows_.total());
        least_ = std::max(counted.low, node.min_samples_leaf);
    }

    Split best() {
        Split split;
        split.column = static_cast<std::int32_t>(node_.presort.numeric[numeric_index_]);
        if (rows_.total() < 2 * node_.min_samples_leaf || grid_.size() == 0) {
            return split;
        }
        std::vector<double> ends(2 * n_classes_);
        evaluate(0, slot(ends, 0));
        evaluate(grid_.size() - 1, slot(ends, 1));
        search(0, grid_.size() - 1, slot(ends, 0), slot(ends, 1));
        if (node_.effort) {
            node_.effort->candidates += grid_.size();
            node_.effort->evaluations += evaluations_;
        }
        if (found_.empty()) {
            return split;
        }
        finish(split, middle_of_plateau());
        return split;
    }

private:
    std::span<double> slot(std::vector<double>& masses, std::size_t i) const {
        return std::span(masses).subspan(i * n_classes_, n_classes_);
    }

    double tolerance() const {
        return plateau_tolerance * std::max(node_.rows.mass, best_ - whole_);
    }

    double purity(std::span<const double> left) {
        right_.resize(n_classes_);
        for (std::size_t k = 0; k < n_classes_; ++k) {
            right_[k] = std::max(0.0, rows_.totals()[k] - left[k]);
        }
        return measure_.purity(left) + measure_.purity(right_);
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
            return propagates(node_, numeric_index_, threshold);
        }
        double measured = 0.0;
        rows_.measured_below(tau, is_strict(), measured);
        return measured >= least_ && rows_.total() - measured >= least_;
    }

    bool is_strict() const { return node_.plan.cut_at == CutAt::upper; }

    /// The masses at a candidate; remembers it if it may be the best.
    void evaluate(std::size_t index, std::span<double> left) {
        const double tau = grid_[index];
        rows_.below(tau, left);
        ++evaluations_;
        const double value = purity(left);
        if (value < best_ - tolerance() || value <= whole_ || !is_allowed(tau, left)) {
            return;
        }
        best_ = std::max(best_, value);
        found_.push_back({index, value});
    }

    /// No threshold between two with these masses has a higher purity.
    double bound(std::span<const double> low, std::span<const double> high) {
        if (n_classes_ > most_classes_bounded) {
            return std::numeric_limits<double>::infinity();
        }
        corner_.resize(n_classes_);
        double highest = -std::numeric_limits<double>::infinity();
        for (std::size_t corner = 0; corner < std::size_t{1} << n_classes_; ++corner) {
            for (std::size_t k = 0; k < n_classes_; ++k) {
                corner_[k] = corner >> k & 1 ? high[k] : low[k];
            }
            highest = std::max(highest, purity(corner_));
        }
        return highest;
    }

    struct Block {
        std::size_t first;
        std::size_t last;
        std::size_t slot;
        double bound;
    };

    /// Looks between two candidates already evaluated, the most promising stretch first.
    void search(std::size_t first, std::size_t last, std::span<const double> low,
                std::span<const double> high) {
        if (last - first < 2) {
            return;
        }
        const std::size_t n_parts = std::min(parts_of_block, last - first);
        std::vector<double> masses((n_parts + 1) * n_classes_);
        std::ranges::copy(low, slot(masses, 0).begin());
        std::ranges::copy(high, slot(masses, n_parts).begin());
        const auto place = [&](std::size_t part) {
            return first + part * (last - first) / n_parts;
        };
        for (std::size_t part = 1; part < n_parts; ++part) {
            evaluate(place(part), slot(masses, part));
        }
        std::vector<Block> blocks;
        for (std::size_t part = 0; part < n_parts; ++part) {
            if (place(part + 1) - place(part) >= 2) {
                blocks.push_back({place(part), place(part + 1), part,
                                  bound(slot(masses, part), slot(masses, part + 1))});
            }
        }
        std::ranges::stable_sort(blocks, std::ranges::greater{}, &Block::bound);
        for (const Block& block : blocks) {
            if (block.bound >= best_ - tolerance()) {
                search(block.first, block.last, slot(masses, block.slot),
                       slot(masses, block.slot + 1));
            }
        }
    }

    /// The middle of the longest run of neighbouring candidates that share the highest purity.
    double middle_of_plateau() {
        std::erase_if(found_, [&](const Found& each) { return each.purity < best_ - tolerance(); });
        std::ranges::sort(found_, {}, &Found::index);
        double start = grid_[found_.front().index];
        double longest = -1.0;
        double middle = start;
        for (std::size_t i = 0; i < found_.size(); ++i) {
            const double tau = grid_[found_[i].index];
            if (i > 0 && found_[i].index != found_[i - 1].index + 1) {
                start = tau;
            }
            if (tau - start > longest) {
                longest = tau - start;
                middle = start / 2 + tau / 2;
            }
        }
        return middle;
    }

    void finish(Split& split, double tau) {
        std::vector<double> left(n_classes_);
        rows_.below(tau, left);
        if (!is_allowed(tau, left)) {  // the middle of a plateau, but not of what is allowed
            tau = grid_[found_.front().index];
            rows_.below(tau, left);
        }
        const Noise& noise = *node_.plan.searched_with(node_.presort.numeric[numeric_index_]);
        const double mass = node_.rows.mass;
        split.gain = measure_.in_bits(purity(left) - whole_) / mass;
        if (node_.plan.penalty) {
            const MassRange counted = counted_range(node_, rows_.total());
            const auto n_cuts = static_cast<double>(count_cuts(node_, numeric_index_, counted));
            split.gain -= std::log2(std::max(1.0, n_cuts)) / mass;
        }
        split.available = split.gain > no_gain;
        split.threshold = off_axis(noise.axis, tau);
        double measured = 0.0;
        split.position = rows_.measured_below(tau, is_strict(), measured);
        double first = 0.0;
        for (const double part : left) {
            first += part;
        }
        const double sides[] = {first, rows_.total() - first};
        split.info = split_information(sides, mass - rows_.total(), mass);
    }

    const NodeContext& node_;
    std::size_t numeric_index_;
    const Measure& measure_;
    BlurredMasses rows_;
    SoftGrid grid_;
    std::size_t n_classes_;
    double whole_;
    double least_ = 0.0;
    double best_ = -std::numeric_limits<double>::infinity();
    std::uint64_t evaluations_ = 0;
    std::vector<double> right_;
    std::vector<double> corner_;
    std::vector<Found> found_;
};

}  // namespace

Split best_soft_cut(const NodeContext& node, std::size_t numeric_index, SearchScratch&) {
    const auto search = [&](auto score) {
        const typename decltype(score)::Weights measure{};
        return SoftScan(node, numeric_index, measure).best();
    };
    return std::visit(search, node.plan.score);
}

}  // namespace clearwood
