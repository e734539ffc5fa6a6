/// The fewest errors of a tree of depth one on a set of rows that grows by one row at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace clearwood {

/// Weight of each class.
using ClassWeights = std::vector<double>;

inline double largest(std::span<const double> weights) {
    return *std::ranges::max_element(weights);
}

/// A numeric column: a binary tree over its distinct values. Each of its nodes keeps the weight of
/// each class, and for each pair of classes the most weight that one cut within it puts right if
/// what lies below the cut is of the first class and what lies above of the second.
class CutGains {
public:
    CutGains(std::size_t n_values, std::size_t n_classes) : k_(n_classes), missing_(n_classes) {
        while (n_places_ < n_values) n_places_ *= 2;
        weight_.resize(2 * n_places_ * k_);
        right_.resize(2 * n_places_ * k_ * k_);
    }

    void clear() {
        std::ranges::fill(weight_, 0.0);
        std::ranges::fill(right_, 0.0);
        std::ranges::fill(missing_, 0.0);
    }

    /// `rank` of the row's value among the distinct ones; negative: missing.
    void add(std::int32_t rank, std::size_t of_class, double weight) {
        if (rank < 0) {
            missing_[of_class] += weight;
            return;
        }
        std::size_t node = n_places_ + static_cast<std::size_t>(rank);
        weight_[node * k_ + of_class] += weight;
        for (std::size_t a = 0; a < k_; ++a)
            for (std::size_t b = 0; b < k_; ++b)
                right(node, a, b) = std::max(weight_[node * k_ + a], weight_[node * k_ + b]);
        for (node /= 2; node > 0; node /= 2) {
            weight_[node * k_ + of_class] += weight;
            combine(node);
        }
    }

    /// The most weight that a cut, or none, puts right.
    double most_right() const {
        double best = 0.0;
        for (std::size_t a = 0; a < k_; ++a)
            for (std::size_t b = 0; b < k_; ++b)
                best =
                    std::max(best, right_[(k_ + a) * k_ + b] + std::max(missing_[a], missing_[b]));
        return best;
    }

private:
    double& right(std::size_t node, std::size_t a, std::size_t b) {
        return right_[(node * k_ + a) * k_ + b];
    }

    void combine(std::size_t node) {
        const std::size_t low = 2 * node;
        const std::size_t high = low + 1;
        for (std::size_t a = 0; a < k_; ++a)
            for (std::size_t b = 0; b < k_; ++b)
                right(node, a, b) = std::max(right(low, a, b) + weight_[high * k_ + b],
                                             weight_[low * k_ + a] + right(high, a, b));
    }

    std::size_t k_;
    std::size_t n_places_ = 1;
    std::vector<double> weight_;  ///< nodes x classes; node 1 is the root, places are the last half
    std::vector<double> right_;   ///< nodes x classes x classes
    ClassWeights missing_;
};

/// A nominal column: the weight of each class at each level.
class LevelGains {
public:
    LevelGains(std::size_t n_levels, std::size_t n_classes)
        : k_(n_classes),
          weight_(std::max<std::size_t>(n_levels, 1) * n_classes),
          missing_(n_classes) {}

    void clear() {
        std::ranges::fill(weight_, 0.0);
        std::ranges::fill(missing_, 0.0);
        sum_ = 0.0;
    }

    void add(std::int32_t level, std::size_t of_class, double weight) {
        if (level < 0) {
            missing_[of_class] += weight;
            return;
        }
        const auto at_level = of_level(static_cast<std::size_t>(level));
        sum_ -= largest(at_level);
        at_level[of_class] += weight;
        sum_ += largest(at_level);
    }

    double most_right() const { return sum_ + best_home().gain; }

    struct Home {
        std::int32_t level = 0;
        double gain = 0.0;
    };
    /// The level whose branch puts most of the missing weight right.
    Home best_home() const {
        Home best;
        if (largest(missing_) == 0.0) return best;
        for (std::size_t level = 0; level < weight_.size() / k_; ++level) {
            double together = 0.0;
            double alone = 0.0;
            for (std::size_t c = 0; c < k_; ++c) {
                together = std::max(together, weight_[level * k_ + c] + missing_[c]);
                alone = std::max(alone, weight_[level * k_ + c]);
            }
            if (together - alone > best.gain)
                best = {static_cast<std::int32_t>(level), together - alone};
        }
        return best;
    }
    bool has_missing() const { return largest(missing_) > 0.0; }

private:
    std::span<double> of_level(std::size_t level) {
        return std::span(weight_).subspan(level * k_, k_);
    }

    std::size_t k_;
    std::vector<double> weight_;  ///< levels x classes
    ClassWeights missing_;
    double sum_ = 0.0;  ///< over the levels, of the heaviest class's weight
};

using Gains = std::variant<CutGains, LevelGains>;

}  // namespace clearwood
