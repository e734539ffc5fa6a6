/// Information gain as a measure (measure.hpp): on whole masses by a table of n * log2(n), on
/// weights by the logarithm itself.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/quick_log.hpp"
#include "clearwood/weight_scan.hpp"

namespace clearwood {

/// n * log2(n) for n = 0 ... max_mass, in fixed point.
class EntropyTable {
public:
    EntropyTable() = default;
    explicit EntropyTable(std::size_t max_mass);

    const std::int64_t* data() const;
    double unit() const { return unit_; }

private:
    std::vector<std::int64_t> own_;  ///< empty where the table for small masses serves
    double unit_ = 1.0;
};

inline double n_log_n(double n) {
    return n > 0.0 ? n * std::log2(n) : 0.0;
}

/// Information gain on whole masses.
class EntropyCounts {
public:
    using Value = std::int64_t;

    explicit EntropyCounts(const EntropyTable& table) : f_(table.data()), unit_(table.unit()) {}

    Value purity(std::span<const double> masses) const {
        Value sum = 0;
        std::int64_t total = 0;
        for (const double mass : masses) {
            const auto n = static_cast<std::int64_t>(mass);
            sum += f_[n];
            total += n;
        }
        return sum - f_[total];
    }
    bool better(Value candidate, Value best) const { return candidate > best + rounding; }
    double in_bits(Value difference) const { return static_cast<double>(difference) * unit_; }

    class Scan;
    class BinaryScan;

private:
    /// More than the entries of a purity, each rounded by half a unit, may be off together.
    static constexpr Value rounding = 16;

    const std::int64_t* f_;
    double unit_;
};

class EntropyCounts::Scan {
public:
    using Mass = std::int64_t;

    Scan(const EntropyCounts& measure, std::span<const double> totals,
         std::vector<std::int64_t>& scratch)
        : f_(measure.f_), n_classes_(totals.size()) {
        scratch.assign(2 * n_classes_, 0);
        left_ = scratch.data();
        right_ = left_ + n_classes_;
        for (std::size_t k = 0; k < n_classes_; ++k) {
            right_[k] = static_cast<std::int64_t>(totals[k]);
            sum_ += f_[right_[k]];
            total_ += right_[k];
        }
    }
    void move(std::size_t label, Mass weight) {
        const std::int64_t l = left_[label];
        const std::int64_t r = right_[label];
        sum_ += f_[l + weight] - f_[l] + f_[r - weight] - f_[r];
        left_[label] = l + weight;
        right_[label] = r - weight;
        mass_ += weight;
    }
    Mass mass() const { return mass_; }
    Value value() const { return sum_ - f_[mass_] - f_[total_ - mass_]; }

private:
    const std::int64_t* f_;
    std::size_t n_classes_;
    std::int64_t* left_;
    std::int64_t* right_;
    std::int64_t sum_ = 0;
    std::int64_t mass_ = 0;
    std::int64_t total_ = 0;
};

/// Two classes: the counts stay in registers.
class EntropyCounts::BinaryScan {
public:
    using Mass = std::int64_t;

    BinaryScan(const EntropyCounts& measure, std::span<const double> totals,
               std::vector<std::int64_t>&)
        : f_(measure.f_),
          total0_(static_cast<std::int64_t>(totals[0])),
          total1_(static_cast<std::int64_t>(totals[1])) {}
    void move(std::size_t label, Mass weight) {
        mass_ += weight;
        left1_ += static_cast<std::int64_t>(label) * weight;
    }
    Mass mass() const { return mass_; }
    Value value() const {
        const std::int64_t left0 = mass_ - left1_;
        return f_[left0] + f_[left1_] - f_[mass_] + f_[total0_ - left0] + f_[total1_ - left1_] -
               f_[total0_ + total1_ - mass_];
    }

private:
    const std::int64_t* f_;
    std::int64_t total0_;
    std::int64_t total1_;
    std::int64_t mass_ = 0;
    std::int64_t left1_ = 0;
};

/// Information gain on real weights.
class EntropyWeights {
public:
    using Value = double;

    Value purity(std::span<const double> masses) const {
        double sum = 0.0;
        double total = 0.0;
        for (const double mass : masses) {
            sum += quick_n_log_n(mass);
            total += mass;
        }
        return sum - quick_n_log_n(total);
    }
    bool better(Value candidate, Value best) const { return clearly_above(candidate, best); }
    double in_bits(Value difference) const { return difference; }

    class Scan : public WeightScan {
    public:
        Scan(const EntropyWeights&, std::span<const double> totals,
             std::vector<std::int64_t>& scratch)
            : WeightScan(totals, scratch) {}
        Value value() const {
            return EntropyWeights{}.purity(left()) + EntropyWeights{}.purity(right());
        }
    };
    using BinaryScan = BinaryWeightScan<EntropyWeights>;

    static double binary(double a, double b) {
        return quick_n_log_n(a) + quick_n_log_n(b) - quick_n_log_n(a + b);
    }
};

}  // namespace clearwood
