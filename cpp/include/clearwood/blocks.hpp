/// Rows dealt out to threads in blocks; what is answered does not depend on how many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "clearwood/parallel.hpp"

namespace clearwood {

/// Fewer rows than this are not worth a thread.
inline constexpr std::size_t least_rows_for_thread = 512;

inline std::size_t n_blocks_for(std::size_t n_rows, unsigned n_threads) {
    if (n_threads == 0) throw std::invalid_argument("n_threads must be at least 1, got 0");
    return std::clamp<std::size_t>(n_rows / least_rows_for_thread, 1, n_threads);
}

/// Calls work(block, first_row, last_row) for each block, each in a thread of its own.
template <class Work>
void over_blocks(std::size_t n_rows, std::size_t n_blocks, Work work) {
    Watch watch({});
    parallel_for(static_cast<unsigned>(n_blocks), n_blocks, watch,
                 [&](std::size_t block, std::size_t) {
                     work(block, n_rows * block / n_blocks, n_rows * (block + 1) / n_blocks);
                 });
}

}  // namespace clearwood
