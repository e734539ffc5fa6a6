/// What a worker does for a chain: one branch of every split goes on.
#include "clearwood/worker.hpp"

namespace clearwood {

const Flow& Worker::flow_of(const Task& task, const Split& split) {
    const NodeContext node = search_.context(task.rows, weights_, box_);
    return sender_.open(node, split, threshold_of(task.rows, split));
}

void Worker::follow(Task& task, const Split& split, std::int32_t branch,
                    const std::function<bool(std::span<const double>)>& goes_on) {
    const Frame frame =
        split_node(task.node, task.rows, task.depth, split,
                   [&](std::size_t each, std::span<const double> masses) {
                       return each == static_cast<std::size_t>(branch) && goes_on(masses);
                   });
    task.node = frame.first_child + branch;
    ++task.depth;
    if (frame.children.empty()) {
        task.rows = {};
        return;
    }
    enter(frame, frame.children.front());
    task.rows = frame.children.front().rows;
}

}  // namespace clearwood
