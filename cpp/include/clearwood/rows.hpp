/// The rows of a node. Each numeric column is sorted once at the root; a node only filters these
/// orders, so that no node ever sorts.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "clearwood/table.hpp"

namespace clearwood {

/// Memory for the rows of all nodes on a path: taken at the top, given back down to a mark.
class Arena {
public:
    struct Mark {
        std::size_t block = 0;
        std::size_t used = 0;
    };

    template <class T>
    std::span<T> take(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
        const std::size_t words = (count * sizeof(T) + 7) / 8;
        return {reinterpret_cast<T*>(take_words(words)), count};
    }
    Mark mark() const { return {block_, used_}; }
    void release(Mark mark) {
        block_ = mark.block;
        used_ = mark.used;
    }

private:
    struct Block {
        std::unique_ptr<std::uint64_t[]> words;
        std::size_t size = 0;
    };
    std::uint64_t* take_words(std::size_t words);

    std::vector<Block> blocks_;
    std::size_t block_ = 0;
    std::size_t used_ = 0;
};

/// A row and its class in one word, so that a scan reads one stream of memory.
using Entry = std::uint32_t;

struct EntryCode {
    int label_bits = 0;

    /// Throws std::invalid_argument if rows and classes do not fit into one word.
    static EntryCode for_sizes(std::size_t n_rows, std::int32_t n_classes);

    Entry pack(RowId row, std::int32_t label) const {
        return row << label_bits | static_cast<Entry>(label);
    }
    RowId row(Entry entry) const { return entry >> label_bits; }
    std::size_t label(Entry entry) const { return entry & ((Entry{1} << label_bits) - 1); }
};

/// How weight is counted in a node.
enum class Counting : std::uint8_t {
    unit,   ///< every row weighs 1
    whole,  ///< whole numbers: masses are exact
    real    ///< fractions, such as rows with a missing value leave behind
};

/// What reaches a node. The weights themselves lie in one array by row (`Weights`), which holds
/// the weights of the node at work.
struct Rows {
    std::span<Entry> entries;  ///< every row, ascending (in single precision in the order of C4.5)
    std::span<std::span<Entry>>
        orders;  ///< for each numeric column (by its place among these): the known rows by value
    std::span<double> masses;  ///< per class
    double mass = 0.0;
    Counting counting = Counting::unit;
    bool is_shared =
        false;  ///< other nodes read the same entries and orders: leave them as they are
};

/// Which branch takes a row: its number, or all of them (a missing value).
using Branch = std::uint16_t;
inline constexpr Branch every_branch = 0xffff;

/// The rows to grow from: what the root node takes over, and parts among its branches.
struct SortedRows {
    std::vector<Entry> entries;              ///< ascending
    std::vector<std::vector<Entry>> orders;  ///< per numeric column: the known rows by value
};

/// What the sort of a table leaves behind for all nodes, of every tree that is grown from it.
struct Presort {
    EntryCode code;
    std::vector<std::size_t> numeric;  ///< the table's columns that are numeric
    std::vector<std::size_t> place;    ///< of each of the table's columns among the numeric ones
    std::vector<std::vector<std::uint32_t>>
        rank;  ///< per numeric column: place of a row's value among the distinct ones; empty if no value repeats
    std::vector<std::vector<double>>
        values;  ///< per numeric column, by row; filled where asked for

    /// The row after which the sorted order has another value: is there a cut between two entries?
    bool distinct(std::size_t numeric_index, Entry a, Entry b) const {
        const auto& ranks = rank[numeric_index];
        return ranks.empty() || ranks[code.row(a)] != ranks[code.row(b)];
    }
};

/// Splits an order by branch into consecutive parts of `out`; rows of `every_branch` go to each.
/// `out` may be the order's own memory if no row goes to more than one of `n_branches`.
/// Returns the sizes of the parts in `sizes`; `spare` must hold as many entries as `order`.
void part(std::span<const Entry> order, EntryCode code, const Branch* branch_of_row,
          std::size_t n_branches, Entry* out, std::span<Entry> spare, std::span<std::size_t> sizes);

}  // namespace clearwood
