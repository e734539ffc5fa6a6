/// C4.5's own arithmetic on the masses of branches, in either precision (Quinlan 1993, C4.5:
/// Programs for Machine Learning, chapter 2). In single precision every stored number is rounded
/// where the original rounds it, since the last bit decides exact ties.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "clearwood/measure.hpp"

namespace clearwood {

/// The slack in C4.5's comparisons, and minus the gain of a split that is no split.
inline constexpr double c45_epsilon = 1e-3;

/// C4.5's I(v1, v2, ...) = T log2 T - sum of v log2 v, T = v1 + v2 + ...: entropy times mass.
template <class Real>
class Information {
public:
    void add(Real mass) { add(mass, n_log_n(mass)); }
    void add(Real mass, double mass_log_mass) {
        spent_ = static_cast<Real>(spent_ + mass_log_mass);
        total_ += mass;
    }
    void remove(Real mass, double mass_log_mass) { add(-mass, -mass_log_mass); }
    Real total() const { return total_; }
    Real value() const { return static_cast<Real>(n_log_n(total_) - spent_); }

private:
    Real spent_ = 0;
    Real total_ = 0;
};

template <class Real>
Information<Real> information(std::span<const Real> masses) {
    Information<Real> result;
    for (const Real mass : masses) {
        result.add(mass);
    }
    return result;
}

/// Gain of branches whose informations add up to `after`: what a known value tells, less the share
/// of mass whose value is missing.
template <class Real>
Real c45_gain(Real base, Real after, Real known, Real missing_share) {
    const auto known_share = static_cast<Real>(1.0 - static_cast<double>(missing_share));
    const Real told = base - after / known;
    return known_share * told;
}

/// By what splits are ranked: the gain ratio of a gain that is at least average, or the gain
/// itself (-g). -c45_epsilon where a split does not qualify.
template <class Real>
Real c45_worth(Real gain, Real info, Real average, bool by_gain) {
    constexpr auto none = static_cast<Real>(-c45_epsilon);
    if (by_gain) {
        return info > 0 && static_cast<double>(gain) > -c45_epsilon ? gain : none;
    }
    const bool qualifies = static_cast<double>(gain) >= static_cast<double>(average) - c45_epsilon &&
                           static_cast<double>(info) > c45_epsilon;
    return qualifies ? gain / info : none;
}

/// Class masses of each level of a nominal column at a node, and how C4.5 scores branches of them.
template <class Real>
class C45Levels {
public:
    /// `masses` is n_levels x n_classes, row-major, without the rows whose value is missing;
    /// `total` is the mass of the node, missing included.
    C45Levels(std::span<const double> masses, std::size_t n_classes, double missing, double total);

    std::size_t n_levels() const { return masses_.size() / n_classes_; }
    std::span<const Real> level(std::size_t level) const {
        return std::span(masses_).subspan(level * n_classes_, n_classes_);
    }
    Real known() const { return known_; }
    Real missing() const { return missing_; }

    /// Gain of branches whose informations add up to `after`.
    Real gain(Real after) const { return c45_gain(base_, after, known_, missing_share_); }
    /// Split information of the branches' masses, the missing mass before them.
    Real info(const Information<Real>& masses) const { return masses.value() / total_; }

    /// Gain where every level is a branch; -c45_epsilon unless two of them weigh `minimum`.
    Real gain_apart(Real minimum) const;
    Real info_apart() const;

private:
    std::size_t n_classes_;
    std::vector<Real> masses_;
    Real missing_;
    Real total_;
    Real known_;
    Real missing_share_;
    Real base_ = 0;  ///< information of the known rows' classes by their mass
};

}  // namespace clearwood
