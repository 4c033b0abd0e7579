"""Do our engine and OpenSpiel's play the same game? Deals on both, compared at every step.

Legal actions, hands, pile, stock, cards to knock with, melds, lay-offs and returns must agree under
the preset open-spiel, but for what rules.md knows OpenSpiel to play differently: that is counted by
name. Anything else ends the run (exit code 1) with the deal. The bridge is
okgin_fast.adapters.openspiel's; this file brings the deals and the players.

Needs the extra openspiel. Example: python bench/differential.py --deals 20000 --dense 5000
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata

import okgin_fast as og
from okgin_fast.adapters.openspiel import Bridge, Divergence, EnginesDisagreeError

RULES = og.Rules.preset("open-spiel")
CHUNK = 100


@dataclass(frozen=True)
class Player:
    """How often he does what a sensible player would; the rest is random."""

    careful: float
    """Throws what leaves least, takes what lowers it."""
    eager: float
    """Knocks if he may."""
    takes: float = 0.0
    """Takes the top of the pile, whatever it is."""
    returns: float = 0.0
    """Throws back the card that he has just taken."""

    def choose(self, bridge: Bridge, rng: random.Random) -> og.Action:
        """One of the bridge's legal actions."""
        legal = bridge.legal_actions()
        ends = [action for action in legal if action.kind in ("knock", "gin")]
        if ends and rng.random() < self.eager:
            return _spread(bridge.deal, rng.choice(ends), rng)
        takes = [action for action in legal if action.kind == "take"]
        if takes and rng.random() < self.takes:
            return takes[0]
        careful = rng.random() < self.careful
        if takes and careful:
            other = next(action for action in legal if action.kind != "take")
            return takes[0] if _lowers(bridge.deal) else other
        taken = bridge.deal.taken
        if taken is not None and rng.random() < self.returns:
            return og.Action("discard", taken)
        if bridge.deal.phase == "throw" and careful:
            return og.Action("discard", og.discards(_hand(bridge.deal))[0].card)
        return rng.choice([action for action in legal if action not in ends])


PLAYERS = (
    Player(careful=0, eager=0.5),  # random, so that few knocks come up
    Player(careful=0.9, eager=0.9),
    Player(careful=0.95, eager=0.5),
    Player(careful=1, eager=0.1),  # gins, or has a good hand at the wall
    Player(careful=0.5, eager=0.1, takes=0.97),  # never comes to an end
    Player(careful=0.8, eager=0.3, returns=0.4),
)


@dataclass
class Report:
    """What was compared, and what was found."""

    endings: Counter[str] = field(default_factory=Counter)
    """Deals by how they ended in our engine, ``unfinished`` if OpenSpiel's was over first."""
    found: Counter[str] = field(default_factory=Counter)
    """Known divergences by name: how often they showed."""
    laid_off: Counter[int] = field(default_factory=Counter)
    """Showdowns by the number of cards laid off."""
    actions: int = 0

    def add(self, other: Report) -> None:
        """Count another report's deals in."""
        self.endings += other.endings
        self.found += other.found
        self.laid_off += other.laid_off
        self.actions += other.actions


def dealt(seed: int, dense: bool) -> og.Deal:
    """Shuffle and deal; a dense deal's hands are of neighbouring ranks, so that melds collide."""
    if not dense:
        return og.Deal(RULES, seed=seed, dealer=seed % 2)
    rng = random.Random(seed)
    width = rng.choice([6, 7, 9])
    low = rng.randrange(14 - width)
    near = [card for card in range(52) if low <= card % 13 < low + width]
    cards = rng.sample(near, 20)
    cards += rng.sample([card for card in range(52) if card not in cards], 32)
    hands = cards[:10], cards[10:20]
    return og.Deal.from_cards(RULES, hands, cards[20], cards[21:], dealer=seed % 2)


def play(seed: int, dense: bool, report: Report) -> None:
    """Play one deal on both engines and count it."""
    rng = random.Random(seed)
    bridge = Bridge(dealt(seed, dense))
    players = rng.choices(PLAYERS, k=2)
    if rng.random() < 0.1:
        players[1] = players[0]
    while not bridge.over:
        to_move = bridge.deal.to_move
        assert to_move is not None
        bridge.apply(players[to_move].choose(bridge, rng))
    result = bridge.deal.result
    report.endings["unfinished" if result is None else result.kind] += 1
    report.found += Counter({found.name: times for found, times in bridge.found.items()})
    report.actions += len(bridge.deal.actions)
    if result is not None and result.layoff is not None and result.knocker_deadwood:
        report.laid_off[len(result.layoff.laid_off)] += 1


def compare(seeds: range, dense: bool = False) -> Report:
    """Play the deals of some seeds.

    Raises
    ------
    EnginesDisagreeError
        At the first difference that is not known.
    """
    report = Report()
    for seed in seeds:
        play(seed, dense, report)
    return report


def _spread(deal: og.Deal, end: og.Action, rng: random.Random) -> og.Action:
    """Name some spread or other in half of the cases; the package chooses in the others."""
    assert end.card is not None
    if rng.random() < 0.5:
        return end
    limit = 0 if end.kind == "gin" else deal.limit
    spread = rng.choice(og.spreads(_hand(deal) - end.card, limit))
    return og.Action(end.kind, end.card, spread.melds)


def _hand(deal: og.Deal) -> og.Hand:
    assert deal.to_move is not None
    return deal.hand(deal.to_move)


def _lowers(deal: og.Deal) -> bool:
    hand, top = _hand(deal), deal.pile[-1]
    return og.discards(hand | top)[0].deadwood < og.deadwood(hand)


def main() -> int:
    """Compare, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=20_000, help="random deals (%(default)s)")
    parser.add_argument("--dense", type=int, default=5_000, help="deals of dense hands as well")
    parser.add_argument("--seed", type=int, default=1, help="of the first deal")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if min(options.deals, options.dense) < 0 or options.workers < 1:
        parser.error("--deals and --dense are from 0 up, --workers from 1 up")
    start = time.perf_counter()
    reports = {}
    try:
        with ProcessPoolExecutor(options.workers) as pool:
            for name, number in (("random", options.deals), ("dense", options.dense)):
                seeds = range(options.seed, options.seed + number)
                chunks = [seeds[i : i + CHUNK] for i in range(0, number, CHUNK)]
                reports[name] = Report()
                for done in pool.map(partial(compare, dense=name == "dense"), chunks):
                    reports[name].add(done)
                    played = sum(reports[name].endings.values())
                    print(f"\r{name}: {played} of {number}", end="", file=sys.stderr, flush=True)
                print(file=sys.stderr)
    except EnginesDisagreeError as error:
        print(f"\nthe engines disagree: {error}", file=sys.stderr)
        return 1
    versions = {"okgin_fast": og.__version__, "OpenSpiel": metadata.version("open_spiel")}
    if options.json:
        tables = {name: vars(report) for name, report in reports.items()}
        print(json.dumps({"seed": options.seed, **versions, **tables}))
        return 0
    print(", ".join(f"{name} {version}" for name, version in versions.items()), end=", ")
    print(f"Python {platform.python_version()}, seeds from {options.seed}, ", end="")
    print(f"{time.perf_counter() - start:.0f} s")
    for name, report in reports.items():
        print(f"\n{sum(report.endings.values())} {name} deals, {report.actions} actions agree")
        for kind, number in report.endings.most_common():
            print(f"  {number:>8} {kind}")
        for cards, number in sorted(report.laid_off.items()):
            print(f"  {number:>8} with {cards} cards laid off")
        print("  known divergences:")
        for found in Divergence:
            print(f"  {report.found[found.name]:>8} {found.name}: {found.value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
