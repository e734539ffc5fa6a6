/// Alpha-divergence between the class shares in the branches and a reference, as a measure
/// (measure.hpp; Park and Ghosh 2012; algorithms.md H.1):
///     D = (1 - sum_x P(x) sum_y P(y|x)^a Q(y)^(1-a)) / (a (1 - a)),
/// Q the node's class shares or 1/K. Alpha 1 is the Kullback-Leibler divergence in nats, alpha 2
/// ranks like Gini.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "clearwood/weight_scan.hpp"

namespace clearwood {

class AlphaMeasure;

/// What the class shares of the branches are held against.
enum class Reference : std::uint8_t {
    product,  ///< the class shares of the node: branch and class were independent
    uniform   ///< every class as frequent as any other
};

/// The criterion that a plan names.
struct AlphaDivergence {
    static constexpr std::string_view name = "alpha_divergence";
    using Counts = AlphaMeasure;
    using Weights = AlphaMeasure;

    double alpha = 2.0;
    Reference reference = Reference::product;
    double smoothing = 0.0;  ///< mass added to every class of a branch

    template <class Table>
    AlphaMeasure counts(const Table&) const;
    AlphaMeasure weights() const;

    /// Above alpha 2 purities are logarithms: the powers themselves outgrow a double.
    bool is_logarithmic() const { return alpha > 2.0; }
    bool is_convex() const { return !(smoothing > 0.0); }
    /// The gain in D of a `Split::gain`; the largest double where that has no room for it.
    double divergence(double gain) const;
    /// What orders nodes by the divergence that their split adds to the tree.
    double priority(double mass, double gain) const;
};

/// Purity of a branch: its mass times D; above alpha 2 the logarithm of its mass times the sum of
/// powers. `Split::gain` is a gain in D; above alpha 2 it is log(1 + a (a - 1) * gain in D).
class AlphaMeasure {
public:
    using Value = double;

    explicit AlphaMeasure(const AlphaDivergence& score);

    void look_at(std::span<const double> known, std::span<const double> node);
    Value purity(std::span<const double> masses) const;
    Value joined(Value one, Value other) const;
    bool better(Value candidate, Value best) const { return clearly_above(candidate, best); }
    bool is_convex() const { return score_.is_convex(); }

    double gain(Value split, Value whole, double mass) const;
    double purity_for(double whole, double gain, double mass) const;
    double least_equal(double best, double whole, double mass, double tolerance) const;
    double in_bits(Value difference) const { return difference; }

    class Scan;
    class BinaryScan;

private:
    double share(double mass, double total) const;
    double excess(double share, std::size_t label) const;
    Value sum_of_excess(std::span<const double> masses, double total) const;
    Value log_sum(std::span<const double> masses, double total) const;
    void refer_to(std::span<const double> masses);

    AlphaDivergence score_;
    double residue_ = 0.0;  ///< mass that rounding leaves of a class which has gone
    std::vector<double> reference_;      ///< Q by class
    std::vector<double> log_reference_;  ///< its logarithm; minus infinity where Q is 0
};

template <class Table>
AlphaMeasure AlphaDivergence::counts(const Table&) const {
    return AlphaMeasure(*this);
}
inline AlphaMeasure AlphaDivergence::weights() const {
    return AlphaMeasure(*this);
}

class AlphaMeasure::Scan : public WeightScan {
public:
    Scan(const AlphaMeasure& measure, std::span<const double> totals,
         std::vector<std::int64_t>& scratch)
        : WeightScan(totals, scratch), measure_(&measure) {}
    Value value() const {
        return measure_->joined(measure_->purity(left()), measure_->purity(right()));
    }

private:
    const AlphaMeasure* measure_;
};

class AlphaMeasure::BinaryScan : public BinaryMasses {
public:
    BinaryScan(const AlphaMeasure& measure, std::span<const double> totals,
               std::vector<std::int64_t>&)
        : BinaryMasses(totals), measure_(&measure) {}
    Value value() const { return value_of(sides()); }

    static double highest_between(const BinaryScan& low, const BinaryScan& high);

private:
    Value value_of(const Sides& sides) const {
        return measure_->joined(measure_->purity(sides.left), measure_->purity(sides.right));
    }

    const AlphaMeasure* measure_;
};

}  // namespace clearwood
