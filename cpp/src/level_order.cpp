#include "clearwood/level_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clearwood {
namespace {

constexpr int power_steps = 200;

std::vector<double> class_shares(std::span<const double> masses) {
    const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
    std::vector<double> shares(masses.begin(), masses.end());
    for (double& share : shares) {
        share /= total;
    }
    return shares;
}

/// Covariance of the class shares over the levels, weighted by level mass.
std::vector<double> covariance(const std::vector<std::vector<double>>& shares,
                               std::span<const double> weights) {
    const std::size_t n = shares.front().size();
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> mean(n, 0.0);
    for (std::size_t l = 0; l < shares.size(); ++l) {
        for (std::size_t k = 0; k < n; ++k) {
            mean[k] += weights[l] * shares[l][k] / total;
        }
    }
    std::vector<double> result(n * n, 0.0);
    for (std::size_t l = 0; l < shares.size(); ++l) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                result[i * n + j] +=
                    weights[l] / total * (shares[l][i] - mean[i]) * (shares[l][j] - mean[j]);
            }
        }
    }
    return result;
}

/// The direction of largest spread, by power iteration from the column of largest variance.
std::vector<double> first_component(const std::vector<double>& matrix, std::size_t n) {
    std::size_t start = 0;
    for (std::size_t k = 1; k < n; ++k) {
        if (matrix[k * n + k] > matrix[start * n + start]) {
            start = k;
        }
    }
    std::vector<double> direction(matrix.begin() + static_cast<std::ptrdiff_t>(start * n),
                                  matrix.begin() + static_cast<std::ptrdiff_t>((start + 1) * n));
    for (int step = 0; step < power_steps; ++step) {
        std::vector<double> next(n, 0.0);
        double length = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                next[i] += matrix[i * n + j] * direction[j];
            }
            length += next[i] * next[i];
        }
        if (!(length > 0.0)) {
            break;
        }
        for (double& part : next) {
            part /= std::sqrt(length);
        }
        direction = next;
    }
    return direction;
}

}  // namespace

std::vector<std::size_t> order_by_class_shares(std::span<const double> masses,
                                               std::size_t n_classes,
                                               std::span<const std::size_t> present) {
    std::vector<std::vector<double>> shares;
    std::vector<double> weights;
    for (const std::size_t level : present) {
        const auto of_level = masses.subspan(level * n_classes, n_classes);
        shares.push_back(class_shares(of_level));
        weights.push_back(std::accumulate(of_level.begin(), of_level.end(), 0.0));
    }
    std::vector<double> direction(n_classes, 0.0);
    if (n_classes == 2) {
        direction[1] = 1.0;
    } else {
        direction = first_component(covariance(shares, weights), n_classes);
    }
    std::vector<double> place(present.size());
    for (std::size_t i = 0; i < present.size(); ++i) {
        place[i] = std::inner_product(direction.begin(), direction.end(), shares[i].begin(), 0.0);
    }
    std::vector<std::size_t> order(present.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
    for (std::size_t& i : order) {
        i = present[i];
    }
    return order;
}

}  // namespace clearwood
