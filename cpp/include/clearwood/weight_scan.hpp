/// What measures on real weights share: the masses on both sides of a moving cut, and ties.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clearwood {

/// Equal up to rounding counts as a tie, which the earlier candidate wins.
inline constexpr double tie_tolerance = 1e-12;

inline bool clearly_above(double candidate, double best) {
    return candidate > best + tie_tolerance * std::max(1.0, std::abs(best));
}

/// Left and right masses per class as real numbers, shared by the scans on weights.
class WeightScan {
public:
    using Mass = double;

    WeightScan(std::span<const double> totals, std::vector<std::int64_t>& scratch)
        : n_classes_(totals.size()) {
        scratch.assign(2 * n_classes_, 0);  // all-zero bits are 0.0
        left_ = reinterpret_cast<double*>(scratch.data());
        right_ = left_ + n_classes_;
        std::ranges::copy(totals, right_);
    }
    void move(std::size_t label, Mass weight) {
        left_[label] += weight;
        right_[label] = std::max(0.0, right_[label] - weight);  // rounding must not go below zero
        mass_ += weight;
    }
    Mass mass() const { return mass_; }
    double left(std::size_t label) const { return left_[label]; }

protected:
    std::span<const double> left() const { return {left_, n_classes_}; }
    std::span<const double> right() const { return {right_, n_classes_}; }

private:
    std::size_t n_classes_;
    double* left_;
    double* right_;
    double mass_ = 0.0;
};

/// Two classes: the masses stay in registers, and a stretch of cuts can be bounded at once.
template <class Measure>
class BinaryWeightScan {
public:
    using Mass = double;

    BinaryWeightScan(const Measure&, std::span<const double> totals, std::vector<std::int64_t>&)
        : total0_(totals[0]), total1_(totals[1]) {}
    void move(std::size_t label, Mass weight) {
        mass_ += weight;
        left1_ += static_cast<double>(label) * weight;
    }
    Mass mass() const { return mass_; }
    double value() const { return value(mass_ - left1_, left1_); }

    /// No cut between two is purer: purity is convex in the class masses, which only rise.
    static double highest_between(const BinaryWeightScan& low, const BinaryWeightScan& high) {
        const double low0 = low.mass_ - low.left1_;
        const double high0 = high.mass_ - high.left1_;
        return std::max({low.value(), high.value(), low.value(low0, high.left1_),
                         low.value(high0, low.left1_)});
    }

private:
    double value(double left0, double left1) const {
        return Measure::binary(std::max(0.0, left0), left1) +
               Measure::binary(std::max(0.0, total0_ - left0), std::max(0.0, total1_ - left1));
    }

    double total0_;
    double total1_;
    double mass_ = 0.0;
    double left1_ = 0.0;
};

}  // namespace clearwood
