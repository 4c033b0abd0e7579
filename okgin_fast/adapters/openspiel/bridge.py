"""The two engines side by side: the same cards, the same actions, everything compared at each step.

What OpenSpiel 2.0.2 is known to play differently (rules.md) is a `Divergence`. Each has a proof
here: a check that says whether it, and nothing else, explains what was seen. Whatever has none is
an `EnginesDisagreeError` with the whole deal in it. It knows no players: whoever plays chooses
among `Bridge.legal_actions`.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum

from okgin_fast.adapters.openspiel.ids import (
    KNOCK,
    MELD_BASE,
    MELDS,
    PASS,
    Phase,
    State,
    game_of,
    melds_of,
    new_state,
    number_of,
    player_of,
    pyspiel,
    rules_of,
)
from okgin_fast.adapters.openspiel.showdown import defence, knock
from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import deadwood
from okgin_fast.core.spread import spreads
from okgin_fast.deal import Action, Deal, DealResult
from okgin_fast.errors import IllegalActionError, OkginError, RulesError

__all__ = ["Bridge", "Divergence", "EnginesDisagreeError"]

_SHOWS = ("knock", "gin")
_UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


class Divergence(Enum):
    """What OpenSpiel is known to play differently; the value says how.

    Three more of rules.md's list the preset ``open-spiel`` has taken over, so that they make no
    difference: a tie scores nothing, player 0 begins, a card just taken may be thrown back.
    """

    MIN_DEADWOOD_11 = (
        "it refuses a knock: of eleven cards it melds all, then drops the dearest of the rest"
    )
    WALL_PASS = "at two cards in the stock the deal goes on: the next player may pass, for 0-0"
    WALL_KNOCK = "at two cards in the stock the next player may knock with the last throw"
    TAKE_AND_THROW_BACK = (
        "two turns in a row that take the same card and throw it back end the deal"
    )
    FIFTY_UPCARD_DRAWS = "the fiftieth draw from the pile ends the deal"
    RUN_EXTENDED_BY_TWO = "after two cards laid off at one end of a run a third is refused"
    LAYOFF_BEFORE_MELDING = "the defender can lay melds only once he has laid off"


class EnginesDisagreeError(OkginError):
    """The two engines differ and no known divergence explains it; the deal is in the message."""


class Bridge:
    """A deal played on both engines at once.

    Parameters
    ----------
    deal : Deal
        At its start, under the preset ``open-spiel`` or a variant that `rules_of` gives. It is
        played on by `apply`.

    Attributes
    ----------
    deal : Deal
    state : pyspiel.State
    found : Counter of Divergence
        How often each known divergence showed.
    over : bool
        Whether one of the engines, and so the comparison, has come to the end.

    Raises
    ------
    RulesError
        Rules that OpenSpiel does not play.
    IllegalActionError
        A deal that has begun.
    EnginesDisagreeError
        From here on: in anything that is compared.

    Examples
    --------
    >>> bridge = Bridge(Deal("open-spiel", seed=1, dealer=1))
    >>> bridge.legal_actions()
    [Action('take 4H'), Action('pass')]
    >>> bridge.apply(Action("take", "4H"))
    >>> len(bridge.legal_actions()), bridge.over, bridge.found
    (11, False, Counter())
    """

    def __init__(self, deal: Deal) -> None:
        game = game_of(deal.rules)
        if rules_of(game) != deal.rules:
            raise RulesError(
                f"rules {deal.rules.name} with {deal.rules.overrides or 'no overrides'}: "
                "OpenSpiel does not play these, only the preset open-spiel with another "
                "gin_bonus, undercut_bonus or number for knock"
            )
        if deal.actions:
            raise IllegalActionError(f"the deal has begun: {len(deal.actions)} actions are played")
        self.deal = deal
        self.state: State = new_state(game)
        self.found: Counter[Divergence] = Counter()
        self.over = False
        first = 1 - deal.dealer
        for card in [*deal.hand(first), *deal.hand(1 - first), deal.upcard]:
            self.state.apply_action(int(card))
        self._compare()

    def legal_actions(self) -> list[Action]:
        """What may be played now on both engines; nothing once the comparison is over."""
        return [] if self.over else self._common

    def apply(self, action: Action) -> None:
        """Play one of `legal_actions` on both and compare what comes of it.

        Parameters
        ----------
        action : Action
            A knock or gin with or without its spread. Melds and lay-offs on OpenSpiel's side are
            those of our settlement.

        Raises
        ------
        IllegalActionError
            Not legal here, or not there.
        """
        plain = action if action.spread is None else Action(action.kind, action.card)
        if plain not in self.legal_actions():
            raise IllegalActionError(f"{str(action)!r} is not legal on both engines")
        drawn = self.deal.stock[0]
        self.deal.apply(action)
        if action.kind in _SHOWS:
            self._show(action)
            return
        self._play(number_of(action))
        if action.kind == "draw":
            self._play(int(drawn))
        self._compare()

    # -- comparing

    def _compare(self) -> None:
        """Compare everything after an action; sets what may be played next."""
        if self.deal.phase == "over" or self.state.is_terminal():
            self._end()
            return
        mover = self.deal.to_move
        assert mover is not None
        self._check("player", self._other_name(mover), self.state.current_player())
        hands = [self.deal.hand(self._other_name(player)) for player in (0, 1)]
        self._check("hands", hands, [*map(Hand, self.state.hands())])
        self._check("knock limit", self.deal.limit, self.state.knock_card())
        self._check("stock", len(self.deal.stock), self.state.stock_size())
        top = self.state.upcard()
        pile = [*self.state.discard_pile(), *([] if top is None else [top])]
        self._check("pile", [int(card) for card in self.deal.pile], pile)
        self._common = self._compare_actions(self.deal.hand(mover))

    def _compare_actions(self, hand: Hand) -> list[Action]:
        ours = self.deal.legal_actions()
        numbers, theirs = {number_of(action) for action in ours}, set(self.state.legal_actions())
        if numbers - theirs == {KNOCK} and self._refuses_knock(hand):
            self.found[Divergence.MIN_DEADWOOD_11] += 1
            ours = [action for action in ours if action.kind not in _SHOWS]
            numbers.remove(KNOCK)
        self._check("actions", sorted(numbers), sorted(theirs))
        if KNOCK in numbers:
            state = self.state.clone()
            state.apply_action(KNOCK)
            shows = [action for action in ours if action.kind in _SHOWS]
            cards = sorted(action.card for action in shows if action.card is not None)
            self._check("cards to knock with", cards, state.legal_actions())
        return ours

    def _refuses_knock(self, hand: Hand) -> bool:
        """OpenSpiel counts too much in eleven cards: more than in the ten that some throw leaves.

        Its own count of ten cards shows it.
        """
        player = self.state.current_player()
        return bool(
            self.state.deadwood()[player] > self.deal.limit
            and any(_their_deadwood(hand - card) <= self.deal.limit for card in hand)
        )

    def _end(self) -> None:
        """Compare how the deal has ended without a showdown, on one engine at least."""
        self.over = True
        if not self.state.is_terminal():
            self._wall()
        elif self.deal.phase != "over":
            self._endless()
        self._check("returns without a knock", [0.0, 0.0], self.state.returns())

    def _wall(self) -> None:
        """Our deal is dead; OpenSpiel's must be at its wall, and be dead once its player passes."""
        result = self.deal.result
        assert result is not None
        self._check("dead deal", "dead", result.kind)
        self._check("phase", Phase.WALL, self.state.current_phase())
        self._check("stock at the wall", len(self.deal.stock), self.state.stock_size())
        self.found[Divergence.WALL_PASS] += 1
        numbers = self.state.legal_actions()
        seat = self._other_name(self.state.current_player())
        hand = self.deal.hand(seat) | self.deal.pile[-1]
        may_knock = min(deadwood(hand - card) for card in hand) <= self.deal.limit
        if KNOCK in numbers:
            self._check("knock at the wall", may_knock, True)
            self.found[Divergence.WALL_KNOCK] += 1
        elif may_knock:
            self._check("count of eleven", _their_deadwood(hand) > self.deal.limit, True)
            self.found[Divergence.MIN_DEADWOOD_11] += 1
        self._check("actions at the wall", {PASS}, set(numbers) - {KNOCK})
        self._play(PASS)

    def _endless(self) -> None:
        """OpenSpiel has ended a deal that ours would play on."""
        kinds = [(action.kind, action.card) for action in self.deal.actions]
        card = kinds[-1][1]
        offered = kinds[:1] if kinds[0][0] == "take" else kinds[:2]  # the exchange counts apart
        takes = [kind for kind, _ in kinds[len(offered) :]].count("take")
        if kinds[-4:] == [("take", card), ("discard", card)] * 2:
            self.found[Divergence.TAKE_AND_THROW_BACK] += 1
        elif kinds[-1][0] == "take" and takes == 50:
            self.found[Divergence.FIFTY_UPCARD_DRAWS] += 1
        else:
            self._fail("OpenSpiel's deal is over, ours goes on")

    # -- the showdown

    def _show(self, action: Action) -> None:
        """Play OpenSpiel's showdown with the choices of our settlement, and compare the scores."""
        result = self.deal.result
        assert result is not None
        assert result.spread is not None
        assert result.layoff is not None
        assert action.card is not None
        start, throw, *lay = knock(action.card, result.spread.melds)
        self._play(start)
        self._play(throw)
        self._compare_melds(result)
        for number in lay:
            self._play(number)
        gin = result.knocker_deadwood == 0
        self._check("no lay-offs (gin)", gin, self.state.finished_layoffs())
        if not gin:
            self._compare_layoffs()
        for number in defence(result.layoff, gin):
            self._play(number)
        self.over = True
        self._check("end of OpenSpiel's deal", True, self.state.is_terminal())
        self._check("returns", self._returns(result), self.state.returns())

    def _compare_melds(self, result: DealResult) -> None:
        """The melds that the knocker may lay are those of the spreads within the limit."""
        assert result.knocker is not None
        kept = self.deal.hand(result.knocker)
        known = set(MELDS)
        ours = {
            meld
            for spread in spreads(kept, self.deal.limit)
            for meld in spread.melds
            if meld in known
        }
        numbers = [n - MELD_BASE for n in self.state.legal_actions() if n >= MELD_BASE]
        self._check("melds to lay", ours, set(melds_of(numbers)))

    def _compare_layoffs(self) -> None:
        """What may be laid off first, before any meld; and how far a run may grow."""
        knocker = 1 - self.state.current_player()
        hand = Hand(self.state.hands()[1 - knocker])
        chains = [
            chain
            for meld in melds_of(self.state.layed_melds()[knocker])
            for chain in _chains(hand, meld)
        ]
        numbers = set(self.state.legal_actions())
        self._check("cards to lay off", {int(chain[0]) for chain in chains}, numbers - {PASS})
        if deadwood(hand) < hand.points:  # he has a meld and may not lay it yet
            self.found[Divergence.LAYOFF_BEFORE_MELDING] += 1
        for chain in (chain for chain in chains if len(chain) > 2):
            state = self.state.clone()
            for card in chain[:2]:
                state.apply_action(int(card))
            elsewhere = any(other[0] == chain[2] for other in chains)
            self._check("third card", elsewhere, int(chain[2]) in state.legal_actions())
            if not elsewhere:
                self.found[Divergence.RUN_EXTENDED_BY_TWO] += 1

    def _returns(self, result: DealResult) -> list[float]:
        """Our score as OpenSpiel gives it, player 0's first."""
        if result.winner is None:
            return [0.0, 0.0]
        won = self._other_name(result.winner)
        return [float(result.points if player == won else -result.points) for player in (0, 1)]

    # -- helpers

    def _other_name(self, number: int) -> int:
        """The player who sits at a seat, or the seat of a player."""
        return player_of(number, self.deal.dealer)

    def _play(self, number: int) -> None:
        """Play OpenSpiel's action, which must be legal there."""
        if number not in self.state.legal_actions():
            self._fail(f"OpenSpiel does not allow its action {number}")
        self.state.apply_action(number)

    def _check(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            self._fail(f"{what}: {ours} here, {theirs} there")

    def _fail(self, what: str) -> None:
        raise EnginesDisagreeError(
            f"{what}; deal {self.deal.to_json()}; OpenSpiel's history {self.state.history()}"
        )


def _their_deadwood(hand: Hand) -> int:
    """Count a hand as OpenSpiel does."""
    return int(_UTILS.min_deadwood([int(card) for card in hand]))


def _chains(hand: Hand, meld: Hand) -> list[list[Card]]:
    """The cards of a hand that go on a meld by the rules: the fourth of a set, or either end."""
    lowest, highest = min(meld), max(meld)
    if lowest.suit != highest.suit:
        return [[card] for card in hand if card.rank == lowest.rank]
    below = range(lowest - 1, lowest - lowest.rank - 1, -1)
    above = range(highest + 1, highest + 13 - highest.rank)
    return [chain for chain in (_while_in(hand, below), _while_in(hand, above)) if chain]


def _while_in(hand: Hand, cards: range) -> list[Card]:
    chain: list[Card] = []
    for card in cards:
        if card not in hand:
            break
        chain.append(Card(card))
    return chain
