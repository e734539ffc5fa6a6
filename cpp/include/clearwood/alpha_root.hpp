/// The alpha that a velocity asks for (Park et al., section 2.3; algorithms.md H.2): the solution of
///     velocity = f(a) = a (w^(a-1) - (1-w)^(a-1)),  w the share of the larger class.
/// f rises to one peak and falls again, so that there are two roots beyond 1 or none. The larger one
/// is taken: it alone falls as the classes come into balance, and rises as the velocity falls.
#pragma once

#include <optional>

namespace clearwood {

/// No alpha of a chain is larger.
inline constexpr double most_alpha = 256.0;

/// f(alpha); w from 1/2 on.
double carving_velocity(double alpha, double w);

/// Where f has its peak, as w goes to 1/2 too; at most `most_alpha`.
double steepest_alpha(double w);

/// At most `most_alpha`; nothing where f is below the velocity everywhere.
std::optional<double> carving_alpha(double velocity, double w);

}  // namespace clearwood
