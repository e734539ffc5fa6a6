"""In a real browser: a rule pointed at anywhere is lit everywhere, and nothing leaves the page."""

import json

import pytest

from browser.chromium import program, running
from clearwood.report import linked_page
from clearwood.report.linked_page import chain_page
from clearwood.table.column import Feature
from clearwood.tree.by_hand import cut, leaf
from golden.chains import as_chain, four_rules, twenty_rules

pytestmark = pytest.mark.skipif(program() is None, reason="there is no chromium on this machine")

BAND = "document.querySelector('.pyramid [data-rule=\"{}\"]')"
ROW = "document.querySelector('tr[data-rule=\"{}\"]')"
POINTS = """[...document.querySelectorAll('#{} .mark-symbol path')]
    .filter(path => path.__data__?.datum?.rule)"""
POINT = f"({POINTS}).find(path => path.__data__.datum.rule === '{{}}')"
LIT_POINTS = (
    f"({POINTS}).filter(path => path.getAttribute('fill') === '#c1272d')"
    ".map(path => path.__data__.datum.rule)"
)
LIT = "[...document.querySelectorAll('{}.hot')].map(place => place.dataset.rule)"
TAB, ESCAPE = ("Tab", 9), ("Escape", 27)
EVIL = '</script><script>alert("1")</script><img src=x onerror=alert(2)>'


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with running(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Writes a page once and says where it is."""
    folder, pages = tmp_path_factory.mktemp("pages"), {}

    def write(make):
        if make not in pages:
            pages[make] = folder / f"{make.__name__}.html"
            pages[make].write_text(chain_page(make(), title=make.__name__), encoding="utf-8")
        return pages[make]

    return write


@pytest.fixture
def page(browser, written):
    with browser.page(written(four_rules)) as tab:
        yield tab


def lit(tab):
    """What is lit in each part of the page."""
    return {
        "pyramid": tab.evaluate(LIT.format(".pyramid g")),
        "table": tab.evaluate(LIT.format("tr")),
        "roc": tab.evaluate(LIT_POINTS.format("chart-roc")),
        "lift": tab.evaluate(LIT_POINTS.format("chart-lift")),
    }


def everywhere(*rules):
    return {part: [*rules] for part in ("pyramid", "table", "roc", "lift")}


def assert_silent(tab, path):
    assert tab.messages == []
    assert tab.requests == [path.absolute().as_uri()]
    assert tab.evaluate("performance.getEntriesByType('resource').length") == 0


def evil_names():
    root = cut(EVIL, 1, leaf([9, 1]), leaf([1, 9]), missing=(0, 1))
    return as_chain(root, [Feature(EVIL, "numeric")], ["no", "yes"])


def test_nothing_is_lit_before_something_is_pointed_at(page):
    assert lit(page) == everywhere()


@pytest.mark.parametrize("rule", ["step-1", "step-3", "step-5"])
@pytest.mark.parametrize("part", ["roc", "lift", "pyramid", "table"])
def test_a_rule_pointed_at_is_lit_everywhere_until_the_mouse_leaves(page, part, rule):
    where = {
        "roc": POINT.format("chart-roc", rule), "lift": POINT.format("chart-lift", rule),
        "pyramid": BAND.format(rule), "table": ROW.format(rule),
    }  # fmt: skip
    page.hover(where[part])
    assert lit(page) == everywhere(rule)
    page.leave()
    assert lit(page) == everywhere()


def test_the_next_rule_takes_the_place_of_the_one_before(page):
    page.hover(BAND.format("step-2"))
    page.hover(BAND.format("step-4"))
    assert lit(page) == everywhere("step-4")


def test_nothing_is_lit_on_paper(page):
    page.hover(BAND.format("step-2"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert lit(page) == everywhere()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.settle()
    assert lit(page) == everywhere("step-2")


def test_the_lit_rule_is_told_in_words(page):
    page.hover(ROW.format("step-2"))
    told = page.evaluate("document.getElementById('lit').textContent")
    assert told.replace("\u00a0", " ").startswith("2. spo2 ≥ 96 %: risk 4.5 % (2.7–7.4), 14 of 313")
    page.leave()
    assert page.evaluate("getComputedStyle(document.getElementById('lit')).display") == "none"


def test_a_point_tells_its_numbers(page):
    page.hover(POINT.format("chart-roc", "step-3"))
    tooltip = page.wait("document.querySelector('#vg-tooltip-element.visible')?.textContent")
    assert 'otherwise if ward in {"A", "B", "C"}' in tooltip
    assert "56.4 % (43.3–68.6)" in tooltip  # sensitivity: 31 of 55


def test_the_tab_key_goes_from_rule_to_rule(page):
    seen = []
    for _ in range(12):
        page.press(*TAB)
        seen.append(page.evaluate("document.body.dataset.hot ?? ''"))
    rules = [rule for rule in seen if rule]
    assert rules[:10] == [f"step-{number}" for number in (1, 2, 3, 4, 5, 5, 4, 3, 2, 1)]


def test_what_has_the_focus_stays_lit_until_escape(page):
    page.evaluate(f"{BAND.format('step-3')}.focus()")
    page.settle()
    assert lit(page) == everywhere("step-3")
    page.hover(ROW.format("step-1"))
    assert lit(page) == everywhere("step-1")
    page.leave()
    assert lit(page) == everywhere("step-3")
    page.press(*ESCAPE)
    assert lit(page) == everywhere()


@pytest.mark.parametrize("place", [BAND, ROW])
def test_a_finger_lights_a_rule_until_it_taps_elsewhere(page, place):
    page.command("Emulation.setTouchEmulationEnabled", enabled=True)
    page.tap(place.format("step-4"))
    assert lit(page) == everywhere("step-4")
    page.tap("document.querySelector('h1')")
    assert lit(page) == everywhere()


def test_a_finger_lights_a_point_of_a_curve(page):
    page.command("Emulation.setTouchEmulationEnabled", enabled=True)
    page.tap(POINT.format("chart-lift", "step-2"))
    assert lit(page) == everywhere("step-2")


@pytest.mark.parametrize("make", [four_rules, twenty_rules, evil_names])
def test_page_says_nothing_and_asks_for_nothing(browser, written, make):
    path = written(make)
    with browser.page(path) as tab:
        assert tab.evaluate("document.body.dataset.error ?? null") is None
        for place in (BAND, ROW, POINT.replace("{}", "chart-roc", 1)):
            tab.hover(place.format("step-1"))
        tab.leave()
        assert_silent(tab, path)


def test_the_policy_forbids_what_is_not_the_pages_own(page):
    tried = (
        "(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; "
        "document.body.append(s); return window.ran ?? null; })()"
    )
    assert page.evaluate(tried) is None
    assert any("Content Security Policy" in message for message in page.messages)


def test_without_curves_picture_and_table_are_linked(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(linked_page, "_can_draw", lambda: False)
    path = tmp_path / "plain.html"
    path.write_text(chain_page(four_rules(), title="t"), encoding="utf-8")
    with browser.page(path) as tab:
        tab.hover(BAND.format("step-2"))
        assert tab.evaluate(LIT.format("tr")) == ["step-2"]
        tab.hover(ROW.format("step-5"))
        assert tab.evaluate(LIT.format(".pyramid g")) == ["step-5"]
        assert_silent(tab, path)


def test_nothing_is_wider_than_the_paper_in_print(browser, written):
    width = round(273 / 25.4 * 96)  # A4 on its long side, without margins
    with browser.page(written(twenty_rules), width=width, media="print") as tab:
        wide = tab.evaluate(
            "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right"
            f" > {width} + 1).map(e => e.tagName)"
        )
        assert wide == []


def test_every_text_of_the_pyramid_stays_in_its_picture(browser, written):
    """In the fonts of a real browser, which the layout does not know."""
    with browser.page(written(twenty_rules)) as tab:
        boxes = json.loads(tab.evaluate(
            "JSON.stringify([...document.querySelectorAll('.pyramid text')].map(t => {"
            "const b = t.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }))"
        ))  # fmt: skip
        frame = tab.evaluate(
            "(() => { const b = document.querySelector('.pyramid svg').getBoundingClientRect();"
            " return [b.left, b.right]; })()"
        )
    assert len(boxes) > 80
    assert all(frame[0] <= box[0] and box[2] <= frame[1] for box in boxes)
    for number, a in enumerate(boxes):
        for b in boxes[number + 1 :]:
            across = min(a[2], b[2]) - max(a[0], b[0])
            down = min(a[3], b[3]) - max(a[1], b[1])
            assert across <= 1 or down <= 3, (a, b)  # boxes of lines have some air
