"""The axis of risk beside a pyramid, its numbers, and the tone of each risk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, isnan, log10, sqrt

from clearwood.tree.drawing.fills import GREY, LINE
from clearwood.tree.drawing.marks import label, px
from clearwood.tree.risk import Risk
from clearwood.tree.wording import number_text

_PALEST, _DARKEST = (246, 226, 216), (122, 40, 16)  # lightness falls evenly, in grey too
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_PARTS = 4  # between the numbers of the axis, which else run into one another
_SIZE = 10.5
TOP_ROOM = 15.0
"""What numbers above the rows need, in pixels."""


@dataclass(frozen=True, slots=True)
class RiskAxis:
    """Where a risk stands, and its tone.

    Parameters
    ----------
    left, width : float
        Of the axis in pixels.
    end : float
        The risk at its right end.
    lowest, highest : float
        Of the risks of the chain: the palest tone and the darkest.
    """

    left: float
    width: float
    end: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, risks: Sequence[Risk], left: float, width: float) -> RiskAxis:
        """An axis with room for these risks and their intervals."""
        values = [risk.value for risk in risks]
        uppers = [0.0 if isnan(risk.upper) else risk.upper for risk in risks]
        return cls(left, width, _end(max(*values, *uppers)), min(values), max(values))

    def place(self, share: float) -> float:
        """Of a risk, from the left."""
        return self.left + self.width * min(share / self.end, 1.0)

    def tone(self, share: float) -> str:
        """Colour of a risk: the higher among those of the chain, the darker.

        The root spreads low risks, of which a chain has many that differ little.
        """
        span = self.highest - self.lowest
        t = sqrt(min(max((share - self.lowest) / span, 0.0), 1.0)) if span > 0 else 0.0
        mixed = (round(a + t * (b - a)) for a, b in zip(_PALEST, _DARKEST, strict=True))
        return "#" + "".join(f"{part:02x}" for part in mixed)

    def ticks(self) -> list[float]:
        """Round risks from nought on, as many as have room for their numbers."""
        decade = 10.0 ** floor(log10(self.end / _MOST_PARTS))
        step = next(s * decade for s in _STEPS if self.end / (s * decade) <= _MOST_PARTS + 1e-9)
        return [k * step for k in range(floor(self.end / step + 1e-9) + 1)]

    def drawn(self, top: float, bottom: float, *, is_long: bool) -> Iterator[str]:
        """Lines behind the rows with their percentages below; where rows are many also above."""
        for share in self.ticks():
            x = self.place(share)
            yield (
                f'<path d="M{px(x)},{px(top)} V{px(bottom + 4)}" stroke="{LINE}" '
                f'stroke-width="0.8" stroke-dasharray="2 3" fill="none"/>'
            )
            words = f"{number_text(float(f'{100 * share:.4g}'))} %"
            for y in (top - 4, bottom + 17) if is_long else (bottom + 17,):
                yield label(x, y, words, _SIZE, colour=GREY, anchor="middle")


def _end(highest: float) -> float:
    """The next round risk, in tenths of its power of ten (above 10 %: in steps of 10 %)."""
    if highest <= 0:
        return 1.0
    decade = 10.0 ** floor(log10(highest))
    return min(1.0, ceil(highest / decade * 0.999) * decade)
