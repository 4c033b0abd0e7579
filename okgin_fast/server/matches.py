"""A match as one seat sees it: followed from what happens at the table and that seat's own cards.

Nothing here is dealt. After every event the seat's view is made anew from the public history, which
refuses what cannot have happened; the score is kept by `okgin_fast.match.Match`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from okgin_fast.cards import Card, CardsLike, Hand, to_card
from okgin_fast.core.meld import deadwood
from okgin_fast.core.spread import Spread
from okgin_fast.deal import Action, DealResult, View, settle
from okgin_fast.errors import OkginError, PositionError
from okgin_fast.match import Match, MatchResult
from okgin_fast.notation import turns_of
from okgin_fast.protocol import FieldError
from okgin_fast.reasons import last_throw
from okgin_fast.rules import Rules
from okgin_fast.server.texts import names, result_fields

__all__ = ["FollowedMatch"]

DEAL_FIELDS = {"hand", "upcard", "dealer"}
ACTION_FIELDS = {"seat", "card", "shown"}
KINDS = {
    "upcard": ("take", "pass"),
    "draw": ("take", "draw"),
    "throw": ("discard", "knock", "gin", "big gin"),
}
"""What is done in each phase."""


class FollowedMatch:
    """A match that is played somewhere else.

    Parameters
    ----------
    name : str
    rules : Rules
    seat : int
        Whose cards are told.
    dealer : int, optional
        Who deals first, if the rules do not say; the first deal may tell, too.

    Attributes
    ----------
    view : View or None
        What the seat knows of the deal that is being played.

    Raises
    ------
    FieldError
        The rules say that somebody else deals first.
    """

    def __init__(self, name: str, rules: Rules, seat: int, dealer: int | None = None) -> None:
        self.name = name
        self.seat = seat
        self.view: View | None = None
        self._match = Match(rules, seed=0)
        self._dealer: int | None = rules.first_dealer
        self._result: DealResult | None = None
        if dealer is not None:
            self._set_dealer(dealer)

    def tell(self, event: Mapping[str, Any]) -> None:
        """Follow one event: a deal, or an action of either seat.

        Parameters
        ----------
        event : mapping
            The fields of the request ``event``.

        Raises
        ------
        FieldError
            It cannot have happened, or a field is missing or one too many; nothing has changed.
        """
        kind = event["event"].strip().lower()
        wrong = (ACTION_FIELDS if kind == "deal" else DEAL_FIELDS) & event.keys()
        if wrong:
            raise FieldError(min(wrong), f"has no place in the event {kind}")
        if kind == "deal":
            self._deal(event)
            return
        try:
            action = Action.parse(event["event"])
        except OkginError as error:
            raise FieldError("event", f"{error}, or deal") from None
        if self.view is None:
            over = "the match is over" if self._match.over else "no deal is being played: deal"
            raise FieldError("event", f"{action} is not possible: {over}")
        if event.get("seat", self.view.to_move) != self.view.to_move:
            raise FieldError("seat", f"{event['seat']}: it is the turn of seat {self.view.to_move}")
        if action.kind not in KINDS[self.view.phase]:
            allowed = " or ".join(KINDS[self.view.phase])
            raise FieldError("event", f"{action} is not possible: now comes {allowed}")
        if action.kind == "take" and self.view.pile[-1:] != (action.card,):
            raise FieldError("event", f"{action} is not possible: it is not on top of the pile")
        if action.kind in ("knock", "gin", "big gin"):
            self._show(self.view, action, event)
        else:
            self._play(self.view, action, event)

    def state(self) -> dict[str, Any]:
        """Say how the match stands, as the protocol has it."""
        match = self._match
        return {
            "match": self.name,
            "seat": self.seat,
            "rules": match.rules.to_dict(),
            "dealer": self._dealer,
            "scores": match.scores and list(match.scores),
            "games": [{"scores": list(game.scores), "winner": game.winner} for game in match.games],
            "deals": [deal._asdict() for deal in match.deals],
            "deal": None if self.view is None else self._deal_fields(self.view),
            "result": None if self._result is None else result_fields(self._result),
            "over": match.over,
            "final": None if match.result is None else _final_fields(match.result),
        }

    # -- deals

    def _deal(self, event: Mapping[str, Any]) -> None:
        if self.view is not None:
            raise FieldError("event", "deal is not possible: the last deal is not over yet")
        if self._match.over:
            raise FieldError("event", "deal is not possible: the match is over")
        for field in ("hand", "upcard"):
            if field not in event:
                raise FieldError(field, "is missing: a deal has one")
        hand = Hand(event["hand"])
        if len(hand) != 10:
            raise FieldError("hand", f"has {len(hand)} cards: ten are dealt")
        if (upcard := to_card(event["upcard"])) in hand:
            raise FieldError("hand", f"the upcard {upcard} is in it")
        before = self._dealer
        if "dealer" in event:
            self._set_dealer(event["dealer"])
        if self._dealer is None:
            raise FieldError("dealer", "is missing: who deals first is not known yet")
        try:
            self.view = self._view_of(self.seat, hand, upcard, [])
        except OkginError as error:
            self._dealer = before
            raise FieldError("hand", str(error)) from None
        self._result = None

    def _set_dealer(self, dealer: int) -> None:
        """Say who deals; the rules know it from the second deal on, and some from the first."""
        if self._dealer is not None and dealer != self._dealer:
            raise FieldError("dealer", f"{dealer}: by the rules seat {self._dealer} deals")
        self._dealer = self._match.dealer = dealer

    def _view_of(self, seat: int, hand: CardsLike, upcard: Any, turns: list[str]) -> View:
        scores = self._match.scores
        return View.from_position(
            rules=self._match.rules,
            hand=hand,
            upcard=upcard,
            dealer="me" if seat == self._dealer else "opponent",
            seat=seat,
            score=scores and (scores if seat == 0 else scores[::-1]),
            events=turns,
        )

    def _finish(self, result: DealResult) -> None:
        self._match.record(result)
        self._dealer = self._match.dealer
        self._result = result
        self.view = None

    # -- actions

    def _play(self, view: View, action: Action, event: Mapping[str, Any]) -> None:
        """An action after which the deal goes on, or is dead."""
        hand, mine = view.hand, view.to_move == self.seat
        drawn = _drawn(action, event, mine)
        if "shown" in event:
            raise FieldError("shown", f"no hand is shown after {action}")
        if mine:
            if action not in view.legal_actions():
                legal = ", ".join(map(str, view.legal_actions()))
                raise FieldError("event", f"{action} is not possible; legal are {legal}")
            if action.kind == "discard":
                hand -= [action.card]
            elif drawn is not None:
                if action.kind == "draw" and drawn not in view.unseen:
                    raise FieldError("card", f"{drawn} cannot have been drawn: it is in sight")
                hand |= drawn
        try:
            if action.kind == "discard" and last_throw(view):
                self._check_throw(view, action)
                self._finish(DealResult("dead", None, 0, None, None, None, None, None))
                return
            turns = turns_of([*view.actions, action])
            self.view = self._view_of(self.seat, hand, view.upcard, turns)
        except OkginError as error:
            raise FieldError("card" if "card" in event else "event", str(error)) from None

    def _check_throw(self, view: View, action: Action) -> None:
        """The other seat's last throw, with which no position can be made any more."""
        banned = None if view.rules.may_discard_taken else view.taken
        legal = view.to_move == self.seat or action.card in view.unseen | view.known
        if not legal or action.card == banned:
            raise PositionError(f"{action} is not possible")

    def _show(self, view: View, action: Action, event: Mapping[str, Any]) -> None:
        """A knock or gin: the other hand is shown, and the deal is settled."""
        if "card" in event:
            raise FieldError("card", f"no card is drawn with {action}")
        if "shown" not in event:
            raise FieldError("shown", "is missing: after a knock the other seat shows its cards")
        shown, mine = Hand(event["shown"]), view.to_move == self.seat
        size = 11 if action.kind == "big gin" and not mine else 10
        if len(shown) != size:
            raise FieldError("shown", f"has {len(shown)} cards: must be {size}")
        if both := shown & view.hand:
            raise FieldError("shown", f"{both} is in both hands")
        thrown = () if action.card is None else (action.card,)
        turns = turns_of(view.actions)
        other = shown if mine else shown | thrown
        try:
            theirs = self._view_of(1 - self.seat, other, view.upcard, turns)
        except OkginError as error:
            raise FieldError("shown", str(error)) from None
        knocker = view if mine else theirs
        kept, defender = knocker.hand - thrown, theirs.hand if mine else view.hand
        try:
            _check_knock(knocker, action)
            spread = kept if action.spread is None else _spread(kept, action)
            result = settle(spread, defender, view.rules, view.upcard)
        except OkginError as error:
            raise FieldError("event", str(error)) from None
        seat = knocker.seat
        winner = None if result.winner is None else seat ^ result.winner
        self._finish(result._replace(winner=winner, knocker=seat))

    # -- what is told

    def _deal_fields(self, view: View) -> dict[str, Any]:
        return {
            "number": self._match.deals_played + 1,
            "dealer": view.dealer,
            "phase": view.phase,
            "to_move": view.to_move,
            "hand": names(view.hand),
            "upcard": str(view.upcard),
            "limit": view.limit,
            "pile": names(view.pile),
            "taken": None if view.taken is None else str(view.taken),
            "known": names(view.known),
            "refused": names(view.refused),
            "stock": view.stock,
            "turn": view.turn,
            "events": turns_of(view.actions),
            "legal": list(map(str, view.legal_actions())),
            "position": view.position(),
        }


def _drawn(action: Action, event: Mapping[str, Any], mine: bool) -> Card | None:
    """The card that comes into the seat's own hand; the other's is nobody's business."""
    if action.kind == "draw" and mine:
        if "card" not in event:
            raise FieldError("card", "is missing: the card that the seat drew from the stock")
        return to_card(event["card"])
    if "card" in event:
        why = "it is hidden from the seat" if action.kind == "draw" else f"after {action}"
        raise FieldError("card", f"what card was drawn is not to be told: {why}")
    return action.card if mine and action.kind == "take" else None


def _check_knock(knocker: View, action: Action) -> None:
    """Whether the knocker may; a named spread is looked at when it is settled."""
    legal = [(one.kind, one.card) for one in knocker.legal_actions()]
    kinds = ("knock", "gin") if action.kind == "knock" else (action.kind,)
    if not any((kind, action.card) in legal for kind in kinds):
        left = "" if action.card is None else f" and leaves {deadwood(knocker.hand - action.card)}"
        raise PositionError(f"{action} is not possible: the limit is {knocker.limit}{left}")


def _spread(kept: Hand, action: Action) -> Spread:
    """The spread that an action names."""
    melds = action.spread or ()
    unmelded = kept - [card for meld in melds for card in meld]
    if action.kind == "gin" and unmelded:
        raise PositionError(f"{action} is not possible: {unmelded} is in no meld")
    melded = Hand([card for meld in melds for card in meld])
    if strange := melded - kept:
        raise PositionError(f"{action} is not possible: {strange} is not in the hand")
    return Spread(melds, unmelded, unmelded.points)


def _final_fields(result: MatchResult) -> dict[str, Any]:
    return {
        "winner": result.winner,
        "totals": list(result.totals),
        "games": [
            {
                "winner": game.winner,
                "scores": list(game.scores),
                "boxes": list(game.boxes),
                "game_bonus": list(game.game_bonus),
                "shutout": list(game.shutout),
                "totals": list(game.totals),
            }
            for game in result.games
        ],
    }
