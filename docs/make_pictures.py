"""Writes the pictures in `docs/images`: what each script in `examples/` leaves as `picture`."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parent
EXAMPLES = sorted((DOCS.parent / "examples").glob("*.py"))


def picture_of(example: Path) -> str:
    """The picture that an example draws, as SVG."""
    return str(runpy.run_path(str(example))["picture"]) + "\n"


if __name__ == "__main__":
    for example in EXAMPLES:
        (DOCS / "images" / f"{example.stem}.svg").write_text(
            picture_of(example), encoding="utf-8", newline="\n"
        )
