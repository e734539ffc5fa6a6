/// What is made of the parcels of rows that reach the nodes of a packed tree.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "clearwood/predict.hpp"
#include "clearwood/spread.hpp"

namespace clearwood {

/// Whether the shares of a row are made to sum to 1: all that is lost otherwise is rounding.
template <class Gates>
inline constexpr bool is_whole = !std::is_same_v<Gates, RampGates>;

/// Means of the leaves' distributions, row by row.
template <class Gates>
class Means {
public:
    Means(const PackedTree& tree, const Inputs& inputs, const Gates& gates, std::span<double> out)
        : tree_(tree), spread_(tree, inputs, gates), out_(out) {}

    void operator()(std::span<const RowId> rows) {
        const std::size_t n_classes = tree_.n_classes;
        sums_.assign(rows.size() * n_classes, 0.0);
        weight_.assign(rows.size(), 0.0);
        spread_(0, rows, [&](std::int32_t node, auto, std::span<const Parcel> ending) {
            const auto distribution = tree_.distribution_of(node);
            for (const Parcel& parcel : ending) {
                double* sums = sums_.data() + parcel.place * n_classes;
                for (std::size_t k = 0; k < n_classes; ++k)
                    sums[k] += parcel.weight * distribution[k];
                weight_[parcel.place] += parcel.weight;
            }
        });
        for (std::size_t place = 0; place < rows.size(); ++place) {
            const double total = is_whole<Gates> ? weight_[place] : 1.0;
            for (std::size_t k = 0; k < n_classes; ++k)
                out_[rows[place] * n_classes + k] = sums_[place * n_classes + k] / total;
        }
    }

private:
    const PackedTree& tree_;
    Spread<Gates> spread_;
    std::span<double> out_;
    std::vector<double> sums_;
    std::vector<double> weight_;
};

/// The leaf with most of each row.
template <class Gates>
class MainLeaves {
public:
    MainLeaves(const PackedTree& tree, const Inputs& inputs, const Gates& gates,
               std::span<std::int32_t> out)
        : tree_(tree), spread_(tree, inputs, gates), out_(out) {}

    void operator()(std::span<const RowId> rows) {
        most_.assign(rows.size(), 0.0);
        spread_(0, rows, [&](std::int32_t node, auto, std::span<const Parcel> ending) {
            for (const Parcel& parcel : ending) {
                if (parcel.weight <= most_[parcel.place]) continue;
                most_[parcel.place] = parcel.weight;
                out_[rows[parcel.place]] = tree_.id_of(node);
            }
        });
    }

private:
    const PackedTree& tree_;
    Spread<Gates> spread_;
    std::span<std::int32_t> out_;
    std::vector<double> most_;
};

/// The parcels of consecutive rows, put row after row; those of a row stay in pre-order.
class ByRow {
public:
    void start(std::size_t n_rows) {
        start_.assign(n_rows + 1, 0);
        found_.clear();
    }
    void add(std::int32_t node, std::span<const Parcel> parcels) {
        for (const Parcel& parcel : parcels) {
            found_.push_back({node, parcel});
            ++start_[parcel.place + 1];
        }
    }
    void append_to(RowLeaves& rows) {
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        const std::size_t n_before = rows.shares.size();
        for (const std::size_t end : std::span(start_).subspan(1))
            rows.leaves.row_start.push_back(static_cast<std::int64_t>(n_before + end));
        rows.leaves.nodes.resize(n_before + found_.size());
        rows.shares.resize(n_before + found_.size());
        for (const Found& found : found_) {
            const std::size_t index = n_before + start_[found.parcel.place]++;
            rows.leaves.nodes[index] = found.node;
            rows.shares[index] = found.parcel.weight;
        }
    }

private:
    struct Found {
        std::int32_t node;
        Parcel parcel;
    };
    std::vector<std::size_t> start_;
    std::vector<Found> found_;
};

/// Divides the shares of each row by their sum.
inline void make_whole(const RowNodes& rows, std::span<double> shares) {
    for (std::size_t row = 1; row < rows.row_start.size(); ++row) {
        const auto start = static_cast<std::size_t>(rows.row_start[row - 1]);
        const auto own =
            shares.subspan(start, static_cast<std::size_t>(rows.row_start[row]) - start);
        const double total = std::accumulate(own.begin(), own.end(), 0.0);
        for (double& share : own) share /= total;
    }
}

inline void append(RowLeaves& all, const RowLeaves& part) {
    const std::int64_t offset = all.leaves.row_start.back();
    for (std::size_t row = 1; row < part.leaves.row_start.size(); ++row)
        all.leaves.row_start.push_back(offset + part.leaves.row_start[row]);
    const auto& nodes = part.leaves.nodes;
    all.leaves.nodes.insert(all.leaves.nodes.end(), nodes.begin(), nodes.end());
    all.shares.insert(all.shares.end(), part.shares.begin(), part.shares.end());
}

/// Which part of the row goes on to each node from its parent, by id in the tree that was packed.
template <class Gates>
void shares_of_row(const PackedTree& tree, const Inputs& inputs, const Gates& gates,
                   std::size_t row, std::span<double> out) {
    out[0] = 1.0;
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(tree.nodes.size()); ++node) {
        if (tree.is_leaf(node)) continue;
        const PackedNode& here = tree.node(node);
        const auto put = [&](std::size_t branch, double share) {
            const std::int32_t child = here.first_child + static_cast<std::int32_t>(branch);
            out[static_cast<std::size_t>(tree.id_of(child))] = share;
        };
        const auto of_missing = tree.shares_of(node);
        for (std::size_t each = 0; each < of_missing.size(); ++each) put(each, of_missing[each]);
        if (!here.is_cut()) {
            const std::int32_t taken = tree.branch_of(here.levels, inputs.level(here, row));
            if (taken == no_branch) continue;
            for (std::size_t each = 0; each < of_missing.size(); ++each)
                put(each, each == static_cast<std::size_t>(taken) ? 1.0 : 0.0);
        } else if (const double value = inputs.number(here, row); !std::isnan(value)) {
            gates.at(node, [&](const auto& gate) {
                const Shares shares = gate(row, value);
                put(0, shares.first);
                put(1, shares.second);
            });
        }
    }
}

}  // namespace clearwood
