/// One thread that grows nodes: the loop itself, and parts of the tree handed to others.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "clearwood/node_search.hpp"
#include "clearwood/send.hpp"
#include "clearwood/sprout.hpp"

namespace clearwood {

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
    Box box{0};
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

    /// A chain (carve.hpp): the best split of a node; what it would do to the rows; the split made,
    /// of which one branch goes on, if it does, and takes the node's place.
    Split best_split(const Task& task) { return search_.best(task.rows, weights_, box_); }
    const Flow& flow_of(const Task& task, const Split& split);
    void follow(Task& task, const Split& split, std::int32_t branch,
                const std::function<bool(std::span<const double>)>& goes_on);
    /// By column: 1 where it is not searched.
    std::vector<std::uint8_t>& barred_columns() { return search_.tested(); }

private:
    /// An inner node whose branches are being grown.
    struct Frame {
        std::int32_t depth = 0;
        std::int32_t column = -1;
        std::int32_t first_child = -1;  ///< in the sprout
        std::span<Child> children;
        std::size_t next = 0;
        std::span<DividedRow> divided;
        bool closes_column = false;  ///< a nominal column tested level by level
        bool is_cut = false;
        double threshold = 0.0;
        Interval before;  ///< of the cut's column
        Arena::Mark mark;
    };

    double threshold_of(const Rows& rows, const Split& split) const;
    std::int32_t record(std::int32_t id, const Rows& rows, const Split& split, const Flow& flow,
                        double threshold);
    bool has_room(std::int32_t depth) const;
    void open(std::int32_t id, const Rows& rows, std::int32_t depth, std::vector<Frame>& frames);
    /// Whether a branch, by its number and masses, is grown on.
    using GrowsOn = std::function<bool(std::size_t, std::span<const double>)>;
    Frame split_node(std::int32_t id, const Rows& rows, std::int32_t depth, const Split& split,
                     const GrowsOn& grows_on);
    Frame split_node(std::int32_t id, const Rows& rows, std::int32_t depth, const Split& split);
    void enter(const Frame& frame, const Child& child);
    void leave(const Frame& frame, const Child& child);
    void remeasure(std::int32_t id, const Rows& rows);
    bool weights_drift() const { return growth_.plan.compatibility.single_precision; }
    void restore(const Frame& frame);
    void close(const Frame& frame);
    Task task_of(const Frame& frame, const Child& child);
    Rows copied(const Rows& rows, Arena& memory) const;
    void load(const Task& task);
    void unload(const Task& task);

    Growth& growth_;
    Watch& watch_;
    NodeSearch search_;
    Sender sender_;
    Sprout sprout_;
    Box box_;
    std::int32_t splits_left_ = 0;  ///< at the last depth, where there is one
    std::vector<double> weights_;   ///< by row, of the node at work; empty while every row weighs 1
};

}  // namespace clearwood
