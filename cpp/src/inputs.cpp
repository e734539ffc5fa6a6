#include "clearwood/inputs.hpp"

#include <stdexcept>
#include <string>

namespace clearwood {

namespace {

void check_n_columns(const PackedTree& tree, std::size_t n_columns) {
    if (n_columns != tree.n_columns)
        throw std::invalid_argument("the tree was made for " + std::to_string(tree.n_columns) +
                                    " columns, the table has " + std::to_string(n_columns));
}

[[noreturn]] void throw_wrong_kind(std::size_t column, const char* wanted) {
    throw std::invalid_argument("the tree wants " + std::string(wanted) + " in column " +
                                std::to_string(column));
}

}  // namespace

Inputs inputs_of(const PackedTree& tree, const Table& table) {
    check_n_columns(tree, table.columns.size());
    Inputs inputs{{}, {}, table.n_rows};
    for (const std::size_t index : tree.cut_columns) {
        const NumericColumn* column = table.numeric(index);
        if (column == nullptr) throw_wrong_kind(index, "numbers");
        inputs.numeric.push_back(column->values);
    }
    for (const std::size_t index : tree.level_columns) {
        const NominalColumn* column = table.nominal(index);
        if (column == nullptr) throw_wrong_kind(index, "level codes");
        inputs.nominal.push_back(column->codes);
    }
    return inputs;
}

Inputs inputs_of(const PackedTree& tree, const Matrix& matrix) {
    check_n_columns(tree, matrix.n_columns);
    if (!tree.level_columns.empty()) throw_wrong_kind(tree.level_columns.front(), "level codes");
    Inputs inputs{{}, {}, matrix.n_rows};
    for (const std::size_t index : tree.cut_columns) inputs.numeric.push_back(matrix.column(index));
    return inputs;
}

}  // namespace clearwood
