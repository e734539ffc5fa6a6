#include "clearwood/presort.hpp"

#include "clearwood/sort.hpp"

namespace clearwood {
namespace {

/// Place of each row's value among the distinct values; empty if no value repeats.
std::vector<std::uint32_t> ranks(const NumericColumn& column, std::span<const RowId> order,
                                 std::size_t n_rows) {
    std::size_t first_tie = 1;
    while (first_tie < order.size() &&
           column.values[order[first_tie]] != column.values[order[first_tie - 1]]) {
        ++first_tie;
    }
    if (first_tie >= order.size()) {
        return {};
    }
    std::vector<std::uint32_t> rank(n_rows);
    std::uint32_t current = 0;
    double previous = column.values[order[0]];
    for (const RowId row : order) {
        const double value = column.values[row];
        current += value != previous;
        previous = value;
        rank[row] = current;
    }
    return rank;
}

}  // namespace

Presort presort(const Table& table, const Labels& labels, unsigned n_threads, Watch& watch) {
    Presort result;
    result.code = EntryCode::for_sizes(table.n_rows, labels.n_classes);
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        result.place.push_back(result.numeric.size());
        if (table.numeric(column)) {
            result.numeric.push_back(column);
        }
    }
    std::vector<RowId> rows;
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        if (labels.weight(row) > 0.0) {
            rows.push_back(static_cast<RowId>(row));
        }
    }
    const auto pack = [&](RowId row) { return result.code.pack(row, labels.classes[row]); };
    for (const RowId row : rows) {
        result.entries.push_back(pack(row));
    }
    result.rank.resize(result.numeric.size());
    result.orders.resize(result.numeric.size());
    std::vector<SortScratch> scratch(n_threads);
    parallel_for(n_threads, result.numeric.size(), watch,
                 [&](std::size_t index, std::size_t thread) {
                     watch.check();
                     const NumericColumn& column = *table.numeric(result.numeric[index]);
                     auto& order = result.orders[index];
                     sort_known(column, rows, order, scratch[thread]);
                     result.rank[index] = ranks(column, order, table.n_rows);
                     for (Entry& entry : order) {
                         entry = pack(entry);
                     }
                 });
    return result;
}

}  // namespace clearwood
