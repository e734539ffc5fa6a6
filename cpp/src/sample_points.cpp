#include "clearwood/sample_points.hpp"

#include <algorithm>
#include <numeric>

#include "clearwood/sort.hpp"

namespace clearwood {

SamplePoints::SamplePoints(const NodeContext& node, std::size_t numeric_index)
    : n_classes_(static_cast<std::size_t>(node.n_classes)),
      certain_(n_classes_, 0.0),
      totals_(n_classes_, 0.0) {
    const std::size_t column = node.presort.numeric[numeric_index];
    const NumericColumn& values = *node.table.numeric(column);
    const Noise& noise = *node.plan.searched_with(column);
    const auto& cdf = std::get<PointsCdf>(noise.cdf);
    for (const Entry entry : node.rows.orders[numeric_index]) {
        const RowId row = node.presort.code.row(entry);
        const auto label = static_cast<std::uint32_t>(node.presort.code.label(entry));
        const double weight = node.weight(row);
        totals_[label] += weight;
        total_ += weight;
        add_row(cdf, noise.position(values.values[row]), noise.scale[row], node.interval(column),
                label, weight);
    }
    sort();
    find_ends();
}

void SamplePoints::add_row(const PointsCdf& cdf, double position, double scale, Interval interval,
                           std::uint32_t label, double weight) {
    const std::size_t first = values_.size();
    for (const double point : cdf.points()) {
        const double value = position + scale * point;
        if (value > interval.lower && value <= interval.upper) {
            values_.push_back(value);
            labels_.push_back(label);
        }
    }
    const std::size_t count = values_.size() - first;
    if (count == 0) {
        certain_[label] += position <= interval.lower ? weight : 0.0;
        return;
    }
    weights_.insert(weights_.end(), count, weight / static_cast<double>(count));
    bounds_.push_back(values_[first]);
    bounds_.push_back(values_.back());
}

void SamplePoints::sort() {
    std::vector<RowId> ids(values_.size());
    std::iota(ids.begin(), ids.end(), RowId{0});
    std::vector<RowId> order;
    SortScratch scratch;
    sort_known(values_, ids, order, scratch);
    std::vector<double> sorted;
    std::vector<double> running = certain_;
    sorted.reserve(order.size());
    cumulated_.reserve((order.size() + 1) * n_classes_);
    cumulated_.insert(cumulated_.end(), running.begin(), running.end());
    for (const RowId id : order) {
        sorted.push_back(values_[id]);
        running[labels_[id]] += weights_[id];
        cumulated_.insert(cumulated_.end(), running.begin(), running.end());
    }
    values_ = std::move(sorted);
}

/// A distribution begins before its first point and ends after its last one.
void SamplePoints::find_ends() {
    ends_ = {0, size()};
    for (std::size_t i = 0; i < bounds_.size(); i += 2) {
        const auto begins = std::ranges::lower_bound(values_, bounds_[i]) - values_.begin();
        const auto ends = std::ranges::upper_bound(values_, bounds_[i + 1]) - values_.begin();
        ends_.push_back(static_cast<std::size_t>(begins));
        ends_.push_back(static_cast<std::size_t>(ends));
    }
    std::ranges::sort(ends_);
    const auto repeated = std::ranges::unique(ends_);
    ends_.erase(repeated.begin(), repeated.end());
}

}  // namespace clearwood
