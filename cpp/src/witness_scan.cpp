#include "clearwood/witness_scan.hpp"

#include <algorithm>

#include "clearwood/cut_place.hpp"
#include "clearwood/weight_scan.hpp"

namespace clearwood {
namespace {

bool clearly_more(std::int64_t candidate, std::int64_t best) {
    return candidate > best;
}
bool clearly_more(double candidate, double best) {
    return clearly_above(candidate, best);
}

/// Class masses on the four sides of two conditions, the cut's and the pattern's, and the pairs of
/// different classes that both discern: `aligned` where both put the same row first.
template <class Mass>
class Quarters {
public:
    /// Four times `n_classes` words of memory, zeroed.
    Quarters(std::span<Mass> memory, std::size_t n_classes)
        : first_in_(memory.subspan(0, n_classes)),
          first_out_(memory.subspan(n_classes, n_classes)),
          second_in_(memory.subspan(2 * n_classes, n_classes)),
          second_out_(memory.subspan(3 * n_classes, n_classes)) {}

    /// Counts a row for which the pattern does not hold.
    void add(Opinion side, std::size_t label, Mass weight) {
        (side == Opinion::first ? first_out_ : second_out_)[label] += weight;
        (side == Opinion::first ? n_first_out_ : n_second_out_) += weight;
    }
    /// From now on the pattern holds for a row that was counted.
    void move_in(Opinion side, std::size_t label, Mass weight) {
        if (side == Opinion::first) {
            same_class_aligned_ += weight * second_out_[label];
            same_class_mirrored_ -= weight * second_in_[label];
            first_in_[label] += weight;
            first_out_[label] -= weight;
            n_first_in_ += weight;
            n_first_out_ -= weight;
        } else {
            same_class_aligned_ -= weight * first_in_[label];
            same_class_mirrored_ += weight * first_out_[label];
            second_in_[label] += weight;
            second_out_[label] -= weight;
            n_second_in_ += weight;
            n_second_out_ -= weight;
        }
    }
    Mass aligned() const { return n_first_in_ * n_second_out_ - same_class_aligned_; }
    Mass mirrored() const { return n_first_out_ * n_second_in_ - same_class_mirrored_; }

private:
    std::span<Mass> first_in_;
    std::span<Mass> first_out_;
    std::span<Mass> second_in_;
    std::span<Mass> second_out_;
    Mass n_first_in_ = 0;
    Mass n_first_out_ = 0;
    Mass n_second_in_ = 0;
    Mass n_second_out_ = 0;
    Mass same_class_aligned_ = 0;
    Mass same_class_mirrored_ = 0;
};

/// The most pairs of any pattern so far.
template <class Mass>
struct Most {
    Mass pairs = 0;
    bool is_reversed = false;

    /// Notes the pattern at hand if it is better, one way round or the other, and `counts` says
    /// that it may be taken.
    template <class Counts>
    bool note(const Quarters<Mass>& quarters, bool mirrored_too, const Counts& counts) {
        const Mass aligned = quarters.aligned();
        const Mass mirrored = mirrored_too ? quarters.mirrored() : 0;
        const bool is_mirrored = clearly_more(mirrored, aligned);
        const Mass candidate = is_mirrored ? mirrored : aligned;
        if (!clearly_more(candidate, pairs) || !counts()) {
            return false;
        }
        pairs = candidate;
        is_reversed = is_mirrored;
        return true;
    }
};

template <class Weight>
class WitnessScan {
public:
    using Mass = std::decay_t<decltype(std::declval<Weight>()[RowId{}])>;

    WitnessScan(const NodeContext& node, const WitnessedCut& cut, Weight weight,
                SearchScratch& scratch)
        : node_(node),
          cut_(cut),
          weight_(weight),
          memory_(scratch.memory),
          n_classes_(static_cast<std::size_t>(node.n_classes)),
          mirrored_too_(node.plan.verification->mirrored) {}

    Witness of_cuts(std::size_t column) {
        const std::size_t place = node_.presort.place[column];
        const auto order = node_.rows.orders[place];
        Quarters<Mass> quarters = empty();
        if (order.size() == node_.rows.entries.size()) {
            count_all(quarters);
        } else {
            for (const Entry entry : order) {
                count(entry, quarters);
            }
        }
        Most<Mass> most;
        Entry before = 0;
        bool any = false;
        Gap gap{};
        const NumericColumn& values = *node_.table.numeric(column);
        for (const Entry entry : order) {
            const RowId row = node_.presort.code.row(entry);
            const Opinion side = cut_.side[row];
            if (side == Opinion::none) {
                continue;
            }
            const auto is_gap = [&] { return any && node_.presort.distinct(place, before, entry); };
            if (most.note(quarters, mirrored_too_, is_gap)) {
                gap = {values.values[node_.presort.code.row(before)], values.values[row]};
            }
            quarters.move_in(side, node_.presort.code.label(entry), weight_[row]);
            before = entry;
            any = true;
        }
        Witness witness = witness_of(column, most);
        if (most.pairs > 0) {
            witness.threshold = short_midpoint(gap, true);
        }
        return witness;
    }

    /// One level against the others. The rows are gone through once: each level's own counts.
    Witness of_levels(std::size_t column) {
        const NominalColumn& nominal = *node_.table.nominal(column);
        const auto n_levels = static_cast<std::size_t>(nominal.n_levels);
        const auto counts = zeroed(n_levels * 2 * n_classes_);
        Quarters<Mass> all = empty();
        for (const Entry entry : node_.rows.entries) {
            const RowId row = node_.presort.code.row(entry);
            const std::int32_t level = nominal.codes[row];
            if (level >= 0 && cut_.side[row] != Opinion::none) {
                count(entry, all);
                const std::size_t label = node_.presort.code.label(entry);
                const std::size_t second = cut_.side[row] == Opinion::second;
                counts[(static_cast<std::size_t>(level) * 2 + second) * n_classes_ + label] +=
                    weight_[row];
            }
        }
        Most<Mass> most;
        std::int32_t best = -1;
        for (std::size_t level = 0; level < n_levels; ++level) {
            const auto own = counts.subspan(level * 2 * n_classes_, 2 * n_classes_);
            move(all, own, 1);
            const bool is_best = most.note(all, mirrored_too_, [] { return true; });
            best = is_best ? static_cast<std::int32_t>(level) : best;
            move(all, own, -1);
        }
        Witness witness = witness_of(column, most);
        witness.level = best;
        return witness;
    }

private:
    std::span<Mass> zeroed(std::size_t size) {
        const auto memory = memory_.take<Mass>(size);
        std::ranges::fill(memory, Mass{0});
        return memory;
    }
    Quarters<Mass> empty() { return {zeroed(4 * n_classes_), n_classes_}; }

    void count(Entry entry, Quarters<Mass>& quarters) const {
        const RowId row = node_.presort.code.row(entry);
        if (cut_.side[row] != Opinion::none) {
            quarters.add(cut_.side[row], node_.presort.code.label(entry), weight_[row]);
        }
    }
    /// All rows of the node, as the cut has counted them.
    void count_all(Quarters<Mass>& quarters) const {
        for (std::size_t label = 0; label < n_classes_; ++label) {
            quarters.add(Opinion::first, label, static_cast<Mass>(cut_.first[label]));
            quarters.add(Opinion::second, label, static_cast<Mass>(cut_.second[label]));
        }
    }
    /// Moves the rows of a level into the pattern (`sign` 1) or out of it again (-1).
    void move(Quarters<Mass>& quarters, std::span<const Mass> counts, int sign) const {
        for (std::size_t label = 0; label < n_classes_; ++label) {
            quarters.move_in(Opinion::first, label, counts[label] * static_cast<Mass>(sign));
            quarters.move_in(Opinion::second, label,
                             counts[n_classes_ + label] * static_cast<Mass>(sign));
        }
    }
    Witness witness_of(std::size_t column, const Most<Mass>& most) const {
        Witness witness;
        witness.column = static_cast<std::int32_t>(column);
        witness.is_reversed = most.is_reversed;
        witness.agreement = static_cast<double>(most.pairs) / cut_.pairs;
        return witness;
    }

    const NodeContext& node_;
    const WitnessedCut& cut_;
    Weight weight_;
    Arena& memory_;
    std::size_t n_classes_;
    bool mirrored_too_;
};

}  // namespace

Witness best_witness(const NodeContext& node, const WitnessedCut& cut, std::size_t column,
                     SearchScratch& scratch) {
    const auto mark = scratch.memory.mark();
    const auto scan = [&](auto weight) {
        WitnessScan witnesses(node, cut, weight, scratch);
        return node.table.numeric(column) ? witnesses.of_cuts(column) : witnesses.of_levels(column);
    };
    Witness witness;
    switch (node.rows.counting) {
        case Counting::unit:
            witness = scan(UnitWeight{});
            break;
        case Counting::whole:
            witness = scan(WholeWeight{node.weights.data()});
            break;
        default:
            witness = scan(RealWeight{node.weights.data()});
    }
    scratch.memory.release(mark);
    return witness;
}

}  // namespace clearwood
