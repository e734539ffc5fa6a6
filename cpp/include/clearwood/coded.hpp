/// Columns as ranks and codes, over a list of rows: what a search reads that adds row after row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "clearwood/table.hpp"

namespace clearwood {

/// A rank among the distinct values, or a level code, for each row; negative: missing.
struct CodedColumn {
    bool is_numeric = false;
    std::vector<std::int32_t> code;
    std::vector<double> values;  ///< the distinct ones of a numeric column, rising
    std::size_t n_codes = 0;
};

/// Some rows by code: those of code c are rows[start[c] ... start[c + 1]).
struct RowsByCode {
    std::vector<std::size_t> rows;
    std::vector<std::size_t> start;

    std::span<const std::size_t> of(std::size_t code) const {
        return std::span(rows).subspan(start[code], start[code + 1] - start[code]);
    }
};

CodedColumn coded(const Column& column, std::span<const RowId> rows);

/// The places in `column.code` with a known value.
RowsByCode rows_by_code(const CodedColumn& column);
/// Those without.
std::vector<std::size_t> rows_missing(const CodedColumn& column);

}  // namespace clearwood
