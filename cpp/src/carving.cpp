#include "clearwood/carving.hpp"

#include <algorithm>

namespace clearwood {

void CarvingMeasure::look_at(Masses known, Masses node) {
    alpha_.look_at(known, node);
    has_missing_ = false;
    for (std::size_t k = 0; k < missing_.size(); ++k) {
        node_[k] = node[k];
        missing_[k] = std::max(0.0, node[k] - known[k]);
        has_missing_ = has_missing_ || missing_[k] > 0.0;
    }
}

double CarvingMeasure::least_mass() const {
    constexpr double something = 1e-9;
    const double least = step_.least_mass();
    return std::max(something * least, least - missing_[0] - missing_[1]);
}

CarvingMeasure::Value CarvingMeasure::worth(Masses carved, const Two& kept) const {
    return alpha_.joined(alpha_.purity(carved), alpha_.purity(kept));
}

bool CarvingMeasure::may_carve(Masses carved, const Two& kept) const {
    const double least = step_.least_mass();
    return carved[0] + carved[1] >= least && kept[0] + kept[1] >= least &&
           step_.keeps_order(step_.risk(carved), step_.risk(node_));
}

CarvingMeasure::Value CarvingMeasure::if_carved(Masses carved, Masses other) const {
    const Two kept = with_missing(other);
    return may_carve(carved, kept) ? worth(carved, kept) : never;
}

/// Which side is carved is settled among the known rows.
bool CarvingMeasure::carves_left(Masses left, Masses right) const {
    const Risk at_left = step_.risk(left);
    const Risk at_right = step_.risk(right);
    return !(step_.is_falling ? is_above(at_right, at_left) : is_above(at_left, at_right));
}

CarvingMeasure::Value CarvingMeasure::of_cut(Masses left, Masses right) const {
    return carves_left(left, right) ? if_carved(left, right) : if_carved(right, left);
}

CarvingMeasure::Value CarvingMeasure::of_any_cut(Masses left, Masses right) const {
    const double carving_left = worth(left, with_missing(right));
    return has_missing_ ? std::max(carving_left, worth(right, with_missing(left))) : carving_left;
}

std::int32_t CarvingMeasure::kept_branch(Masses left, Masses right) const {
    return carves_left(left, right) ? 1 : 0;
}

double CarvingMeasure::BinaryScan::highest_between(const BinaryScan& low, const BinaryScan& high) {
    return highest_corner(low, high, [&](const Sides& sides) {
        return low.measure_->of_any_cut(sides.left, sides.right);
    });
}

}  // namespace clearwood
