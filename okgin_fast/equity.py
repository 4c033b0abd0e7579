"""The chance of winning the match from a score: match equity, for any rules with a target.

``outcomes.json``, which ``okgin equity --measure`` makes, counts how deals between two equal and
strong players ended. Here the counts become the chances of one deal's points under any rules, and
these a table over all scores. How a deal is played is nothing that this module knows.

Both players are taken for equally strong, and later deals for played without an eye on the score.
Approximate, beyond that, are

- rules that are no preset's: they have the outcomes of the nearest preset, with their own bonuses
  and multiplier;
- targets over `EXACT`: as long as a player needs more, both needs are brought into the table by the
  square-root law of random walks, which is off by less than 0.01 up to a target of 1,000;
- Hollywood: it counts as won by whoever wins the game whose score is given. The winner of the first
  game does win seven matches in eight; in simulations the chance was off by up to 0.1 in the first
  game, and too moderate by up to 0.2 in the third, whose score does not tell who won before.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from okgin_fast.cards import RANKS
from okgin_fast.core.race import race
from okgin_fast.errors import OkginError, RulesError, quote
from okgin_fast.match import HIGHEST_DEADWOOD
from okgin_fast.rules import PRESETS, Rules, as_rules

__all__ = [
    "EXACT",
    "KINDS",
    "MOST",
    "SIDES",
    "Dealer",
    "Outcomes",
    "deal_worth",
    "match_equity",
    "outcomes",
]

F64: TypeAlias = npt.NDArray[np.float64]
I64: TypeAlias = npt.NDArray[np.int64]
Dealer: TypeAlias = Literal["me", "opponent"]

MOST = 258
"""The most points of a deal: big gin, 31, against 98 of deadwood, doubled."""
EXACT = 250
"""Scores are tabulated as far as both players need at most so many points."""
SIDES = ("dealer", "other")
KINDS = ("knock", "undercut", "gin", "big_gin")
"""How a deal can be won."""
I_DEAL, THEY_DEAL = 0, 1

# Who deals after a deal that I won, and after one that they won, by who dealt it.
_NEXT: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "winner": ((I_DEAL, I_DEAL), (THEY_DEAL, THEY_DEAL)),
    "loser": ((THEY_DEAL, THEY_DEAL), (I_DEAL, I_DEAL)),
    "alternate": ((THEY_DEAL, I_DEAL), (THEY_DEAL, I_DEAL)),
}
# The rules, beside the limit, that change how a deal is played.
_PLAYED = ("wall", "wall_size", "big_gin", "undercut_on_tie", "may_discard_taken", "gin_bonus",
           "undercut_bonus")  # fmt: skip
_KERNEL = np.array([1, 4, 6, 4, 1]) / 16  # what one measured deal counts for around its difference


# ------------------------------------------------------------------------- the outcomes of a deal


class _Tally(NamedTuple):
    """Measured deals under one limit: won ones by side, kind and difference; dead ones."""

    won: F64
    dead: int

    @property
    def deals(self) -> float:
        return float(self.won.sum()) + self.dead


class Outcomes(NamedTuple):
    """What one deal comes to: all its endings with a winner, and their chances.

    Attributes
    ----------
    kinds : array of int, shape (n,)
        Indices of `KINDS`.
    points : array of int64, shape (n,)
        What the winner scores, bonuses and multiplier included; 0 for a tie that scores nothing.
    chances : array of float64, shape (2, n)
        That the dealer wins so, and that the other player does. With `dead` they sum to 1.
    dead : float
        The chance of a dead deal.
    """

    kinds: I64
    points: I64
    chances: F64
    dead: float

    @property
    def means(self) -> tuple[float, float]:
        """Mean points a deal, dead ones included, of the dealer and of the other player."""
        dealer, other = self.chances @ self.points
        return float(dealer), float(other)

    def share(self, kind: str) -> tuple[float, float]:
        """The chances that the dealer and that the other player win by a knock, a gin..."""
        dealer, other = self.chances[:, self.kinds == KINDS.index(kind)].sum(axis=1)
        return float(dealer), float(other)


def outcomes(rules: Rules | str) -> Outcomes:
    """The chances of what one deal between equal, strong players comes to.

    Parameters
    ----------
    rules : Rules or str
        The rules, or a preset's name.

    Returns
    -------
    Outcomes

    Notes
    -----
    The measured deals of each knock limit count as often as upcards set it, and a quarter of all
    upcards are spades. The counts of gins and knocks are smoothed over their difference with the
    weights 1 4 6 4 1, so that the table has no teeth; undercuts, which have few differences, are
    not.

    Under rules that are no preset's, the deals of each limit are those of the preset that has such
    a limit and differs in the fewest of the other fields on which play depends; among equals the
    one that these rules started from, or else that with the most deals.

    Examples
    --------
    >>> deal = outcomes("eaai")
    >>> round(float(deal.chances.sum()) + deal.dead, 12)
    1.0
    """
    return _outcomes(as_rules(rules))


@lru_cache(maxsize=64)
def _outcomes(rules: Rules) -> Outcomes:
    won, dead = np.zeros((2, len(KINDS), HIGHEST_DEADWOOD + 1)), 0.0
    limits = Counter(rules.knock_limit(rank) for rank in range(len(RANKS)))
    for limit, ranks in limits.items():
        tally = _nearest(rules, limit)
        share = ranks / len(RANKS) / tally.deals
        won += share * tally.won
        dead += share * tally.dead
    gin = rules.gin_bonus
    bonuses = [0, rules.undercut_bonus, gin, rules.big_gin_bonus if rules.big_gin else gin]
    plain = np.add.outer(bonuses, np.arange(HIGHEST_DEADWOOD + 1))
    if not rules.undercut_on_tie:
        plain[KINDS.index("undercut"), 0] = 0
    kinds = np.repeat(np.arange(len(KINDS)), HIGHEST_DEADWOOD + 1)
    smooth = [[_smooth(*row) for row in zip(KINDS, side, strict=True)] for side in won]
    flat = np.array(smooth).reshape(2, -1)
    return Outcomes(
        np.tile(kinds, 2),
        np.concatenate([plain.ravel(), rules.spade_multiplier * plain.ravel()]),
        np.concatenate([3 / 4 * flat, 1 / 4 * flat], axis=1),
        dead,
    )


def _smooth(kind: str, row: F64) -> F64:
    """Spread each count over its neighbours; at the ends it is thrown back: none is lost."""
    if kind == "undercut":
        return row
    least = 1 if kind == "knock" else 0  # with no difference it is an undercut
    row = row[least:]
    mirrored = np.concatenate([row[1::-1], row, row[:-3:-1]])
    return np.concatenate([np.zeros(least), np.convolve(mirrored, _KERNEL, mode="valid")])


def _nearest(rules: Rules, limit: int) -> _Tally:
    """The measured deals under that limit of the preset most like these rules."""

    def distance(name: str) -> tuple[int, bool, float]:
        preset = PRESETS[name]
        differing = sum(getattr(preset, field) != getattr(rules, field) for field in _PLAYED)
        return differing, name != rules.name, -_MEASURED[name][limit].deals

    name = min((name for name in _MEASURED if limit in _MEASURED[name]), key=distance)
    return _MEASURED[name][limit]


def _measured() -> dict[str, dict[int, _Tally]]:
    """Read outcomes.json: by preset and limit."""
    text = files("okgin_fast").joinpath("outcomes.json").read_text("utf-8")
    return {
        preset: {int(limit): _tally(counts) for limit, counts in limits.items()}
        for preset, limits in json.loads(text)["presets"].items()
    }


def _tally(counts: dict[str, Any]) -> _Tally:
    won = np.zeros((2, len(KINDS), HIGHEST_DEADWOOD + 1))
    for of_side, side in zip(won, SIDES, strict=True):
        for kind, row in counts[side].items():
            of_side[KINDS.index(kind), : len(row)] = row
    return _Tally(won, counts["dead"])


_MEASURED = _measured()  # at once, so that no first decision has to wait for it


# ------------------------------------------------------------------------------ the table of scores


def match_equity(
    rules: Rules | str,
    score: tuple[int, int] = (0, 0),
    dealer: Dealer = "opponent",
) -> float:
    """The chance of winning the match from a score, before a deal.

    Parameters
    ----------
    rules : Rules or str
        The rules, or a preset's name.
    score : pair of int
        Mine first; in Hollywood that of the first game that is open.
    dealer : "me" or "opponent"
        Who deals.

    Returns
    -------
    float

    Raises
    ------
    OkginError
        Rules without a target (`RulesError`), a score that ends a match, or another dealer.

    Examples
    --------
    >>> match_equity("eaai", (40, 65)) < 0.5 < match_equity("eaai", (65, 40))
    True
    >>> chances = match_equity("eaai", (40, 65), "me"), match_equity("eaai", (65, 40), "opponent")
    >>> round(sum(chances), 12)
    1.0
    """
    if dealer not in ("me", "opponent"):
        raise OkginError(f"dealer={quote(dealer)}: must be me or opponent")
    rules = as_rules(rules)
    mine, theirs = _needs(rules, score)
    who = np.array(I_DEAL if dealer == "me" else THEY_DEAL)
    return float(_chance(rules, who, np.array(mine), np.array(theirs)))


def deal_worth(rules: Rules | str, score: tuple[int, int], dealer_is_me: bool) -> F64:
    """The chance of winning the match after this deal, by what it comes to.

    Parameters
    ----------
    rules : Rules or str
        The rules, or a preset's name.
    score : pair of int
        Before the deal, as for `match_equity`.
    dealer_is_me : bool
        Who has dealt this deal.

    Returns
    -------
    array of float64, shape (2 * MOST + 1,)
        At index ``p + MOST`` the chance after I have scored p points, or they -p; 0 is a dead deal.
        It never falls from one to the next. Read-only.

    Raises
    ------
    OkginError
        As for `match_equity`.

    Notes
    -----
    A tie that scores nothing is dealt again, like a dead deal. Not to deal the next deal may be
    worth more than some points, so that the chance falls from one result to one that is slightly
    better: there, both count as what lies between.

    More than `MOST` points, which only changed bonuses or multipliers can bring, count as `MOST`.

    Examples
    --------
    >>> worth = deal_worth("eaai", (90, 40), True)
    >>> float(worth[MOST - 60]), float(worth[MOST + 10])
    (0.0, 1.0)
    >>> bool(0 < worth[MOST - 59] < worth[MOST] < worth[MOST + 9] < 1)
    True
    """
    rules = as_rules(rules)
    return _worth(rules, *_needs(rules, score), I_DEAL if dealer_is_me else THEY_DEAL)


@lru_cache(maxsize=1024)
def _worth(rules: Rules, mine: int, theirs: int, dealer: int) -> F64:
    points = np.arange(-MOST, MOST + 1)
    after_mine, after_theirs = _NEXT[rules.next_dealer]
    deals = np.where(points > 0, after_mine[dealer], after_theirs[dealer])
    deals[MOST] = dealer
    won, lost = np.maximum(points, 0), np.maximum(-points, 0)
    worth = _chance(rules, deals, np.maximum(mine - won, 0), np.maximum(theirs - lost, 0))
    up, down = np.maximum.accumulate(worth), np.minimum.accumulate(worth[::-1])[::-1]
    worth = (up + down) / 2
    worth.flags.writeable = False
    return worth


def _needs(rules: Rules, score: tuple[int, int]) -> tuple[int, int]:
    """How many points both need, mine first."""
    if rules.target is None:
        raise RulesError("target None: a match score needs a target, a single deal has none")
    try:
        mine, theirs = score
    except (TypeError, ValueError):
        mine = theirs = -1
    if not all(type(points) is int and 0 <= points < rules.target for points in (mine, theirs)):
        raise OkginError(
            f"score {quote(score)}: must be two whole numbers from 0 to {rules.target - 1}, mine"
            " first"
        )
    return rules.target - mine, rules.target - theirs


def _chance(rules: Rules, dealer: I64, mine: I64, theirs: I64) -> F64:
    """The chance of winning, by who deals and how many points I need and they need."""
    table = _table(rules)
    last = table.shape[1] - 1
    # A random walk cut to `scale` of its breadth is cut to scale**2 of its length. Of the two needs
    # (total + lead) / 2 and (total - lead) / 2 the larger one then is `last`, unless it is less.
    total, lead = mine + theirs, mine - theirs
    root = np.sqrt(lead**2 + 8.0 * last * total)
    scale = np.minimum((root - np.abs(lead)) / (2 * total), 1.0)
    x = np.clip((scale**2 * total + scale * lead) / 2, np.minimum(mine, 1), last)
    y = np.clip((scale**2 * total - scale * lead) / 2, np.minimum(theirs, 1), last)
    i, j = np.minimum(x.astype(int), last - 1), np.minimum(y.astype(int), last - 1)
    u, v = x - i, y - j
    low = (1 - v) * table[dealer, i, j] + v * table[dealer, i, j + 1]
    high = (1 - v) * table[dealer, i + 1, j] + v * table[dealer, i + 1, j + 1]
    chance: F64 = (1 - u) * low + u * high
    return chance


@lru_cache(maxsize=16)
def _table(rules: Rules) -> F64:
    """The chance of winning, by who deals, how many points I need, and how many they need."""
    assert rules.target is not None
    size = min(rules.target, EXACT)
    table = race(_scored(_outcomes(rules), size), *_NEXT[rules.next_dealer])
    return np.clip(table, 0.0, 1.0)  # sums are rounded


def _scored(deal: Outcomes, most: int) -> F64:
    """The chances that dealer and other score 1, 2... `most` or more points, if anybody does."""
    points = np.minimum(deal.points, most)
    scored = np.stack([np.bincount(points, chances, most + 1) for chances in deal.chances])
    scored[:, 0] = 0.0  # dealt again, like a dead deal
    chances: F64 = scored / scored.sum()
    return chances
