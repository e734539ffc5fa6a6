#include "clearwood/rows.hpp"

#include <algorithm>
#include <stdexcept>

namespace clearwood {
namespace {

constexpr std::size_t smallest_block = std::size_t{1} << 13;  // words

/// 1 where the branches differ, else 0, by arithmetic: a jump would be mispredicted half the time.
std::size_t differs(Branch branch, unsigned other) {
    return ((branch ^ other) + 0xffffu) >> 16;
}

void part_in_two(std::span<const Entry> order, EntryCode code, const Branch* branch_of_row,
                 Entry* out, std::span<Entry> spare, std::span<std::size_t> sizes) {
    std::size_t low = 0;
    std::size_t high = 0;
    for (const Entry entry : order) {  // both are written, the right one moves on
        const Branch branch = branch_of_row[code.row(entry)];
        out[low] = entry;
        spare[high] = entry;
        low += differs(branch, 1);
        high += differs(branch, 0);
    }
    sizes[0] = low;
    sizes[1] = high;
    std::copy_n(spare.data(), high, out + low);
}

/// The same where no row goes to both branches.
void divide_in_two(std::span<Entry> order, EntryCode code, const Branch* branch_of_row,
                   std::span<Entry> spare, std::span<std::size_t> sizes) {
    std::size_t low = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Entry entry = order[i];
        order[low] = entry;
        spare[i - low] = entry;
        low += branch_of_row[code.row(entry)] ^ 1u;
    }
    sizes[0] = low;
    sizes[1] = order.size() - low;
    std::copy_n(spare.data(), sizes[1], order.data() + low);
}

void part_in_many(std::span<const Entry> order, EntryCode code, const Branch* branch_of_row,
                  std::size_t n_branches, Entry* out, std::span<Entry> spare,
                  std::span<std::size_t> sizes) {
    std::ranges::copy(order, spare.begin());  // `out` may be the order itself
    const auto entries = spare.first(order.size());
    std::ranges::fill(sizes, 0);
    std::size_t everywhere = 0;
    for (const Entry entry : entries) {
        const Branch branch = branch_of_row[code.row(entry)];
        if (branch == every_branch) {
            ++everywhere;
        } else {
            ++sizes[branch];
        }
    }
    std::vector<Entry*> next(n_branches);
    for (std::size_t b = 0; b < n_branches; ++b) {
        next[b] = out;
        sizes[b] += everywhere;
        out += sizes[b];
    }
    for (const Entry entry : entries) {
        const Branch branch = branch_of_row[code.row(entry)];
        if (branch == every_branch) {
            for (Entry*& place : next) {
                *place++ = entry;
            }
        } else {
            *next[branch]++ = entry;
        }
    }
}

}  // namespace

std::uint64_t* Arena::take_words(std::size_t words) {
    if (blocks_.empty() || used_ + words > blocks_[block_].size) {
        if (!blocks_.empty()) {
            ++block_;
        }
        used_ = 0;
        if (block_ == blocks_.size()) {
            blocks_.emplace_back();
        }
        if (blocks_[block_].size < words) {
            const std::size_t size =
                std::max(words, smallest_block << std::min<std::size_t>(block_, 8));
            blocks_[block_] = {std::make_unique_for_overwrite<std::uint64_t[]>(size), size};
        }
    }
    std::uint64_t* taken = blocks_[block_].words.get() + used_;
    used_ += words;
    return taken;
}

EntryCode EntryCode::for_sizes(std::size_t n_rows, std::int32_t n_classes) {
    const int bits = n_classes <= 1 ? 0 : std::bit_width(static_cast<std::uint32_t>(n_classes - 1));
    if (n_rows > (std::uint64_t{1} << (32 - bits))) {
        throw std::invalid_argument(
            "too many rows for this number of classes: rows times classes must stay below 2^32");
    }
    return {bits};
}

void part(std::span<const Entry> order, EntryCode code, const Branch* branch_of_row,
          std::size_t n_branches, Entry* out, std::span<Entry> spare,
          std::span<std::size_t> sizes) {
    if (n_branches == 2 && out == order.data()) {
        divide_in_two({out, order.size()}, code, branch_of_row, spare, sizes);
    } else if (n_branches == 2) {
        part_in_two(order, code, branch_of_row, out, spare, sizes);
    } else {
        part_in_many(order, code, branch_of_row, n_branches, out, spare, sizes);
    }
}

}  // namespace clearwood
