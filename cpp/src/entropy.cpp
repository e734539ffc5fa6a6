#include "clearwood/entropy.hpp"

#include <algorithm>

namespace clearwood {
namespace {

/// More would keep what the logarithms of two machines differ by.
constexpr int most_bits = 40;

/// Masses up to here leave room for all bits, so that one table, computed once, serves them all.
constexpr std::size_t most_shared = 4096;

std::vector<std::int64_t> fixed_point(std::size_t max_mass, int bits) {
    std::vector<std::int64_t> values(max_mass + 2, 0);
    for (std::size_t n = 2; n < values.size(); ++n) {
        values[n] = std::llround(std::ldexp(n_log_n(static_cast<double>(n)), bits));
    }
    return values;
}

const std::vector<std::int64_t>& shared_values() {
    static const std::vector<std::int64_t> values = fixed_point(most_shared, most_bits);
    return values;
}

/// A purity adds at most four times max_mass * log2(max_mass): keeps that below 2^62.
int bits_for(std::size_t max_mass) {
    const double largest = n_log_n(static_cast<double>(max_mass) + 1.0);
    return std::clamp(59 - static_cast<int>(std::ceil(std::log2(std::max(2.0, largest)))), 0,
                      most_bits);
}

}  // namespace

EntropyTable::EntropyTable(std::size_t max_mass) : unit_(std::ldexp(1.0, -bits_for(max_mass))) {
    if (max_mass > most_shared) {
        own_ = fixed_point(max_mass, bits_for(max_mass));
    }
}

const std::int64_t* EntropyTable::data() const {
    return own_.empty() ? shared_values().data() : own_.data();
}

}  // namespace clearwood
