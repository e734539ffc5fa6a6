/// The open interval that the cuts above a node leave to each numeric column. It follows from the
/// path alone, so it is the same for every part of a row in the node.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clearwood {

struct Interval {
    double lower = -HUGE_VAL;
    double upper = HUGE_VAL;

    bool contains(double threshold) const { return lower < threshold && threshold < upper; }
};

/// The intervals of the node at work: narrowed on the way down, widened again on the way up.
class Box {
public:
    explicit Box(std::size_t n_columns) : intervals_(n_columns) {}

    const Interval& operator[](std::size_t column) const { return intervals_[column]; }

    /// Enters a branch (0: up to the threshold, 1: beyond); returns what `widen` needs.
    Interval narrow(std::size_t column, double threshold, std::int32_t branch) {
        const Interval before = intervals_[column];
        if (branch == 0) {
            intervals_[column].upper = std::min(before.upper, threshold);
        } else {
            intervals_[column].lower = std::max(before.lower, threshold);
        }
        return before;
    }
    void widen(std::size_t column, Interval before) { intervals_[column] = before; }

private:
    std::vector<Interval> intervals_;
};

}  // namespace clearwood
