/// What measures on real weights share: the masses on both sides of a moving cut, and ties.
#pragma once

#include <algorithm>
#include <array>
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
class BinaryMasses {
public:
    using Mass = double;

    explicit BinaryMasses(std::span<const double> totals)
        : total0_(totals[0]), total1_(totals[1]) {}
    void move(std::size_t label, Mass weight) {
        mass_ += weight;
        left1_ += static_cast<double>(label) * weight;
    }
    Mass mass() const { return mass_; }

protected:
    /// Class masses on both sides of a cut.
    struct Sides {
        std::array<double, 2> left;
        std::array<double, 2> right;
    };
    Sides sides() const { return sides(left0(), left1_); }

    /// No cut between two has a higher value, if that is convex in the class masses: these only
    /// rise, so that the corners of their range hold the highest.
    template <class ValueOf>
    static double highest_corner(const BinaryMasses& low, const BinaryMasses& high,
                                 const ValueOf& value_of) {
        return std::max({value_of(low.sides()), value_of(high.sides()),
                         value_of(low.sides(low.left0(), high.left1_)),
                         value_of(low.sides(high.left0(), low.left1_))});
    }

private:
    double left0() const { return mass_ - left1_; }
    Sides sides(double left0, double left1) const {  // rounding must not go below zero
        return {{std::max(0.0, left0), left1},
                {std::max(0.0, total0_ - left0), std::max(0.0, total1_ - left1)}};
    }

    double total0_;
    double total1_;
    double mass_ = 0.0;
    double left1_ = 0.0;
};

/// A scan of two classes for measures that are sums over the branches.
template <class Measure>
class BinaryWeightScan : public BinaryMasses {
public:
    BinaryWeightScan(const Measure&, std::span<const double> totals, std::vector<std::int64_t>&)
        : BinaryMasses(totals) {}
    double value() const { return value_of(sides()); }

    static double highest_between(const BinaryWeightScan& low, const BinaryWeightScan& high) {
        return highest_corner(low, high, value_of);
    }

private:
    static double value_of(const Sides& sides) {
        return Measure::binary(sides.left[0], sides.left[1]) +
               Measure::binary(sides.right[0], sides.right[1]);
    }
};

}  // namespace clearwood
