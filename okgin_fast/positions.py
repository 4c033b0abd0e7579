"""Positions: what a seat knows, as ``key=value`` words that a person can type.

The words are read one by one, then compared; whatever is wrong is said at once. How a view is made
is decided here and nowhere else; what can be played is the core's business: a history is played on
a deal made up for it. The words are explained in `okgin_fast.View.from_position`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from itertools import combinations
from typing import Any, Literal, TypeVar

from okgin_fast.cards import DECK, Card, Hand, parse_cards, to_card, to_mask
from okgin_fast.core.action import Action
from okgin_fast.core.deal import Deal
from okgin_fast.core.view import View, exchange
from okgin_fast.errors import OkginError, PositionError, RulesError, quote
from okgin_fast.notation import TURN_FORMS, play_turns, rules_words, turns_of
from okgin_fast.rules import Rules, as_rules, parse_overrides

__all__ = ["position_of", "read_position"]

V = TypeVar("V", bound=View)
T = TypeVar("T")

_WORDS = (
    "rules", "hand", "upcard", "pile", "taken", "known", "refused", "stock", "score", "dealer",
    "seat", "events",
)  # fmt: skip
_RULES = tuple(field.name for field in fields(Rules) if field.name != "name")
_ALLOWED = (*_WORDS, *_RULES)
_NOTHING = Hand()
_KEY = re.compile(r"(?:^|\s)([^\s=]+)\s*=")


def position_of(view: View) -> str:
    """Write a view; see `okgin_fast.View.position`."""
    if view.phase == "over":
        raise PositionError("the deal is over: a position is a point at which somebody is to move")
    words = {
        "hand": view.hand.text(sep=""),
        "upcard": str(view.upcard),
        "dealer": "me" if view.dealer == view.seat else "opponent",
    }
    if view.seat:
        words["seat"] = str(view.seat)
    if view.score:
        words["score"] = "{}-{}".format(*view.score)
    if view.actions or view.to_move != view.seat:
        words["events"] = ",".join(turns_of(view.actions))
    else:
        words["pile"] = "".join(map(str, view.pile))
        words["stock"] = str(view.stock)
        optional = {"taken": view.taken, "known": view.known, "refused": view.refused}
        words |= {
            key: Hand(cards).text(sep="") for key, cards in optional.items() if cards is not None
        }
    rules = " ".join(rules_words(view.rules))
    return " ".join([f"rules={rules}", *(f"{key}={value}" for key, value in words.items())])


def read_position(
    view_type: type[V], position: str | Mapping[str, Any], words: dict[str, Any]
) -> V:
    """Read a position; see `okgin_fast.View.from_position`."""
    read = _Position(position, words)
    view = read.replayed(view_type) if "events" in read.given else read.typed(view_type)
    if view is None or read.faults:
        raise PositionError("; ".join(read.faults))
    return view


class _Position:
    """The words of a position, read and compared; whatever is wrong is added to `faults`."""

    def __init__(self, position: str | Mapping[str, Any], words: dict[str, Any]) -> None:
        self.faults: list[str] = []
        self.given = self._given(position, words)
        self.rules = self._rules()
        self.score = self._read("score", _score)
        target = self.rules and self.rules.target
        if self.score and target and max(self.score) >= target:
            score = "{}-{}".format(*self.score)
            self.faults.append(f"score {score}: must be below the target {target} that ends it")
        self.seat = self._read("seat", _one_of("0", "1")) or 0
        self.dealer = (
            self.seat if self._read("dealer", _one_of("opponent", "me")) else 1 - self.seat
        )
        others = len(self.faults)
        self.hand = self._read("hand", Hand, "the ten cards before the draw, or eleven after it")
        self.upcard = self._read("upcard", to_card, "the first card turned up")
        self.pile = self._read("pile", _in_order)
        self.taken = self._read("taken", to_card)
        self.known = self._read("known", Hand) or _NOTHING
        self.refused = self._read("refused", Hand) or _NOTHING
        self.stock = self._read("stock", _whole)
        self.turns = self._read("events", _tokens) or []
        if self.hand is not None and len(self.hand) not in (10, 11):
            self.faults.append(f"hand has {len(self.hand)} cards: 10 before the draw, 11 after it")
        self.sound = len(self.faults) == others and self.rules is not None

    # -- reading

    def _given(self, position: str | Mapping[str, Any], words: dict[str, Any]) -> dict[str, Any]:
        if isinstance(position, str):
            before, *pieces = _KEY.split(position)
            pairs = [(k.lower(), v.strip()) for k, v in zip(pieces[::2], pieces[1::2], strict=True)]
            if before.strip():
                self.faults.append(
                    f"{quote(before.strip())}: a position is made of key=value words"
                )
        elif isinstance(position, Mapping):
            pairs = list(position.items())
        else:
            raise PositionError(f"{quote(position)} is no position: give text or a mapping")
        given: dict[str, Any] = {}
        for key, value in [*pairs, *words.items()]:
            if key not in _ALLOWED:
                near = get_close_matches(str(key), _ALLOWED, n=1)
                allowed = near or [*_WORDS, "or a field of the rules"]
                ask = "did you mean" if near else "allowed:"
                self.faults.append(f"no word {quote(key)}: {ask} {', '.join(allowed)}")
            elif value is not None and key in given:
                self.faults.append(f"{key}= is given twice")
            elif value is not None:
                given[key] = value
        return given

    def _read(self, key: str, reader: Callable[[Any], T], needed: str = "") -> T | None:
        if key not in self.given:
            if needed:
                self.faults.append(f"{key}= is missing: {needed}")
            return None
        try:
            return reader(self.given[key])
        except OkginError as error:
            self.faults.append(f"{key}: {error}")
            return None

    def _rules(self) -> Rules | None:
        base = self.given.get("rules", "oklahoma")
        changes = {key: value for key, value in self.given.items() if key in _RULES}
        texts = [f"{key}={value}" for key, value in changes.items() if isinstance(value, str)]
        try:
            base = as_rules(base.strip().lower() if isinstance(base, str) else base)
            if not changes:
                return base
            changes |= parse_overrides(texts)
            return Rules.preset(base.name, **{**base.overrides, **changes})
        except RulesError as error:
            self.faults.append(str(error))
            return None

    # -- without the history

    def typed(self, view_type: type[V]) -> V | None:
        """Make the view of words alone; None with faults."""
        hand, upcard, taken, rules = self.hand, self.upcard, self.taken, self.rules
        pile = self.pile
        if pile is None:
            pile = [] if upcard is None or upcard == taken else [upcard]
        self._check_places(pile)
        if not self.sound or hand is None or upcard is None or rules is None:
            return None
        mine_known = hand & {card for card in (upcard, taken) if card is not None}
        stock = 42 - len(hand) - len(pile)
        turn = max(0, len(pile) - 1 + len(self.known) + len(mine_known))
        self._check_counts(hand, pile, stock, turn, rules)

        phase: Literal["upcard", "draw", "throw"] = "throw" if len(hand) == 11 else "draw"
        passes, refused = 0, self.refused
        i_start = self.dealer != self.seat
        if pile == [upcard] and not self.known:  # nobody has taken the upcard
            if phase == "draw":
                passes = 1 if not i_start else 2 if upcard in refused else 0
                phase = "draw" if passes == 2 else "upcard"
            elif not i_start and not rules.may_discard_taken:
                self.faults.append(
                    "dealer=me: with nothing thrown yet, only the other can have drawn"
                )
            if passes or phase == "throw":
                refused |= upcard
        if self.faults:
            return None
        return view_type._of_parts(
            rules, seat=self.seat, dealer=self.dealer, to_move=self.seat, phase=phase,
            passes=passes, turn=turn, hand=hand, upcard=upcard, pile=pile, stock=stock, taken=taken,
            known=self.known, mine_known=mine_known, refused=refused, score=self.score,
        )  # fmt: skip

    def _check_places(self, pile: list[Card]) -> None:
        """Every card is in one place, and what is said of cards fits where they are."""
        hand, upcard, taken = self.hand or _NOTHING, self.upcard, self.taken
        piled = Hand(pile)
        places = {
            "in the hand": hand,
            "in the pile" if "pile" in self.given else "in the pile as the upcard": piled,
            "known to be with the opponent": self.known,
        }
        self.faults += [
            f"{card} is {here} and {there}"
            for (here, some), (there, others) in combinations(places.items(), 2)
            for card in some & others
        ]
        if taken is not None and self.hand is not None:
            if taken not in hand:
                self.faults.append(f"taken {taken} is not in the hand")
            elif len(hand) == 10:
                self.faults.append(f"taken {taken}, but the hand has 10 cards: 11 after a draw")
        if pile and pile != [upcard] and taken is None and pile[-1] in self.refused:
            self.faults.append(f"refused {pile[-1]} is the top card, which the opponent threw")
        if aside := self.refused - piled:
            self.faults.append(f"refused {quote(aside.text())} is not in the pile")
        if len(self.known) > 10:
            self.faults.append(f"known has {len(self.known)} cards: the opponent holds 10")
        # A new stock may hold it.
        lost = self.sound and self.rules is not None and self.rules.wall != "reshuffle"
        if lost and upcard is not None and upcard not in hand | piled | self.known:
            self.faults.append(f"upcard {upcard} is neither in the pile nor in the hand nor known")

    def _check_counts(
        self, hand: Hand, pile: list[Card], stock: int, turn: int, rules: Rules
    ) -> None:
        """The numbers of cards and of turns are those of a deal that is still on."""
        drawn = len(hand) == 11 and self.taken is None
        if self.stock not in (None, stock):
            self.faults.append(
                f"stock {self.stock}: must be {stock}, 52 less {len(hand)} in the hand, {len(pile)}"
                " in the pile and the opponent's 10"
            )
        if not pile and self.taken is None:
            why = "then the top was taken, say taken=" if drawn else "before a draw it has a card"
            self.faults.append(f"pile is empty: {why}")
        wall = 0 if rules.wall == "reshuffle" else rules.wall_size
        if stock + drawn <= wall:
            self.faults.append(
                f"pile has {len(pile)} cards, which leaves {stock} in the stock:"
                f" a turn begins with {wall + 1} at least"
            )
        if turn >= rules.turn_limit:
            self.faults.append(
                f"{turn} turns at least were played: the limit is {rules.turn_limit}"
            )

    # -- with the history

    def replayed(self, view_type: type[V]) -> V | None:
        """Make the view after the events, and compare the other words with it; None with faults."""
        if not self.sound or self.rules is None or self.hand is None or self.upcard is None:
            return None
        try:
            deal = _Retold.of(self.rules, self.upcard, self.dealer)
            play_turns(deal, self.turns)
            deal.show(self.seat, self.hand)
        except OkginError as error:
            self.faults.append(f"events: {error}")
            return None
        view = view_type.of(deal, self.seat, self.score)
        for key in ("pile", "taken", "known", "refused", "stock"):
            if key not in self.given:
                continue
            typed, shown = getattr(self, key), getattr(view, key)
            several = isinstance(shown, (tuple, Hand))
            if typed != (list(shown) if key == "pile" else shown):
                text = " ".join(map(str, shown)) if several else shown
                self.faults.append(
                    f"{key} {quote(self.given[key])}: after these events it is {text}"
                )
        return view


class _Retold(Deal):
    """A deal made up as its public history is told; cards that nobody has seen change places."""

    seen: int
    """Cards in the pile, and cards taken from it that are still held, as a mask."""
    shuffles: list[int]
    """The cards of each shuffle, by which they were dealt or drawn: unseen, one may be exchanged
    for any other unseen one of the same shuffle."""

    @classmethod
    def of(cls, rules: Rules, upcard: Card, dealer: int) -> _Retold:
        """Deal any cards around an upcard."""
        self = cls(rules, _seeds()[upcard], dealer)
        self.seen = upcard.mask
        self.shuffles = [DECK]
        return self

    def apply(self, action: Action | str, seat: int | None = None) -> None:
        """Play an action, with the card thrown in the hand that throws it."""
        action = Action.parse(action) if isinstance(action, str) else action
        if action.kind in ("knock", "gin", "big gin"):
            raise PositionError("that ends the deal; in a position somebody is to move")
        last = False
        if action.kind == "discard" and action.card is not None and self.to_move is not None:
            held = self.hand(self.to_move).mask
            if not held & action.card.mask:
                self._give(self.to_move, action.card, held)
            last = not self.stock
        super().apply(action)
        if action.card is not None:
            self.seen |= action.card.mask
        if last and self.stock:  # shuffled anew
            stock = to_mask(self.stock)
            self.seen &= ~stock
            self.shuffles = [*(cards & ~stock for cards in self.shuffles), stock]

    def show(self, seat: int, hand: Hand) -> None:
        """Let a seat hold these cards now."""
        if self.to_move is None:
            raise PositionError("the deal is dead; in a position somebody is to move")
        held = self.hand(seat)
        if len(held) != len(hand):
            raise PositionError(f"the hand has {len(hand)} cards: by the events it has {len(held)}")
        if gone := (held & self.seen) - hand:
            raise PositionError(f"{gone} was taken and not thrown, but is not in the hand")
        spare = (held - hand).mask
        for card in hand - held:
            spare ^= self._give(seat, card, spare)

    def _give(self, seat: int, card: Card, spare: int) -> int:
        """Put an unseen card into a hand, for one of the spare ones there; return its mask."""
        for shuffled in self.shuffles:
            if shuffled & card.mask:
                spare &= shuffled & ~self.seen
        if self.seen & card.mask or not spare:
            where = "is in the pile" if card in self.pile else "is somewhere else"
            raise PositionError(f"seat {seat} cannot hold {card}: by the events it {where}")
        lowest = spare & -spare
        exchange(self, card, lowest.bit_length() - 1)
        return lowest


@cache
def _seeds() -> dict[Card, int]:
    """A seed for every upcard, of a deal that turns it up."""
    return {Deal("oklahoma", seed).upcard: seed for seed in range(300)}


def _in_order(value: Any) -> list[Card]:
    """Cards in the order given."""
    if isinstance(value, str):
        return parse_cards(value)
    cards = Hand(value)  # each card once
    return [to_card(card) for card in value] if isinstance(value, (list, tuple)) else list(cards)


def _whole(value: Any) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch("[0-9]{1,9}", text):
        raise PositionError(f"{quote(value)} must be a whole number from 0 up")
    return int(text)


def _score(value: Any) -> tuple[int, int]:
    pair = re.split("[-–:]", value) if isinstance(value, str) else value
    try:
        mine, theirs = map(_whole, pair)
    except (TypeError, ValueError):  # no pair, or not of numbers
        raise PositionError(
            f"{quote(value)} must be two whole numbers from 0 up, mine first, such as 40-65"
        ) from None
    return mine, theirs


def _one_of(*options: str) -> Callable[[Any], int]:
    """Make a reader of one of these words, which gives its number."""

    def read(value: Any) -> int:
        word = str(value).strip().lower()
        if word not in options:
            raise PositionError(f"{quote(value)} must be {' or '.join(options)}")
        return options.index(word)

    return read


def _tokens(value: Any) -> list[str]:
    tokens = re.split(r"[,\s]+", value) if isinstance(value, str) else value
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(one, str) for one in tokens):
        raise PositionError(
            f"{quote(value)} must be turns, such as -,sKD,pQH; allowed: {TURN_FORMS}"
        )
    return [token for token in tokens if token]
