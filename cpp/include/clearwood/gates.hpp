/// Gates: which part of a row with a known value takes each branch of a cut. Each evaluation, made
/// ready for one packed tree, offers `at(node, use)`, which calls use(gate) once, so that the kind
/// of gate is chosen once a node and not once a row; gate(row, value) gives the shares.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "clearwood/box.hpp"
#include "clearwood/evaluation.hpp"
#include "clearwood/packed.hpp"

namespace clearwood {

/// Of the two branches of a cut.
struct Shares {
    double first;
    double second;
};

inline Shares shared(double first) {
    return {first, 1.0 - first};
}

struct HardGate {
    double threshold;

    Shares operator()(std::size_t, double value) const {
        return shared(value > threshold ? 0.0 : 1.0);
    }
};

/// Around Gate or GateWithin.
template <class G>
struct NoiseGate {
    G probability;
    Strided<double> scale;
    double eta;

    Shares operator()(std::size_t row, double value) const {
        return shared(clipped(probability(scale[row], value), eta));
    }
};

/// The curve of c45.md A.9. A side without width is a step: no value lies inside it.
struct RampGate {
    double lower;
    double threshold;
    double upper;
    double extra_width = 0.0;
    double sliver = 0.0;  ///< shares up to it are dropped

    Shares operator()(std::size_t, double value) const {
        const double first = share_of_first(value);
        return {first > sliver ? first : 0.0, first < 1.0 - sliver ? 1.0 - first : 0.0};
    }

private:
    double share_of_first(double value) const {
        if (value <= lower) return 1.0;
        if (value <= threshold)
            return 1.0 - 0.5 * (value - lower) / (threshold - lower + extra_width);
        if (value < upper)
            return 0.5 - 0.5 * (value - threshold) / (upper - threshold + extra_width);
        return 0.0;
    }
};

class HardGates {
public:
    explicit HardGates(const PackedTree& tree) : tree_(tree) {}

    template <class Use>
    void at(std::int32_t node, Use use) const {
        use(HardGate{tree_.node(node).threshold});
    }

private:
    const PackedTree& tree_;
};

class SoftGates {
public:
    SoftGates(const PackedTree& tree, const SoftEvaluation& soft);

    template <class Use>
    void at(std::int32_t node, Use use) const {
        const PackedNode& here = tree_.node(node);
        const Noise* noise = noise_[static_cast<std::size_t>(here.column)];
        if (noise == nullptr) return use(HardGate{here.threshold});
        std::visit([&](const auto& cdf) { use_noise(cdf, *noise, node, use); }, noise->cdf);
    }

private:
    template <class F, class Use>
    void use_noise(const F& cdf, const Noise& noise, std::int32_t node, Use use) const {
        const double threshold = tree_.node(node).threshold;
        if (left_.empty())
            return use(NoiseGate{Gate(cdf, noise, threshold, false), noise.scale, eta_});
        const Interval left = left_[static_cast<std::size_t>(node)];
        use(NoiseGate{GateWithin(cdf, noise, left.lower, left.upper, threshold, false), noise.scale,
                      eta_});
    }

    const PackedTree& tree_;
    NoiseModel noise_;            // by PackedNode::column
    std::vector<Interval> left_;  // by node, where gates are joint
    double eta_;
};

class RampGates {
public:
    /// Throws std::invalid_argument unless there is one limit of each kind a node.
    RampGates(const PackedTree& tree, const RampEvaluation& ramps);

    template <class Use>
    void at(std::int32_t node, Use use) const {
        const RampGate& ramp = ramps_[static_cast<std::size_t>(node)];
        if (!std::isnan(ramp.lower) && !std::isnan(ramp.upper)) return use(ramp);
        use(HardGate{tree_.node(node).threshold});
    }

private:
    const PackedTree& tree_;
    std::vector<RampGate> ramps_;
};

}  // namespace clearwood
