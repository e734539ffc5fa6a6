/// Witnesses: conditions on other columns that confirm a cut (RS-V; algorithms.md G.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "clearwood/table.hpp"

namespace clearwood {

/// What a condition says of a row: its branch, or nothing where the value is missing.
enum class Opinion : std::uint8_t { first, second, none };

/// Its pattern is `value < threshold`, or `level == level` on a nominal column. It speaks for the
/// first branch where the pattern holds; reversed, where it does not.
struct Witness {
    std::int32_t column = -1;
    double threshold = std::numeric_limits<double>::quiet_NaN();
    std::int32_t level = -1;
    bool is_reversed = false;
    double agreement = 0.0;  ///< part of the cut's discerned pairs that it discerns likewise

    Opinion of_pattern(bool holds) const {
        return holds != is_reversed ? Opinion::first : Opinion::second;
    }
    Opinion opinion(double value) const {
        return value != value ? Opinion::none : of_pattern(value < threshold);
    }
    Opinion opinion(std::int32_t code) const {
        return code < 0 ? Opinion::none : of_pattern(code == level);
    }
    Opinion opinion(const Table& table, std::size_t row) const {
        const auto index = static_cast<std::size_t>(column);
        const NumericColumn* numeric = table.numeric(index);
        return numeric ? opinion(numeric->values[row]) : opinion(table.nominal(index)->codes[row]);
    }
};

/// The witnesses of all nodes of a tree, one array a property (TreeArrays).
struct WitnessArrays {
    std::vector<std::int32_t>
        start;  ///< n_nodes + 1: those of node i are start[i] ... start[i + 1]
    std::vector<std::int32_t> column;
    std::vector<double> threshold;
    std::vector<std::int32_t> level;
    std::vector<std::uint8_t> is_reversed;
    std::vector<double> agreement;

    void add(std::span<const Witness> witnesses) {
        if (start.empty()) {
            start.push_back(0);
        }
        for (const Witness& witness : witnesses) {
            column.push_back(witness.column);
            threshold.push_back(witness.threshold);
            level.push_back(witness.level);
            is_reversed.push_back(witness.is_reversed);
            agreement.push_back(witness.agreement);
        }
        start.push_back(static_cast<std::int32_t>(column.size()));
    }
};

}  // namespace clearwood
