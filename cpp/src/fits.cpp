#include "clearwood/fits.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

void check_condition(const TreeView& tree, const Table& table, std::int32_t node) {
    if (tree.is_leaf(node)) return;
    const std::size_t column = at(tree.column[at(node)]);
    if (tree.is_cut(node) == (table.numeric(column) != nullptr)) return;
    throw std::invalid_argument("node " + std::to_string(node) + " has a condition on column " +
                                std::to_string(column) + " that does not suit the column's kind");
}

void check_row(const Labels& labels, std::size_t row) {
    const std::int32_t label = labels.classes[row];
    if (label < 0 || label >= labels.n_classes) {
        throw std::invalid_argument("classes must be from 0 to n_classes - 1, got " +
                                    std::to_string(label) + " in row " + std::to_string(row));
    }
    const double weight = labels.weight(row);
    if (!(std::isfinite(weight) && weight >= 0.0)) {
        throw std::invalid_argument("weights must be finite and not negative, got " +
                                    std::to_string(weight) + " in row " + std::to_string(row));
    }
}

}  // namespace

void check(const TreeView& tree, const Table& table) {
    check(tree, table.columns.size());
    for (std::int32_t node = 0; node < tree.n_nodes(); ++node) check_condition(tree, table, node);
}

void check(const Labels& labels, std::int32_t n_classes, std::size_t n_rows) {
    if (labels.n_classes != n_classes) {
        throw std::invalid_argument("n_classes must be " + std::to_string(n_classes) + ", got " +
                                    std::to_string(labels.n_classes));
    }
    if (labels.classes.size() != n_rows ||
        (!labels.weights.empty() && labels.weights.size() != n_rows)) {
        throw std::invalid_argument("classes and weights must have one entry for each of the " +
                                    std::to_string(n_rows) + " rows");
    }
    for (std::size_t row = 0; row < n_rows; ++row) check_row(labels, row);
}

}  // namespace clearwood
