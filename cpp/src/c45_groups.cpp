#include "clearwood/c45_groups.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>

#include "clearwood/level_groups.hpp"

namespace clearwood {
namespace {

constexpr double rare = 0.5;            // a level of this mass or less joins no group
constexpr double pure_tolerance = 0.1;  // mass of other classes in a group that counts as pure
constexpr double worth_merging = 1e-5;  // rise of the gain ratio
// A gain of 0 falls short of this average less c45_epsilon: the original rounds only one of them.
constexpr float average = 1e-3F;

template <class Real>
constexpr Real tie = std::is_same_v<Real, float> ? Real{0} : static_cast<Real>(tie_tolerance);

/// The state that the climb has reached, or would reach by a step.
template <class Real>
struct State {
    Real gain = static_cast<Real>(-c45_epsilon);
    Real info = 0;
    Real worth = 0;
};

template <class Real>
struct Merge {
    std::size_t first;
    std::size_t second;
    State<Real> state;
};

/// What each pair of groups would become. The pairs outlive a merge, but for those of its group.
template <class Real>
class Pairs {
public:
    explicit Pairs(const LevelGroups<Real>& groups) : stride_(groups.size()), terms_(stride_ * stride_) {
        for (std::size_t j = 1; j < stride_; ++j) {
            refill(groups, j, j);
        }
    }

    const GroupTerms<Real>& operator()(std::size_t i, std::size_t j) const { return terms_[place(i, j)]; }

    /// To be called after the join of the groups.
    void join(const LevelGroups<Real>& groups, std::size_t first, std::size_t second) {
        const std::size_t last = groups.size();
        for (std::size_t k = 0; k < last && second < last; ++k) {
            if (k != second) {
                terms_[place(k, second)] = terms_[place(k, last)];
            }
        }
        refill(groups, first, last);
    }

private:
    std::size_t place(std::size_t i, std::size_t j) const { return std::min(i, j) * stride_ + std::max(i, j); }

    /// The pairs of one group with those before `end`.
    void refill(const LevelGroups<Real>& groups, std::size_t group, std::size_t end) {
        for (std::size_t k = 0; k < end; ++k) {
            if (k != group) {
                terms_[place(k, group)] = groups.joined(std::min(k, group), std::max(k, group));
            }
        }
    }

    std::size_t stride_;
    std::vector<GroupTerms<Real>> terms_;
};

template <class Real>
class Climb {
public:
    Climb(const C45Levels<Real>& levels, double min_samples_leaf, bool by_gain)
        : levels_(levels),
          groups_(levels, rare),
          minimum_(static_cast<Real>(min_samples_leaf)),
          by_gain_(by_gain),
          now_(judged({levels.gain_apart(1), levels.info_apart()})) {
        if (join_pure()) {
            now_ = judged(with_minimum(groups_.value(), groups_.n_heavy(1)));
        }
        least_gain_ = now_.gain / 2;
    }

    void run() {
        Pairs<Real> pairs(groups_);
        while (groups_.size() > 2) {
            const auto merge = next_merge(pairs);
            if (!merge) {
                return;
            }
            groups_.join(merge->first, merge->second);
            pairs.join(groups_, merge->first, merge->second);
            now_ = merge->state;
        }
    }

    GroupedLevels result() const {
        GroupedLevels found;
        const auto final_value = with_minimum(groups_.value(), groups_.n_heavy(minimum_));
        found.gain = static_cast<double>(final_value.gain);
        found.info = static_cast<double>(now_.info);
        found.available = now_.worth > 0 && found.gain > -c45_epsilon;
        found.n_branches = static_cast<std::int32_t>(groups_.size());
        found.branch_of_level.assign(levels_.n_levels(), found.n_branches);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            for (const std::size_t level : groups_[g].levels) {
                found.branch_of_level[level] = static_cast<std::int32_t>(g);
            }
        }
        found.n_branches = std::ranges::max(found.branch_of_level) + 1;
        return found;
    }

private:
    State<Real> judged(GroupingValue<Real> value) const {
        const auto least = static_cast<Real>(average);
        return {value.gain, value.info, c45_worth(value.gain, value.info, least, by_gain_)};
    }

    /// A split needs two branches that are heavy enough.
    static GroupingValue<Real> with_minimum(GroupingValue<Real> value, std::size_t n_heavy) {
        return {n_heavy < 2 ? static_cast<Real>(-c45_epsilon) : value.gain, value.info};
    }

    /// Joins groups that have the same one class; whether there were any.
    bool join_pure() {
        const std::size_t n_before = groups_.size();
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            const auto label = groups_.only_class(i, pure_tolerance);
            for (std::size_t j = i + 1; label && j < groups_.size();) {
                if (groups_.only_class(j, pure_tolerance) == label) {
                    groups_.join(i, j);
                } else {
                    ++j;
                }
            }
        }
        return groups_.size() < n_before;
    }

    /// The best step, or none if the climb should end. By gain, and with fewer than two groups that
    /// are heavy enough, it never ends early.
    std::optional<Merge<Real>> next_merge(const Pairs<Real>& pairs) const {
        const std::size_t n_heavy = groups_.n_heavy(minimum_);
        const bool forced = by_gain_ || n_heavy < 2;
        const std::size_t barred = n_heavy < 3 ? groups_.heaviest() : groups_.size();
        const auto best = best_merge(pairs, barred, forced);
        const double enough = static_cast<double>(now_.worth) + worth_merging;
        return forced || (best && static_cast<double>(best->state.worth) >= enough) ? best : std::nullopt;
    }

    /// The best of all pairs without the group `barred`; of equals the last.
    std::optional<Merge<Real>> best_merge(const Pairs<Real>& pairs, std::size_t barred, bool forced) const {
        std::optional<Merge<Real>> best;
        State<Real> leader;
        const std::size_t n_unit = groups_.n_heavy(1);
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            for (std::size_t j = i + 1; j < groups_.size(); ++j) {
                if (i == barred || j == barred) {
                    continue;
                }
                const auto state = after(i, j, pairs(i, j), n_unit);
                const bool lifts = state.gain >= least_gain_ && leader.gain < least_gain_;
                if (lifts || state.worth >= leader.worth - tie<Real> || (forced && !best)) {
                    leader = state;
                    best = {i, j, state};
                }
            }
        }
        return best;
    }

    State<Real> after(std::size_t i, std::size_t j, const GroupTerms<Real>& pair, std::size_t n_unit) const {
        const auto unit = [](const GroupTerms<Real>& group) { return std::size_t{group.mass >= 1}; };
        const std::size_t n_left = n_unit + unit(pair) - unit(groups_[i].terms) - unit(groups_[j].terms);
        return judged(with_minimum(groups_.value_joined(i, j, pair), n_left));
    }

    const C45Levels<Real>& levels_;
    LevelGroups<Real> groups_;
    Real minimum_;
    bool by_gain_;
    State<Real> now_;
    Real least_gain_ = 0;  ///< half of the gain at the start: merges should not fall below
};

}  // namespace

template <class Real>
GroupedLevels c45_groups(const C45Levels<Real>& levels, double min_samples_leaf, bool by_gain) {
    if (static_cast<double>(levels.known()) < c45_epsilon) {
        return {};
    }
    Climb<Real> climb(levels, min_samples_leaf, by_gain);
    climb.run();
    return climb.result();
}

template <class Real>
GroupedLevels c45_groups(std::span<const double> level_masses, std::size_t n_classes,
                         double missing_mass, double min_samples_leaf, bool by_gain) {
    const double total = std::accumulate(level_masses.begin(), level_masses.end(), missing_mass);
    const C45Levels<Real> levels(level_masses, n_classes, missing_mass, total);
    return c45_groups(levels, min_samples_leaf, by_gain);
}

template GroupedLevels c45_groups<float>(const C45Levels<float>&, double, bool);
template GroupedLevels c45_groups<double>(const C45Levels<double>&, double, bool);
template GroupedLevels c45_groups<float>(std::span<const double>, std::size_t, double, double, bool);
template GroupedLevels c45_groups<double>(std::span<const double>, std::size_t, double, double, bool);

}  // namespace clearwood
