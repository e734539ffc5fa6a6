#include <limits>
#include <string>

#include "check.hpp"
#include "clearwood/tree.hpp"
#include "hand_made.hpp"

using namespace clearwood;
using hand_made::cut;
using hand_made::leaf;
using hand_made::levels;

namespace {

/// 0: column 0 <= 1.5 ? 1: by level of column 1 (2, 3, 4) : 5
TreeArrays small_tree() {
    const auto by_level = levels(1, {1, 0, no_branch, 2}, {leaf(0), leaf(1), leaf(0)});
    return hand_made::tree(2, cut(0, 1.5, by_level, leaf(1)));
}

void check_two_columns(const TreeArrays& tree) {
    clearwood::check(view(tree), 2);
}

std::string complaint(const TreeArrays& tree) {
    try {
        check_two_columns(tree);
    } catch (const InvalidTree& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST("a view reads the arrays it was made from") {
    const TreeArrays tree = small_tree();
    const TreeView seen = view(tree);
    CHECK(seen.n_nodes() == 6);
    CHECK(seen.n_classes == 2);
    CHECK(seen.is_cut(0) && !seen.is_leaf(1) && seen.is_leaf(5));
    CHECK(seen.children(0)[1] == 5);
    CHECK(seen.children(1).size() == 3);
    CHECK(seen.shares(1)[2] == 1.0 / 3.0);
    CHECK(seen.label.data() == tree.label.data());
}

TEST("a value at the threshold goes to the first branch unless the cut is strict") {
    TreeArrays tree = small_tree();
    CHECK(view(tree).branch_of(0, 1.5) == 0);
    tree.strict[0] = 1;
    CHECK(view(tree).branch_of(0, 1.5) == 1);
}

TEST("a level without a branch, unseen or missing, has no branch") {
    const TreeArrays tree = small_tree();
    const TreeView seen = view(tree);
    CHECK(seen.branch_of(1, 0) == 1);
    CHECK(seen.branch_of(1, 2) == no_branch);
    CHECK(seen.branch_of(1, 4) == no_branch);
    CHECK(seen.branch_of(1, missing_level) == no_branch);
}

TEST("a sound tree passes the check") {
    CHECK(complaint(small_tree()) == "");
}

TEST("a tree needs a root") {
    TreeArrays empty;
    empty.n_classes = 2;
    CHECK_THROWS(InvalidTree, (check_two_columns(empty), 0));
}

TEST("a node that is named twice or never is refused") {
    TreeArrays twice = small_tree();
    twice.child_ids[1] = 1;
    CHECK(complaint(twice) == "node 0: child_ids must hold 5 (nodes are in pre-order), got 1");
    TreeArrays cycle = small_tree();
    cycle.child_ids[2] = 0;
    CHECK(complaint(cycle) == "node 1: child_ids must hold 2 (nodes are in pre-order), got 0");
    TreeArrays out_of_range = small_tree();
    out_of_range.child_ids[1] = 6;
    CHECK(complaint(out_of_range) != "");
}

TEST("a node without a parent is refused") {
    TreeArrays tree = small_tree();
    tree.kind[0] = 0;
    tree.child_ids.erase(tree.child_ids.begin(), tree.child_ids.begin() + 2);
    tree.missing_share.resize(3);
    for (std::size_t node = 1; node < tree.child_start.size(); ++node) tree.child_start[node] -= 2;
    CHECK(complaint(tree).starts_with("node 1: child_ids must name every node but the root"));
}

TEST("arrays of unequal length are refused by name") {
    TreeArrays tree = small_tree();
    tree.masses.pop_back();
    CHECK(complaint(tree) == "masses must have 12 entries, got 11");
    tree = small_tree();
    tree.child_start.back() = 7;
    CHECK(complaint(tree) == "child_start must end at 5, got 7");
    tree = small_tree();
    tree.child_start[1] = 5;
    CHECK(complaint(tree) == "node 2: child_start must not fall" || complaint(tree) != "");
}

TEST("a condition must be complete and within the table") {
    TreeArrays tree = small_tree();
    tree.column[1] = 2;
    CHECK(complaint(tree) == "node 1: column must be from 0 to 2 (exclusive), got 2");
    tree = small_tree();
    tree.threshold[0] = std::numeric_limits<double>::quiet_NaN();
    CHECK(complaint(tree) == "node 0: threshold of a cut must be finite, got nan");
    tree = small_tree();
    tree.level_branch[0] = 3;
    CHECK(complaint(tree) == "node 1: level_branch must be a branch from 0 to 2 or -1, got 3");
    tree = small_tree();
    tree.kind[1] = static_cast<std::int8_t>(NodeKind::cut);
    CHECK(complaint(tree) == "node 1: child_ids must give a cut two branches, got 3");
    tree = small_tree();
    tree.kind[1] = 3;
    CHECK(complaint(tree) == "node 1: kind must be 0 (leaf), 1 (cut) or 2 (levels), got 3");
    tree = small_tree();
    tree.kind[1] = 0;
    CHECK(complaint(tree) == "node 1: child_ids must give a leaf no branch");
}

TEST("amounts must be finite and not negative, labels class indices") {
    TreeArrays tree = small_tree();
    tree.missing_share[1] = -0.5;
    CHECK(complaint(tree).starts_with("node 0: missing_share must be finite and not negative"));
    tree = small_tree();
    tree.distribution[4] = std::numeric_limits<double>::infinity();
    CHECK(complaint(tree).starts_with("node 2: distribution must be finite and not negative"));
    tree = small_tree();
    tree.masses[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK(complaint(tree).starts_with("node 1: masses must be finite and not negative"));
    tree = small_tree();
    tree.label[5] = 2;
    CHECK(complaint(tree) == "node 5: label must be from 0 to 2 (exclusive), got 2");
}
