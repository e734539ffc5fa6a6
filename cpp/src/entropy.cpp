#include "clearwood/entropy.hpp"

#include <algorithm>

namespace clearwood {

EntropyTable::EntropyTable(std::size_t max_mass) : values_(max_mass + 2, 0) {
    // A purity adds at most four times max_mass * log2(max_mass): keep that below 2^62. More than 40
    // bits would keep what the logarithms of two machines differ by.
    const double largest = n_log_n(static_cast<double>(max_mass) + 1.0);
    const int bits =
        std::clamp(59 - static_cast<int>(std::ceil(std::log2(std::max(2.0, largest)))), 0, 40);
    unit_ = std::ldexp(1.0, -bits);
    for (std::size_t n = 2; n < values_.size(); ++n) {
        values_[n] = std::llround(std::ldexp(n_log_n(static_cast<double>(n)), bits));
    }
}

}  // namespace clearwood
