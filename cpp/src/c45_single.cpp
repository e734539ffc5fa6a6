/// C4.5's searches in single precision. Sums run in the order of the rows or of the sorted values
/// and every stored number is rounded where the original rounds it: for its answers to the bit, not
/// for speed.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "clearwood/c45_groups.hpp"
#include "clearwood/c45_score.hpp"
#include "clearwood/split.hpp"

namespace clearwood {
namespace {

constexpr double least_gap = 1e-5;           // between two values that a cut can part
constexpr float no_average = 1'000'000.0F;   // no column sets a standard: none qualifies
constexpr float largest_minimum = 25.0F;     // of a branch's mass

float weight_of(const NodeContext& node, Entry entry) {
    return node.weights.empty() ? 1.0F : static_cast<float>(node.weights[node.presort.code.row(entry)]);
}

float total_mass(const NodeContext& node) {
    if (node.rows.counting != Counting::real) {
        return static_cast<float>(node.rows.mass);
    }
    float total = 0.0F;
    for (const Entry entry : node.rows.entries) {
        total += weight_of(node, entry);
    }
    return total;
}

// -- cuts ----------------------------------------------------------------------------------

struct Cut {
    std::size_t position;
    float low_mass;
    float gain;
};

/// The rows whose value is known, in the order of the values.
class KnownRows {
public:
    KnownRows(const NodeContext& node, std::size_t numeric_index)
        : node_(node),
          order_(node.rows.orders[numeric_index]),
          values_(node.table.numeric(node.presort.numeric[numeric_index])->values),
          masses_(static_cast<std::size_t>(node.n_classes), 0.0F) {
        if (node.rows.counting == Counting::real) {
            sort_as_original();
        }
        for (const Entry entry : order_) {
            mass_ += weight_of(node, entry);
            masses_[node.presort.code.label(entry)] += weight_of(node, entry);
        }
    }
    float mass() const { return mass_; }

    /// Every cut that leaves both branches heavy enough to be counted, from low values to high.
    std::vector<Cut> cuts(float missing_share) const {
        std::vector<Cut> result;
        std::vector<float> low(masses_.size(), 0.0F);
        std::vector<float> high = masses_;
        const float base = information(std::span<const float>(masses_)).value() / mass_;
        const float least = counted_minimum();
        float low_mass = 0.0F;
        for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
            const float weight = weight_of(node_, order_[i]);
            low_mass += weight;
            low[node_.presort.code.label(order_[i])] += weight;
            high[node_.presort.code.label(order_[i])] -= weight;
            if (low_mass > mass_ - least) {
                break;
            }
            if (low_mass >= least && has_gap_after(i)) {
                result.push_back({i + 1, low_mass, gain(low, high, low_mass, base, missing_share)});
            }
        }
        return result;
    }

private:
    /// A tenth of the mean mass of a class, within limits.
    float counted_minimum() const {
        const auto floor = static_cast<float>(node_.min_samples_leaf);
        const auto tenth = static_cast<float>(0.1 * static_cast<double>(mass_) / node_.n_classes);
        return !node_.plan.limits.c45_minimum || tenth <= floor ? floor : std::min(tenth, largest_minimum);
    }
    double value(Entry entry) const {
        return static_cast<double>(static_cast<float>(values_[node_.presort.code.row(entry)]));
    }
    bool has_gap_after(std::size_t i) const { return value(order_[i]) < value(order_[i + 1]) - least_gap; }

    /// Among equal values the order of the node's rows counts: it is that of additions.
    void sort_as_original() {
        const auto is_known = [&](Entry entry) { return !std::isnan(value(entry)); };
        std::ranges::copy_if(node_.rows.entries, std::back_inserter(sorted_), is_known);
        std::ranges::stable_sort(sorted_, {}, [&](Entry entry) { return value(entry); });
        order_ = sorted_;
    }

    float gain(std::span<const float> low, std::span<const float> high, float low_mass, float base,
               float missing_share) const {
        const auto minimum = static_cast<float>(node_.min_samples_leaf);
        if (low_mass < minimum || mass_ - low_mass < minimum) {
            return static_cast<float>(-c45_epsilon);
        }
        return c45_gain(base, information(low).value() + information(high).value(), mass_, missing_share);
    }

    const NodeContext& node_;
    std::span<const Entry> order_;
    std::vector<Entry> sorted_;
    Strided<double> values_;
    std::vector<float> masses_;  // per class
    float mass_ = 0.0F;
};

/// log2 of the number of cuts, per unit of mass: what choosing among them costs.
float penalty(const NodeContext& node, std::size_t n_cuts, float total) {
    const bool is_free = !node.plan.penalty || n_cuts < 2;
    return is_free ? 0.0F
                   : static_cast<float>(std::log2(static_cast<double>(n_cuts)) / static_cast<double>(total));
}

// -- levels --------------------------------------------------------------------------------

/// Masses of missing values (first row) and of each level by class.
std::span<const double> fill(const NodeContext& node, const NominalColumn& column, std::vector<double>& masses) {
    const auto n_classes = static_cast<std::size_t>(node.n_classes);
    masses.assign((static_cast<std::size_t>(column.n_levels) + 1) * n_classes, 0.0);
    for (const Entry entry : node.rows.entries) {
        const std::int32_t level = std::max(column.codes[node.presort.code.row(entry)], missing_level);
        double& mass = masses[static_cast<std::size_t>(level + 1) * n_classes + node.presort.code.label(entry)];
        mass = static_cast<double>(static_cast<float>(mass) + weight_of(node, entry));
    }
    return masses;
}

float sum(std::span<const double> masses) {
    float total = 0.0F;
    for (const double mass : masses) {
        total += static_cast<float>(mass);
    }
    return total;
}

void set_branches(const C45Levels<float>& levels, float minimum, Split& split) {
    const float gain = levels.gain_apart(minimum);
    split.gain = static_cast<double>(gain);
    split.info = static_cast<double>(levels.info_apart());
    split.available = split.gain > -c45_epsilon;
    split.n_branches = static_cast<std::int32_t>(levels.n_levels());
    split.branch_of_level.resize(levels.n_levels());
    std::iota(split.branch_of_level.begin(), split.branch_of_level.end(), 0);
}

void set_groups(GroupedLevels groups, Split& split) {
    split.gain = groups.gain;
    split.info = groups.info;
    split.available = groups.available;
    split.n_branches = groups.n_branches;
    split.branch_of_level = std::move(groups.branch_of_level);
}

// -- choosing ------------------------------------------------------------------------------

float average_gain(std::span<const Split> splits, std::span<const std::uint8_t> many_valued) {
    float sum_of_gains = 0.0F;
    int n_splits = 0;
    for (const Split& split : splits) {
        if (split.available && !many_valued[static_cast<std::size_t>(split.column)]) {
            sum_of_gains += static_cast<float>(split.gain);
            ++n_splits;
        }
    }
    return n_splits == 0 ? no_average : sum_of_gains / static_cast<float>(n_splits);
}

}  // namespace

Split best_cut_single(const NodeContext& node, std::size_t numeric_index, SearchScratch&) {
    Split split;
    split.column = static_cast<std::int32_t>(node.presort.numeric[numeric_index]);
    const KnownRows known(node, numeric_index);
    if (static_cast<double>(known.mass()) < 2.0 * node.min_samples_leaf) {
        return split;
    }
    const float total = total_mass(node);
    const double known_share = static_cast<double>(known.mass()) / static_cast<double>(total);
    const auto cuts = known.cuts(static_cast<float>(1.0 - known_share));
    const float charge = penalty(node, cuts.size(), total);
    const auto best = std::ranges::max_element(cuts, {}, [&](const Cut& cut) { return cut.gain - charge; });
    if (best == cuts.end() || !(best->gain - charge > 0.0F)) {
        return split;
    }
    const float branches[] = {total - known.mass(), best->low_mass, known.mass() - best->low_mass};
    split.available = true;
    split.gain = static_cast<double>(best->gain - charge);
    split.info = static_cast<double>(information(std::span<const float>(branches)).value() / total);
    split.position = best->position;
    return split;
}

Split best_levels_single(const NodeContext& node, std::size_t column, SearchScratch& scratch) {
    Split split;
    split.column = static_cast<std::int32_t>(column);
    const auto n_classes = static_cast<std::size_t>(node.n_classes);
    const auto masses = fill(node, *node.table.nominal(column), scratch.level_masses);
    const C45Levels<float> levels(masses.subspan(n_classes), n_classes,
                                  static_cast<double>(sum(masses.first(n_classes))),
                                  static_cast<double>(total_mass(node)));
    if (!(levels.known() > 0.0F)) {
        return split;
    }
    if (node.plan.grouping == Grouping::grouped && levels.n_levels() > 2) {
        set_groups(c45_groups(levels, node.min_samples_leaf, node.plan.compatibility.by_gain), split);
    } else {
        set_branches(levels, static_cast<float>(node.min_samples_leaf), split);
    }
    return split;
}

std::int32_t choose_single(const Plan& plan, std::span<Split> splits, std::span<const std::uint8_t> many_valued) {
    const float average = average_gain(splits, many_valued);
    std::int32_t winner = -1;
    double highest = -c45_epsilon;
    for (std::size_t i = 0; i < splits.size(); ++i) {
        if (!splits[i].available) {
            continue;
        }
        const float worth = c45_worth(static_cast<float>(splits[i].gain), static_cast<float>(splits[i].info),
                                      average, plan.compatibility.by_gain);
        splits[i].score = static_cast<double>(worth);
        if (splits[i].score > highest) {
            highest = splits[i].score;
            winner = static_cast<std::int32_t>(i);
        }
    }
    return winner;
}

}  // namespace clearwood
