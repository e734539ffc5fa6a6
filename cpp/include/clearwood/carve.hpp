/// Decision chains (Park et al., "alpha-carving decision chains"; algorithms.md H.3): step by step
/// the side of a condition that is at low risk is carved away, and the rest is looked at again.
/// The result is a tree whose every inner node has a leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "clearwood/carving.hpp"
#include "clearwood/plan.hpp"
#include "clearwood/table.hpp"
#include "clearwood/tree.hpp"

namespace clearwood {

struct CarveOptions {
    double velocity = 0.1;
    std::optional<double> start_alpha;  ///< of the first step; the velocity is then what it has
    bool stops_without_root = false;    ///< else alpha is where the velocity is highest
    bool orders_risks = true;           ///< carved risks never fall (rise, if `is_falling`)
    bool is_falling = false;            ///< the highest risk is carved first
    std::size_t event = 1;              ///< class
    std::size_t max_length = 8;
};

/// One condition of a chain, in the order of the steps.
struct CarveStep {
    double alpha;
    double larger_share;  ///< of the two classes before the step
    double velocity;      ///< that alpha has there
    Risk carved;
};

struct Chain {
    TreeArrays tree;
    std::vector<CarveStep> steps;
};

/// Carves two classes. Of the plan count where cuts lie, the minimum of a leaf (of both sides, rows
/// with a missing value on the kept one), costs, noise and threads.
/// Throws std::invalid_argument if labels and table do not fit together or there are not two classes.
Chain carve(const Table& table, const Labels& labels, const Plan& plan,
            const CarveOptions& options, const std::function<bool()>& keep_going);

}  // namespace clearwood
