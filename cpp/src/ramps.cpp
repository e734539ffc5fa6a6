#include "clearwood/ramps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "clearwood/spread.hpp"

namespace clearwood {

namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// As the computation holds a number.
double held(double value, bool single_precision) {
    return single_precision ? static_cast<double>(static_cast<float>(value)) : value;
}

/// A row at a cut: its value, and whether each subtree would get its class wrong.
struct Reading {
    double value;
    bool wrong_before;
    bool wrong_beyond;
};

/// A distinct value, and the errors made if it were the threshold.
struct Place {
    double value;
    double errors;
};

/// Of a ramp.
struct Ends {
    double lower;
    double upper;
};

/// Errors made with each distinct value as the threshold; `readings` rise by value.
std::vector<Place> errors_by_threshold(std::span<const Reading> readings) {
    double errors = 0.0;
    for (const Reading& reading : readings) errors += reading.wrong_beyond;
    std::vector<Place> places;
    for (const Reading& reading : readings) {
        errors += static_cast<double>(reading.wrong_before) - reading.wrong_beyond;
        if (places.empty() || places.back().value != reading.value)
            places.push_back({reading.value, errors});
        places.back().errors = errors;
    }
    return places;
}

/// Errors with the threshold at `edge`, and one standard error more.
template <class Real>
Real error_limit(std::span<const Reading> readings, double edge) {
    double errors = 0.0;
    for (const Reading& reading : readings)
        errors += reading.value <= edge ? reading.wrong_before : reading.wrong_beyond;
    const auto n = static_cast<double>(readings.size());
    const double standard_error = std::sqrt((errors + 0.5) * (n - errors + 0.5) / (n + 1.0));
    return static_cast<Real>(errors) + static_cast<Real>(standard_error);
}

/// Where the errors, taken as linear between two places, come to `limit`.
template <class Real>
Real crossing(const Place& within, const Place& outside, Real limit) {
    const auto start = static_cast<Real>(within.value);
    const auto errors = static_cast<Real>(within.errors);
    return start + (static_cast<Real>(outside.value) - start) * (limit - errors) /
                       (static_cast<Real>(outside.errors) - errors);
}

/// The outermost places where the errors cross the limit, `edge` being the last value that counts
/// as before the threshold.
template <class Real>
Ends ends_of(std::span<const Place> places, double threshold, double edge, Real limit) {
    Ends ends{std::min(threshold, places.front().value), std::max(threshold, places.back().value)};
    bool has_lower = false;
    for (std::size_t j = 0; j + 1 < places.size(); ++j) {
        const Place& here = places[j];
        const Place& next = places[j + 1];
        if (!has_lower && here.errors > limit && next.errors <= limit && next.value <= edge) {
            ends.lower = crossing(next, here, limit);
            has_lower = true;
        } else if (here.errors <= limit && next.errors > limit && next.value > edge) {
            ends.upper = std::max<double>(threshold, crossing(here, next, limit));
        }
    }
    return ends;
}

/// In the arithmetic of Real; `slack` beyond the threshold still counts as before it.
template <class Real>
Ends ends_of(std::span<const Reading> readings, double threshold, double slack) {
    const double edge = threshold + slack;
    return ends_of(errors_by_threshold(readings), threshold, edge,
                   error_limit<Real>(readings, edge));
}

class Fitting {
public:
    Fitting(const PackedTree& tree, const Inputs& inputs, const Labels& labels, bool single)
        : tree_(tree),
          inputs_(inputs),
          labels_(labels),
          single_(single),
          gates_(tree),
          spread_(tree, inputs, gates_) {}

    Ramps operator()() {
        Ramps ramps = steps();
        std::vector<RowId> all;
        for (std::size_t row = 0; row < inputs_.n_rows; ++row)
            if (labels_.weight(row) > 0.0) all.push_back(static_cast<RowId>(row));
        open_.push_back({0, std::move(all)});
        while (!open_.empty()) {
            const Open open = std::move(open_.back());
            open_.pop_back();
            if (tree_.is_leaf(open.node) || open.rows.empty()) continue;
            if (tree_.node(open.node).is_cut()) fit(open.node, open.rows, ramps);
            send_on(open);
        }
        return ramps;
    }

private:
    struct Open {
        std::int32_t node;
        std::vector<RowId> rows;
    };

    /// Every cut a step.
    Ramps steps() const {
        const std::vector<double> none(tree_.nodes.size(),
                                       std::numeric_limits<double>::quiet_NaN());
        Ramps ramps{none, none};
        for (std::int32_t node = 0; at(node) < tree_.nodes.size(); ++node) {
            if (tree_.is_leaf(node) || !tree_.node(node).is_cut()) continue;
            const std::size_t id = at(tree_.id_of(node));
            ramps.lower[id] = ramps.upper[id] = threshold_of(node);
        }
        return ramps;
    }

    double threshold_of(std::int32_t node) const {
        return held(tree_.node(node).threshold, single_);
    }

    void fit(std::int32_t node, std::span<const RowId> rows, Ramps& ramps) {
        std::vector<Reading> readings;
        std::vector<RowId> known;
        for (const RowId row : rows) {
            const double value = inputs_.number(tree_.node(node), row);
            if (std::isnan(value)) continue;
            known.push_back(row);
            readings.push_back({value, false, false});
        }
        if (known.empty()) return;
        const std::int32_t first = tree_.node(node).first_child;
        classify(first, known);
        for (std::size_t i = 0; i < known.size(); ++i) readings[i].wrong_before = wrong_[i];
        classify(first + 1, known);
        for (std::size_t i = 0; i < known.size(); ++i) readings[i].wrong_beyond = wrong_[i];
        std::ranges::sort(readings, {}, &Reading::value);

        const double threshold = threshold_of(node);
        const Ends ends = single_ ? ends_of<float>(readings, threshold, 1e-6)
                                  : ends_of<double>(readings, threshold, 0.0);
        const std::size_t id = at(tree_.id_of(node));
        ramps.lower[id] = ends.lower;
        ramps.upper[id] = ends.upper;
    }

    /// Whether the subtree at `root` gets the class of each row wrong; of equal classes the first
    /// counts.
    void classify(std::int32_t root, std::span<const RowId> rows) {
        const std::size_t n_classes = tree_.n_classes;
        sums_.assign(rows.size() * n_classes, 0.0);
        spread_(root, rows, [&](std::int32_t node, auto, std::span<const Parcel> ending) {
            const auto distribution = tree_.distribution_of(node);
            for (const Parcel& parcel : ending)
                for (std::size_t k = 0; k < n_classes; ++k) {
                    double& sum = sums_[parcel.place * n_classes + k];
                    const double part = held(parcel.weight * distribution[k], single_);
                    sum = held(sum + part, single_);
                }
        });
        wrong_.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto own = std::span(sums_).subspan(i * n_classes, n_classes);
            wrong_[i] = std::ranges::max_element(own) - own.begin() != labels_.classes[rows[i]];
        }
    }

    /// Opens the branches with the rows whose values are known.
    void send_on(const Open& open) {
        const PackedNode& here = tree_.node(open.node);
        std::vector<std::vector<RowId>> branches(at(tree_.n_branches[at(open.node)]));
        for (const RowId row : open.rows) {
            const std::int32_t branch = branch_of(here, row);
            if (branch != no_branch) branches[at(branch)].push_back(row);
        }
        for (std::size_t branch = 0; branch < branches.size(); ++branch)
            open_.push_back({here.first_child + static_cast<std::int32_t>(branch),
                             std::move(branches[branch])});
    }

    std::int32_t branch_of(const PackedNode& node, RowId row) const {
        if (!node.is_cut()) return tree_.branch_of(node.levels, inputs_.level(node, row));
        const double value = inputs_.number(node, row);
        return std::isnan(value) ? no_branch : std::int32_t{value > node.threshold};
    }

    const PackedTree& tree_;
    const Inputs& inputs_;
    const Labels& labels_;
    bool single_;
    HardGates gates_;
    Spread<HardGates> spread_;
    std::vector<Open> open_;
    std::vector<double> sums_;
    std::vector<char> wrong_;
};

void check_labels(const Labels& labels, std::size_t n_rows) {
    if (labels.classes.size() != n_rows)
        throw std::invalid_argument("classes must have one entry a row, " + std::to_string(n_rows) +
                                    ", got " + std::to_string(labels.classes.size()));
    if (!labels.weights.empty() && labels.weights.size() != n_rows)
        throw std::invalid_argument("weights must have one entry a row, " + std::to_string(n_rows) +
                                    ", got " + std::to_string(labels.weights.size()));
}

}  // namespace

Ramps fit_ramps(const TreeView& tree, const Table& table, const Labels& labels,
                bool single_precision) {
    check_labels(labels, table.n_rows);
    const PackedTree packed = pack(tree, table.columns.size());
    const Inputs inputs = inputs_of(packed, table);
    return Fitting(packed, inputs, labels, single_precision)();
}

}  // namespace clearwood
