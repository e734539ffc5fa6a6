"""Decision chains written by hand: of no rule to twenty, of long rules, and falling."""

from clearwood.table.column import Feature
from clearwood.tree.by_hand import build, cut, leaf, levels
from clearwood.tree.with_settings import with_settings

WARDS = ("A", "B", "C", "ED", "ICU")
LONG = (
    "left ventricular ejection fraction by echocardiography before discharge from hospital "
    "(biplane Simpson)"
)
LONG_LEVELS = (
    "New York Heart Association class I, no limitation of ordinary physical activity",
    "unknown_because_not_recorded_in_the_electronic_patient_file_of_the_referring_hospital",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "年齢不詳の患者",
)
STAYS_SECOND, STAYS_FIRST = (0, 1), (1, 0)


def as_chain(root, features, classes=("alive", "dead"), **settings):
    return with_settings(build(root, features, classes), {"form": "chain", **settings})


def no_rule():
    return as_chain(leaf([470, 10]), [Feature("systolic", "numeric", unit="mmHg")])


def one_rule():
    root = cut("systolic", 96, leaf([13, 20]), leaf([470, 10]), missing=STAYS_FIRST)
    return as_chain(root, [Feature("systolic", "numeric", unit="mmHg")])


def two_rules():
    rest = cut("lactate", 2, leaf([10, 5]), leaf([13, 20]), missing=STAYS_SECOND)
    root = cut("systolic", 96, rest, leaf([470, 10]), missing=STAYS_FIRST)
    features = [Feature("systolic", "numeric", unit="mmHg"), Feature("lactate", "numeric")]
    return as_chain(root, features)


def four_rules():
    """Both branches carve, cuts of both kinds and levels ask."""
    last = cut("lactate", 4.05, leaf([28, 6]), leaf([13, 20]), missing=STAYS_SECOND)
    ward = levels("ward", {WARDS[3:]: last, WARDS[:3]: leaf([48, 5])}, missing=STAYS_FIRST)
    spo2 = cut("spo2", 96, ward, leaf([299, 14]), strict=True, missing=STAYS_FIRST)
    root = cut("heart_rate", 90, leaf([470, 10]), spo2, missing=STAYS_SECOND)
    features = [
        Feature("heart_rate", "numeric", unit="bpm"),
        Feature("spo2", "numeric", unit="%"),
        Feature("ward", "nominal", WARDS),
        Feature("lactate", "numeric", unit="mmol/L"),
    ]
    return as_chain(root, features, training={"target": "outcome"})


def twenty_rules():
    node = leaf([3, 20])
    names = [f"mean_arterial_pressure_{k}" if k % 5 == 0 else f"x{k}" for k in range(1, 20)]
    for k in range(19, 0, -1):
        n, n_events = 8 + 16 * (20 - k), k // 3 + 2
        carved = leaf([n - n_events, n_events])
        node = cut(names[k - 1], 30 + k / 4, carved, node, missing=STAYS_SECOND)
    root = levels(
        "site", {"north": leaf([800, 2]), ("south", "east", "west"): node}, missing=STAYS_SECOND
    )
    features = [Feature(name, "numeric", unit="mmHg") for name in names]
    return as_chain(
        root, [*features, Feature("site", "nominal", ("east", "north", "south", "west"))]
    )


def long_rules():
    """Rules longer than a line, and missing values that go three ways."""
    last = levels(
        "site", {LONG_LEVELS[:2]: leaf([50, 5]), LONG_LEVELS[2:]: leaf([3, 30])}, missing=(0.4, 0.6)
    )
    middle = levels("grade", {LONG_LEVELS[:1]: leaf([200, 9]), LONG_LEVELS[1:]: last},
                    missing=STAYS_FIRST)  # fmt: skip
    root = cut(LONG, 35.123456789012345, middle, leaf([900, 12]), missing=STAYS_FIRST)
    features = [
        Feature(LONG, "numeric", unit="% of end-diastolic volume, body surface corrected"),
        Feature("site", "nominal", LONG_LEVELS),
        Feature("grade", "nominal", LONG_LEVELS),
    ]
    classes = ("discharged home without complications", "died within thirty days of discharge")
    return as_chain(root, features, classes)


def falling():
    """Carves the highest risk first, and of the last node too."""
    last = cut("z", 1, leaf([900, 3]), leaf([30, 5]))
    root = cut("x", 1, leaf([3, 30]), cut("y", 1, leaf([30, 10]), last))
    return as_chain(root, [Feature(name, "numeric") for name in "xyz"])


CHAINS = {
    make.__name__: make
    for make in (no_rule, one_rule, two_rules, four_rules, twenty_rules, long_rules, falling)
}
