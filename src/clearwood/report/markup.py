"""Small pieces of HTML; every text that comes from outside is escaped here."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256

from clearwood.tree.drawing.marks import escaped


def element(name: str, *content: str, **attributes: str) -> str:
    """An element with ready markup in it; attribute ``class_`` is ``class``."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{given}>{''.join(content)}</{name}>"


def text(name: str, content: str, **attributes: str) -> str:
    """An element with plain text in it."""
    return element(name, escaped(content), **attributes)


def bullets(items: Iterable[str], **attributes: str) -> str:
    """A list of plain texts."""
    return element("ul", *(text("li", item) for item in items), **attributes)


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values below one another."""
    lines = [
        element("tr", text("th", name, scope="row"), text("td", value)) for name, value in rows
    ]
    return element("table", element("tbody", *lines), class_="facts")


def table(kind: str, head: Sequence[tuple[str, str]], rows: Sequence[str], caption: str) -> str:
    """A table of class `kind` of ready rows; `head` gives text and class of each column."""
    cells = [
        text("th", words, scope="col", **({"class_": kind} if kind else {})) for words, kind in head
    ]
    return element(
        "table",
        text("caption", caption),
        element("thead", element("tr", *cells)),
        element("tbody", *rows),
        class_=kind,
    )


def document(title: str, style: str, *body: str, scripts: Sequence[str] = ()) -> str:
    """A whole page that may load nothing, run `scripts` alone and be styled by `style` alone."""
    sources = f"; script-src {' '.join(map(_digest, scripts))}" if scripts else ""
    policy = (
        f"default-src 'none'{sources}; style-src {_digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="referrer" content="no-referrer">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            text("title", title),
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            *body,
            *(f"<script>{script}</script>" for script in scripts),
            "</body>",
            "</html>",
            "",
        ]
    )


def _digest(content: str) -> str:
    """`content` as a policy names what it allows."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
