/// Groups of levels of a nominal column, and C4.5's gain and split information of making each a
/// branch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "clearwood/c45_score.hpp"

namespace clearwood {

/// What sums over groups need to know of one.
template <class Real>
struct GroupTerms {
    Real mass = 0;
    double mass_log_mass = 0.0;
    Real information = 0;  ///< of its class masses

    GroupTerms() = default;
    explicit GroupTerms(const Information<Real>& classes)
        : mass(classes.total()), mass_log_mass(n_log_n(mass)), information(classes.value()) {}
};

template <class Real>
struct LevelGroup {
    std::vector<Real> masses;  ///< per class
    std::vector<std::size_t> levels;
    GroupTerms<Real> terms;
};

/// Gain and split information of a grouping.
template <class Real>
struct GroupingValue {
    Real gain;
    Real info;
};

template <class Real>
class LevelGroups {
public:
    /// One group for each level that weighs more than `rare`.
    LevelGroups(const C45Levels<Real>& levels, double rare) : levels_(levels) {
        for (std::size_t l = 0; l < levels.n_levels(); ++l) {
            const auto masses = levels.level(l);
            const GroupTerms<Real> terms(information(masses));
            if (static_cast<double>(terms.mass) > rare) {
                groups_.push_back({{masses.begin(), masses.end()}, {l}, terms});
            }
        }
        add_up();
    }

    std::size_t size() const { return groups_.size(); }
    const LevelGroup<Real>& operator[](std::size_t group) const { return groups_[group]; }

    std::size_t n_heavy(Real minimum) const {
        const auto heavy = [&](const auto& group) { return group.terms.mass >= minimum; };
        return static_cast<std::size_t>(std::ranges::count_if(groups_, heavy));
    }
    std::size_t heaviest() const {
        const auto mass = [](const auto& group) { return group.terms.mass; };
        return static_cast<std::size_t>(std::ranges::max_element(groups_, {}, mass) - groups_.begin());
    }
    /// The class that all of a group has, up to `tolerance` of its mass.
    std::optional<std::size_t> only_class(std::size_t group, double tolerance) const {
        const auto& [masses, levels, terms] = groups_[group];
        const auto heaviest_class = std::ranges::max_element(masses);
        if (static_cast<double>(*heaviest_class) < static_cast<double>(terms.mass) - tolerance) {
            return std::nullopt;
        }
        return static_cast<std::size_t>(heaviest_class - masses.begin());
    }
    GroupTerms<Real> joined(std::size_t first, std::size_t second) const {
        Information<Real> classes;
        for (std::size_t k = 0; k < groups_[first].masses.size(); ++k) {
            classes.add(groups_[first].masses[k] + groups_[second].masses[k]);
        }
        return GroupTerms<Real>(classes);
    }

    /// The second joins the first; the last group takes the free place.
    void join(std::size_t first, std::size_t second) {
        groups_[first].terms = joined(first, second);
        auto& [masses, levels, terms] = groups_[first];
        std::ranges::transform(masses, groups_[second].masses, masses.begin(), std::plus{});
        levels.insert(levels.end(), groups_[second].levels.begin(), groups_[second].levels.end());
        std::swap(groups_[second], groups_.back());
        groups_.pop_back();
        add_up();
    }

    GroupingValue<Real> value() const { return {levels_.gain(after_), levels_.info(masses_)}; }
    /// What the value would be if two groups joined to `pair`.
    GroupingValue<Real> value_joined(std::size_t first, std::size_t second, const GroupTerms<Real>& pair) const {
        if constexpr (std::is_same_v<Real, float>) {  // the order of additions decides the last bit
            return value_in_order([&](std::size_t k) -> const GroupTerms<Real>& {
                return k == first ? pair : k == second ? groups_.back().terms : groups_[k].terms;
            });
        } else {
            const GroupTerms<Real>& one = groups_[first].terms;
            const GroupTerms<Real>& other = groups_[second].terms;
            Information<Real> masses = masses_;
            masses.remove(one.mass, one.mass_log_mass);
            masses.remove(other.mass, other.mass_log_mass);
            masses.add(pair.mass, pair.mass_log_mass);
            const Real after = after_ - one.information - other.information + pair.information;
            return {levels_.gain(after), levels_.info(masses)};
        }
    }

private:
    template <class TermsOf>
    GroupingValue<Real> value_in_order(TermsOf terms_of) const {
        Information<Real> masses;
        masses.add(levels_.missing());
        Real after = 0;
        for (std::size_t k = 0; k + 1 < groups_.size(); ++k) {
            const GroupTerms<Real>& terms = terms_of(k);
            masses.add(terms.mass, terms.mass_log_mass);
            after += terms.information;
        }
        return {levels_.gain(after), levels_.info(masses)};
    }

    void add_up() {
        masses_ = {};
        masses_.add(levels_.missing());
        after_ = 0;
        for (const LevelGroup<Real>& group : groups_) {
            masses_.add(group.terms.mass, group.terms.mass_log_mass);
            after_ += group.terms.information;
        }
    }

    const C45Levels<Real>& levels_;
    std::vector<LevelGroup<Real>> groups_;
    Information<Real> masses_;  ///< the missing mass, then the groups'
    Real after_ = 0;            ///< sum of the groups' informations
};

}  // namespace clearwood
