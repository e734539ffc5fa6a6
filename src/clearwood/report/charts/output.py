"""Charts as files: SVG, PNG and PDF without a browser, and pages that load nothing."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from clearwood.errors import ParameterError
from clearwood.report.markup import text

VL_VERSION = "6.4"
"""Of Vega-Lite, which the specifications of Altair 6 are written for."""

PAGE_STYLE = """body{font:14px sans-serif;margin:16px}
#vg-tooltip-element{position:fixed;display:none;background:#fff;border:1px solid #999;
padding:6px;font-size:12px;max-width:32em;pointer-events:none}
#vg-tooltip-element.visible{display:block}
#vg-tooltip-element td.key{color:#555;text-align:right;vertical-align:top;padding-right:4px}"""

EMBED_OPTIONS: dict[str, Any] = {
    "actions": False, "renderer": "svg", "ast": True, "defaultStyle": False,
    "tooltip": {"disableDefaultStyle": True},
}  # fmt: skip
"""Of vegaEmbed: an interpreter instead of eval, and no styles of its own, so that pages may forbid
both."""

_SCRIPT = (
    'vegaEmbed("#chart", JSON.parse(document.getElementById("spec").textContent), '
    + json.dumps(EMBED_OPTIONS)
    + ');'
)  # fmt: skip


def chart_svg(chart: Any) -> str:
    """A chart as the content of an SVG file; needs vl-convert, which comes with Altair's extra.

    Parameters
    ----------
    chart : altair chart

    Raises
    ------
    ParameterError
        `chart` is none.
    """
    import vl_convert

    return _numbered(vl_convert.vegalite_to_svg(_spec(chart), vl_version=VL_VERSION))


def _numbered(svg: str) -> str:
    """The same picture with its clips numbered from 1; Vega counts on from chart to chart."""
    found = dict.fromkeys(re.findall(r'id="(clip\d+)"', svg))
    number = {name: f"clip{k}" for k, name in enumerate(found, 1)}
    return re.sub(
        r'(id="|url\(#)(clip\d+)', lambda match: match[1] + number.get(match[2], match[2]), svg
    )


def chart_png(chart: Any, *, scale: float = 2.0) -> bytes:
    """A chart as the content of a PNG file.

    Parameters
    ----------
    chart : altair chart
    scale : float, default=2.0
        Pixels of the picture for each of the chart.
    """
    import vl_convert

    png: bytes = vl_convert.vegalite_to_png(_spec(chart), vl_version=VL_VERSION, scale=scale)
    return png


def chart_pdf(chart: Any) -> bytes:
    """A chart as the content of a PDF file of one page.

    Parameters
    ----------
    chart : altair chart
    """
    import vl_convert

    pdf: bytes = vl_convert.vegalite_to_pdf(_spec(chart), vl_version=VL_VERSION)
    return pdf


def chart_html(chart: Any, *, title: str = "clearwood") -> str:
    """A chart as a page that shows the numbers and the rule under the pointer.

    Parameters
    ----------
    chart : altair chart
    title : str, default="clearwood"
        Of the page.

    Returns
    -------
    str
        About 1 MB: the page holds all it needs, loads nothing and forbids all else.
    """
    specification = _checked(chart).to_dict()
    bundle, style = javascript(), PAGE_STYLE
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src {_digest(style)}; "
        f"script-src {_digest(bundle)} {_digest(_SCRIPT)}"
    )
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            text("title", title),
            f'<style>{style}</style>\n</head>\n<body>\n<div id="chart"></div>',
            '<script type="application/json" id="spec">',
            json_for_script(specification),
            "</script>",
            f"<script>{bundle}</script>\n<script>{_SCRIPT}</script>\n</body>\n</html>\n",
        ]
    )


@cache
def javascript() -> str:
    """Vega, Vega-Lite and vegaEmbed as one script."""
    import vl_convert

    # The stub asks for a snippet; the function does without.
    bundle: str = vl_convert.javascript_bundle(vl_version=VL_VERSION)  # type: ignore[call-arg]
    return bundle


def json_for_script(value: Any) -> str:
    """JSON that can stand inside a script element, whatever text it holds."""
    written = json.dumps(value, ensure_ascii=False)
    for sign in "<\u2028\u2029":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return written


def _spec(chart: Any) -> str:
    spec: str = _checked(chart).to_json(validate=False)
    return spec


def _checked(chart: Any) -> Any:
    """`chart`, if it is one of Altair.

    Raises
    ------
    ParameterError
        It is none.
    """
    import altair as alt

    if isinstance(chart, alt.TopLevelMixin):
        return chart
    raise ParameterError(
        "chart must be an Altair chart, such as clearwood.report.roc_chart makes, got "
        f"{type(chart).__name__}"
    )


def _digest(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
