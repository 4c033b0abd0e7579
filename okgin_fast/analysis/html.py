"""An analysis as a page: one HTML file with the cards drawn in it and the graph as SVG.

It needs nothing from elsewhere: no scripts, no fonts, no pictures. Every name is escaped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from okgin_fast.analysis.graph import curves
from okgin_fast.analysis.results import Analysis, DealAnalysis, Step
from okgin_fast.analysis.words import (
    DEAL_HEADER,
    MATCH_HEADER,
    amount,
    cost,
    deal_rows,
    ending,
    games,
    heading,
    match_rows,
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

WIDTH, HEIGHT = 1000, 340
"""The graph, in pixels."""
LEFT, RIGHT, TOP, BOTTOM = 52, 10, 12, 46
"""Its margins."""
NARROWEST = 26
"""Pixels from the label of one deal to the next."""
STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --paper: #fbfaf7; --line: #d9d5cb; --red: #b3202a;
  --card: #fff; --soft: #f1eee6; --blue: #2c5486; --quiet: #5c626b; --inaccuracy: #8a6500;
  --mistake: #b04a00; --blunder: #b3202a }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e3da; --paper: #1a1d21; --line: #434a52;
  --red: #ff8a8a; --card: #2d333b; --soft: #24282e; --blue: #8db4de; --quiet: #a9adb3;
  --inaccuracy: #e2bd4b; --mistake: #f2994a; --blunder: #ff7b7b } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1060px; margin: 1.5em auto; padding: 0 1em; overflow-wrap: break-word }
h1 { font-size: 1.4em; line-height: 1.3 } h2 { font-size: 1.2em; margin-top: 2em }
h3 { font-size: 1em; margin: 1.8em 0 .3em }
a { color: var(--blue) }
.side { display: flex; flex-wrap: wrap; gap: 0 3em; align-items: flex-start }
.wide { overflow-x: auto; max-width: 100% }
table { border-collapse: collapse; margin: .6em 0; font-variant-numeric: tabular-nums }
th, td { padding: .15em .9em .15em 0; text-align: right; white-space: nowrap; vertical-align: top }
th:last-child, td:last-child { padding-right: 0 }
th { font-weight: 600; border-bottom: 1px solid var(--line) }
tr:hover td { background: var(--soft) }
th:first-child, td:first-child, .text, .left { text-align: left }
th { white-space: normal; max-width: 10em } .text { white-space: normal; min-width: 11em }
.who { white-space: normal; max-width: 9em; text-align: left } .sub { padding-left: 1.2em }
details { border-top: 1px solid var(--line); padding: .5em 0 } summary { cursor: pointer }
td .card { min-width: 1.9em }
.card { display: inline-block; min-width: 2.1em; margin: 1px; padding: .05em .2em;
  text-align: center; border: 1px solid var(--line); border-radius: .3em; background: var(--card) }
.red { color: var(--red) } .card.out { outline: 2px solid var(--blue); outline-offset: -1px }
.meld { display: inline-block; margin-right: .4em; padding: 0 .15em; border-radius: .4em;
  border-bottom: 2px solid var(--blue) }
.error { margin: .7em 0; padding: .4em .8em; border-left: 5px solid; background: var(--soft);
  break-inside: avoid }
.error p { margin: .25em 0 }
.inaccuracy { border-color: var(--inaccuracy) } .mistake { border-color: var(--mistake) }
.blunder { border-color: var(--blunder) }
td.inaccuracy, b.inaccuracy { color: var(--inaccuracy); font-weight: 600 }
td.mistake, b.mistake { color: var(--mistake); font-weight: 600 }
td.blunder, b.blunder { color: var(--blunder); font-weight: 600 }
path.inaccuracy { fill: var(--inaccuracy) } path.mistake { fill: var(--mistake) }
path.blunder { fill: var(--blunder) }
figure { margin: 1em 0 } figcaption { font-size: .93em }
figure svg { display: block; width: 100%; min-width: 640px; height: auto }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink) }
.thin { stroke: var(--line) } .even { stroke: var(--quiet); stroke-dasharray: 4 3 }
.curve { fill: none; stroke: var(--blue); stroke-width: 1.8; stroke-linejoin: round }
.note { color: var(--quiet) }
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #aaa; --card: #fff;
  --soft: #fff; --red: #b3202a; --blue: #2c5486; --quiet: #444; --inaccuracy: #8a6500;
  --mistake: #b04a00; --blunder: #b3202a }
  body { font-size: 10pt; margin: 0; max-width: none } .wide { overflow: visible }
  figure svg { min-width: 0 } tr, figure { break-inside: avoid } h2, h3 { break-after: avoid } }
"""
NOTES = """
An error is judged by what its player knew then, not by what the cards turned out to be: after a
good action the line may fall, and after a bad one it may rise. Skill is what the other's errors
cost less the first player's own; skill and luck together are the result."""
_CARD = re.compile(r"(?<!\w)[A2-9TJQK][SCDH](?!\w)")


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
    name, several = escape(title(found)), len(found.matches) > 1
    parts = [
        f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{name}</title>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<style>{STYLE}</style></head><body><h1>{name}</h1>",
    ]
    if several:
        parts += [_sums(found), "<h2>Matches</h2>"]
        parts.append(_table(MATCH_HEADER, match_rows(found), left=8, links="match"))
    for game in games(found):
        if several:
            parts.append(f"<h2 id='match-{game.deals[0].match}'>{escape(heading(game))}</h2>")
        parts += [_sums(game), _graph(game)]
        parts.append(_table(DEAL_HEADER, deal_rows(game), left=11, links="deal"))
        parts += [_deal(found, deal) for deal in game.deals]
    parts.append(
        f"<p class='note'>{NOTES.strip()} {found.rollouts:,} rollouts a figure, seed {found.seed};"
        f" figures in {unit_words(found.unit)}. Made by okgin analyse.</p></body></html>\n"
    )
    return "\n".join(parts)


def _sums(found: Analysis) -> str:
    """How both have played, and what the result is made up of."""
    return (
        f"<div class='side'>{_table(['', *found.names], seat_rows(found))}"
        f"{_table(['', found.names[0], ''], sum_rows(found), text=2)}</div>"
    )


def _table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    text: int | None = None,
    left: int | None = None,
    links: str | None = None,
) -> str:
    """A table with a column of text, or of words in one line.

    The numbers in its first column lead to what is told of them below.
    """
    columns = {text: "text", left: "left"}

    def cell(tag: str, i: int, words: str) -> str:
        kind = columns.get(i) or ("sub" if words.startswith(" ") else "")
        told = escape(words.strip())
        if links is not None and tag == "td" and i == 0:
            told = f"<a href='#{links}-{told}'>{told}</a>"
        return f"<{tag}{kind and f' class={kind}'}>{told}</{tag}>"

    def line(tag: str, cells: Sequence[str]) -> str:
        return f"<tr>{''.join(cell(tag, i, words) for i, words in enumerate(cells))}</tr>"

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


def _told(text: str) -> str:
    """Words, with the cards in them as symbols."""

    def symbol(found: re.Match[str]) -> str:
        card = Card(found[0])
        return f"<span class=red>{card.symbol}</span>" if card.suit > 1 else card.symbol

    return _CARD.sub(symbol, escape(text))


# ------------------------------------------------------------------------------------------- deals


def _deal(found: Analysis, deal: DealAnalysis) -> str:
    names, dealt = found.names, deal.deal
    score = "" if deal.score is None else ", score {}-{}".format(*deal.score)
    steps = "".join(f"<tr>{''.join(_cells(found, step))}</tr>" for step in deal.steps)
    header = "".join(
        f"<th{' class=left' if name in ('who', 'hand', 'played', 'best') else ''}>{name}</th>"
        for name in ("turn", "who", "hand", "played", "best", "loss", "luck", "hidden", "value")
    )
    errors = "".join(_error(found, step) for step in deal.errors)
    return (
        f"<section><h3 id='deal-{deal.number}'>Deal {deal.number}: {escape(names[dealt.dealer])}"
        f" deals, upcard {_card(dealt.upcard)}, knock limit {dealt.limit}{score};"
        f" {escape(ending(found, deal))}</h3>"
        f"{errors or '<p>No errors.</p>'}"
        f"<details><summary>All {len(deal.steps)} actions</summary><div class='wide'>"
        f"<table><tr>{header}</tr>{steps}</table></div></details></section>"
    )


def _cells(found: Analysis, step: Step) -> Iterator[str]:
    unit = found.unit
    mark = f" class={step.mark}" if step.is_error else ""
    best = _symbols(step.best) if step.loss and step.best is not None else ""
    drawn = "" if step.drawn is None else f" {_card(step.drawn)}"
    yield f"<td>{step.turn}</td><td class=who>{escape(found.names[step.seat])}</td>"
    yield f"<td class=left>{_hand(step)}</td><td class=left>{_symbols(step.action)}{drawn}</td>"
    yield f"<td class=left>{best}</td><td{mark}>{cost(unit, step.loss) if step.loss else ''}</td>"
    yield f"<td>{'' if step.luck is None else amount(unit, step.luck)}</td>"
    yield f"<td>{amount(unit, step.hidden)}</td>"
    value = amount(unit, step.value) if unit == "points" else f"{100 * step.value:.1f}%"
    yield f"<td>{value}</td>"


def _symbols(action: Action) -> str:
    return action.kind if action.card is None else f"{action.kind} {_card(action.card)}"


def _error(found: Analysis, step: Step) -> str:
    assert step.best is not None
    unit = " points" if found.unit == "points" else " of the match"
    lost = f"costs {cost(found.unit, step.loss)}{unit} (±{cost(found.unit, step.loss_se)})"
    top = step.top if len(step.hand) == 10 else None
    pile = "" if top is None else f" on the pile {_card(top)}"
    return (
        f"<div class='error {step.mark}'>"
        f"<p><b>Turn {step.turn}, {escape(found.names[step.seat])}:</b>"
        f" <b class={step.mark}>{step.mark}</b>, {lost}</p><p>{_hand(step)}{pile}</p>"
        f"<p>Played: {_symbols(step.action)}. {_told(step.played)}</p>"
        f"<p>Best: {_symbols(step.best)}. {_told(step.better)}</p></div>"
    )


# ------------------------------------------------------------------------------------------- graph


def _graph(found: Analysis) -> str:
    """The graph as SVG: a line a deal, triangles for errors, which say what they are."""
    lines = curves(found)
    last = max(1, sum(len(curve.values) for curve in lines) - 1)
    match, (one, other) = found.unit == "match", map(escape, found.names)
    marks = [0, 25, 50, 75, 100] if match else _ticks([v for curve in lines for v in curve.values])
    low, high = marks[0], marks[-1]

    def x(place: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * place / last:.1f}"

    def y(value: float) -> str:
        return f"{TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low):.1f}"

    what = f"{one}: {'chance of the match' if match else 'points of the deal'}"
    middle, floor = (TOP + HEIGHT - BOTTOM) / 2, HEIGHT - BOTTOM
    parts = [
        f"<figure><div class='wide'><svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img'>"
        f"<title>{what}, after every action</title>"
        f"<text x='{-middle:.0f}' y='11' transform='rotate(-90)' text-anchor='middle'>{what}</text>"
        f"<text x='{(LEFT + WIDTH) / 2:.0f}' y='{HEIGHT - 6}' text-anchor='middle'>"
        "actions, deal after deal</text>"
    ]
    for mark in marks:
        kind = "even" if mark == (50 if match else 0) else "thin"
        parts.append(
            f"<line class='{kind}' x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y(mark)}' y2='{y(mark)}'/>"
            f"<text x='{LEFT - 6}' y='{y(mark)}' text-anchor='end' dy='.35em'>"
            f"{f'{mark}%' if match else f'{mark:+}' if mark else '0'}</text>"
        )
    labelled = float("-inf")
    for curve in lines:
        at = x(curve.first)
        points = " ".join(f"{x(curve.first + i)},{y(v)}" for i, v in enumerate(curve.values))
        parts.append(
            f"<line class='thin' x1='{at}' x2='{at}' y1='{TOP}' y2='{floor + 5}'/>"
            f"<polyline class='curve' points='{points}'/>"
        )
        if float(at) - labelled >= NARROWEST:
            labelled = float(at)
            number = f"deal {curve.number}" if curve is lines[0] else f"{curve.number}"
            parts.append(f"<text x='{at}' y='{floor + 18}'>{number}</text>")
        for place, value, step in curve.errors:
            tip = 5 if step.seat else -5
            told = f"{found.names[step.seat]}: {played(step.action)}, {step.mark}"
            parts.append(
                f"<path class='{step.mark}' d='M{x(place)} {y(value)}m0 {tip}l5 {-2 * tip}l-10 0z'>"
                f"<title>{escape(told)}, turn {step.turn}, costs"
                f" {cost(found.unit, step.loss)}</title></path>"
            )
    return "".join(
        [
            *parts,
            f"</svg></div><figcaption class='note'>What each position was worth to {one}, with both"
            f" hands open. Errors of {one} are triangles up, of {other} down:"
            " <b class=inaccuracy>inaccuracy</b>, <b class=mistake>mistake</b>,"
            " <b class=blunder>blunder</b>.</figcaption></figure>",
        ]
    )


def _ticks(values: Sequence[float]) -> list[int]:
    """Round figures from under the least value to over the greatest, 0 among them.

    Examples
    --------
    >>> _ticks([-3.2, 18]), _ticks([0])
    ([-5, 0, 5, 10, 15, 20], [-1, 0, 1])
    """
    low, high = min(0.0, *values, -0.1), max(0.0, *values, 0.1)
    step = next(step for step in (1, 2, 5, 10, 25, 50, 100) if (high - low) / step <= 6)
    return list(range(step * math.floor(low / step), step * math.ceil(high / step) + 1, step))
