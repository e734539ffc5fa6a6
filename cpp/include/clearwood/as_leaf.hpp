/// A node taken for a leaf: its class weights, its label and the errors to expect of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "clearwood/prune.hpp"

namespace clearwood {

template <class Real>
class AsLeaf {
public:
    explicit AsLeaf(std::size_t n_classes) : weights_(n_classes) {}

    /// Begins with these masses, one a class; with none of them where the span is empty.
    void start(std::span<const double> masses) {
        std::ranges::fill(weights_, Real(0));
        std::ranges::transform(masses, weights_.begin(),
                               [](double mass) { return static_cast<Real>(mass); });
        total_ = std::accumulate(weights_.begin(), weights_.end(), Real(0));
    }
    void add(std::int32_t of_class, Real weight) {
        total_ += weight;
        weights_[at(of_class)] += weight;
    }

    std::span<const Real> weights() const { return weights_; }

    /// The heaviest class; of equal ones `current`, or the lowest.
    std::int32_t label(std::int32_t current, LabelTie label_tie) const {
        std::int32_t best = label_tie == LabelTie::lowest ? 0 : current;
        for (std::size_t c = 0; c < weights_.size(); ++c) {
            if (weights_[c] > weights_[at(best)]) best = static_cast<std::int32_t>(c);
        }
        return best;
    }

    /// The pessimistic number of errors.
    Real estimate(std::int32_t label, const ErrorBasedOptions& options) const {
        Real errors = total_ - weights_[at(label)];
        const Real k = static_cast<Real>(weights_.size());
        if (options.laplace) errors = total_ * (errors + k - 1) / (total_ + k);
        return errors + added_errors(total_, errors, options.bound);
    }

private:
    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

    std::vector<Real> weights_;
    Real total_ = 0;
};

}  // namespace clearwood
