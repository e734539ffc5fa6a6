#include "clearwood/worker.hpp"

#include <algorithm>
#include <numeric>

namespace clearwood {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// Below this many cells a node's columns are searched by one thread: starting one costs more.
constexpr std::size_t cells_for_threads = std::size_t{1} << 18;

/// Real weights: what rounding leaves of the other classes does not count.
constexpr double pure_up_to = 1e-9;

double rounded(double value, bool single_precision) {
    return single_precision ? static_cast<double>(static_cast<float>(value)) : value;
}

double total(std::span<const double> masses) {
    return std::accumulate(masses.begin(), masses.end(), 0.0);
}

}  // namespace

Worker::Worker(Growth& growth, Watch& watch, unsigned n_threads)
    : growth_(growth),
      watch_(watch),
      n_threads_(n_threads),
      flow_(growth.table.n_rows, at(growth.labels.n_classes)),
      sprout_(at(growth.labels.n_classes)),
      weights_(growth.labels.weights.begin(), growth.labels.weights.end()),
      tested_(growth.table.columns.size(), 0),
      splits_(growth.table.columns.size()),
      scratch_(n_threads),
      spare_(n_threads),
      min_samples_leaf_(growth.plan.limits.min_samples_leaf) {}

NodeContext Worker::context(const Rows& rows) {
    return {growth_.table, growth_.presort,          growth_.plan,     rows, growth_.entropy_table,
            weights_,      growth_.labels.n_classes, min_samples_leaf_};
}

Task Worker::root() {
    Presort& presort = growth_.presort;
    Task task;
    task.rows.entries = presort.entries;
    task.rows.orders = arena_.take<std::span<Entry>>(presort.orders.size());
    std::ranges::copy(presort.orders, task.rows.orders.begin());
    task.rows.masses = arena_.take<double>(at(growth_.labels.n_classes));
    std::ranges::fill(task.rows.masses, 0.0);
    for (const Entry entry : presort.entries) {
        task.rows.masses[presort.code.label(entry)] +=
            growth_.labels.weight(presort.code.row(entry));
    }
    task.rows.mass = total(task.rows.masses);
    task.rows.counting = growth_.counting;
    task.tested = tested_;
    task.node = sprout_.add(task.rows.masses, static_cast<std::int64_t>(presort.entries.size()), 0);
    return task;
}

bool Worker::must_be_leaf(std::span<const double> masses, std::int32_t depth) const {
    const Limits& limits = growth_.plan.limits;
    const double mass = total(masses);
    const double minority = mass - std::ranges::max(masses);
    const bool single = growth_.plan.compatibility.single_precision;
    const bool pure = single
                          ? static_cast<float>(std::ranges::max(masses)) == static_cast<float>(mass)
                          : minority <= pure_up_to * mass;
    return pure || mass < std::max(2 * min_samples_leaf_, limits.min_samples_split) ||
           depth >= limits.max_depth;
}

unsigned Worker::threads_for(const Rows& rows) const {
    return rows.entries.size() * splits_.size() < cells_for_threads ? 1 : n_threads_;
}

/// A nominal column with a branch for each level says nothing more further down.
bool Worker::is_closed(std::size_t column) const {
    return tested_[column] != 0;
}

Split Worker::search_column(const NodeContext& node, std::size_t column,
                            SearchScratch& scratch) const {
    const bool single = growth_.plan.compatibility.single_precision;
    if (is_closed(column)) {
        Split none;
        none.column = static_cast<std::int32_t>(column);
        return none;
    }
    if (growth_.table.nominal(column)) {
        return single ? best_levels_single(node, column, scratch)
                      : best_levels(node, column, scratch);
    }
    const std::size_t place = growth_.presort.place[column];
    return single ? best_cut_single(node, place, scratch) : best_cut(node, place, scratch);
}

/// Release 8's fault (c45.md A.3): after a node where a column of many levels has no known value,
/// the minimum of a branch stays 1.
void Worker::note_minimum_leak(const NodeContext& node, std::size_t column) {
    const NominalColumn* nominal = growth_.table.nominal(column);
    if (!growth_.plan.compatibility.minimum_leak || !nominal || nominal->n_levels <= 2) {
        return;
    }
    const bool any_known = std::ranges::any_of(node.rows.entries, [&](Entry entry) {
        return nominal->codes[node.presort.code.row(entry)] >= 0;
    });
    if (!any_known) {
        min_samples_leaf_ = 1.0;
    }
}

Split Worker::best_split(const Rows& rows) {
    if (growth_.plan.compatibility.minimum_leak) {
        for (std::size_t column = 0; column < splits_.size(); ++column) {
            const NodeContext node = context(rows);  // anew: the minimum may just have changed
            splits_[column] = search_column(node, column, scratch_[0]);
            note_minimum_leak(node, column);
        }
    } else {
        const NodeContext node = context(rows);
        parallel_for(threads_for(rows), splits_.size(), watch_,
                     [&](std::size_t column, std::size_t thread) {
                         splits_[column] = search_column(node, column, scratch_[thread]);
                     });
    }
    const Plan& plan = growth_.plan;
    const std::int32_t winner = plan.compatibility.single_precision
                                    ? choose_single(plan, splits_, growth_.many_valued)
                                    : choose(plan, splits_, growth_.many_valued);
    return winner < 0 ? Split{} : std::move(splits_[at(winner)]);
}

/// Writes a split and its branches, all leaves as yet, into the tree.
void Worker::record(std::int32_t id, const Rows& rows, const Split& split, const Flow& flow) {
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
    node.gain = split.gain;
    node.score = split.score;
    if (const NumericColumn* numeric = growth_.table.numeric(at(split.column))) {
        const auto order = rows.orders[growth_.presort.place[at(split.column)]];
        node.kind = NodeKind::cut;
        node.lower = numeric->values[growth_.presort.code.row(order[split.position - 1])];
        node.upper = numeric->values[growth_.presort.code.row(order[split.position])];
    } else {
        node.kind = NodeKind::levels;
        sprout_.set_levels(id, split.branch_of_level);
    }
}

Rows Worker::empty_rows(const Rows& parent, const BranchMasses& branch, bool fractional) {
    Rows rows;
    rows.orders = arena_.take<std::span<Entry>>(parent.orders.size());
    rows.masses = arena_.take<double>(branch.masses.size());
    std::ranges::copy(branch.masses, rows.masses.begin());
    rows.mass = rounded(total(rows.masses), growth_.plan.compatibility.single_precision);
    rows.counting = fractional ? Counting::real : parent.counting;
    return rows;
}

/// Where C4.5 puts the rows that go to every branch, which decides the rounding of its sums.
void Worker::put_missing_first(std::span<Entry> entries) const {
    std::ranges::stable_partition(entries, [&](Entry entry) {
        return flow_.branch_of_row()[growth_.presort.code.row(entry)] == every_branch;
    });
}

/// Parts the entries and every order. Without rows that go everywhere the parts replace the order.
void Worker::part_columns(const Rows& rows, const Flow& flow, std::span<Child> children,
                          std::span<const std::size_t> part_of_child) {
    const std::size_t n_parts = flow.filled.size();
    const std::size_t n_orders = rows.orders.size();
    const auto order_at = [&](std::size_t i) {
        return i == n_orders ? rows.entries : rows.orders[i];
    };
    std::vector<Entry*> out(n_orders + 1);
    for (std::size_t i = 0; i <= n_orders; ++i) {
        const auto order = order_at(i);
        out[i] = flow.n_missing == 0
                     ? order.data()
                     : arena_.take<Entry>(order.size() + flow.n_missing * (n_parts - 1)).data();
    }
    parallel_for(threads_for(rows), n_orders + 1, watch_, [&](std::size_t i, std::size_t thread) {
        auto& spare = spare_[thread];
        spare.resize(std::max(spare.size(), rows.entries.size()));
        std::vector<std::size_t>& sizes = scratch_[thread].sizes;
        sizes.assign(n_parts, 0);
        part(order_at(i), growth_.presort.code, flow_.branch_of_row(), n_parts, out[i], spare,
             sizes);
        for (std::size_t c = 0; c < children.size(); ++c) {
            const auto first = std::accumulate(
                sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(part_of_child[c]),
                std::size_t{0});
            const std::span<Entry> entries(out[i] + first, sizes[part_of_child[c]]);
            (i == n_orders ? children[c].rows.entries : children[c].rows.orders[i]) = entries;
            if (i == n_orders && flow.n_missing > 0 && growth_.plan.compatibility.single_precision) {
                put_missing_first(entries);
            }
        }
    });
}

/// The branches that will be grown on, with their rows.
std::span<Worker::Child> Worker::send(std::int32_t id, const Rows& rows, std::int32_t depth,
                                      const Flow& flow) {
    std::vector<std::size_t> part_of_child;
    for (std::size_t p = 0; p < flow.filled.size(); ++p) {
        if (!must_be_leaf(flow.branches[flow.filled[p]].masses, depth + 1)) {
            part_of_child.push_back(p);
        }
    }
    const auto children = arena_.take<Child>(part_of_child.size());
    for (std::size_t c = 0; c < children.size(); ++c) {
        const std::size_t branch = flow.filled[part_of_child[c]];
        const BranchMasses& masses = flow.branches[branch];
        children[c] = {empty_rows(rows, masses, flow.n_missing > 0),
                       sprout_.node(id).first_child + static_cast<std::int32_t>(branch),
                       masses.share};
    }
    if (!children.empty()) {
        part_columns(rows, flow, children, part_of_child);
    }
    return children;
}

/// The rows that go to every branch, with their weight here.
std::span<RowWeight> Worker::note_everywhere(const Rows& rows, const Flow& flow) {
    if (flow.n_missing == 0) {
        return {};
    }
    if (weights_.empty()) {
        weights_.assign(growth_.table.n_rows, 1.0);
    }
    const auto everywhere = arena_.take<RowWeight>(flow.n_missing);
    auto next = everywhere.begin();
    for (const Entry entry : rows.entries) {
        const RowId row = growth_.presort.code.row(entry);
        if (flow_.branch_of_row()[row] == every_branch) {
            *next++ = {row, weights_[row]};
        }
    }
    return everywhere;
}

Worker::Frame Worker::split_node(std::int32_t id, const Rows& rows, std::int32_t depth,
                                 const Split& split) {
    Frame frame;
    frame.depth = depth;
    frame.mark = arena_.mark();
    const Flow& flow = flow_.open(context(rows), split);
    record(id, rows, split, flow);
    frame.everywhere = note_everywhere(rows, flow);
    frame.children = send(id, rows, depth, flow);
    const NominalColumn* nominal = growth_.table.nominal(at(split.column));
    if (nominal && split.n_branches == nominal->n_levels) {
        frame.tested = split.column;
        tested_[at(split.column)] = 1;
    }
    return frame;
}

void Worker::open(std::int32_t id, const Rows& rows, std::int32_t depth,
                  std::vector<Frame>& frames) {
    if (must_be_leaf(rows.masses, depth)) {
        return;
    }
    const Split split = best_split(rows);
    if (split.available) {
        frames.push_back(split_node(id, rows, depth, split));
    }
}

void Worker::enter(const Frame& frame, const Child& child) {
    const bool single = growth_.plan.compatibility.single_precision;
    for (const auto [row, weight] : frame.everywhere) {
        weights_[row] = rounded(weight * child.share, single);
    }
}

void Worker::leave(const Frame& frame) {
    for (const auto [row, weight] : frame.everywhere) {
        weights_[row] = weight;
    }
}

void Worker::close(const Frame& frame) {
    leave(frame);
    if (frame.tested >= 0) {
        tested_[at(frame.tested)] = 0;
    }
}

Task Worker::task_of(const Frame& frame, const Child& child) const {
    Task task;
    task.node = child.node;
    task.depth = frame.depth + 1;
    task.rows = child.rows;
    task.tested = tested_;
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
    tested_ = task.tested;
}

void Worker::unload(const Task& task) {
    for (const auto [row, weight] : task.weights) {
        weights_[row] = growth_.labels.weight(row);
    }
    std::ranges::fill(tested_, std::uint8_t{0});
}

void Worker::grow(Task task, std::size_t task_rows, std::vector<Task>* tasks) {
    load(task);
    std::vector<Frame> frames;
    open(task.node, task.rows, task.depth, frames);
    while (!frames.empty()) {
        watch_.check();
        Frame& frame = frames.back();
        if (frame.next == frame.children.size()) {
            close(frame);
            if (!tasks) {
                arena_.release(frame.mark);
            }
            frames.pop_back();
            continue;
        }
        const Child& child = frame.children[frame.next++];
        enter(frame, child);
        if (tasks && child.rows.entries.size() < task_rows) {
            tasks->push_back(task_of(frame, child));
        } else {
            open(child.node, child.rows, frame.depth + 1, frames);
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
    return copy;
}

Task Worker::root_task() {
    Task task = root();
    if (!must_be_leaf(task.rows.masses, 0)) {
        task.split = best_split(task.rows);
        task.priority = task.rows.mass * task.split.gain;
    }
    return task;
}

std::vector<Task> Worker::expand(const Task& task) {
    watch_.check();
    load(task);
    std::vector<Task> open_nodes;
    const auto mark = arena_.mark();
    const Frame frame = split_node(task.node, task.rows, task.depth, task.split);
    for (const Child& child : frame.children) {
        enter(frame, child);
        Task open_node = task_of(frame, child);
        open_node.split = best_split(child.rows);
        open_node.priority = child.rows.mass * open_node.split.gain;
        open_node.memory = std::make_shared<Arena>();
        open_node.rows = copied(child.rows, *open_node.memory);
        open_nodes.push_back(std::move(open_node));
    }
    close(frame);
    arena_.release(mark);
    unload(task);
    return open_nodes;
}

}  // namespace clearwood
