#include "clearwood/presort.hpp"

#include <algorithm>
#include <array>

#include "clearwood/sort.hpp"

namespace clearwood {
namespace {

/// Columns read together: rows of a C-ordered table pass through the cache once for all of them.
constexpr std::size_t columns_at_once = 2;

/// Memory of one thread.
struct Reader {
    std::array<std::vector<double>, columns_at_once> values;
    SortScratch sort;
};

/// The values of `rows` in some columns, each into a vector of its own.
void read(std::span<const NumericColumn* const> columns, std::span<const RowId> rows,
          Reader& reader) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
        reader.values[c].resize(rows.size());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            reader.values[c][i] = columns[c]->values[rows[i]];
        }
    }
}

/// Place of each row's value among the distinct values of the column just sorted; empty if no
/// value repeats.
std::vector<std::uint32_t> ranks(const SortScratch& sorted, std::span<const RowId> order,
                                 std::size_t n_rows) {
    std::size_t first_tie = 1;
    while (first_tie < order.size() && !sorted.equal(first_tie - 1, first_tie)) {
        ++first_tie;
    }
    if (first_tie >= order.size()) {
        return {};
    }
    std::vector<std::uint32_t> rank(n_rows);
    std::uint32_t current = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        current += place > 0 && !sorted.equal(place - 1, place);
        rank[order[place]] = current;
    }
    return rank;
}

}  // namespace

Presort presort(const Table& table, const Labels& labels, unsigned n_threads, Watch& watch,
                SortedRows& sorted, bool keep_values) {
    Presort result;
    result.code = EntryCode::for_sizes(table.n_rows, labels.n_classes);
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        result.place.push_back(result.numeric.size());
        if (table.numeric(column)) {
            result.numeric.push_back(column);
        }
    }
    std::vector<RowId> rows;
    rows.reserve(table.n_rows);
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        if (labels.weight(row) > 0.0) {
            rows.push_back(static_cast<RowId>(row));
        }
    }
    const auto pack = [&](RowId row) { return result.code.pack(row, labels.classes[row]); };
    sorted.entries.clear();
    sorted.entries.reserve(rows.size());
    for (const RowId row : rows) {
        sorted.entries.push_back(pack(row));
    }
    result.rank.resize(result.numeric.size());
    sorted.orders.resize(result.numeric.size());
    result.values.resize(keep_values ? result.numeric.size() : 0);
    std::vector<Reader> readers(n_threads);
    const std::size_t n_groups = (result.numeric.size() + columns_at_once - 1) / columns_at_once;
    parallel_for(n_threads, n_groups, watch, [&](std::size_t group, std::size_t thread) {
        watch.check();
        const std::size_t first = group * columns_at_once;
        const std::size_t count = std::min(columns_at_once, result.numeric.size() - first);
        std::array<const NumericColumn*, columns_at_once> columns{};
        for (std::size_t c = 0; c < count; ++c) {
            columns[c] = table.numeric(result.numeric[first + c]);
        }
        Reader& reader = readers[thread];
        read({columns.data(), count}, rows, reader);
        for (std::size_t c = 0; c < count; ++c) {
            auto& order = sorted.orders[first + c];
            sort_known(reader.values[c], rows, order, reader.sort);
            if (keep_values) {
                auto& values = result.values[first + c];
                values.resize(table.n_rows);
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    values[rows[i]] = reader.values[c][i];
                }
            }
            result.rank[first + c] = ranks(reader.sort, order, table.n_rows);
            for (Entry& entry : order) {
                entry = pack(entry);
            }
        }
    });
    return result;
}

void filter(const SortedRows& rows, EntryCode code, std::span<const std::uint8_t> is_in,
            SortedRows& part) {
    const auto keep = [&](const std::vector<Entry>& all, std::vector<Entry>& kept) {
        kept.resize(all.size());
        std::size_t n_kept = 0;
        for (const Entry entry : all) {  // always written, so that nothing is mispredicted
            kept[n_kept] = entry;
            n_kept += is_in[code.row(entry)];
        }
        kept.resize(n_kept);
    };
    keep(rows.entries, part.entries);
    part.orders.resize(rows.orders.size());
    for (std::size_t i = 0; i < rows.orders.size(); ++i) {
        keep(rows.orders[i], part.orders[i]);
    }
}

}  // namespace clearwood
