/// Discernibility pairs as a measure (measure.hpp; algorithms.md G.1): how many pairs of rows of
/// different classes a split separates. Purity is minus the pairs that a set of rows still holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/weight_scan.hpp"

namespace clearwood {

/// Pairs among whole masses: exact.
class PairCounts {
public:
    using Value = std::int64_t;
    static constexpr bool counts_pairs = true;

    Value purity(std::span<const double> masses) const {
        std::int64_t squares = 0;
        std::int64_t total = 0;
        for (const double mass : masses) {
            const auto n = static_cast<std::int64_t>(mass);
            squares += n * n;
            total += n;
        }
        return -(total * total - squares) / 2;
    }
    bool better(Value candidate, Value best) const { return candidate > best; }
    double in_bits(Value difference) const { return static_cast<double>(difference); }

    class Scan;
    using BinaryScan = Scan;
};

class PairCounts::Scan {
public:
    using Mass = std::int64_t;

    Scan(const PairCounts& measure, std::span<const double> totals,
         std::vector<std::int64_t>& scratch)
        : value_(measure.purity(totals)) {
        scratch.assign(2 * totals.size(), 0);
        left_ = scratch.data();
        right_ = left_ + totals.size();
        for (std::size_t k = 0; k < totals.size(); ++k) {
            right_[k] = static_cast<std::int64_t>(totals[k]);
            total_ += right_[k];
        }
    }
    void move(std::size_t label, Mass weight) {
        right_[label] -= weight;
        // Pairs with the other classes: those to the right are separated now, those to the left no
        // longer.
        value_ +=
            weight * (total_ - mass_ - weight - right_[label]) - weight * (mass_ - left_[label]);
        left_[label] += weight;
        mass_ += weight;
    }
    Mass mass() const { return mass_; }
    Value value() const { return value_; }

private:
    std::int64_t* left_;
    std::int64_t* right_;
    std::int64_t value_;
    std::int64_t mass_ = 0;
    std::int64_t total_ = 0;
};

/// Pairs on real weights: products of weights.
class PairWeights {
public:
    using Value = double;
    static constexpr bool counts_pairs = true;

    Value purity(std::span<const double> masses) const {
        double pairs = 0.0;
        double total = 0.0;
        for (const double mass : masses) {
            pairs += total * mass;
            total += mass;
        }
        return -pairs;
    }
    bool better(Value candidate, Value best) const { return clearly_above(candidate, best); }
    double in_bits(Value difference) const { return difference; }

    class Scan : public WeightScan {
    public:
        Scan(const PairWeights&, std::span<const double> totals, std::vector<std::int64_t>& scratch)
            : WeightScan(totals, scratch) {}
        Value value() const { return PairWeights{}.purity(left()) + PairWeights{}.purity(right()); }
    };
    /// Linear in each class's mass, so that the corners hold the highest value of a stretch.
    using BinaryScan = BinaryWeightScan<PairWeights>;

    static double binary(double a, double b) { return -a * b; }
};

}  // namespace clearwood
