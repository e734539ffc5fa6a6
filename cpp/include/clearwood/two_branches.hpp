/// A table levels x classes, and the two branches that its levels can be dealt out to: each way to
/// do so is scored by the classes alone, however many levels are declared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "clearwood/gains.hpp"

namespace clearwood {

/// Class masses of each level among the node's rows.
struct LevelMasses {
    std::span<const double> masses;  // n_levels x n_classes
    std::size_t n_classes;
    double known = 0.0;

    std::size_t n_levels() const { return masses.size() / n_classes; }
    std::span<const double> level(std::size_t l) const {
        return masses.subspan(l * n_classes, n_classes);
    }
    double mass(std::size_t l) const {
        const auto of_level = level(l);
        return std::accumulate(of_level.begin(), of_level.end(), 0.0);
    }
};

/// Class masses of both branches, and the best that was seen of them.
template <class Measure>
class TwoBranches {
public:
    TwoBranches(const LevelMasses& table, const Measure& measure, double least)
        : table_(table),
          measure_(measure),
          least_(least),
          first_(table.n_classes, 0.0),
          second_(table.n_classes),
          totals_(table.n_classes, 0.0) {
        for (std::size_t level = 0; level < table.n_levels(); ++level) {
            add(table.level(level), totals_);
        }
    }
    /// Adds a level to the first branch; the second holds all others.
    void move(std::size_t level) {
        add(table_.level(level), first_);
        fill_second();
    }
    /// Puts these levels alone into the first branch.
    void isolate(std::span<const std::size_t> levels) {
        std::ranges::fill(first_, 0.0);
        for (const std::size_t level : levels) {
            add(table_.level(level), first_);
        }
        fill_second();
    }
    /// Whether both branches are heavy enough and purer than any before.
    bool note_if_better() {
        const auto purity = purity_of(measure_, first_, second_);
        purest_.note(purity, measure_);
        return is_heavy(first_) && is_heavy(second_) && best_.note(purity, measure_);
    }
    /// Whether a branch that is too light was in the way of a purer pair.
    bool is_limited() const {
        return purest_.any && (!best_.any || measure_.better(purest_.value, best_.value));
    }

private:
    struct Best {
        bool any = false;
        typename Measure::Value value = 0;

        bool note(typename Measure::Value candidate, const Measure& measure) {
            if (any && !measure.better(candidate, value)) {
                return false;
            }
            any = true;
            value = candidate;
            return true;
        }
    };

    static void add(std::span<const double> level, std::vector<double>& sums) {
        std::ranges::transform(level, sums, sums.begin(), std::plus{});
    }
    bool is_heavy(const std::vector<double>& branch) const {
        const double mass = std::accumulate(branch.begin(), branch.end(), 0.0);
        return mass > 0.0 && mass >= least_;
    }
    void fill_second() {
        for (std::size_t k = 0; k < second_.size(); ++k) {
            second_[k] = std::max(0.0, totals_[k] - first_[k]);  // rounding must not go below zero
        }
    }

    const LevelMasses& table_;
    const Measure& measure_;
    double least_;
    std::vector<double> first_;
    std::vector<double> second_;
    std::vector<double> totals_;
    Best purest_;  ///< of all, whatever their branches weigh
    Best best_;
};

}  // namespace clearwood
