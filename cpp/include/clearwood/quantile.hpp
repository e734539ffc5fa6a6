/// Quantiles of the normal and the beta distribution, to nearly full double precision.
#pragma once

namespace clearwood {

/// The z that a standard normal variable exceeds with probability `upper` in (0, 1).
double normal_upper_quantile(double upper);

/// The x that a Beta(a, b) variable exceeds with probability `upper` in (0, 1); a, b > 0.
double beta_upper_quantile(double upper, double a, double b);

/// P(X > x) for X ~ Beta(a, b): one minus the regularised incomplete beta function I_x(a, b).
double beta_upper_tail(double x, double a, double b);

}  // namespace clearwood
