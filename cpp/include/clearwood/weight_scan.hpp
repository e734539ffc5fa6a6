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

}  // namespace clearwood
