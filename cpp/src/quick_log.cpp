#include "clearwood/quick_log.hpp"

namespace clearwood::quick_log {

const std::array<Cell, std::size_t{1} << index_bits> cells = [] {
    std::array<Cell, std::size_t{1} << index_bits> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double middle =
            1.0 + (static_cast<double>(i) + 0.5) / static_cast<double>(table.size());
        table[i] = {1.0 / middle, -std::log2(1.0 / middle)};
    }
    return table;
}();

}  // namespace clearwood::quick_log
