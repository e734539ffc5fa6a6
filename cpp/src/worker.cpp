#include "clearwood/worker.hpp"

#include <algorithm>
#include <numeric>

#include "clearwood/cut_place.hpp"

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

}  // namespace

Worker::Worker(Growth& growth, Watch& watch, unsigned n_threads)
    : growth_(growth),
      watch_(watch),
      search_(growth, watch, n_threads),
      sender_(growth, watch, n_threads),
      sprout_(at(growth.labels.n_classes)),
      box_(growth.table.columns.size()),
      weights_(growth.labels.weights.begin(), growth.labels.weights.end()) {
    if (growth.plan.verification) {
        splits_left_ = growth.plan.verification->splits_at_last_depth;
    }
}

Task Worker::root() {
    SortedRows& sorted = growth_.sorted;
    Task task;
    task.rows.entries = sorted.entries;
    task.rows.orders = sender_.arena().take<std::span<Entry>>(sorted.orders.size());
    std::ranges::copy(sorted.orders, task.rows.orders.begin());
    task.rows.masses = sender_.arena().take<double>(at(growth_.labels.n_classes));
    std::ranges::fill(task.rows.masses, 0.0);
    const EntryCode code = growth_.presort.code;
    for (const Entry entry : sorted.entries) {
        task.rows.masses[code.label(entry)] += growth_.labels.weight(code.row(entry));
    }
    task.rows.mass = std::accumulate(task.rows.masses.begin(), task.rows.masses.end(), 0.0);
    task.rows.counting = growth_.counting;
    task.tested = search_.tested();
    task.box = box_;
    task.node = sprout_.add(task.rows.masses, static_cast<std::int64_t>(sorted.entries.size()), 0);
    return task;
}

/// Where a cut will be stored, as far as it must be known now: noise divides rows by it.
double Worker::threshold_of(const Rows& rows, const Split& split) const {
    const NumericColumn* numeric = growth_.table.numeric(at(split.column));
    if (!numeric || !std::isnan(split.threshold) || !growth_.plan.has_noise()) {
        return split.threshold;
    }
    const auto order = rows.orders[growth_.presort.place[at(split.column)]];
    const auto value_of = [&](std::size_t place) {
        return numeric->values[growth_.presort.code.row(order[place])];
    };
    const Gap gap{value_of(split.position - 1), value_of(split.position)};
    switch (growth_.plan.cut_at) {
        case CutAt::upper:
            return gap.upper;
        case CutAt::observed:
            return observed_cuts(*numeric, growth_.labels, {&gap, 1}, false).front();
        default:
            return short_midpoint(gap, growth_.plan.is_strict());
    }
}

/// Writes a split and its branches, all leaves as yet, into the tree; returns the first branch.
std::int32_t Worker::record(std::int32_t id, const Rows& rows, const Split& split, const Flow& flow,
                            double threshold) {
    const std::int32_t first = sprout_.size();
    const std::int32_t label = sprout_.node(id).label;
    for (const BranchMasses& branch : flow.branches) {
        const std::int32_t child = sprout_.add(branch.masses, branch.n_rows, label);
        sprout_.node(child).share = branch.share;
    }
    SproutNode& node = sprout_.node(id);
    node.first_child = first;
    node.n_branches = split.n_branches;
    node.column = split.column;
    node.gain = stored_gain(growth_.plan.score, split.gain);
    node.score = stored_gain(growth_.plan.score, split.score);
    sprout_.set_witnesses(id, split.witnesses);
    if (const NumericColumn* numeric = growth_.table.numeric(at(split.column))) {
        const auto order = rows.orders[growth_.presort.place[at(split.column)]];
        node.kind = NodeKind::cut;
        node.threshold = threshold;
        if (std::isnan(threshold)) {
            node.lower = numeric->values[growth_.presort.code.row(order[split.position - 1])];
            node.upper = numeric->values[growth_.presort.code.row(order[split.position])];
        }
    } else {
        node.kind = NodeKind::levels;
        sprout_.set_levels(id, split.branch_of_level);
    }
    return first;
}

Worker::Frame Worker::split_node(std::int32_t id, const Rows& rows, std::int32_t depth,
                                 const Split& split, const GrowsOn& grows_on) {
    Frame frame;
    frame.depth = depth;
    frame.column = split.column;
    frame.mark = sender_.arena().mark();
    frame.threshold = threshold_of(rows, split);
    const NodeContext node = search_.context(rows, weights_, box_);
    const Flow& flow = sender_.open(node, split, frame.threshold);
    frame.first_child = record(id, rows, split, flow, frame.threshold);
    frame.divided = sender_.divided(node, flow);
    if (!frame.divided.empty() && weights_.empty()) {
        weights_.assign(growth_.table.n_rows, 1.0);
    }
    frame.children = sender_.children(rows, flow, grows_on);
    const NominalColumn* nominal = growth_.table.nominal(at(split.column));
    // Copies of rows may lie on the other branch of what was asked: a verified tree asks again.
    const bool keeps_to_branches = !growth_.plan.verification;
    frame.closes_column = keeps_to_branches && nominal && split.n_branches == nominal->n_levels;
    if (frame.closes_column) {
        search_.tested()[at(split.column)] = 1;
    }
    frame.is_cut = keeps_to_branches && !nominal && growth_.plan.has_noise();
    if (frame.is_cut) {
        frame.before = box_[at(split.column)];
    }
    return frame;
}

Worker::Frame Worker::split_node(std::int32_t id, const Rows& rows, std::int32_t depth,
                                 const Split& split) {
    return split_node(id, rows, depth, split, [&](std::size_t, std::span<const double> masses) {
        return weights_drift() || !search_.must_be_leaf(masses, depth + 1);
    });
}

/// Copies can make a tree as large as the guard allows.
bool Worker::has_room(std::int32_t depth) const {
    const auto& verification = growth_.plan.verification;
    return !verification || (sprout_.size() + 2 <= verification->max_nodes &&
                             (depth < verification->last_depth || splits_left_ > 0));
}

void Worker::open(std::int32_t id, const Rows& rows, std::int32_t depth,
                  std::vector<Frame>& frames) {
    if (search_.must_be_leaf(rows.masses, depth) || !has_room(depth)) {
        return;
    }
    const Split split = search_.best(rows, weights_, box_);
    if (split.available) {
        const bool is_last =
            growth_.plan.verification && depth == growth_.plan.verification->last_depth;
        splits_left_ -= is_last;
        frames.push_back(split_node(id, rows, depth, split));
    }
}

void Worker::enter(const Frame& frame, const Child& child) {
    for (const DividedRow& divided : frame.divided) {
        const double before = weights_drift() ? weights_[divided.row] : divided.weight;
        weights_[divided.row] = rounded(before * share_of(divided, child), weights_drift());
    }
    if (frame.is_cut) {
        box_.widen(at(frame.column), frame.before);
        box_.narrow(at(frame.column), frame.threshold, child.branch);
    }
}

/// Release 8 keeps no weights: it divides by what it multiplied with. In single precision they so
/// drift by a last bit from branch to branch, which can decide an exact tie further on.
void Worker::leave(const Frame& frame, const Child& child) {
    if (weights_drift()) {
        for (const DividedRow& divided : frame.divided) {
            weights_[divided.row] = rounded(weights_[divided.row] / share_of(divided, child), true);
        }
    }
}

/// What drifted weights make of the masses that the split has counted.
void Worker::remeasure(std::int32_t id, const Rows& rows) {
    std::ranges::fill(rows.masses, 0.0);
    for (const Entry entry : rows.entries) {
        double& mass = rows.masses[growth_.presort.code.label(entry)];
        mass = rounded(mass + weights_[growth_.presort.code.row(entry)], true);
    }
    sprout_.set_masses(id, rows.masses);
}

void Worker::restore(const Frame& frame) {
    for (const DividedRow& divided : frame.divided) {
        weights_[divided.row] = divided.weight;
    }
}

void Worker::close(const Frame& frame) {
    if (!weights_drift()) {
        restore(frame);
    }
    if (frame.is_cut) {
        box_.widen(at(frame.column), frame.before);
    }
    if (frame.closes_column) {
        search_.tested()[at(frame.column)] = 0;
    }
}

void Worker::grow(Task task, std::size_t task_rows, std::vector<Task>* tasks) {
    load(task);
    std::vector<Frame> frames;
    open(task.node, task.rows, task.depth, frames);
    while (!frames.empty()) {
        watch_.check();
        Frame& frame = frames.back();
        if (frame.next > 0) {
            leave(frame, frame.children[frame.next - 1]);
        }
        if (frame.next == frame.children.size()) {
            close(frame);
            if (!tasks) {
                sender_.arena().release(frame.mark);
            }
            frames.pop_back();
            continue;
        }
        Child& child = frame.children[frame.next++];
        enter(frame, child);
        if (weights_drift() && child.rows.counting == Counting::real) {
            remeasure(frame.first_child + child.branch, child.rows);
            child.rows.mass =
                std::accumulate(child.rows.masses.begin(), child.rows.masses.end(), 0.0);
        }
        if (tasks && child.rows.entries.size() < task_rows) {
            tasks->push_back(task_of(frame, child));
        } else {
            open(frame.first_child + child.branch, child.rows, frame.depth + 1, frames);
        }
    }
    unload(task);
}

Sprout Worker::grow_task(const Task& task) {
    sprout_ = Sprout(at(growth_.labels.n_classes));
    Task own = task;
    own.node =
        sprout_.add(task.rows.masses, static_cast<std::int64_t>(task.rows.entries.size()), 0);
    grow(std::move(own), 0);
    return std::move(sprout_);
}

}  // namespace clearwood
