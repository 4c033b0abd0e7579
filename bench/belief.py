"""The belief: how its weights are fitted, and whether its chances hold.

Run as ``python bench/belief.py fit`` to make okgin_fast/core/belief.json anew, and as ``python
bench/belief.py report [--plot FILE] [--json]`` to measure chances on deals that the fit has not
seen, of players that it knows and of some that it does not.

The fit is noise-contrastive: weights are sought that tell the true hand from hands that the belief
itself draws by the weights so far; with those the next round draws. Where no weights can tell them
apart any more, the belief draws hands as the players hold them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from report import markdown

import okgin_fast as og
from okgin_fast.agents import AGENTS
from okgin_fast.core import belief
from okgin_fast.core.policy import Policy
from okgin_fast.core.rng import Rng, derive_seed
from okgin_fast.extras import MissingExtraError
from okgin_fast.measure.files import write_whole
from okgin_fast.measure.players import player
from okgin_fast.measure.plot import Plot

Array = NDArray[np.float64]

# ---------------------------------------------------------------------------------- the positions

GREEDY = {"pair": 0, "gap": 0, "danger": 0, "danger_known": 0, "danger_sure": 0}
PLAYERS: dict[str, Callable[[int], og.Agent]] = {
    **{name: AGENTS[name] for name in AGENTS if name not in ("random", "patient", "expert")},
    # Without inference: the weights that are to be made must not decide what they are made of.
    "expert": lambda seed: og.agent("expert", seed, limit=og.Limit(rollouts=32), inference=False),
    "policy, knocks": lambda _: Policy(knock=(10,)),
    "policy, knocks low": lambda _: Policy(knock=(4,)),
    "policy, gin only": lambda _: Policy(knock=(0,)),
    "policy, hopeful": lambda _: Policy(pair=400, gap=200, window=5, knock=(10, 10, 10, 10, 0)),
    "greedy": lambda _: Policy(**GREEDY, knock=(10,)),
    "greedy, knocks low": lambda _: Policy(**GREEDY, knock=(5,)),
    "greedy, gin only": lambda _: Policy(**GREEDY, knock=(0,)),
    "greedy, saves points": lambda _: Policy(**GREEDY, saves=3, knock=(10,)),
}
"""Whose hands the weights are fitted to."""
STRANGERS = ["patient", "openspiel-simple"]
"""Players that the fit leaves out: the report shows what is believed of them."""
PRESETS = ["eaai", "oklahoma", "oklahoma-spades", "standard", "straight", "modern"]


class Position(NamedTuple):
    """What a seat sees that is to move, and what it does not."""

    view: og.View
    hand: og.Hand
    """The other hand."""
    player: str
    """Who holds it."""


def positions(
    players: Sequence[str], others: Sequence[str], seed: int, deals: int, of_each: int
) -> Iterator[Position]:
    """Play deals, one of the players against one of the others, and draw positions from each.

    They are the others' views, with the players' hands; only such as show something of those.
    """
    rng = Rng(seed)
    for number in range(deals):
        names = players[rng.below(len(players))], others[rng.below(len(others))]
        seats = [made(name, derive_seed(seed, number)) for name in names]
        rules = PRESETS[rng.below(len(PRESETS))]
        deal = og.Deal(rules, seed=derive_seed(seed, number), dealer=rng.below(2))
        found = []
        while deal.to_move is not None:
            view = deal.view(deal.to_move)
            if view.seat == 1 and (view.turn or view.refused):
                found.append(Position(view, deal.hand(0), names[0]))
            deal.apply(seats[view.seat].act(view))
        for _ in range(min(of_each, len(found))):
            yield found.pop(rng.below(len(found)))


def made(name: str, seed: int) -> og.Agent:
    """Make a player of the fit, or a stranger."""
    return PLAYERS[name](seed) if name in PLAYERS else player(name).make(seed)


# --------------------------------------------------------------------------------------- the fit

SEED = 4
DEALS = 2_500
OF_EACH = 5  # positions of a deal
DRAWN = 24  # hands that the belief draws in each position: three of each of its chains
ROUNDS = (0.1, 0.3, 1, 1)
"""What share of the positions each round uses: the first ones are far off anyhow."""
KEPT = 2  # of the last rounds: the weights are their mean, for less of the draws' noise
NAT = 1024  # the core's weights are whole numbers: so many to a natural logarithm
CHUNK = 1000  # positions that are worked on at once


def fit(deals: int, seed: int, log: Callable[[str], None]) -> list[int]:
    """Make the weights of the belief from deals between all players."""
    names = list(PLAYERS)
    seen = list(positions(names, names, seed, deals, OF_EACH))
    log(f"{len(seen)} positions of {deals} deals")
    (row,) = belief.features(seen[0].view, [seen[0].hand])
    weights, kept = np.zeros(len(row)), []
    for number, share in enumerate(ROUNDS):
        part = seen[: round(share * len(seen))]
        weights, gain = refitted(contrast(part, weights, derive_seed(seed, number)), weights)
        log(f"round {number + 1}: {gain:.4f} nats a hand better than what drew the hands")
        kept.append(weights)
    return whole(np.mean(kept[-KEPT:], axis=0))


def whole(weights: Array) -> list[int]:
    """Return weights as the core has them."""
    return [int(weight) for weight in np.rint(weights * NAT)]


def contrast(seen: Sequence[Position], weights: Array, seed: int) -> NDArray[np.int16]:
    """Return features by position, hand and weight: first the true hand, then the drawn ones."""
    belief._use(whole(weights))
    rows = np.empty((len(seen), 1 + DRAWN, len(weights)), np.int16)
    for i, (view, hand, _) in enumerate(seen):
        drawn = belief.sample_hands(view, DRAWN, derive_seed(seed, i))
        rows[i] = belief.features(view, [hand, *drawn])
    return rows


def refitted(rows: NDArray[np.int16], start: Array) -> tuple[Array, float]:
    """Return the weights that tell the true hands best from hands drawn by others, and the gain.

    Newton's method; a weight that must not be above 0 stays there while the slope holds it.
    """
    most = np.full(len(start), np.inf)
    most[list(belief.NEVER_ABOVE_0)] = 0
    weights, before = start, np.log(rows.shape[1])
    loss, slope, curve = likelihood(rows, weights - start)
    for _ in range(20):
        free = ~((weights >= most) & (slope < 0))
        step = np.zeros(len(start))
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], -slope[free])
        size = 1.0
        while size > 1e-3:
            trial = np.minimum(weights + size * step, most)
            now = likelihood(rows, trial - start)
            if now[0] <= loss:
                break
            size /= 2
        done = loss - now[0] < 1e-6
        weights, (loss, slope, curve) = trial, now
        if done:
            break
    return weights, float(before - loss)


def likelihood(rows: NDArray[np.int16], change: Array) -> tuple[float, Array, Array]:
    """Return how unlikely the true hands are among the drawn ones; its slope and curvature.

    The chance of each hand goes by how much the change of the weights changes its likeness.
    """
    loss, slope, curve = 0.0, np.zeros(len(change)), np.zeros((len(change), len(change)))
    for first in range(0, len(rows), CHUNK):
        part = rows[first : first + CHUNK].astype(np.float64)
        part -= part[:, :1]
        likeness = part @ change
        likeness -= likeness.max(axis=1, keepdims=True)
        shares = np.exp(likeness)
        loss += (np.log(shares.sum(axis=1)) - likeness[:, 0]).sum()
        shares /= shares.sum(axis=1, keepdims=True)
        means = np.einsum("nm,nmf->nf", shares, part)
        slope += means.sum(axis=0)
        spread = (part * np.sqrt(shares)[:, :, None]).reshape(-1, len(change))
        curve += spread.T @ spread - means.T @ means
    curve /= len(rows)
    # What the hands say nothing of stays as it is.
    curve += np.diag(1e-4 * np.diag(curve) + 1e-6)
    return loss / len(rows), slope / len(rows), curve


# ------------------------------------------------------------------------------------- the report

REPORT_SEED = 2026
REPORT_DEALS = 2_000
HANDS = 800  # that chances are counted from
LEAST_OF = 200  # such hands for the sampling by least deadwood, each the best of up to thirty
TURNS = ["1-2", "3-4", "5-6", "7-8", "9-10", "11 on"]
WAYS = ["uniform", "least of k", "belief"]


class Measured(NamedTuple):
    """What the ways to guess say of one position's unseen cards, and what is true."""

    player: str
    turns: int
    """Of the player's own."""
    held: NDArray[np.bool_]
    """By card: whether he holds it."""
    chances: dict[str, Array]
    """By way and card."""

    def loss(self, way: str) -> float:
        """Return the log loss of a way, in nats a card."""
        true = np.where(self.held, self.chances[way], 1 - self.chances[way])
        return float(-np.log(true).mean())


def measured(position: Position, seed: int) -> Measured:
    """Guess the other hand in all ways."""
    view, hand, name = position
    free = list(view.unseen)
    blanks = 10 - len(view.known)
    uniform = np.full(len(free), blanks / len(free))
    k = 1 + len(view.pile)
    random = belief.sample_hands(view, LEAST_OF * k, seed, inference=False)
    least = [min(random[first : first + k], key=og.deadwood) for first in range(0, len(random), k)]
    chances = {
        "uniform": uniform,
        "least of k": smooth(counted(least, free), len(least), uniform),
        "belief": smooth(np.array(view.belief(HANDS, seed))[free] * HANDS, HANDS, uniform),
    }
    held = np.array([card in hand for card in free])
    return Measured(name, (view.turn + 1) // 2, held, chances)


def counted(hands: Iterable[og.Hand], free: Sequence[og.Card]) -> Array:
    """Return how many of the hands hold each card."""
    masks = np.array([hand.mask for hand in hands], np.uint64)
    cards = np.array([int(card) for card in free], np.uint64)
    return (masks >> cards[:, None] & np.uint64(1)).sum(axis=1).astype(np.float64)


def smooth(found: Array, hands: int, uniform: Array) -> Array:
    """Return chances from counts; one hand more, of average cards, keeps them off 0 and 1."""
    return (found + uniform) / (hands + 1)


def losses(seen: Sequence[Measured]) -> dict[str, Any]:
    """Return the log losses of positions, each of another deal, and the belief's lead a hand."""
    of_cards = {way: np.array([one.loss(way) for one in seen]) for way in WAYS}
    cards = np.array([len(one.held) for one in seen])
    gain = (of_cards["uniform"] - of_cards["belief"]) * cards
    return {
        "positions": len(seen),
        **{way: round(float(of_cards[way].mean()), 4) for way in WAYS},
        "nats a hand better than uniform": round(float(gain.mean()), 3),
        "standard error": round(float(gain.std() / len(seen) ** 0.5), 3),
    }


def reliability(seen: Sequence[Measured]) -> list[dict[str, Any]]:
    """Return for each tenth of the scale how often cards believed in so much were held."""
    chances = np.concatenate([one.chances["belief"] for one in seen])
    held = np.concatenate([one.held for one in seen])
    tenth = np.minimum((chances * 10).astype(int), 9)
    return [
        {
            "from": i / 10,
            "to": (i + 1) / 10,
            "cards": int((tenth == i).sum()),
            "believed": round(float(chances[tenth == i].mean()), 4),
            "held": round(float(held[tenth == i].mean()), 4),
        }
        for i in range(10)
        if (tenth == i).any()
    ]


def calibration(deals: int, seed: int) -> dict[str, Any]:
    """Measure chances in one position of each deal: overall, by player, by turn, by chance."""
    names = [*PLAYERS, *strangers()]
    drawn = positions(names, list(PLAYERS), seed, deals, 1)
    seen = [measured(one, derive_seed(seed, i)) for i, one in enumerate(drawn)]
    known = [one for one in seen if one.player in PLAYERS]
    return {
        "seed": seed,
        "deals": deals,
        "version": og.__version__,
        "all the fit's players": losses(known),
        "by player": grouped(seen, names, lambda one: one.player),
        "by own turns": grouped(known, TURNS, lambda one: TURNS[min((one.turns - 1) // 2, 5)]),
        "reliability": reliability(known),
    }


def strangers() -> list[str]:
    """Return the players left out of the fit that can be had here."""
    found = []
    for name in STRANGERS:
        try:
            found.append(player(name).name)
        except MissingExtraError as error:
            print(error, file=sys.stderr)
    return found


def grouped(
    seen: Sequence[Measured], names: Iterable[str], key: Callable[[Measured], str]
) -> dict[str, dict[str, Any]]:
    """Return the losses by group, for those that were seen."""
    groups = {name: [one for one in seen if key(one) == name] for name in names}
    return {name: losses(group) for name, group in groups.items() if group}


def text(found: dict[str, Any]) -> str:
    """Write what was measured as tables."""
    rows = [["", "positions", *(f"{way}, nats a card" for way in WAYS), "gain, nats a hand"]]
    groups = {"all the fit's players": found["all the fit's players"]}
    groups |= {f"turn {turn}": of for turn, of in found["by own turns"].items()}
    groups |= {
        name if name in PLAYERS else f"{name} (not in the fit)": of
        for name, of in found["by player"].items()
    }
    for name, of in groups.items():
        gain = f"{of['nats a hand better than uniform']:.2f} ± {of['standard error']:.2f}"
        rows.append([name, str(of["positions"]), *(f"{of[way]:.4f}" for way in WAYS), gain])
    bins = [["believed", "cards", "mean belief", "held"]]
    for one in found["reliability"]:
        scale = f"{one['from']:.0%} to {one['to']:.0%}"
        bins.append([scale, str(one["cards"]), f"{one['believed']:.1%}", f"{one['held']:.1%}"])
    return f"{markdown(rows)}\n\n{markdown(bins)}"


def draw(found: dict[str, Any], plot: Plot) -> None:
    """Draw the reliability curve, and the log losses by turn."""
    figure = plot.figures.Figure(figsize=(10, 5), layout="constrained")
    curve, turns = figure.subplots(1, 2)
    bins = found["reliability"]
    curve.plot([0, 100], [0, 100], color="0.5", linewidth=0.8)
    curve.plot([100 * one["believed"] for one in bins], [100 * one["held"] for one in bins], "o-")
    for one in bins:
        curve.annotate(f"{one['cards']:,}", (100 * one["believed"], 100 * one["held"] - 6))
    curve.set(
        xlabel="believed, in %", ylabel="held, in %", xlim=(0, 100), ylim=(0, 100),
        title="How often he held a card (and how many cards)",
    )  # fmt: skip
    groups = found["by own turns"]
    for way in WAYS:
        turns.plot(list(groups), [of[way] for of in groups.values()], "o-", label=way)
    turns.set(xlabel="his turns", ylabel="nats a card", title="Log loss")
    turns.legend(loc="best")
    picture = BytesIO()
    figure.savefig(picture, format=plot.format, dpi=150)
    write_whole(plot.path, picture.getvalue())


# ----------------------------------------------------------------------------------- the commands


def make(options: argparse.Namespace) -> None:
    """Fit the weights and write them, with how they came about."""
    weights = fit(options.deals, options.seed, lambda line: print(line, file=sys.stderr))
    belief._use(weights)
    found = calibration(options.held_out, options.seed + 1)["all the fit's players"]
    made_by = {
        "command": f"python bench/belief.py fit --deals {options.deals} --seed {options.seed}",
        "version": og.__version__,
        "deals": options.deals,
        "positions of a deal": OF_EACH,
        "players": list(PLAYERS),
        "presets": PRESETS,
        "held out": {"deals": options.held_out, "seed": options.seed + 1, **found},
    }
    write_whole(
        options.out, f"{json.dumps({'made by': made_by, 'weights': weights}, indent=1)}\n".encode()
    )


def report(options: argparse.Namespace) -> None:
    """Measure the chances and print what was found."""
    found = calibration(options.deals, options.seed)
    print(json.dumps(found, indent=1) if options.json else text(found))
    if options.plot:
        draw(found, options.plot)


def main() -> int:
    """Fit, or report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="fit|report")
    fitting = commands.add_parser("fit", help="make belief.json anew")
    fitting.add_argument("--deals", type=int, default=DEALS, metavar="N")
    fitting.add_argument("--held-out", type=int, default=REPORT_DEALS, metavar="N", help="deals")
    fitting.add_argument("--seed", type=int, default=SEED)
    fitting.add_argument("--out", type=Path, default=shipped(), metavar="FILE")
    fitting.set_defaults(run=make)
    reporting = commands.add_parser("report", help="measure chances on other deals")
    reporting.add_argument("--deals", type=int, default=REPORT_DEALS, metavar="N")
    reporting.add_argument("--seed", type=int, default=REPORT_SEED)
    reporting.add_argument("--plot", type=Plot, metavar="FILE", help="draw a picture (extra plot)")
    reporting.add_argument("--json", action="store_true", help="print all figures as JSON")
    reporting.set_defaults(run=report)
    options = parser.parse_args()
    options.run(options)
    return 0


def shipped() -> Path:
    """Return the file that the core reads."""
    return Path(og.__file__).with_name("core") / "belief.json"


if __name__ == "__main__":
    sys.exit(main())
