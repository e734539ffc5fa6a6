"""Writes the pictures in `docs/images`: what each script in `examples/` leaves as `picture`."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parent
EXAMPLES = sorted((DOCS.parent / "examples").glob("*.py"))


def write_picture(example: Path) -> None:
    """Write what an example draws, if it draws anything."""
    picture = runpy.run_path(str(example)).get("picture")
    if picture is not None:
        file = DOCS / "images" / f"{example.stem}.svg"
        file.write_text(f"{picture}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    for example in EXAMPLES:
        write_picture(example)
