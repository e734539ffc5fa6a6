/// One thread that grows nodes: its memory, and the steps of the loop.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "clearwood/flow.hpp"
#include "clearwood/presort.hpp"
#include "clearwood/split.hpp"
#include "clearwood/sprout.hpp"

namespace clearwood {

/// What all workers read.
struct Growth {
    const Table& table;
    const Labels& labels;
    const Plan& plan;
    Presort presort;
    Counting counting;
    EntropyTable entropy_table;
    std::vector<std::uint8_t> many_valued;
};

struct RowWeight {
    RowId row;
    double weight;
};

/// A node still to be grown, with its rows: a part of the tree for another thread, or an open node
/// of best-first growth (which owns its memory and knows its split).
struct Task {
    std::int32_t node = 0;
    std::int32_t depth = 0;
    Rows rows;
    std::vector<RowWeight> weights;  ///< of rows that do not weigh what they weighed at the root
    std::vector<std::uint8_t> tested;
    Split split;
    double priority = 0.0;
    std::shared_ptr<Arena> memory;
};

class Worker {
public:
    /// `n_threads` search and part the columns of large nodes.
    Worker(Growth& growth, Watch& watch, unsigned n_threads);

    /// The root's rows, which take over the presort's memory: call it once.
    Task root();
    /// Grows everything below a node. With `tasks`, nodes of fewer than `task_rows` rows are put
    /// there instead, and memory is kept until the worker goes.
    void grow(Task task, std::size_t task_rows, std::vector<Task>* tasks = nullptr);
    /// Grows a task from another worker into a sprout of its own.
    Sprout grow_task(const Task& task);

    /// Best first: the root with its split; a node's children with theirs.
    Task root_task();
    std::vector<Task> expand(const Task& task);

    Sprout& sprout() { return sprout_; }

private:
    /// A branch that will be grown on.
    struct Child {
        Rows rows;
        std::int32_t node;
        double share;
    };
    /// An inner node whose branches are being grown.
    struct Frame {
        std::int32_t depth;
        std::span<Child> children;
        std::size_t next = 0;
        std::span<RowWeight>
            everywhere;            ///< rows with a missing value and their weight in this node
        std::int32_t tested = -1;  ///< column to be given back
        Arena::Mark mark;
    };

    NodeContext context(const Rows& rows);
    bool must_be_leaf(std::span<const double> masses, std::int32_t depth) const;
    unsigned threads_for(const Rows& rows) const;
    bool is_closed(std::size_t column) const;
    Split search_column(const NodeContext& node, std::size_t column, SearchScratch& scratch) const;
    void note_minimum_leak(const NodeContext& node, std::size_t column);
    Split best_split(const Rows& rows);
    void record(std::int32_t id, const Rows& rows, const Split& split, const Flow& flow);
    void open(std::int32_t id, const Rows& rows, std::int32_t depth, std::vector<Frame>& frames);
    Frame split_node(std::int32_t id, const Rows& rows, std::int32_t depth, const Split& split);
    std::span<RowWeight> note_everywhere(const Rows& rows, const Flow& flow);
    std::span<Child> send(std::int32_t id, const Rows& rows, std::int32_t depth, const Flow& flow);
    Rows empty_rows(const Rows& parent, const BranchMasses& branch, bool fractional);
    void put_missing_first(std::span<Entry> entries) const;
    void part_columns(const Rows& rows, const Flow& flow, std::span<Child> children,
                      std::span<const std::size_t> part_of_child);
    void enter(const Frame& frame, const Child& child);
    void leave(const Frame& frame);
    void close(const Frame& frame);
    Task task_of(const Frame& frame, const Child& child) const;
    Rows copied(const Rows& rows, Arena& memory) const;
    void load(const Task& task);
    void unload(const Task& task);

    Growth& growth_;
    Watch& watch_;
    unsigned n_threads_;
    Arena arena_;
    HardFlow flow_;
    Sprout sprout_;
    std::vector<double>
        weights_;  ///< by row, of the node at work; empty while every row weighs 1 everywhere
    std::vector<std::uint8_t> tested_;  ///< nominal columns already tested on the path
    std::vector<Split> splits_;
    std::vector<SearchScratch> scratch_;
    std::vector<std::vector<Entry>> spare_;  ///< per thread
    double min_samples_leaf_;
};

}  // namespace clearwood
