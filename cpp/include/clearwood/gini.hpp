/// Gini gain as a measure (measure.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/weight_scan.hpp"

namespace clearwood {

/// Gini gain on whole masses: squares are summed exactly.
class GiniCounts {
public:
    using Value = double;

    Value purity(std::span<const double> masses) const {
        std::int64_t squares = 0;
        std::int64_t total = 0;
        for (const double mass : masses) {
            const auto n = static_cast<std::int64_t>(mass);
            squares += n * n;
            total += n;
        }
        return total == 0 ? 0.0 : static_cast<double>(squares) / static_cast<double>(total);
    }
    bool better(Value candidate, Value best) const { return clearly_above(candidate, best); }
    double in_bits(Value difference) const { return difference; }

    class Scan;
    using BinaryScan = Scan;
};

class GiniCounts::Scan {
public:
    using Mass = std::int64_t;

    Scan(const GiniCounts&, std::span<const double> totals, std::vector<std::int64_t>& scratch) {
        scratch.assign(2 * totals.size(), 0);
        left_ = scratch.data();
        right_ = left_ + totals.size();
        for (std::size_t k = 0; k < totals.size(); ++k) {
            right_[k] = static_cast<std::int64_t>(totals[k]);
            right_squares_ += right_[k] * right_[k];
            total_ += right_[k];
        }
    }
    void move(std::size_t label, Mass weight) {
        const std::int64_t l = left_[label];
        const std::int64_t r = right_[label];
        left_squares_ += weight * (2 * l + weight);
        right_squares_ -= weight * (2 * r - weight);
        left_[label] = l + weight;
        right_[label] = r - weight;
        mass_ += weight;
    }
    Mass mass() const { return mass_; }
    Value value() const {
        return share(left_squares_, mass_) + share(right_squares_, total_ - mass_);
    }

private:
    static double share(std::int64_t squares, std::int64_t mass) {
        return mass == 0 ? 0.0 : static_cast<double>(squares) / static_cast<double>(mass);
    }

    std::int64_t* left_;
    std::int64_t* right_;
    std::int64_t left_squares_ = 0;
    std::int64_t right_squares_ = 0;
    std::int64_t mass_ = 0;
    std::int64_t total_ = 0;
};

/// Gini gain on real weights.
class GiniWeights {
public:
    using Value = double;

    Value purity(std::span<const double> masses) const {
        double squares = 0.0;
        double total = 0.0;
        for (const double mass : masses) {
            squares += mass * mass;
            total += mass;
        }
        return total > 0.0 ? squares / total : 0.0;
    }
    bool better(Value candidate, Value best) const { return clearly_above(candidate, best); }
    double in_bits(Value difference) const { return difference; }

    class Scan : public WeightScan {
    public:
        Scan(const GiniWeights&, std::span<const double> totals, std::vector<std::int64_t>& scratch)
            : WeightScan(totals, scratch) {}
        Value value() const { return GiniWeights{}.purity(left()) + GiniWeights{}.purity(right()); }
    };
    using BinaryScan = BinaryWeightScan<GiniWeights>;

    static double binary(double a, double b) {
        return a + b > 0.0 ? (a * a + b * b) / (a + b) : 0.0;
    }
};

}  // namespace clearwood
