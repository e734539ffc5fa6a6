#include "clearwood/coded.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clearwood {
namespace {

CodedColumn ranked(const NumericColumn& column, std::span<const RowId> rows) {
    CodedColumn result{.is_numeric = true, .code = {}, .values = {}};
    for (const RowId row : rows)
        if (const double value = column.values[row]; !std::isnan(value))
            result.values.push_back(value);
    std::ranges::sort(result.values);
    const auto repeated = std::ranges::unique(result.values);
    result.values.erase(repeated.begin(), repeated.end());
    for (const RowId row : rows) {
        const double value = column.values[row];
        const auto place = std::ranges::lower_bound(result.values, value) - result.values.begin();
        result.code.push_back(std::isnan(value) ? -1 : static_cast<std::int32_t>(place));
    }
    result.n_codes = result.values.size();
    return result;
}

CodedColumn ranked(const NominalColumn& column, std::span<const RowId> rows) {
    CodedColumn result;
    result.n_codes = static_cast<std::size_t>(std::max(column.n_levels, 0));
    for (const RowId row : rows) result.code.push_back(std::max(column.codes[row], -1));
    return result;
}

}  // namespace

CodedColumn coded(const Column& column, std::span<const RowId> rows) {
    return std::visit([&](const auto& kind) { return ranked(kind, rows); }, column);
}

RowsByCode rows_by_code(const CodedColumn& column) {
    std::vector<std::size_t> start(column.n_codes + 1);
    for (const std::int32_t code : column.code)
        if (code >= 0) ++start[static_cast<std::size_t>(code) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::size_t> rows(start.back());
    auto next = start;
    for (std::size_t row = 0; row < column.code.size(); ++row)
        if (column.code[row] >= 0) rows[next[static_cast<std::size_t>(column.code[row])]++] = row;
    return {std::move(rows), std::move(start)};
}

std::vector<std::size_t> rows_missing(const CodedColumn& column) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < column.code.size(); ++row)
        if (column.code[row] < 0) rows.push_back(row);
    return rows;
}

}  // namespace clearwood
