"""The rules of gin rummy in slow, short Python: the oracle that the fast core is tested against.

Written to be compared with rules.md line by line. It knows cards and rules and nothing else: no
bit masks, no tables, no core. Every meld question is answered by trying each possibility, so it
is meant for hands of up to about 13 cards; `deadwood_of_many` answers one question for any size.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from okgin_fast.cards import Card, parse_cards
from okgin_fast.errors import IllegalActionError
from okgin_fast.rules import Rules

Cards: TypeAlias = frozenset[Card]
Melds: TypeAlias = frozenset[Cards]
Shuffle: TypeAlias = Callable[[list[Card]], list[Card]]

SPADES: Final = 0


# --- melds ---------------------------------------------------------------------------------


def points(cards: Iterable[Card]) -> int:
    """Return the sum of the cards' points: ace 1, 2-10 their number, court cards 10."""
    return sum(min(card.rank + 1, 10) for card in cards)


def is_meld(cards: Collection[Card]) -> bool:
    """Tell whether the cards are a set (3-4 of a rank) or a run (3 or more of a suit in a row).

    Examples
    --------
    >>> is_meld(parse_cards("AC 2C 3C")), is_meld(parse_cards("QC KC AC"))
    (True, False)
    """
    if len(cards) < 3:
        return False
    ranks = sorted(card.rank for card in cards)
    suits = {card.suit for card in cards}
    if len(suits) == 1:
        return ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return len(set(ranks)) == 1 and len(suits) == len(cards)


def all_melds(hand: Iterable[Card]) -> list[Cards]:
    """Return every meld that can be made of the hand's cards.

    Examples
    --------
    >>> from okgin_fast.cards import Hand
    >>> len(all_melds(Hand("3S 4S 5S 6S 6C 6D 6H")))
    8
    """
    cards = sorted(hand)
    melds = []
    for rank in range(13):
        alike = [card for card in cards if card.rank == rank]
        melds += [frozenset(few) for size in (3, 4) for few in combinations(alike, size)]
    for low, high in combinations(cards, 2):
        if low.suit == high.suit and high.rank - low.rank >= 2:
            run = [card for card in cards if low <= card <= high]
            if is_meld(run):
                melds.append(frozenset(run))
    return melds


def arrangements(hand: Iterable[Card]) -> Iterator[Melds]:
    """Yield every set of disjoint melds of the hand, once each, the empty set included."""
    cards = frozenset(hand)
    yield from _arrange(cards, all_melds(cards))


def _arrange(cards: Cards, melds: list[Cards]) -> Iterator[Melds]:
    # The first card is either in no meld, or in just one of those that hold it.
    if not cards:
        yield frozenset()
        return
    first = min(cards)
    yield from _arrange(cards - {first}, melds)
    for meld in melds:
        if first in meld and meld <= cards:
            for others in _arrange(cards - meld, melds):
                yield others | {meld}


def unmelded(hand: Iterable[Card], melds: Iterable[Cards]) -> Cards:
    """Return the cards of the hand that are in none of the melds."""
    return frozenset(hand).difference(*melds)


def deadwood(hand: Iterable[Card]) -> int:
    """Return the least points that an arrangement of the hand leaves outside its melds.

    Examples
    --------
    >>> from okgin_fast.cards import Hand
    >>> deadwood(Hand("AC 4C AD 4D 5H AS 2S 3S 4S 6S"))
    13
    """
    return _deadwood(frozenset(hand))


@lru_cache(maxsize=1 << 18)
def _deadwood(cards: Cards) -> int:
    return min(points(unmelded(cards, melds)) for melds in arrangements(cards))


def spreads(hand: Iterable[Card], limit: int | None = None) -> list[Melds]:
    """Return every arrangement that leaves at most `limit` points (None: the least possible)."""
    cards = frozenset(hand)
    most = deadwood(cards) if limit is None else limit
    return [melds for melds in arrangements(cards) if points(unmelded(cards, melds)) <= most]


def throws(hand11: Iterable[Card]) -> dict[Card, int]:
    """Return for every card of the hand the deadwood that is left when it is thrown."""
    cards = frozenset(hand11)
    return {card: deadwood(cards - {card}) for card in sorted(cards)}


def deadwood_of_many(hand: Iterable[Card]) -> int:
    """Return the deadwood of a hand of any size up to the whole deck.

    From the aces up, the first card left is either deadwood or in one of the melds that it begins.
    Runs of three to five cards do: every longer one is made of these.

    Examples
    --------
    >>> from okgin_fast.cards import Hand
    >>> deadwood_of_many(Hand("AC 4C AD 4D 5H AS 2S 3S 4S 6S"))
    13
    """
    every = [meld for meld in all_melds(hand) if len(meld) <= 5]

    @cache
    def least(cards: Cards) -> int:
        if not cards:
            return 0
        first = min(cards, key=lambda card: (card.rank, card.suit))
        best = points([first]) + least(cards - {first})
        for meld in every:
            if first in meld and meld <= cards:
                best = min(best, least(cards - meld))
        return best

    return least(frozenset(hand))


# --- lay-offs and settlement ---------------------------------------------------------------


def layoff(defender: Iterable[Card], melds: Iterable[Iterable[Card]]) -> int:
    """Return the least deadwood of a defender who arranges and lays off on the knocker's melds.

    Every arrangement of his own cards is tried with every sequence of lay-offs.

    Examples
    --------
    >>> from okgin_fast.cards import Hand
    >>> layoff(Hand("KC 7S 8S"), [Hand("7C 7D 7H"), Hand("4S 5S 6S")])
    10
    """

    @cache
    def least_left(cards: Cards, table: tuple[Cards, ...]) -> int:
        best = points(cards)
        for card, (place, meld) in product(cards, enumerate(table)):
            if is_meld(meld | {card}):
                grown = (*table[:place], meld | {card}, *table[place + 1 :])
                best = min(best, least_left(cards - {card}, grown))
        return best

    cards = frozenset(defender)
    table = tuple(frozenset(meld) for meld in melds)
    return min(least_left(unmelded(cards, own), table) for own in arrangements(cards))


class Settlement(NamedTuple):
    """How a deal ended: the words of `kind` are those of the package's own result."""

    kind: str
    winner: int | None = None
    points: int = 0
    knocker: int | None = None
    knocker_deadwood: int | None = None
    defender_deadwood: int | None = None


def settle(
    kept: Iterable[Card],
    melds: Iterable[Cards],
    defender: Iterable[Card],
    rules: Rules,
    upcard: Card,
    knocker: int = 0,
) -> Settlement:
    """Score a knock with the kept cards (11: big gin) spread in the given melds."""
    kept, melds = frozenset(kept), list(melds)
    k = points(unmelded(kept, melds))
    d = deadwood(defender) if k == 0 else layoff(defender, melds)
    other = 1 - knocker
    if len(kept) == 11:
        kind, winner, score = "big_gin", knocker, rules.big_gin_bonus + d
    elif k == 0:
        kind, winner, score = "gin", knocker, rules.gin_bonus + d
    elif d > k:
        kind, winner, score = "knock", knocker, d - k
    elif d < k or rules.undercut_on_tie:
        kind, winner, score = "undercut", other, rules.undercut_bonus + k - d
    else:
        return Settlement("tie", None, 0, knocker, k, d)
    if upcard.suit == SPADES:
        score *= rules.spade_multiplier
    return Settlement(kind, winner, score, knocker, k, d)


# --- one deal ------------------------------------------------------------------------------


def knock_limit(rules: Rules, upcard: Card) -> int:
    """Return the most deadwood a knocker may keep in a deal with this upcard."""
    if rules.knock != "upcard":
        return rules.knock
    if upcard.rank == 0 and rules.ace == "gin":
        return 0
    return points([upcard])


class ReferenceDeal:
    """One deal, played with plain lists and sets; actions are words, as `take 7H` or `knock KD`.

    Parameters
    ----------
    rules : Rules
        What is played.
    hands : iterable of two iterables of Card
        The ten cards of seat 0 and of seat 1.
    upcard : Card
        The first card of the pile; fixes the knock limit.
    stock : iterable of Card
        The face-down cards in the order in which they will be drawn.
    dealer : int
        The dealer's seat, 0 or 1. The other seat begins.
    shuffle : callable
        Makes the new stock from the old pile under `wall="reshuffle"`.
    """

    def __init__(
        self,
        rules: Rules,
        hands: Iterable[Iterable[Card]],
        upcard: Card,
        stock: Iterable[Card],
        dealer: int = 0,
        shuffle: Shuffle = list,
    ) -> None:
        self.rules = rules
        self.hands = [set(hand) for hand in hands]
        self.upcard = upcard
        self.limit = knock_limit(rules, upcard)
        self.stock = list(stock)
        self.pile = [upcard]
        self.dealer = dealer
        self.shuffle = shuffle
        self.to_move: int | None = 1 - dealer
        self.phase = "upcard"
        self.passes = 0
        self.taken: Card | None = None
        self.turns = 0
        self._knock: tuple[int, Cards, Melds] | None = None

    def clone(self) -> ReferenceDeal:
        """Return an independent copy."""
        twin = ReferenceDeal.__new__(ReferenceDeal)
        twin.__dict__.update(self.__dict__)
        twin.hands = [set(hand) for hand in self.hands]
        twin.stock = list(self.stock)
        twin.pile = list(self.pile)
        return twin

    def legal_actions(self) -> list[str]:
        """Return the words of every legal action (a knock's own spread is left unnamed)."""
        if self.to_move is None:
            return []
        if self.phase == "upcard":
            return [f"take {self.pile[-1]}", "pass"]
        if self.phase == "draw":
            # After two passes the refused upcard is not offered again: passes stays at 2.
            return ["draw"] if self.passes == 2 else [f"take {self.pile[-1]}", "draw"]
        return self._legal_throws(self.hands[self.to_move])

    def _legal_throws(self, hand: set[Card]) -> list[str]:
        actions = []
        for card, left in throws(hand).items():
            if card == self.taken and not self.rules.may_discard_taken:
                continue
            actions.append(f"discard {card}")
            if left == 0:
                actions.append(f"gin {card}")
            elif left <= self.limit:
                actions.append(f"knock {card}")
        if self.rules.big_gin and deadwood(hand) == 0:
            actions.append("big gin")
        return actions

    def apply(self, action: str) -> None:
        """Play the action; refuse it, with nothing changed, when it is not legal.

        A knock may name its spread, as `knock KD: 7S7C7D AS2S3S`; `knock` also does for a gin.
        """
        words, _, named = action.partition(":")
        verb, _, word = words.strip().rpartition(" ")
        if words in ("draw", "pass", "big gin"):
            verb, word = words, ""
        legal = self.legal_actions()
        if words not in legal and not (verb == "knock" and f"gin {word}" in legal):
            raise IllegalActionError(f"{action!r} is not legal: {', '.join(legal)}")
        seat = self.to_move
        assert seat is not None
        match verb:
            case "pass":
                self.passes += 1
                self.to_move = 1 - seat
                self.phase = "draw" if self.passes == 2 else "upcard"
            case "take":
                self.taken = self.pile.pop()
                self._draws(seat, self.taken)
            case "draw":
                self._draws(seat, self.stock.pop(0))
            case "discard":
                self._throws(seat, Card(word))
            case _:
                thrown = {Card(word)} if word else set()
                kept = frozenset(self.hands[seat] - thrown)
                melds = self._spread(kept, verb, named)
                self.hands[seat] -= thrown
                self.pile += thrown
                self._knock = (seat, kept, melds)
                self._end()

    def _draws(self, seat: int, card: Card) -> None:
        self.hands[seat].add(card)
        self.phase = "throw"
        self.passes = 0

    def _throws(self, seat: int, card: Card) -> None:
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.taken = None
        self.turns += 1
        self.to_move, self.phase = 1 - seat, "draw"
        wall_reached = self.rules.wall == "dead" and len(self.stock) <= self.rules.wall_size
        if wall_reached or self.turns == self.rules.turn_limit:
            self._end()
        elif not self.stock:
            self.stock = self.shuffle(self.pile[:-1])
            self.pile = self.pile[-1:]

    def _spread(self, kept: Cards, verb: str, named: str) -> Melds:
        if not named:
            return spreads(kept)[0]
        melds = frozenset(frozenset(parse_cards(meld)) for meld in named.split())
        left = points(unmelded(kept, melds))
        most = self.limit if verb == "knock" else 0
        if melds not in set(arrangements(kept)) or left > most:
            raise IllegalActionError(f"{named.strip()!r} is no spread of at most {most} deadwood")
        return melds

    def _end(self) -> None:
        self.to_move, self.phase, self.taken = None, "over", None

    @property
    def result(self) -> Settlement | None:
        """The settlement of a deal that is over, else None."""
        if self.phase != "over":
            return None
        if self._knock is None:
            return Settlement("dead")
        seat, kept, melds = self._knock
        return settle(kept, melds, self.hands[1 - seat], self.rules, self.upcard, seat)


def perft(deal: ReferenceDeal, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal actions from here.

    Sequences that end the deal earlier are not counted, nor are the spreads a knock may name.
    """
    if depth == 0:
        return 1
    actions = deal.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = deal.clone()
        after.apply(action)
        total += perft(after, depth - 1)
    return total
