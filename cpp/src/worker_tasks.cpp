/// Nodes that a worker hands over or takes in: parts of the tree for other threads, and the open
/// nodes of best-first growth.
#include <algorithm>

#include "clearwood/worker.hpp"

namespace clearwood {

Task Worker::task_of(const Frame& frame, const Child& child) {
    Task task;
    task.node = frame.first_child + child.branch;
    task.depth = frame.depth + 1;
    task.rows = child.rows;
    task.tested = search_.tested();
    task.box = box_;
    if (child.rows.counting == Counting::real) {
        for (const Entry entry : child.rows.entries) {
            const RowId row = growth_.presort.code.row(entry);
            task.weights.push_back({row, weights_[row]});
        }
    }
    return task;
}

void Worker::load(const Task& task) {
    if (!task.weights.empty() && weights_.empty()) {
        weights_.assign(growth_.table.n_rows, 1.0);
    }
    for (const auto [row, weight] : task.weights) {
        weights_[row] = weight;
    }
    search_.tested() = task.tested;
    box_ = task.box;
}

void Worker::unload(const Task& task) {
    for (const auto [row, weight] : task.weights) {
        weights_[row] = growth_.labels.weight(row);
    }
}

Rows Worker::copied(const Rows& rows, Arena& memory) const {
    Rows copy = rows;
    const auto copy_span = [&]<class T>(std::span<T> from) {
        const auto to = memory.take<T>(from.size());
        std::ranges::copy(from, to.begin());
        return to;
    };
    copy.entries = copy_span(rows.entries);
    copy.masses = copy_span(rows.masses);
    copy.orders = memory.take<std::span<Entry>>(rows.orders.size());
    std::ranges::transform(rows.orders, copy.orders.begin(), copy_span);
    copy.is_shared = false;
    return copy;
}

Task Worker::root_task() {
    Task task = root();
    if (!search_.must_be_leaf(task.rows.masses, 0)) {
        task.split = search_.best(task.rows, weights_, box_);
        task.priority = priority(growth_.plan.score, task.rows.mass, task.split.gain);
    }
    return task;
}

std::vector<Task> Worker::expand(const Task& task) {
    watch_.check();
    load(task);
    std::vector<Task> open_nodes;
    const auto mark = sender_.arena().mark();
    const Frame frame = split_node(task.node, task.rows, task.depth, task.split);
    for (const Child& child : frame.children) {
        enter(frame, child);
        Task open_node = task_of(frame, child);
        open_node.split = search_.best(child.rows, weights_, box_);
        open_node.priority =
            priority(growth_.plan.score, child.rows.mass, open_node.split.gain);
        open_node.memory = std::make_shared<Arena>();
        open_node.rows = copied(child.rows, *open_node.memory);
        open_nodes.push_back(std::move(open_node));
        restore(frame);  // the original knows no best-first growth, so nothing drifts here
    }
    close(frame);
    sender_.arena().release(mark);
    unload(task);
    return open_nodes;
}

}  // namespace clearwood
