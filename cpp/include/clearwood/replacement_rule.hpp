/// When something simpler takes the place of a subtree.
#pragma once

#include <cmath>

namespace clearwood {

/// What could stand in the place of a node: estimated errors on its rows, and nodes.
struct Alternatives {
    double weight = 0.0;  ///< of the rows
    double leaf = 0.0;
    double raised = 0.0;  ///< the branch that would be raised; infinite: none
    double subtree = 0.0;
    double raised_nodes = 0.0;
    double subtree_nodes = 0.0;
};

enum class Standing { leaf, raised, subtree };

/// C4.5: a leaf, or else a raised branch, that costs at most `slack` errors more.
struct SlackRule {
    double slack = 0.1;

    Standing operator()(const Alternatives& found, double tie) const {
        const double allowed = slack + tie * found.leaf;
        if (found.leaf <= found.raised + allowed && found.leaf <= found.subtree + allowed)
            return Standing::leaf;
        return found.raised <= found.subtree + allowed ? Standing::raised : Standing::subtree;
    }
};

/// Mansour (1997): k nodes may be better by chance by c sqrt(n (k ln d + ln 20)) of n rows. A leaf
/// carries no such penalty; a raised branch carries its own.
struct SizeRule {
    double c = 0.5;
    double log_columns = 0.0;  ///< ln d

    double penalty(const Alternatives& found, double n_nodes) const {
        return c * std::sqrt(found.weight * (n_nodes * log_columns + std::log(20.0)));
    }

    Standing operator()(const Alternatives& found, double tie) const {
        const double subtree = found.subtree + penalty(found, found.subtree_nodes);
        const double allowed = subtree + tie * found.leaf;
        if (found.leaf <= allowed) return Standing::leaf;
        const double raised = found.raised + penalty(found, found.raised_nodes);
        return raised <= allowed ? Standing::raised : Standing::subtree;
    }
};

}  // namespace clearwood
