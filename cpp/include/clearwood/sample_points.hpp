/// The sample points that stand for the values of one column in one node (UDT; algorithms.md E).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/split.hpp"

namespace clearwood {

/// Points in rising order. A row's points outside the node's box are left out and its weight is
/// shared by the others; a row without any is certain to lie on one side of every cut.
class SamplePoints {
public:
    SamplePoints(const NodeContext& node, std::size_t numeric_index);

    std::size_t size() const { return values_.size(); }
    double value(std::size_t place) const { return values_[place]; }
    /// Class masses of the first `count` points, rows that are certain included.
    std::span<const double> below(std::size_t count) const {
        return std::span(cumulated_).subspan(count * n_classes_, n_classes_);
    }
    std::span<const double> totals() const { return totals_; }
    double total() const { return total_; }
    /// Numbers of points up to each end of a row's distribution, rising and distinct, from 0 to
    /// size(): between two of them no distribution begins or ends.
    std::span<const std::size_t> ends() const { return ends_; }

private:
    void add_row(const PointsCdf& cdf, double position, double scale, Interval interval,
                 std::uint32_t label, double weight);
    void sort();
    void find_ends();

    std::size_t n_classes_;
    std::vector<double> values_;
    std::vector<std::uint32_t> labels_;
    std::vector<double> weights_;
    std::vector<double> bounds_;  ///< where the rows' distributions begin and end
    std::vector<double> cumulated_;
    std::vector<double> certain_;  ///< masses below every cut
    std::vector<double> totals_;
    double total_ = 0.0;
    std::vector<std::size_t> ends_;
};

}  // namespace clearwood
