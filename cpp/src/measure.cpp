#include "clearwood/measure.hpp"

#include <type_traits>

namespace clearwood {
namespace {

/// The divergence that a criterion's gains are made of, if it is one.
template <class S>
constexpr bool is_divergence = std::is_same_v<S, AlphaDivergence> || std::is_same_v<S, Carving>;

const AlphaDivergence& divergence_of(const AlphaDivergence& score) { return score; }
AlphaDivergence divergence_of(const Carving& step) { return step.divergence(); }

}  // namespace

double stored_gain(const Score& score, double gain) {
    return std::visit(
        [&]<class S>(const S& of) {
            if constexpr (is_divergence<S>) {
                return divergence_of(of).divergence(gain);
            } else {
                return gain;
            }
        },
        score);
}

double priority(const Score& score, double mass, double gain) {
    return std::visit(
        [&]<class S>(const S& of) {
            if constexpr (is_divergence<S>) {
                return divergence_of(of).priority(mass, gain);
            } else {
                return mass * gain;
            }
        },
        score);
}

bool exact_is_best(const Score& score) {
    const auto* divergence = std::get_if<AlphaDivergence>(&score);
    return !std::holds_alternative<Carving>(score) &&
           !std::holds_alternative<Discernibility>(score) && (!divergence || divergence->is_convex());
}

}  // namespace clearwood
