#include "clearwood/grow_to_size.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "clearwood/presort.hpp"

namespace clearwood {
namespace {

class ToSize {
public:
    ToSize(const Table& table, const Labels& labels, const Plan& plan, Watch& watch, Effort* effort)
        : table_(table),
          labels_(labels),
          plan_(plan),
          watch_(watch),
          effort_(effort),
          max_nodes_(plan.verification->max_nodes) {}

    TreeArrays grow() {
        find_depth();
        return to_depth(low_, (max_nodes_ - nodes_at_low_) / 2, max_nodes_);
    }

private:
    /// All nodes above `depth` split, and the first `splits` at it.
    TreeArrays to_depth(std::int32_t depth, std::int32_t splits, std::int32_t max_nodes) const {
        Plan plan = plan_;
        const std::int32_t deepest = depth + (splits > 0 ? 1 : 0);
        plan.limits.max_depth = std::min(plan.limits.max_depth, deepest);
        plan.verification->max_nodes = max_nodes;
        plan.verification->last_depth = depth;
        plan.verification->splits_at_last_depth = splits;
        SortedRows rows;
        const Presort sorted =
            presort(table_, labels_, plan.n_threads, watch_, rows, !plan.search_noise.empty());
        return grow_sorted(table_, labels_, plan, sorted, rows, watch_, effort_);
    }

    /// Whether a tree of this depth has room; then it is the deepest known.
    bool fits(std::int32_t depth) {
        const std::int32_t n_nodes = to_depth(depth, 0, max_nodes_ + 2).n_nodes();
        if (n_nodes > max_nodes_) {
            high_ = depth;
            return false;
        }
        is_whole_ = n_nodes == nodes_at_low_;  // deeper, yet no larger: nothing is left to split
        low_ = depth;
        nodes_at_low_ = n_nodes;
        return true;
    }

    /// The greatest depth that has room: up in growing steps from what any tree fits, then by halves.
    void find_depth() {
        // A binary tree of depth d has less than 2^(d + 1) nodes.
        const auto sure =
            static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(max_nodes_) + 1)) -
            2;
        std::int32_t depth = std::max(1, sure);
        const std::int32_t most = plan_.limits.max_depth;
        for (std::int32_t step = 1; fits(depth) && !is_whole_ && depth < most; step *= 2) {
            depth += std::min(step, most - depth);
        }
        while (high_ - low_ > 1) {
            fits(low_ + (high_ - low_) / 2);
        }
    }

    const Table& table_;
    const Labels& labels_;
    const Plan& plan_;
    Watch& watch_;
    Effort* effort_;
    std::int32_t max_nodes_;
    std::int32_t low_ = 0;
    std::int32_t nodes_at_low_ = 1;
    bool is_whole_ = false;  ///< the tree of that depth has all its nodes
    std::int32_t high_ = 0;  ///< has no room; 0 while unknown
};

}  // namespace

TreeArrays grow_to_size(const Table& table, const Labels& labels, const Plan& plan, Watch& watch,
                        Effort* effort) {
    return ToSize(table, labels, plan, watch, effort).grow();
}

}  // namespace clearwood
