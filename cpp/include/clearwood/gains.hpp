/// What a search asks of any measure. Purities of branches add up and gains are differences of
/// purities, unless a measure has answers of its own: large alphas leave no room for sums, and a
/// chain's cut is worth nothing where it may not be made.
#pragma once

#include <algorithm>
#include <span>

namespace clearwood {

/// A measure that knows itself which cuts may be made, and what becomes of missing values.
template <class Measure>
concept ChoosesSides = requires(const Measure measure, std::span<const double> masses) {
    measure.kept_branch(masses, masses);
    measure.least_mass();
};

/// The measure for a node's column: `known` are the class masses of the rows with a known value,
/// `node` those of all rows.
template <class Measure>
Measure looking_at(Measure measure, std::span<const double> known, std::span<const double> node) {
    if constexpr (requires { measure.look_at(known, node); }) {
        measure.look_at(known, node);
    }
    return measure;
}

/// What the known rows of both branches of a cut must weigh.
template <class Measure>
double least_mass(const Measure& measure, double min_samples_leaf) {
    if constexpr (ChoosesSides<Measure>) {
        return measure.least_mass();
    } else {
        return min_samples_leaf;
    }
}

/// Purity of the unsplit node.
template <class Measure>
typename Measure::Value whole_purity(const Measure& measure, std::span<const double> known) {
    if constexpr (requires { measure.whole(); }) {
        return measure.whole();
    } else {
        return measure.purity(known);
    }
}

/// Purity of two parts together.
template <class Measure>
typename Measure::Value joined(const Measure& measure, typename Measure::Value one,
                               typename Measure::Value other) {
    if constexpr (requires { measure.joined(one, other); }) {
        return measure.joined(one, other);
    } else {
        return one + other;
    }
}

/// Purity of a cut by its branches.
template <class Measure>
typename Measure::Value purity_of(const Measure& measure, std::span<const double> left,
                                  std::span<const double> right) {
    if constexpr (requires { measure.of_cut(left, right); }) {
        return measure.of_cut(left, right);
    } else {
        return joined(measure, measure.purity(left), measure.purity(right));
    }
}

/// The same where the cut need not be one that may be made: convex in the masses.
template <class Measure>
typename Measure::Value unlimited_purity(const Measure& measure, std::span<const double> left,
                                         std::span<const double> right) {
    if constexpr (requires { measure.of_any_cut(left, right); }) {
        return measure.of_any_cut(left, right);
    } else {
        return purity_of(measure, left, right);
    }
}

/// Gain per unit of the node's `mass`, as `Split::gain` holds it. A gain in pairs grows with the
/// square of the mass: where only the known part of the rows was counted, that part scales it once
/// more.
template <class Measure>
double gain_of(const Measure& measure, typename Measure::Value split,
               typename Measure::Value whole, double known, double mass) {
    if constexpr (requires { measure.gain(split, whole, mass); }) {
        return measure.gain(split, whole, mass);
    } else if constexpr (requires { Measure::counts_pairs; }) {
        return measure.in_bits(split - whole) / mass * (known / mass);
    } else {
        return measure.in_bits(split - whole) / mass;
    }
}

/// The purity at which a split has that gain.
template <class Measure>
double purity_for(const Measure& measure, double whole, double gain, double mass) {
    if constexpr (requires { measure.purity_for(whole, gain, mass); }) {
        return measure.purity_for(whole, gain, mass);
    } else {
        return whole + mass * gain;
    }
}

/// The least purity that counts as equal to `best`, where equal is a part `tolerance` of the gain.
template <class Measure>
double least_equal(const Measure& measure, double best, double whole, double mass,
                   double tolerance) {
    if constexpr (requires { measure.least_equal(best, whole, mass, tolerance); }) {
        return measure.least_equal(best, whole, mass, tolerance);
    } else {
        return best - tolerance * std::max(mass, best - whole);
    }
}

/// Whether no threshold between two has a higher purity than the corners of their masses.
template <class Measure>
bool corners_bound(const Measure& measure) {
    if constexpr (requires { measure.is_convex(); }) {
        return measure.is_convex();
    } else {
        return true;
    }
}

}  // namespace clearwood
