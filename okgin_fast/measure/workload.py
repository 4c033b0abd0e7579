"""The fixed work of ``okgin bench``: its answers make the signature, its speed the rates.

A signature changes exactly when behaviour does. So answers are whole numbers that are the same on
every platform, for every number of threads and version of Python: no float whose last bit may
differ, no text, no time. What an inner part may change and nobody notices (the order of a set, a
digest's value) is not an answer. Hands come from a stream that NumPy has frozen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okgin_fast.advice import advise
from okgin_fast.agents import agent
from okgin_fast.cards import Card
from okgin_fast.core import batch
from okgin_fast.core.action import KINDS
from okgin_fast.core.deal import ENDINGS, PHASES, perft
from okgin_fast.core.meld import deadwood, discards
from okgin_fast.core.rng import Rng
from okgin_fast.core.search import Estimate, Search
from okgin_fast.core.spread import LayOff, Spread, best_spread, spreads
from okgin_fast.deal import Action, Deal, DealResult, View, settle
from okgin_fast.limit import Limit
from okgin_fast.match import MatchResult, play_match
from okgin_fast.rules import PRESETS, Rules

__all__ = ["PARTS", "Part", "signature", "signature_of"]

SEED = 2026
Masks: TypeAlias = NDArray[np.uint64]


class Part(NamedTuple):
    """One of the parts of the work.

    Attributes
    ----------
    name : str
    unit : str
        What its rate counts.
    bulk : callable
        Does the work that is timed, on so many threads: how many units that was, and the answers.
    rest : callable
        Yields the answers that only the signature needs.
    """

    name: str
    unit: str
    bulk: Callable[[int], tuple[int, list[ArrayLike]]]
    rest: Callable[[], Iterator[ArrayLike]]


def signature_of(part: Part, threads: int = 1) -> str:
    """Do all the work of a part and sign its answers.

    Parameters
    ----------
    part : Part
    threads : int
        How many threads share the work; the signature is the same for any number.

    Returns
    -------
    str
        64 bits as 16 hexadecimal digits.
    """
    signed = hashlib.blake2b(digest_size=8)
    for answers in (*part.bulk(threads)[1], *part.rest()):
        numbers = np.asarray(answers, dtype="<i8")
        signed.update(numbers.size.to_bytes(8, "little") + numbers.tobytes())
    return signed.hexdigest()


def signature(parts: Iterable[str]) -> str:
    """Make one signature of those of the parts, in their order.

    Parameters
    ----------
    parts : iterable of str

    Returns
    -------
    str
        64 bits as 16 hexadecimal digits.

    Examples
    --------
    >>> len(signature(["0123456789abcdef", "fedcba9876543210"]))
    16
    """
    return hashlib.blake2b("".join(parts).encode(), digest_size=8).hexdigest()


# --------------------------------------------------------------------------------------- solver

HANDS = 40_000  # more than `batch` leaves to one thread
EVERY = 100  # of so many hands one is for what Python is asked one by one


@cache
def _hands() -> tuple[Masks, Masks]:
    """Hands of ten cards, and the same with one more.

    Half of them uniform; the others dense, from five neighbouring ranks or from two suits, where
    melds collide.
    """
    deck = np.arange(52, dtype=np.uint64)
    ranks = [deck[(deck % 13 >= low) & (deck % 13 < low + 5)] for low in range(9)]
    suits = [deck[(deck // 13 == a) | (deck // 13 == b)] for a in range(4) for b in range(a)]
    dense = [*ranks, *suits]
    stream = np.random.RandomState(SEED)
    ten, eleven = [], []
    for pool, n in [(deck, HANDS // 2), *((pool, HANDS // 2 // len(dense)) for pool in dense)]:
        keys = np.frombuffer(stream.bytes(2 * n * len(pool)), "<u2").reshape(n, len(pool))
        cards = np.uint64(1) << pool[keys.argsort(axis=1, kind="stable")[:, :11]]
        ten.append(np.bitwise_or.reduce(cards[:, :10], axis=1))
        eleven.append(np.bitwise_or.reduce(cards, axis=1))
    return np.concatenate(ten), np.concatenate(eleven)


@cache
def _lay_offs() -> tuple[Masks, Masks]:
    """Defenders, and the melds that each of them faces (none of whose cards they hold)."""
    tens, _ = _hands()
    knockers = [best_spread(int(mask)) for mask in tens[::EVERY]]
    shown = [[meld.mask for meld in knocker.melds] for knocker in knockers if knocker.melds]
    table = np.array([[*melds, 0, 0][:3] for melds in shown], dtype=np.uint64)
    faced = table[np.arange(len(tens)) % len(table)]
    return tens & ~np.bitwise_or.reduce(faced, axis=1), faced


def _solve(threads: int) -> tuple[int, list[ArrayLike]]:
    """Every question that `batch` answers about hands."""
    tens, elevens = _hands()
    defenders, faced = _lay_offs()
    best = batch.best_discard(elevens, None, threads)
    answers: list[ArrayLike] = [
        batch.deadwood(tens, threads),
        *best,
        *batch.best_discard(elevens, best.cards, threads),  # as if that card had just been taken
        batch.spread_deadwood_all_throws(elevens, threads),
        batch.layoff(defenders, faced, threads),
    ]
    return 5 * len(tens), answers


def _solve_singly() -> Iterator[ArrayLike]:
    """Hands of up to thirty cards; arrangements and throws, as Python gets them."""
    tens, elevens = (hands[::EVERY] for hands in _hands())
    yield batch.deadwood(tens | np.roll(tens, 1) | np.roll(tens, 2))
    for ten, eleven in zip(tens, elevens, strict=True):
        for spread in spreads(int(ten)):
            yield _spread_numbers(spread)
        for throw in discards(int(eleven), 10):
            yield [throw.card, throw.deadwood, throw.knock, throw.gin]


def _spread_numbers(spread: Spread) -> list[int]:
    return [*(meld.mask for meld in spread.melds), spread.unmelded.mask, spread.deadwood]


# ---------------------------------------------------------------------------------------- deals

DEALS = 512  # more than `batch` leaves to one thread
STEPPED = 2
PERFT = 7


def _play_out(threads: int) -> tuple[int, list[ArrayLike]]:
    """Random deals under every preset."""
    played = [batch.playouts(rules, DEALS, SEED, threads) for rules in PRESETS.values()]
    return DEALS * len(played), [array for deals in played for array in deals]


def _play_singly() -> Iterator[ArrayLike]:
    """Deals as Python plays them under every preset: actions, showdowns, matches."""
    for rules in PRESETS.values():
        for knocker, defender, upcard in _showdowns():
            may_show = knocker.bit_count() == 10 or rules.big_gin
            if may_show and deadwood(knocker) <= rules.knock_limit(upcard):
                yield _result_numbers(settle(knocker, defender, rules, upcard))
        yield [perft(Deal(rules, SEED + seed), PERFT) for seed in range(STEPPED)]
        for seed in range(STEPPED):
            yield from _stepped(Deal(rules, SEED + seed, dealer=seed % 2), Rng(seed))
        yield _match_numbers(play_match(agent("simple", SEED), agent("gold"), rules, SEED))
    hollywood = Rules.preset("oklahoma-spades", hollywood=True)
    yield _match_numbers(play_match(agent("simple", SEED), agent("gold"), hollywood, SEED))


@cache
def _showdowns() -> list[tuple[int, int, int]]:
    """Knockers of little deadwood, ten cards or eleven, defenders of little, and upcards of ten."""
    tens, elevens = _hands()
    low = tens[batch.deadwood(tens) <= 10]
    knockers = [*elevens[batch.deadwood(elevens) == 0].tolist(), *low.tolist()]
    defenders = np.resize(np.roll(low, len(low) // 2), len(knockers)).tolist()
    shown = []
    for number, (knocker, defender) in enumerate(zip(knockers, defenders, strict=True)):
        free = [
            card for card in range(52) if card % 13 >= 9 and not (knocker | defender) >> card & 1
        ]
        if not knocker & defender:
            shown.append((knocker, defender, free[number % len(free)]))
    return shown


def _stepped(deal: Deal, rng: Rng) -> Iterator[ArrayLike]:
    """Every turn of a random deal: what the mover sees and may do; then how it ended."""
    while deal.to_move is not None:
        legal = deal.legal_actions()
        yield _view_numbers(deal.view(deal.to_move))
        yield [deal.to_move, PHASES.index(deal.phase), *map(_action_number, legal)]
        deal.apply(legal[rng.below(len(legal))])
    if deal.result is not None:
        yield _result_numbers(deal.result)


def _view_numbers(view: View) -> list[int]:
    masks = [cards.mask for cards in (view.hand, view.known, view.refused, view.unseen)]
    return [*masks, *map(int, view.pile), view.limit, view.stock, view.turn]


def _action_number(action: Action) -> int:
    return KINDS.index(action.kind) * 64 + _card_number(action.card)


def _card_number(card: Card | None) -> int:
    return 63 if card is None else int(card)


def _result_numbers(result: DealResult) -> list[int]:
    numbers = (result.winner, result.knocker, result.knocker_deadwood, result.defender_deadwood)
    return [
        ENDINGS.index(result.kind),
        result.points,
        *(-1 if number is None else number for number in numbers),
        *(_spread_numbers(result.spread) if result.spread else []),
        *(_lay_off_numbers(result.layoff) if result.layoff else []),
    ]


def _lay_off_numbers(found: LayOff) -> list[int]:
    laid = [number for card, meld in found.laid_off for number in (int(card), meld)]
    return [found.deadwood, *laid, found.left.mask, *(meld.mask for meld in found.melds)]


def _match_numbers(match: MatchResult) -> list[int]:
    won = -1 if match.winner is None else match.winner
    games = [(*game.scores, *game.boxes, *game.game_bonus, *game.shutout) for game in match.games]
    return [won, match.deals_played, *(number for game in games for number in game)]


# --------------------------------------------------------------------------------------- search

WORLDS = 48
ADVISED = 32
PLAYERS = {"random": {}, "simple": {}, "gold": {}, "expert": {"limit": Limit(rollouts=ADVISED)}}

POSITIONS = (
    "hand=7S8SJSKSAC3CTC2DAH4H upcard=QD seat=1",
    "rules=oklahoma-pagat hand=3S5S6CQC4D7D8DTDQD9H upcard=5H dealer=me seat=1 events=-",
    "rules=oklahoma-pagat hand=2SJSQSAC9CKC4D5D2H3HJH upcard=AC seat=1 events=p",
    "rules=open-spiel hand=AS7STS4C7DQD2H7H9HTH upcard=QH events=-,-",
    "hand=5S6STSJSQSKSACAD3D5H upcard=7C seat=1"
    " events=pJC,sJD,s9H,sTC,s8D,sTH,s7C,sKS,p7D,sTD,sKD,sJH,s7H,sQD,s8H,sKC,sKH,s9S",
    "rules=modern hand=3S6S2C3C5C6C2D3D4D6DAH upcard=5C score=40-65"
    " events=p9H,sJS,sJH,sTC,s8C,sJD,s7C,pQC,s7H,p9S,sKD,s8D,sTD,s8H,s9C,s6C,p",
    "rules=modern hand=AS2S3S4S5C5D5H9DTDJDQD upcard=KH dealer=me events=-,-,sKS,s",
    "rules=straight hand=4S6S7S8S9S3C3DTDJDQD3H upcard=9H dealer=me seat=1"
    " events=-,pQS,sTS,sQH,sQD,p9H,sJH,s8D,p8H,s5H,s6H,sTH,sTC,sKH,s9S,p",
    "rules=oklahoma-bicycle hand=AS5SAC2C3C4C5C2DAH2H4H upcard=6H events=-,pTS,sKD,s9S,sQS,sJS,"
    "sKC,sJH,sTH,s7D,sTD,s6C,s9C,sJC,s8D,p6H,sQH,sQC,s7C,s7S,s6D,s5C,p",
    "rules=eaai hand=8SAC3C6C3D4DAH2H3H4H upcard=8H dealer=me seat=1 score=90-75"
    " events=pQD,sJC,sQC,sJH,sTH,s9D,pKD,s9H,p8D,sQH,sQS",
    "rules=oklahoma-spades hand=3S4SAC3C8C9CTCJC4DAH2H upcard=AH seat=1"
    " events=pKS,sKC,sQS,sTC,pJD,sJH,s9D,s9H,s8S,sKD,s5H,p8C,p",
    "rules=standard hand=2S3SQS2C6CQCADQDAH2H5H upcard=KS"
    " events=-,pQD,pTD,sJC,sJH,s9S,s9C,sTH,s7H,p8D,s9H,s7D,s8S,s8H,sJD,s7H,s",
    "hand=4SACAD2D3D6DAH3H4H5H6H upcard=9C dealer=me events=-,-,sQC,sJS,sJC,sTH,sJD,sQH,sTS,s9S,"
    "sTD,s8S,s9H,s8H,s8D,sKH,sKD,sKC,sJH,s7S,s7C,sKS,sQD,s7D,s6S,s9D,s7H,sQS,s8C,s",
    "rules=standard hand=2S5SAC6CAD3D3H4H5HTH upcard=7H dealer=me events=-,-,s7S,sQD,s9C,sJH,s9D,"
    "sJC,sQH,sTC,s9S,sKC,s9H,sKH,s8D,sKD,sTD,s8H,s8C,s7D,s8S,sJS,s7C,sKS,s6S,sQS,s6D,sQC,s6H,sJD,"
    "s5C,sTS,s5D,sJH,sQH",
)
"""What the search is asked: the first turn, knocks and gins, big gin, late in the deal."""


@cache
def _views() -> tuple[View, ...]:
    return tuple(map(View.from_position, POSITIONS))


def _search(threads: int) -> tuple[int, list[ArrayLike]]:
    """Every legal action of every position, played out in the same worlds."""
    views = _views()
    searches = [Search(view, view.legal_actions(), SEED) for view in views]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda search: search.run(WORLDS), searches))
    answers: list[ArrayLike] = [
        [_tallies(estimate, WORLDS) for estimate in search.estimates()] for search in searches
    ]
    return WORLDS * sum(len(search.candidates) for search in searches), answers


def _tallies(found: Estimate, worlds: int) -> list[int]:
    """The whole numbers behind means and shares; errors are no answers, for they have roots."""
    shares = (found.knock, found.gin, found.undercut, found.lose, found.dead)
    return [round(number * worlds) for number in (found.equity, found.lead, *shares)]


def _decide() -> Iterator[ArrayLike]:
    """Advice in every position, best first, and what each player does there."""
    players = [agent(name, SEED, **options) for name, options in PLAYERS.items()]
    for view in _views():
        advice = advise(view, Limit(rollouts=ADVISED), SEED)
        for one in advice.candidates:
            points = round(one.equity * advice.rollouts)
            yield [_action_number(one.action), points, one.deadwood, one.outs.mask]
        yield [_action_number(player.act(view)) for player in players]


PARTS = (
    Part("solver", "hands", _solve, _solve_singly),
    Part("deals", "deals", _play_out, _play_singly),
    Part("search", "rollouts", _search, _decide),
)
"""All the work, from the bottom up."""
