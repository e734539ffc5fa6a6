/// The thresholds that a soft search tries (algorithms.md A.1, A.3).
#pragma once

#include <cstddef>
#include <vector>

#include "clearwood/blurred.hpp"
#include "clearwood/plan.hpp"

namespace clearwood {

/// Candidates in rising order: a fine grid wherever some row is uncertain, and one threshold in
/// each gap between, where all thresholds part the rows alike.
class SoftGrid {
public:
    SoftGrid(const BlurredMasses& rows, const SoftSearch& search);

    std::size_t size() const { return size_; }
    double operator[](std::size_t index) const;

private:
    /// `count` thresholds from `start` on, `step` apart; the first has number `first`.
    struct Piece {
        std::size_t first;
        std::size_t count;
        double start;
        double step;
    };
    void add(double start, double step, std::size_t count);
    void add_cluster(double start, double end, double step, bool closed);

    std::vector<Piece> pieces_;
    std::size_t size_ = 0;
};

}  // namespace clearwood
