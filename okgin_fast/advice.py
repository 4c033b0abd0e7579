"""Advice: every legal action of a seat, ranked, with what it is worth and why.

The expert chooses; then a search of its own, in worlds that had no part in the choice, says what
every action is worth. The reasons come from the hand and from those figures. Nothing here prints.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from okgin_fast.agents.expert import ExpertAgent, match_worth
from okgin_fast.agents.turn import legal_now
from okgin_fast.cards import RANKS, SUITS, Card, Hand
from okgin_fast.core import batch
from okgin_fast.core.belief import sample_hands
from okgin_fast.core.meld import all_melds, deadwood, makes_meld
from okgin_fast.core.rng import checked_seed, derive_seed
from okgin_fast.core.search import Estimate, Search
from okgin_fast.deal import Action, View
from okgin_fast.errors import OkginError
from okgin_fast.limit import Limit, as_limit
from okgin_fast.reasons import best_after_take, last_throw, reason

__all__ = ["Advice", "Candidate", "Opponent", "advise", "outs"]

Masks: TypeAlias = npt.NDArray[np.uint64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Ranked: TypeAlias = list[tuple[Action, Estimate]]

_MELDS_WITH = [[int(m) for m in all_melds() if int(m) >> card & 1] for card in range(52)]

WORDS_MS = 6.0
"""Milliseconds that are left for the words, though never more than half of the time."""
CHOICE, OPPONENT, SURVEYED = 1 / 2, 3 / 5, 3 / 4
"""Shares of the other time: when the choice is made, the opponent looked at, all surveyed."""
FEWEST = 8
"""Worlds that every action is played out in, however short the time."""
CLOSE = 3.0
"""Standard errors by which an action may trail in the survey to be looked at more closely."""
SURVEY = 64
"""Rollouts of the survey, if that is more than a quarter of all."""
STANDS_OUT, BEYOND_CHANCE = 1.5, 3.0
"""How many times the average chance, and standard errors over it, make a card stand out."""
FEW_HANDS, FEWEST_HANDS, MOST_HANDS = 64, 200, 1000
"""Hands that the opponent may hold. As many as rollouts: chances to within 0.035, and 0.015. With a
time as many as it allows, but those few."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One legal action and what it is worth.

    A figure lies within twice its standard error of what endless rollouts would give, 95 times in
    100 (from a few dozen rollouts on; after a single one there is no error). How the players in the
    rollouts differ from those at the table no rollout can tell.

    Attributes
    ----------
    action : Action
        A recommended knock names its spread, if another one than the package's choice is better.
    equity, se : float
        Mean points of the deal for this seat, and the standard error of that mean.
    loss : float
        Points less than the best action; less than 0 where chance alone puts this one ahead, or
        where the match's score makes fewer points worth more.
    loss_se : float or None
        Standard error of the loss, smaller than either equity's: both were played out in the same
        worlds. With a score None: then the chances of the match are compared.
    match, match_se : float or None
        With a score, the chance to win the match and its standard error.
    match_loss, match_loss_se : float or None
        Likewise the chance less than with the best action, and its standard error.
    knock, gin, undercut, lose, dead : float
        Chances to win the deal by a knock, by gin and by undercutting, to lose it, and that nobody
        scores; they sum to 1.
    deadwood : int
        What the hand is left with: after the throw; for ``take`` after the best throw; for
        ``draw`` and ``pass`` as it is.
    outs : Hand
        Unseen cards that, drawn next, would go into a meld and lower the deadwood.
    danger : float or None
        Of a card thrown to him, the chance that the opponent could meld it at once.
    rollouts : int
        How often it was played out; actions that trail clearly are played out less often.
    reason : str
        One plain sentence.
    """

    action: Action
    equity: float
    se: float | None
    loss: float
    loss_se: float | None
    match: float | None
    match_se: float | None
    match_loss: float | None
    match_loss_se: float | None
    knock: float
    gin: float
    undercut: float
    lose: float
    dead: float
    deadwood: int
    outs: Hand
    danger: float | None
    rollouts: int
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Give the fields as JSON has them: the action and the outs as text."""
        return asdict(self) | {"action": str(self.action), "outs": list(map(str, self.outs))}


@dataclass(frozen=True, slots=True)
class Opponent:
    """What the opponent may hold, counted in hands that agree with all that he has shown.

    Attributes
    ----------
    known : Hand
        Cards that he took and still holds.
    likely : tuple of Card
        Unseen cards that stand out, the likeliest first: half as likely again as the average, and
        by more than chance.
    chances : tuple of float
        For each of the 52 cards, by its id, the chance that it is in his hand.
    sets : tuple of float
        For each rank, ace first, the chance that he holds three or four of it.
    runs : tuple of float
        For each suit, in the order of `SUITS`, the chance that he holds a run in it.
    deadwood : float
        His mean deadwood.
    hands : int
        In how many hands.
    """

    known: Hand
    likely: tuple[Card, ...]
    chances: tuple[float, ...]
    sets: tuple[float, ...]
    runs: tuple[float, ...]
    deadwood: float
    hands: int

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON has it: cards, ranks and suits as text; only cards that he may hold."""
        return {
            "known": list(map(str, self.known)),
            "likely": list(map(str, self.likely)),
            "chances": {str(Card(i)): chance for i, chance in enumerate(self.chances) if chance},
            "sets": dict(zip(RANKS, self.sets, strict=True)),
            "runs": dict(zip(SUITS, self.runs, strict=True)),
            "deadwood": self.deadwood,
            "hands": self.hands,
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """All legal actions: the expert's choice, then the others by their worth.

    Attributes
    ----------
    candidates : tuple of Candidate
    rollouts : int
        How often the best was played out, and those that are close to it.
    opponent : Opponent
    """

    candidates: tuple[Candidate, ...]
    rollouts: int
    opponent: Opponent

    @property
    def best(self) -> Candidate:
        """The recommended one."""
        return self.candidates[0]

    def to_dict(self) -> dict[str, Any]:
        """Give the advice as JSON has it."""
        return {
            "best": str(self.best.action),
            "rollouts": self.rollouts,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "opponent": self.opponent.to_dict(),
        }


def advise(view: View, limit: Limit | None = None, seed: int = 0) -> Advice:
    """Rank every legal action of the seat that is to move.

    Parameters
    ----------
    view : View
        With a score, actions are ranked by the chance to win the match, else by points.
    limit : Limit, optional
        By default 200 milliseconds. Half of a time goes into the choice, the rest into what the
        opponent may hold, the figures and the words; rollouts are given to both, choice and
        figures. Less than ten milliseconds are exceeded by some.
    seed : int
        0 to 2**64 - 1; with a limit by rollouts the same seed gives the same advice everywhere, and
        the best is what the expert with that seed and limit does.

    Returns
    -------
    Advice

    Raises
    ------
    IllegalActionError
        It is not this seat's turn.
    OkginError
        The limit is 0 or no limit, or the seed is no seed.

    Examples
    --------
    >>> import okgin_fast as og
    >>> view = og.View.from_position("hand=ASAHAD2S2H2D3S3H3D3CKD upcard=7H")
    >>> advice = og.advise(view, og.Limit(rollouts=100))
    >>> str(advice.best.action), advice.best.deadwood
    ('gin KD', 0)
    """
    start = time.perf_counter()
    limit = Limit(time_ms=200) if limit is None else as_limit(limit)
    legal_now(view)
    if limit.time_ms == 0 or limit.rollouts == 0:
        raise OkginError("no advice: the limit leaves no time for a single rollout")
    if limit.time_ms is not None:
        limit = replace(limit, time_ms=max(limit.time_ms - WORDS_MS, limit.time_ms / 2))
    choice = ExpertAgent(checked_seed(seed), _until(limit, CHOICE)).act(view)
    seed = derive_seed(seed, view.digest())
    masks = np.array([hand.mask for hand in _hands(view, limit, seed, start)], dtype=np.uint64)
    ranked = _appraise(view, choice, limit, seed, start)
    held = _held(masks)
    candidates = [_candidate(view, *pair, ranked, held) for pair in ranked]
    return Advice(tuple(candidates), ranked[0][1].worlds, _opponent(view, masks, held))


def outs(hand: Hand, unseen: Hand) -> Hand:
    """The unseen cards that would go into a meld of ten cards and lower their deadwood.

    Parameters
    ----------
    hand : Hand
        Ten cards.
    unseen : Hand
        Where to look.

    Returns
    -------
    Hand
        Those cards that, drawn, allow a throw and an arrangement with the card in a meld that leave
        less than there is now.

    Examples
    --------
    >>> outs(Hand("5H 6H 2S 9C JD KD TC 8D AC QS"), Hand("4H 7H 7S KC"))
    Hand('4H 7H')
    """
    now = deadwood(hand)
    found = 0
    for card in unseen:
        if makes_meld(hand, card) and _leaves_less(hand.mask | card.mask, card, now):
            found |= card.mask
    return Hand(found)


def _leaves_less(eleven: int, card: Card, than: int) -> bool:
    """Whether a throw from eleven cards can leave less, with `card` in a meld."""
    for meld in _MELDS_WITH[card]:
        rest = eleven & ~meld
        if meld & ~eleven or deadwood(rest) - 10 >= than:  # a throw saves ten points at most
            continue
        if any(deadwood(rest & ~thrown.mask) < than for thrown in Hand(rest)):
            return True
    return False


# ------------------------------------------------------------------------------------- the figures


def _until(limit: Limit, share: float, rollouts: int | None = None) -> Limit:
    """The same limit with a share of the time, and perhaps other rollouts."""
    time_ms = None if limit.time_ms is None else share * limit.time_ms
    return replace(limit, time_ms=time_ms, rollouts=rollouts or limit.rollouts)


def _appraise(view: View, choice: Action, limit: Limit, seed: int, start: float) -> Ranked:
    """What each action is worth, measured against the choice, which comes first.

    A survey plays all of them out and tells which are far behind; the close ones are then compared
    in many more worlds, other ones, so that none of them is favoured by having looked good before.
    If there is no time for that, the survey goes on to the end.
    """
    plain = Action(choice.kind, choice.card)
    others = [action for action in view.legal_actions() if action != plain]
    worth = match_worth(view)

    def play(actions: list[Action], index: int, limit: Limit) -> Search:
        search = Search(view, [plain, *actions], derive_seed(seed, index), worth=worth)
        search.run(min(FEWEST, limit.rollouts or FEWEST))
        limit.run(search, since=start)
        return search

    def found_of(actions: list[Action], search: Search) -> Ranked:
        return list(zip([choice, *actions], search.estimates(), strict=True))

    few = None if limit.rollouts is None else min(limit.rollouts, max(SURVEY, limit.rollouts // 4))
    survey = play(others, 1, _until(limit, SURVEYED, few))
    if survey.worlds < (few or SURVEY):
        limit.run(survey, since=start)
        first, *close = found_of(others, survey)
        return [first, *sorted(close, key=lambda pair: -pair[1].lead)]
    surveyed = found_of(others, survey)[1:]
    far = [(a, found) for a, found in surveyed if found.lead < -CLOSE * found.lead_se]
    behind = [action for action, _ in far]
    near = [action for action in others if action not in behind]
    first, *close = found_of(near, play(near, 2, limit))
    far = [(action, _beside(first[1], found)) for action, found in far]
    return [first, *sorted([*close, *far], key=lambda pair: -pair[1].lead)]


def _beside(best: Estimate, found: Estimate) -> Estimate:
    """An estimate from the survey, put right by what later and longer rollouts gave the best."""
    if best.worth is None or best.worth_se is None:
        equity, se = best.equity + found.lead, math.hypot(best.se, found.lead_se)
        return found._replace(equity=equity, se=se)
    worth, se = best.worth + found.lead, math.hypot(best.worth_se, found.lead_se)
    return found._replace(worth=min(1.0, max(0.0, worth)), worth_se=se)


def _candidate(
    view: View, action: Action, found: Estimate, ranked: Ranked, held: Bools
) -> Candidate:
    """Put what the search found together with what the hand itself shows."""
    best = ranked[0][1]
    kept = _kept(view, action)
    goes_on = action.kind not in ("knock", "gin", "big gin")
    helping = outs(kept, view.unseen) if goes_on else Hand()
    danger = None
    if action.kind == "discard" and not last_throw(view):
        assert action.card is not None
        danger = _can_meld(held, action.card)

    def known(error: float | None) -> float | None:
        return error if found.worlds > 1 else None

    for_match = found.worth is not None
    return Candidate(
        action=action,
        equity=found.equity,
        se=known(found.se),
        loss=best.equity - found.equity,
        loss_se=None if for_match else known(found.lead_se),
        match=found.worth,
        match_se=known(found.worth_se),
        match_loss=0.0 - found.lead if for_match else None,
        match_loss_se=known(found.lead_se) if for_match else None,
        knock=found.knock,
        gin=found.gin,
        undercut=found.undercut,
        lose=found.lose,
        dead=found.dead,
        deadwood=deadwood(kept),
        outs=helping,
        danger=danger,
        rollouts=found.worlds,
        reason=reason(view, action, ranked, helping, danger),
    )


def _kept(view: View, action: Action) -> Hand:
    """The cards held when the turn is over, as far as it can be told now."""
    if action.card is None:
        return view.hand
    return best_after_take(view, action.card) if action.kind == "take" else view.hand - action.card


# ------------------------------------------------------------------------------------ the opponent


def _hands(view: View, limit: Limit, seed: int, start: float) -> list[Hand]:
    """Hands that he may hold: as many as there shall be rollouts, or as there is time for."""
    most = min(max(limit.rollouts or MOST_HANDS, FEWEST_HANDS), MOST_HANDS)
    if limit.time_ms is None:
        return sample_hands(view, most, seed)
    before = time.perf_counter()
    few = sample_hands(view, FEW_HANDS, seed)
    now = time.perf_counter()
    left = start + OPPONENT * limit.time_ms / 1000 - now
    n = min(most, int(FEW_HANDS * left / (now - before)))
    return few if n <= FEW_HANDS else sample_hands(view, n, seed)


def _held(masks: Masks) -> Bools:
    """Which cards the hands hold: by suit, rank and hand."""
    held = masks >> np.arange(len(SUITS) * len(RANKS), dtype=np.uint64)[:, None] & np.uint64(1)
    return held.astype(np.bool_).reshape(len(SUITS), len(RANKS), -1)


def _runs(held: Bools) -> Bools:
    """Whether the hands hold the three cards of a suit that begin at a rank."""
    return held[:, :-2] & held[:, 1:-1] & held[:, 2:]


def _can_meld(held: Bools, card: Card) -> float:
    """In what share of the hands, which lack the card, it would go into a meld."""
    can: Bools = held[:, card.rank].sum(axis=0) >= 2
    for first in range(max(0, card.rank - 2), min(card.rank, len(RANKS) - 3) + 1):
        one, other = (rank for rank in range(first, first + 3) if rank != card.rank)
        can |= held[card.suit, one] & held[card.suit, other]
    return float(can.mean())


def _opponent(view: View, masks: Masks, held: Bools) -> Opponent:
    """Count what the hands hold."""
    n = len(masks)
    chances = held.mean(axis=2).ravel()
    average = (10 - len(view.known)) / max(1, len(view.unseen))
    error = math.sqrt(average * (1 - average) / n)
    enough = max(STANDS_OUT * average, average + BEYOND_CHANCE * error)
    return Opponent(
        known=view.known,
        likely=tuple(
            sorted(
                (card for card in view.unseen if chances[card] > enough),
                key=lambda card: -chances[card],
            )
        ),
        chances=tuple(map(float, chances)),
        sets=tuple(map(float, (held.sum(axis=0) >= 3).mean(axis=1))),
        runs=tuple(map(float, _runs(held).any(axis=1).mean(axis=1))),
        deadwood=float(batch.deadwood(masks).mean()),
        hands=n,
    )
