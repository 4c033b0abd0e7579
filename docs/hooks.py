"""Hooks of MkDocs: blocks of cards become pictures, and bench/ lends the pages its own pictures.

A block is marked ``cards``; each line is a row, groups of cards with ``|`` between them, and what
is said of them after a colon:

    7C 7D 7H | 4S 5S 6S 7S : a set and a run
"""

import html
import re
from pathlib import Path
from typing import Any, NamedTuple

from okgin_fast.cards import Card, parse_cards

BLOCK = re.compile(r"^```cards\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SYMBOLS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
WIDTH, HEIGHT, STEP, GAP = 40, 56, 44, 16


class Row(NamedTuple):
    """A line of a block."""

    groups: list[list[Card]]
    caption: str


def rows_of(block: str) -> list[Row]:
    """Read the lines of a block."""
    rows = []
    for line in block.strip().splitlines():
        cards, _, caption = line.partition(" : ")
        rows.append(Row([list(parse_cards(group)) for group in cards.split("|")], caption.strip()))
    return rows


def drawn(row: Row) -> str:
    """Draw a row as a figure, in one line of HTML."""
    shapes, x = [], 1
    for group in row.groups:
        for card in group:
            rank, suit = str(card)[:-1], str(card)[-1]
            colour = "red" if suit in "DH" else "black"
            shapes.append(
                f'<g class="{colour}" transform="translate({x} 1)">'
                f'<rect width="{WIDTH}" height="{HEIGHT}" rx="5"/>'
                f'<text x="{WIDTH // 2}" y="24">{rank}</text>'
                f'<text x="{WIDTH // 2}" y="46">{SYMBOLS[suit]}</text></g>'
            )
            x += STEP
        x += GAP
    width = x - GAP - STEP + WIDTH + 1
    words = " and ".join(" ".join(map(str, group)) for group in row.groups)
    return (
        f'<figure class="cards"><svg role="img" aria-label="{words}" width="{width}"'
        f' height="{HEIGHT + 2}" viewBox="0 0 {width} {HEIGHT + 2}">{"".join(shapes)}</svg>'
        f"<figcaption>{html.escape(row.caption)}</figcaption></figure>"
    )


def on_files(files: Any, config: Any) -> Any:
    """Add the pictures that the pages of bench/, which are included in ours, show."""
    from mkdocs.structure.files import File  # not needed to draw cards

    for picture in (Path(config.docs_dir).parent / "bench").glob("*.png"):
        files.append(File.generated(config, picture.name, abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put pictures in the place of the blocks."""
    return BLOCK.sub(lambda block: "\n".join(map(drawn, rows_of(block[1]))) + "\n", markdown)
