/// The growing loop: open a node, search every column, choose, send the rows on.
#include "clearwood/grow.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <stdexcept>

#include "clearwood/grow_to_size.hpp"
#include "clearwood/worker.hpp"

namespace clearwood {
namespace {

/// Nodes with fewer rows than this become one task for one thread.
constexpr std::size_t task_rows_at_least = 1024;

std::vector<std::uint8_t> many_valued_columns(const Table& table, const Plan& plan,
                                              double total_mass) {
    std::vector<std::uint8_t> result(table.columns.size(), 0);
    if (plan.grouping == Grouping::grouped) {
        return result;
    }
    bool all = true;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const NominalColumn* nominal = table.nominal(column);
        result[column] = nominal != nullptr && nominal->n_levels >= 0.3 * total_mass;
        all = all && result[column];
    }
    if (all) {
        std::ranges::fill(result, std::uint8_t{0});
    }
    return result;
}

}  // namespace

Counting counting_of(const Labels& labels, std::size_t n_rows) {
    if (labels.weights.empty()) {
        return Counting::unit;
    }
    constexpr double has_square = 2'147'483'648.0;  // measures multiply masses in 64 bits
    const double largest_table =
        std::min(std::max(4.0 * static_cast<double>(n_rows), 4'194'304.0), has_square);
    double total = 0.0;
    bool unit = true;
    for (const double weight : labels.weights) {
        if (weight != std::floor(weight)) {
            return Counting::real;
        }
        total += weight;
        unit = unit && (weight == 0.0 || weight == 1.0);
    }
    return unit ? Counting::unit : total <= largest_table ? Counting::whole : Counting::real;
}

void check_sizes(const Table& table, const Labels& labels) {
    if (labels.classes.size() != table.n_rows) {
        throw std::invalid_argument("labels and table have different numbers of rows");
    }
    if (!labels.weights.empty() && labels.weights.size() != table.n_rows) {
        throw std::invalid_argument("weights and table have different numbers of rows");
    }
    for (const std::int32_t label : labels.classes) {
        if (label < 0 || label >= labels.n_classes) {
            throw std::invalid_argument("a class index is out of range");
        }
    }
}

namespace {

/// Grows depth first; with several threads the lower parts of the tree become tasks.
void grow_depth_first(Growth& growth, Worker& worker, Watch& watch) {
    // Single precision lets weights drift from branch to branch, and verified trees count their
    // nodes: one order, one thread.
    const bool in_one_go =
        growth.plan.compatibility.single_precision || growth.plan.verification.has_value();
    const unsigned n_threads = in_one_go ? 1 : growth.plan.n_threads;
    if (n_threads <= 1) {
        worker.grow(worker.root(), 0);
        return;
    }
    const std::size_t n_rows = growth.sorted.entries.size();
    std::vector<Task> tasks;
    worker.grow(worker.root(), std::max(task_rows_at_least, n_rows / (4 * n_threads)), &tasks);
    std::ranges::sort(tasks, std::greater{},
                      [](const Task& task) { return task.rows.entries.size(); });
    std::vector<std::unique_ptr<Worker>> workers(n_threads);
    std::vector<std::optional<Sprout>> grown(tasks.size());
    parallel_for(n_threads, tasks.size(), watch, [&](std::size_t item, std::size_t thread) {
        if (!workers[thread]) {
            workers[thread] = std::make_unique<Worker>(growth, watch, 1);
        }
        grown[item] = workers[thread]->grow_task(tasks[item]);
    });
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        worker.sprout().graft(tasks[i].node, *grown[i]);
    }
}

/// Of a tree that is grown best first; a verified one has two branches at each node.
std::int32_t most_leaves(const Plan& plan) {
    const std::int32_t most = plan.limits.max_leaf_nodes;
    if (!plan.verification) {
        return most;
    }
    const std::int32_t max_nodes = plan.verification->max_nodes;
    return std::min(most, max_nodes - max_nodes / 2);
}

/// Grows the node whose split gains most first, until the tree has enough leaves.
void grow_best_first(Growth& growth, Worker& worker) {
    const auto later = [](const Task& a, const Task& b) {
        return a.priority != b.priority ? a.priority < b.priority : a.node > b.node;
    };
    std::priority_queue<Task, std::vector<Task>, decltype(later)> open(later);
    const std::int32_t most = most_leaves(growth.plan);
    std::int32_t n_leaves = 1;
    const auto consider = [&](Task task) {
        if (task.split.available) {
            open.push(std::move(task));
        }
    };
    consider(worker.root_task());
    while (!open.empty()) {
        const Task task = open.top();
        open.pop();
        if (n_leaves + task.split.n_branches - 1 > most) {
            continue;
        }
        n_leaves += task.split.n_branches - 1;
        for (Task& child : worker.expand(task)) {
            consider(std::move(child));
        }
    }
}

}  // namespace

TreeArrays grow(const Table& table, const Labels& labels, const Plan& plan,
                const std::function<bool()>& keep_going, Effort* effort) {
    check_sizes(table, labels);
    Watch watch(keep_going);
    SortedRows rows;
    const Presort sorted =
        presort(table, labels, plan.n_threads, watch, rows, !plan.search_noise.empty());
    TreeArrays tree = grow_sorted(table, labels, plan, sorted, rows, watch, effort);
    const bool is_depth_first = plan.limits.max_leaf_nodes == 0;
    if (!plan.verification || !is_depth_first ||
        tree.n_nodes() + 2 <= plan.verification->max_nodes) {
        return tree;
    }
    return grow_to_size(table, labels, plan, watch, effort);
}

TreeArrays grow_sorted(const Table& table, const Labels& labels, const Plan& plan,
                       const Presort& presort, SortedRows& rows, Watch& watch, Effort* effort) {
    check(plan.search_noise, table.columns.size(), table.n_rows);
    check(plan.propagation_noise, table.columns.size(), table.n_rows);
    Growth growth{table, labels, plan, presort, rows, {}, {}, {}, effort};
    if (rows.entries.empty()) {
        throw std::invalid_argument("no row has a weight above zero");
    }
    double total = 0.0;
    for (const Entry entry : rows.entries) {
        total += labels.weight(presort.code.row(entry));
    }
    growth.counting = counting_of(labels, table.n_rows);
    growth.many_valued = many_valued_columns(table, plan, total);
    if (growth.counting != Counting::real && std::holds_alternative<InformationGain>(plan.score)) {
        growth.entropy_table = EntropyTable(static_cast<std::size_t>(total));
    }
    Worker worker(growth, watch, plan.n_threads);
    if (plan.limits.max_leaf_nodes > 0) {
        grow_best_first(growth, worker);
    } else {
        grow_depth_first(growth, worker, watch);
    }
    if (plan.collapse) {
        worker.sprout().collapse();
    }
    return worker.sprout().finish(table, labels, plan);
}

}  // namespace clearwood
