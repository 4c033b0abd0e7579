"""An analysis as a page: one HTML file with the cards drawn in it and the graph as SVG.

It needs nothing from elsewhere: no scripts, no fonts, no pictures. Every name is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from okgin_fast.analysis.graph import COLOURS, curves
from okgin_fast.analysis.results import Analysis, DealAnalysis, Step
from okgin_fast.analysis.words import (
    DEAL_HEADER,
    amount,
    cost,
    deal_rows,
    ending,
    played,
    seat_rows,
    sum_rows,
    title,
    unit_words,
)
from okgin_fast.cards import Card
from okgin_fast.core.spread import best_spread
from okgin_fast.deal import Action

__all__ = ["page"]

WIDTH, HEIGHT, LEFT, LOW = 1000, 320, 46, 26
"""The graph and its margins, in pixels."""
STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fbfaf7; --line: #d9d5cb; --red: #b3202a;
  --card: #fff; --soft: #efece4; --blue: #34557a }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e3da; --paper: #1a1d21; --line: #3b4047;
  --red: #ff7b7b; --card: #2a2f36; --soft: #24282e; --blue: #8db4de } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1060px; margin: 2em auto; padding: 0 1em }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 2em }
table { border-collapse: collapse; margin: .6em 0 } .wide { overflow-x: auto }
th, td { padding: .15em .7em .15em 0; text-align: right; white-space: nowrap; vertical-align: top }
th { font-weight: 600; border-bottom: 1px solid var(--line) }
th:first-child, td:first-child, .text { text-align: left }
.text { white-space: normal }
details { border-top: 1px solid var(--line); padding: .5em 0 } summary { cursor: pointer }
.card { display: inline-block; min-width: 1.7em; margin: 1px; padding: .05em .2em;
  text-align: center; border: 1px solid var(--line); border-radius: .3em; background: var(--card);
  font-variant-numeric: tabular-nums }
.card.red { color: var(--red) } .card.out { outline: 2px solid var(--blue) }
.meld { display: inline-block; margin-right: .5em; padding: 0 .15em; border-radius: .4em;
  background: var(--soft) }
.error { margin: .7em 0 .7em; padding: .4em .8em; border-left: 5px solid; background: var(--soft) }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink) } .thin { stroke: var(--line) }
.curve { fill: none; stroke: var(--blue); stroke-width: 1.6 } .note { opacity: .75 }
"""
NOTES = """
The graph shows what each position was worth to the first player with both hands open; triangles up
are his errors, triangles down the other's. An error is judged by what its player knew then, not by
what the cards turned out to be: a good action may fall, and a bad one may rise. Skill is what the
other's errors cost less his own; skill and luck together are the result."""


def page(found: Analysis) -> str:
    """Write an analysis as an HTML page.

    Parameters
    ----------
    found : Analysis

    Returns
    -------
    str
        A whole document; UTF-8 when written.
    """
    heading = escape(title(found))
    parts = [
        f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{heading}</title>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<style>{STYLE}</style></head><body><h1>{heading}</h1>",
        _table(["", *found.names], seat_rows(found)),
        _table(["", found.names[0], ""], sum_rows(found), texts=(2,)),
        _graph(found),
        f"<p class='note'>{NOTES.strip()}</p>",
        "<h2>Deals</h2>",
        _table(DEAL_HEADER, deal_rows(found), texts=(10,)),
        *(_deal(found, deal) for deal in found.deals),
        f"<p class='note'>{found.rollouts:,} rollouts a figure, seed {found.seed}; figures in"
        f" {unit_words(found.unit)}. Made by okgin analyse.</p></body></html>\n",
    ]
    return "\n".join(parts)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], texts: Sequence[int] = ()) -> str:
    def line(tag: str, cells: Sequence[str]) -> str:
        written = (
            f"<{tag}{' class=text' if i in texts else ''}>{escape(cell.strip())}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(written)}</tr>"

    body = [line("th", header), *(line("td", row) for row in rows)]
    return f"<div class='wide'><table>{''.join(body)}</table></div>"


# ------------------------------------------------------------------------------------------- cards


def _card(card: Card, out: bool = False) -> str:
    red = " red" if card.suit > 1 else ""  # spades, clubs; diamonds, hearts
    return f"<span class='card{red}{' out' if out else ''}'>{card.symbol}</span>"


def _hand(step: Step) -> str:
    """The hand by its melds; what was thrown is outlined."""
    spread = best_spread(step.hand)
    thrown = None if step.action.kind == "take" else step.action.card
    groups = [*spread.melds, spread.unmelded]
    drawn = ("".join(_card(card, card == thrown) for card in group) for group in groups)
    *melds, loose = drawn
    return "".join(f"<span class='meld'>{meld}</span>" for meld in melds) + loose


# ------------------------------------------------------------------------------------------- deals


def _deal(found: Analysis, deal: DealAnalysis) -> str:
    names, dealt = found.names, deal.deal
    score = "" if deal.score is None else ", score {}-{}".format(*deal.score)
    summary = (
        f"Deal {deal.number}: {names[dealt.dealer]} deals, knock limit {dealt.limit}{score};"
        f" {ending(found, deal)}"
    )
    steps = "".join(f"<tr>{''.join(_cells(found, step))}</tr>" for step in deal.steps)
    head = ("turn", "who", "hand", "played", "best", "loss", "luck", "hidden", "value")
    header = "".join(
        f"<th class={'text' if i < 5 else 'n'}>{name}</th>" for i, name in enumerate(head)
    )
    errors = "".join(_error(found, step) for step in deal.errors)
    return (
        f"<section><h2>{escape(summary)} {_card(dealt.upcard)}</h2>"
        f"{errors or '<p>No errors.</p>'}"
        f"<details><summary>All {len(deal.steps)} actions</summary><div class='wide'>"
        f"<table><tr>{header}</tr>{steps}</table></div></details></section>"
    )


def _cells(found: Analysis, step: Step) -> Iterator[str]:
    unit = found.unit
    colour = COLOURS[step.mark] if step.mark is not None and step.is_error else None
    style = "" if colour is None else f" style='color:{colour};font-weight:600'"
    best = played(step.best) if step.loss and step.best is not None else ""
    drawn = "" if step.drawn is None else f" {_card(step.drawn)}"
    yield f"<td>{step.turn}</td><td class=text>{escape(found.names[step.seat])}</td>"
    yield f"<td class=text>{_hand(step)}</td><td class=text>{_symbols(step.action)}{drawn}</td>"
    yield f"<td class=text>{best}</td><td{style}>{cost(unit, step.loss) if step.loss else ''}</td>"
    yield f"<td>{'' if step.luck is None else amount(unit, step.luck)}</td>"
    yield f"<td>{amount(unit, step.hidden)}</td>"
    value = amount(unit, step.value) if unit == "points" else f"{100 * step.value:.1f}%"
    yield f"<td>{value}</td>"


def _symbols(action: Action) -> str:
    return action.kind if action.card is None else f"{action.kind} {_card(action.card)}"


def _error(found: Analysis, step: Step) -> str:
    assert step.best is not None
    unit = " points" if found.unit == "points" else " of the match"
    what = (
        f"Turn {step.turn}, {found.names[step.seat]}: {step.mark}, costs"
        f" {cost(found.unit, step.loss)}{unit} (±{cost(found.unit, step.loss_se)})"
    )
    top = step.top if len(step.hand) == 10 else None
    pile = "" if top is None else f" on the pile {_card(top)}"
    return (
        f"<div class='error' style='border-color:{COLOURS[step.mark or 'good']}'>"
        f"<b>{escape(what)}</b><br>{_hand(step)}{pile}<br>"
        f"Played: {_symbols(step.action)}. {escape(step.played)}<br>"
        f"Best: <b>{_symbols(step.best)}</b>. {escape(step.better)}</div>"
    )


# ------------------------------------------------------------------------------------------- graph


def _graph(found: Analysis) -> str:
    """The graph as SVG: a line a deal, triangles for errors, which say what they are."""
    lines = curves(found)
    last = max(1, sum(len(curve.values) for curve in lines) - 1)
    match = found.unit == "match"
    values = [value for curve in lines for value in curve.values]
    low, high = (0.0, 100.0) if match else (min(0.0, *values), max(0.0, *values))
    span = (high - low) or 1.0

    def x(place: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - 8) * place / last:.1f}"

    def y(value: float) -> str:
        return f"{8 + (HEIGHT - LOW - 16) * (high - value) / span:.1f}"

    parts = [f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' width='100%' role='img'>"]
    parts.append(f"<title>{escape(found.names[0])}: {unit_words(found.unit)}</title>")
    for mark in [0, 25, 50, 75, 100] if match else sorted({round(low), 0, round(high)}):
        parts.append(
            f"<line class='thin' x1='{LEFT}' x2='{WIDTH - 8}' y1='{y(mark)}' y2='{y(mark)}'/>"
            f"<text x='{LEFT - 6}' y='{y(mark)}' text-anchor='end' dy='.35em'>"
            f"{f'{mark}%' if match else f'{mark:+}' if mark else '0'}</text>"
        )
    for curve in lines:
        points = " ".join(f"{x(curve.first + i)},{y(v)}" for i, v in enumerate(curve.values))
        parts.append(
            f"<line class='thin' x1='{x(curve.first)}' x2='{x(curve.first)}' y1='8'"
            f" y2='{HEIGHT - LOW}'/><polyline class='curve' points='{points}'/>"
            f"<text x='{x(curve.first)}' y='{HEIGHT - 8}' dx='3'>deal {curve.number}</text>"
        )
        for place, value, step in curve.errors:
            assert step.mark is not None
            tip = 5 if step.seat else -5
            what = f"{found.names[step.seat]}: {played(step.action)}, {step.mark}"
            parts.append(
                f"<path d='M{x(place)} {y(value)}m0 {tip}l5 {-2 * tip}l-10 0z'"
                f" fill='{COLOURS[step.mark]}'><title>{escape(what)}, turn {step.turn}, costs"
                f" {cost(found.unit, step.loss)}</title></path>"
            )
    return "".join([*parts, "</svg>"])
