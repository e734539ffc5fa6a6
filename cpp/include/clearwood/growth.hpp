/// What everything that grows one tree reads.
#pragma once

#include <vector>

#include "clearwood/plan.hpp"
#include "clearwood/presort.hpp"

namespace clearwood {

struct Growth {
    const Table& table;
    const Labels& labels;
    const Plan& plan;
    const Presort& presort;
    SortedRows& sorted;  ///< the rows to grow from; used up
    Counting counting;
    EntropyTable entropy_table;
    std::vector<std::uint8_t> many_valued;
    Effort* effort = nullptr;

    /// Below this many cells the columns of a node are one thread's: starting others costs more.
    static constexpr std::size_t cells_for_threads = std::size_t{1} << 18;

    unsigned threads_for(const Rows& rows, unsigned n_threads) const {
        return rows.entries.size() * table.columns.size() < cells_for_threads ? 1 : n_threads;
    }
};

/// How weight is counted at the root.
Counting counting_of(const Labels& labels, std::size_t n_rows);

}  // namespace clearwood
