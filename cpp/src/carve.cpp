#include "clearwood/carve.hpp"

#include <algorithm>
#include <stdexcept>

#include "clearwood/alpha_root.hpp"
#include "clearwood/grow.hpp"
#include "clearwood/worker.hpp"

namespace clearwood {
namespace {

/// Noise leaves a little of both classes everywhere.
constexpr double pure_up_to = 1e-9;

/// The chain while it is carved. `plan` is the one that the worker reads: each step sets its score.
class Carver {
public:
    Carver(Worker& worker, Watch& watch, Plan& plan, const CarveOptions& options)
        : worker_(worker),
          watch_(watch),
          plan_(plan),
          options_(options),
          velocity_(options.velocity) {
        step_.event = options.event;
        step_.is_falling = options.is_falling;
        step_.least = plan.limits.min_samples_leaf;
        step_.alpha = most_alpha;
    }

    std::vector<CarveStep> carve() {
        Task task = worker_.root();
        if (options_.start_alpha && !is_finished(task.rows.masses, 0)) {
            step_.alpha = *options_.start_alpha;
            velocity_ = carving_velocity(step_.alpha, larger_share(task.rows.masses));
        }
        while (!is_finished(worker_.sprout().masses(task.node), steps_.size()) &&
               set_step(task.rows.masses)) {
            watch_.check();
            const Split split = best_split(task);
            if (!split.available) {
                break;
            }
            make(task, split);
        }
        return std::move(steps_);
    }

private:
    double larger_share(std::span<const double> masses) const {
        return std::ranges::max(masses) / (masses[0] + masses[1]);
    }

    bool is_finished(std::span<const double> masses, std::size_t n_steps) const {
        const double mass = masses[0] + masses[1];
        return n_steps >= options_.max_length || std::ranges::min(masses) <= pure_up_to * mass ||
               mass < 2 * step_.least_mass();
    }

    /// Alpha never rises again, though its root does once the events have become the majority.
    /// Whether there is a step to make.
    bool set_step(std::span<const double> masses) {
        if (!options_.start_alpha || !steps_.empty()) {
            const double w = larger_share(masses);
            const auto root = carving_alpha(velocity_, w);
            if (!root && options_.stops_without_root) {
                return false;
            }
            step_.alpha = std::min(step_.alpha, root ? *root : steepest_alpha(w));
        }
        plan_.score = step_;
        return true;
    }

    /// Under noise rows go other ways than the search has counted; where that breaks the order of
    /// risks, the next best column has its turn.
    Split best_split(const Task& task) {
        std::vector<std::uint8_t>& barred = worker_.barred_columns();
        const std::vector<std::uint8_t> before = barred;
        Split split = worker_.best_split(task);
        while (split.available && plan_.has_noise() && !keeps_order(task, split)) {
            barred[static_cast<std::size_t>(split.column)] = 1;
            split = worker_.best_split(task);
        }
        barred = before;
        return split;
    }

    bool keeps_order(const Task& task, const Split& split) {
        const Flow& flow = worker_.flow_of(task, split);
        const auto kept = static_cast<std::size_t>(split.missing_branch);
        const Risk carved = step_.risk(flow.branches[1 - kept].masses);
        return carved.mass >= step_.least_mass() &&
               step_.risk(flow.branches[kept].masses).mass >= step_.least_mass() &&
               step_.keeps_order(carved, step_.risk(task.rows.masses));
    }

    void make(Task& task, const Split& split) {
        const double w = larger_share(task.rows.masses);
        worker_.follow(task, split, split.missing_branch, [&](std::span<const double> kept) {
            return !is_finished(kept, steps_.size() + 1);
        });
        const std::int32_t leaf = task.node + (split.missing_branch == 0 ? 1 : -1);
        const Risk carved = step_.risk(worker_.sprout().masses(leaf));
        steps_.push_back({step_.alpha, w, carving_velocity(step_.alpha, w), carved});
        step_.last = options_.orders_risks ? carved : Risk{};
    }

    Worker& worker_;
    Watch& watch_;
    Plan& plan_;
    const CarveOptions& options_;
    double velocity_;
    Carving step_;
    std::vector<CarveStep> steps_;
};

}  // namespace

Chain carve(const Table& table, const Labels& labels, const Plan& plan,
            const CarveOptions& options, const std::function<bool()>& keep_going) {
    check_sizes(table, labels);
    check(plan.search_noise, table.columns.size(), table.n_rows);
    check(plan.propagation_noise, table.columns.size(), table.n_rows);
    if (labels.n_classes != 2 || options.event > 1) {
        throw std::invalid_argument("a chain carves two classes, one of which is the event");
    }
    Watch watch(keep_going);
    SortedRows rows;
    const Presort sorted =
        presort(table, labels, plan.n_threads, watch, rows, !plan.search_noise.empty());
    if (rows.entries.empty()) {
        throw std::invalid_argument("no row has a weight above zero");
    }
    Plan own = plan;
    own.chooser = BestScore{};
    Growth growth{table, labels, own, sorted, rows, counting_of(labels, table.n_rows), {}, {}};
    growth.many_valued.assign(table.columns.size(), 0);
    Worker worker(growth, watch, own.n_threads);
    Chain chain;
    chain.steps = Carver(worker, watch, own, options).carve();
    chain.tree = worker.sprout().finish(table, labels, own);
    return chain;
}

}  // namespace clearwood
