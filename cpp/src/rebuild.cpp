#include "clearwood/rebuild.hpp"

#include <limits>
#include <span>

namespace clearwood {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// Copies nodes of a tree, in the order in which they are given.
class Copier {
public:
    Copier(const TreeArrays& from, const ErrorBasedResult& result) : from_(from), result_(result) {
        to_.n_classes = from.n_classes;
        to_.child_start.push_back(0);
        to_.level_start.push_back(0);
    }

    /// `child_ids` of an inner node are filled with 0: they are known when its branches come.
    void copy(std::int32_t node, bool is_leaf) {
        const std::size_t i = at(node);
        to_.kind.push_back(is_leaf ? static_cast<std::int8_t>(NodeKind::leaf) : from_.kind[i]);
        to_.column.push_back(is_leaf ? -1 : from_.column[i]);
        to_.threshold.push_back(is_leaf ? nothing : from_.threshold[i]);
        to_.strict.push_back(is_leaf ? std::uint8_t{0} : from_.strict[i]);
        to_.score.push_back(is_leaf ? nothing : from_.score[i]);
        to_.gain.push_back(is_leaf ? nothing : from_.gain[i]);
        to_.label.push_back(result_.label[i]);
        to_.n_rows.push_back(result_.n_rows[i] < 0 ? from_.n_rows[i] : result_.n_rows[i]);
        append_classes(to_.masses, result_.masses, i);
        append_classes(to_.distribution, result_.distribution, i);
        if (!is_leaf) {
            append(to_.missing_share, result_.missing_share, from_.child_start, i);
            append(to_.level_branch, from_.level_branch, from_.level_start, i);
            to_.child_ids.resize(to_.missing_share.size());
        }
        to_.child_start.push_back(static_cast<std::int32_t>(to_.missing_share.size()));
        to_.level_start.push_back(static_cast<std::int32_t>(to_.level_branch.size()));
    }
    TreeArrays& to() { return to_; }

private:
    template <class T>
    static void append(std::vector<T>& to, const std::vector<T>& from,
                       const std::vector<std::int32_t>& starts, std::size_t node) {
        to.insert(to.end(), from.begin() + starts[node], from.begin() + starts[node + 1]);
    }
    void append_classes(std::vector<double>& to, const std::vector<double>& from,
                        std::size_t node) const {
        const auto first = from.begin() + static_cast<std::ptrdiff_t>(node) * from_.n_classes;
        to.insert(to.end(), first, first + from_.n_classes);
    }

    const TreeArrays& from_;
    const ErrorBasedResult& result_;
    TreeArrays to_;
};

/// A place in the new tree that waits for its node, and the branch that leads to it.
struct Place {
    std::int32_t node;
    std::int32_t branch;  ///< in the new `child_ids`; -1 at the root
};

}  // namespace

TreeArrays rebuilt(const TreeArrays& tree, const ErrorBasedResult& result) {
    Copier copier(tree, result);
    std::vector<Place> open{{0, -1}};
    while (!open.empty()) {
        auto [node, branch] = open.back();
        open.pop_back();
        std::int32_t stands = result.replacement[at(node)];
        while (stands != leaf_replacement && stands != node) {
            node = stands;
            stands = result.replacement[at(node)];
        }
        if (branch >= 0) {
            copier.to().child_ids[at(branch)] = copier.to().n_nodes();
        }
        const auto first_branch = static_cast<std::int32_t>(copier.to().child_ids.size());
        const std::int32_t first = tree.child_start[at(node)];
        const std::int32_t last = tree.child_start[at(node) + 1];
        const bool is_leaf = stands == leaf_replacement || first == last;
        copier.copy(node, is_leaf);
        for (std::int32_t b = last; !is_leaf && b-- > first;) {
            open.push_back({tree.child_ids[at(b)], first_branch + b - first});
        }
    }
    return std::move(copier.to());
}

}  // namespace clearwood
