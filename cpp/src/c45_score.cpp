#include "clearwood/c45_score.hpp"

namespace clearwood {
namespace {

/// Entropy of the class masses of all levels: unlike that of a cut, rounded only once.
template <class Real>
Real base_of_levels(std::span<const Real> masses, std::size_t n_classes, Real known) {
    double spent = 0.0;
    for (std::size_t k = 0; k < n_classes; ++k) {
        Real of_class = 0;
        for (std::size_t i = k; i < masses.size(); i += n_classes) {
            of_class += masses[i];
        }
        spent += n_log_n(of_class);
    }
    return static_cast<Real>((n_log_n(known) - spent) / static_cast<double>(known));
}

}  // namespace

template <class Real>
C45Levels<Real>::C45Levels(std::span<const double> masses, std::size_t n_classes, double missing,
                           double total)
    : n_classes_(n_classes),
      missing_(static_cast<Real>(missing)),
      total_(static_cast<Real>(total)),
      known_(total_ - missing_),
      missing_share_(missing_ / total_) {
    masses_.reserve(masses.size());
    for (const double mass : masses) {
        masses_.push_back(static_cast<Real>(mass));
    }
    if (known_ > 0) {
        base_ = base_of_levels<Real>(masses_, n_classes, known_);
    }
}

template <class Real>
Real C45Levels<Real>::gain_apart(Real minimum) const {
    Real after = 0;
    int n_heavy = 0;
    for (std::size_t l = 0; l < n_levels(); ++l) {
        const auto branch = information(level(l));
        after += branch.value();
        n_heavy += branch.total() >= minimum;
    }
    return n_heavy < 2 ? static_cast<Real>(-c45_epsilon) : gain(after);
}

template <class Real>
Real C45Levels<Real>::info_apart() const {
    Information<Real> masses;
    masses.add(missing_);
    for (std::size_t l = 0; l < n_levels(); ++l) {
        masses.add(information(level(l)).total());
    }
    return info(masses);
}

template class C45Levels<float>;
template class C45Levels<double>;

}  // namespace clearwood
