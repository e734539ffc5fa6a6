#include "clearwood/votes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "clearwood/answers.hpp"
#include "clearwood/blocks.hpp"
#include "clearwood/row_vote.hpp"

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

void refuse(bool wrong, const std::string& message) {
    if (wrong) throw std::invalid_argument(message);
}

/// The witnesses of an evaluation as values, checked against a table.
std::vector<Witness> read(const WitnessEvaluation& from, const Table& table) {
    const std::size_t n = from.column.size();
    refuse(from.threshold.size() != n || from.level.size() != n || from.is_reversed.size() != n,
           "the arrays of witnesses have different lengths");
    std::vector<Witness> witnesses(n);
    for (std::size_t i = 0; i < n; ++i) {
        refuse(from.column[i] < 0 || at(from.column[i]) >= table.columns.size(),
               "witness " + std::to_string(i) + " asks column " + std::to_string(from.column[i]) +
                   ", the table has " + std::to_string(table.columns.size()));
        const bool is_numeric = table.numeric(at(from.column[i])) != nullptr;
        refuse(is_numeric != (from.level[i] < 0) || is_numeric == std::isnan(from.threshold[i]),
               "witness " + std::to_string(i) +
                   " must have a threshold on a numeric column, a level on a nominal one");
        witnesses[i] = {from.column[i], from.threshold[i], from.level[i], from.is_reversed[i] != 0,
                        0.0};
    }
    return witnesses;
}

}  // namespace

Ballot::Ballot(const PackedTree& tree, const Table& table, const WitnessEvaluation& evaluation)
    : tree_(tree),
      table_(table),
      inputs_(inputs_of(tree, table)),
      conflict_(evaluation.conflict),
      start_{0} {
    const auto& start = evaluation.start;
    refuse(start.size() != tree.nodes.size() + 1 || start[0] != 0 ||
               !std::ranges::is_sorted(start) || at(start.back()) != evaluation.column.size(),
           "start must rise from 0 to the number of witnesses, with one entry a node and one more");
    check_branches();
    const std::vector<Witness> all = read(evaluation, table);
    for (const std::int32_t id : tree.id) {  // by packed place
        witnesses_.insert(witnesses_.end(), all.begin() + start[at(id)],
                          all.begin() + start[at(id) + 1]);
        start_.push_back(witnesses_.size());
    }
}

void Ballot::check_branches() const {
    for (std::int32_t node = 0; node < static_cast<std::int32_t>(tree_.nodes.size()); ++node)
        refuse(!tree_.is_leaf(node) && tree_.n_branches[at(node)] != 2,
               "node " + std::to_string(tree_.id_of(node)) +
                   " must have two branches in a tree with witnesses");
}

std::span<const Witness> Ballot::witnesses_of(std::int32_t node) const {
    return std::span(witnesses_).subspan(start_[at(node)], start_[at(node) + 1] - start_[at(node)]);
}

Opinion Ballot::main_opinion(std::int32_t node, std::size_t row) const {
    const PackedNode& here = tree_.node(node);
    std::int32_t branch = no_branch;
    if (here.is_cut()) {
        const double value = inputs_.number(here, row);
        if (std::isnan(value)) return Opinion::none;
        branch = value > here.threshold;
    } else {
        branch = tree_.branch_of(here.levels, inputs_.level(here, row));
    }
    return branch == no_branch ? Opinion::none : branch == 0 ? Opinion::first : Opinion::second;
}

/// Which side the votes are for; an unknown value leaves a tie to the branch of more training rows.
bool Ballot::first_wins(Opinion main, std::size_t for_first, std::size_t n_votes,
                        double missing_share) const {
    if (main != Opinion::none && conflict_ != Conflict::paper) {
        for_first += main == Opinion::first;
        n_votes += 1;
    }
    if (2 * for_first != n_votes) return 2 * for_first > n_votes;
    if (main == Opinion::none) return missing_share >= 0.5;
    return conflict_ != Conflict::paper && main == Opinion::first;
}

Ballot::Poll Ballot::poll(std::int32_t node, std::size_t row) const {
    const Opinion main = main_opinion(node, row);
    std::size_t n_votes = 0;
    std::size_t for_first = 0;
    for (const Witness& witness : witnesses_of(node)) {
        const Opinion opinion = witness.opinion(table_, row);
        n_votes += opinion != Opinion::none;
        for_first += opinion == Opinion::first;
    }
    if (main == Opinion::first && for_first == n_votes) return {true, true, 1.0};
    if (main == Opinion::second && for_first == 0) return {true, false, 0.0};
    const double missing_share = tree_.shares_of(node)[0];
    const double own = main == Opinion::none ? missing_share : main == Opinion::first ? 1.0 : 0.0;
    const double share = (static_cast<double>(for_first) + own) / static_cast<double>(n_votes + 1);
    return {false, first_wins(main, for_first, n_votes, missing_share), share};
}

void Ballot::probabilities(std::span<double> out, unsigned n_threads) const {
    over_blocks(table_.n_rows, n_blocks_for(table_.n_rows, n_threads),
                [&](std::size_t, std::size_t first, std::size_t last) {
                    RowVote vote(*this);
                    for (std::size_t row = first; row < last; ++row)
                        std::ranges::copy(vote.ask(0, row),
                                          out.subspan(row * tree_.n_classes).begin());
                });
}

void Ballot::main_leaves(std::span<std::int32_t> out, unsigned n_threads) const {
    over_blocks(table_.n_rows, n_blocks_for(table_.n_rows, n_threads),
                [&](std::size_t, std::size_t first, std::size_t last) {
                    RowVote vote(*this);
                    for (std::size_t row = first; row < last; ++row) {
                        vote.ask(0, row);
                        double most = 0.0;
                        vote.visit([&](std::int32_t node, double weight) {
                            if (!tree_.is_leaf(node) || weight <= most) return;
                            most = weight;
                            out[row] = tree_.id_of(node);
                        });
                    }
                });
}

RowLeaves Ballot::reached(unsigned n_threads, bool only_leaves) const {
    std::vector<RowLeaves> parts(n_blocks_for(table_.n_rows, n_threads));
    over_blocks(
        table_.n_rows, parts.size(), [&](std::size_t block, std::size_t first, std::size_t last) {
            RowVote vote(*this);
            RowLeaves& rows = parts[block];
            for (std::size_t row = first; row < last; ++row) {
                vote.ask(0, row);
                vote.visit([&](std::int32_t node, double weight) {
                    if (only_leaves && !tree_.is_leaf(node)) return;
                    rows.leaves.nodes.push_back(tree_.id_of(node));
                    rows.shares.push_back(weight);
                });
                rows.leaves.row_start.push_back(static_cast<std::int64_t>(rows.shares.size()));
            }
        });
    for (std::size_t block = 1; block < parts.size(); ++block) append(parts[0], parts[block]);
    return std::move(parts[0]);
}

void Ballot::shares(std::span<double> out) const {
    RowVote vote(*this);
    const auto n_nodes = static_cast<std::int32_t>(tree_.nodes.size());
    for (std::size_t row = 0; row < table_.n_rows; ++row) {
        const auto of_row = out.subspan(row * tree_.nodes.size(), tree_.nodes.size());
        std::ranges::fill(of_row, std::nan(""));
        of_row[0] = 1.0;
        for (std::int32_t node = 0; node < n_nodes; ++node) {
            if (tree_.is_leaf(node)) continue;
            // A subtree that nobody above asks is asked for its own sake.
            const std::int32_t child = tree_.node(node).first_child;
            const auto first = at(tree_.id_of(child));
            if (std::isnan(of_row[first])) {
                vote.ask(node, row);
                for (const std::int32_t asked : vote.asked()) {
                    const std::int32_t below = tree_.node(asked).first_child;
                    const double share = vote.first_share(asked);
                    of_row[at(tree_.id_of(below))] = share;
                    of_row[at(tree_.id_of(below + 1))] = 1.0 - share;
                }
            }
        }
    }
}

}  // namespace clearwood
