/// The score of a decision chain's cuts (Park et al., "alpha-carving decision chains";
/// algorithms.md H.3): one side is carved away for good, the other is kept and carved further.
/// What it is worth is the alpha-divergence from the uniform reference; where risks would not go
/// one way along the chain, the cut is worth nothing. Two classes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "clearwood/alpha_divergence.hpp"

namespace clearwood {

class CarvingMeasure;

/// Weight and events of some rows.
struct Risk {
    double events = 0.0;
    double mass = 0.0;

    double rate() const { return events / mass; }
};

/// Whether a risk is above another by more than rounding.
inline bool is_above(Risk one, Risk other) {
    constexpr double rounding = 1e-12;
    return one.events * other.mass > other.events * one.mass * (1.0 + rounding);
}

/// One step's criterion; it changes from step to step.
struct Carving {
    static constexpr std::string_view name = "carving";
    using Counts = CarvingMeasure;
    using Weights = CarvingMeasure;

    double alpha = 2.0;
    std::size_t event = 1;   ///< class
    bool is_falling = false; ///< the side of the higher risk is carved, not that of the lower
    Risk last{};             ///< what was carved before; no mass: nothing that limits this step
    double least = 1.0;      ///< mass of either side

    template <class Table>
    CarvingMeasure counts(const Table&) const;
    CarvingMeasure weights() const;

    Risk risk(std::span<const double> masses) const {
        return {masses[event], masses[0] + masses[1]};
    }
    /// Whether the risks keep their order: the carved rows' on the right side of the node's, and
    /// of the risk carved before.
    bool keeps_order(Risk carved, Risk node) const {
        const auto after = [&](Risk one, Risk other) {
            return is_falling ? is_above(other, one) : is_above(one, other);
        };
        return after(node, carved) && !(last.mass > 0.0 && after(last, carved));
    }
    double least_mass() const {
        constexpr double rounding = 1e-9;
        return least * (1.0 - rounding);
    }
    AlphaDivergence divergence() const { return {alpha, Reference::uniform, 0.0}; }
};

/// Rows whose value is missing stay in the chain: they count on the kept side.
class CarvingMeasure {
public:
    using Value = double;
    using Masses = std::span<const double>;
    static constexpr Value never = -std::numeric_limits<double>::infinity();

    explicit CarvingMeasure(const Carving& step) : step_(step), alpha_(step.divergence()) {}

    void look_at(Masses known, Masses node);
    Value purity(Masses masses) const { return alpha_.purity(masses); }
    Value whole() const { return alpha_.purity(node_); }
    /// Of a cut between rows with a known value; `never` where it may not be made.
    Value of_cut(Masses left, Masses right) const;
    Value of_any_cut(Masses left, Masses right) const;
    /// Of a cut that may be made: 0 or 1.
    std::int32_t kept_branch(Masses left, Masses right) const;
    /// The known rows of either branch weigh at least that much: something, if little where missing
    /// ones make up the kept side.
    double least_mass() const;

    bool better(Value candidate, Value best) const {
        return best == never ? candidate > never : alpha_.better(candidate, best);
    }
    double gain(Value split, Value whole, double mass) const {
        return alpha_.gain(split, whole, mass);
    }
    double purity_for(double whole, double gain, double mass) const {
        return alpha_.purity_for(whole, gain, mass);
    }
    double least_equal(double best, double whole, double mass, double tolerance) const {
        return alpha_.least_equal(best, whole, mass, tolerance);
    }

    class BinaryScan;
    using Scan = BinaryScan;  // there are two classes

private:
    using Two = std::array<double, 2>;

    Value worth(Masses carved, const Two& kept) const;
    bool may_carve(Masses carved, const Two& kept) const;
    Two with_missing(Masses masses) const {
        return {masses[0] + missing_[0], masses[1] + missing_[1]};
    }
    Value if_carved(Masses carved, Masses other) const;
    bool carves_left(Masses left, Masses right) const;

    Carving step_;
    AlphaMeasure alpha_;
    Two node_{};
    Two missing_{};
    bool has_missing_ = false;
};

template <class Table>
CarvingMeasure Carving::counts(const Table&) const {
    return CarvingMeasure(*this);
}
inline CarvingMeasure Carving::weights() const {
    return CarvingMeasure(*this);
}

class CarvingMeasure::BinaryScan : public BinaryMasses {
public:
    BinaryScan(const CarvingMeasure& measure, std::span<const double> totals,
               std::vector<std::int64_t>&)
        : BinaryMasses(totals), measure_(&measure) {}
    Value value() const {
        const Sides now = sides();
        return measure_->of_cut(now.left, now.right);
    }
    std::int32_t kept_branch() const {
        const Sides now = sides();
        return measure_->kept_branch(now.left, now.right);
    }

    static double highest_between(const BinaryScan& low, const BinaryScan& high);

private:
    const CarvingMeasure* measure_;
};

}  // namespace clearwood
