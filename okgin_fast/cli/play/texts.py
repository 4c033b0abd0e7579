"""What is said of the table, from what the player may see: views, results, score sheets as text.

Cards are letters and melds stand in brackets; the screen makes symbols and colours of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from okgin_fast.advice import Advice, Candidate
from okgin_fast.cards import Card, Hand
from okgin_fast.core.meld import discards
from okgin_fast.core.spread import Spread, best_spread
from okgin_fast.deal import Deal, DealResult, Event, View
from okgin_fast.match import Match
from okgin_fast.rules import Rules

__all__ = [
    "arranged", "hand_line", "hint", "knock_words", "log", "opponent_line", "outcome", "pile_line",
    "pile_story", "rules", "scores", "sheet", "shown", "told",
]  # fmt: skip

THE_GAME = (
    "Each turn you draw a card and throw one. Collect melds: sets, three or four cards of a rank,"
    " and runs, three or more of a suit in a row; the ace is low.",
    "Cards in no meld are deadwood: an ace counts 1, a jack, queen or king 10, others their"
    " number. Who knocks ends the deal, and the lower deadwood wins it. The other side may first"
    " lay its loose cards off on the knocker's melds.",
)
MORE_HINTS = 3  # other actions that a hint names


def arranged(melds: Iterable[Hand], loose: Iterable[Card]) -> str:
    """Melds in brackets, then loose cards.

    Examples
    --------
    >>> arranged([Hand("AS 2S 3S")], Hand("KD 4H"))
    '[AS 2S 3S] KD 4H'
    """
    return " ".join([*(f"[{meld}]" for meld in melds), *map(str, loose)])


def hand_line(view: View) -> str:
    """The player's cards by melds, and their deadwood."""
    spread = best_spread(view.hand)
    left, after = spread.deadwood, ""
    if len(view.hand) == 11:
        banned = None if view.rules.may_discard_taken else view.taken
        left, after = discards(view.hand, view.limit, banned)[0].deadwood, " after the best throw"
    return f"{arranged(spread.melds, spread.unmelded)}   deadwood {left}{after}"


def opponent_line(view: View) -> str:
    """What is known of the other hand: the cards taken from the pile and not thrown again."""
    more = 10 - len(view.known)
    return f"{view.known} and {more} unknown cards" if view.known else "10 unknown cards"


def pile_line(view: View) -> str:
    """The pile's top, and how much there is below it and in the stock."""
    below = len(view.pile) - 1
    top = f"{view.pile[-1]} on top" if view.pile else "none"
    under = f", {below} under it" if below > 0 else ""
    return f"{top}{under}; stock {view.stock}"


def knock_words(view: View) -> str:
    """The knock limit, with what fixes it."""
    if view.limit == 0:
        limit = "only gin ends the deal"
    else:
        limit = f"knock with {view.limit}" + (" or less" if view.limit > 1 else "")
    upcard = f"{view.upcard}: " if view.rules.knock == "upcard" else ""
    times = view.rules.multiplier(view.upcard)
    return f"{upcard}{limit}" + (f", points x {times}" if times > 1 else "")


def rules(played: Rules) -> list[str]:
    """What is played: the game in two sentences, then these rules."""
    return [f"- {sentence}" for sentence in [*THE_GAME, *played.describe()]]


def scores(match: Match, names: tuple[str, str]) -> str:
    """The score, and what it goes to."""
    target = match.rules.target
    if target is None:
        return "a single deal"
    if match.rules.hollywood:
        games = ", ".join("-".join(map(str, game.scores)) for game in match.games)
        return f"{names[0]}-{names[1]} {games} of {target}"
    first, second = match.games[0].scores
    return f"{names[0]} {first}, {names[1]} {second} of {target}"


def sheet(match: Match, names: tuple[str, str], columns: int) -> list[str]:
    """The lines of the score sheet; Hollywood's games below each other if it is too wide."""
    lines = match.sheet(names).splitlines()
    if not match.rules.hollywood or max(map(len, lines)) <= columns:
        return lines
    rows = [f"{line} ".split(" | ") for line in lines if " |" in line]
    games = [
        f"{row[0]} | {row[game].rstrip()}"
        for game in (1, 2, 3)
        for row in rows
        if any(map(str.strip, row[game : game + 1]))
    ]
    return games + (lines[-1:] if match.over else [])


def told(events: Sequence[Event], names: tuple[str, str]) -> list[str]:
    """What happened, one sentence a turn.

    Examples
    --------
    >>> events = [Event(1, "take", Card("7H")), Event(1, "discard", Card("KD"))]
    >>> told([*events, Event(0, "draw", None)], ("You", "Club"))
    ['Club takes 7H and throws KD.', 'You draw.']
    """
    turns: list[list[str]] = []
    for event in events:
        s = "" if event.seat == 0 and names[0] == "You" else "s"
        card = "" if event.card is None else str(event.card)
        words = {
            "pass": f"pass{s and 'es'}",
            "draw": f"draw{s}",
            "take": f"take{s} {card}",
            "discard": f"throw{s} {card}",
            "knock": f"knock{s}, throwing {card}",
            "gin": f"go{s and 'es'} gin, throwing {card}",
            "big gin": f"lay{s} all eleven cards down: big gin",
        }
        if event.seat is None:
            turns.append(["The stock is used up: the pile is shuffled into a new one"])
        elif event.kind in ("pass", "draw", "take") or not turns:
            turns.append([f"{names[event.seat]} {words[event.kind]}"])
        else:
            turns[-1].append(words[event.kind])
    return [f"{' and '.join(turn)}." for turn in turns]


def log(view: View, names: tuple[str, str]) -> list[str]:
    """All turns of the deal so far."""
    lines = told(view.events, names)
    return [f"{number:3}. {line}" for number, line in enumerate(lines, 1)] or ["Nothing yet."]


def pile_story(view: View, name: str) -> list[str]:
    """The pile from the bottom up, and what the other side did with what lay there."""
    us = view.seat
    cards = " ".join(map(str, view.pile))
    lines = [f"Pile, the top last: {cards}" if cards else "The pile is empty."]
    thrown = [e.card for e in view.events if e.seat == 1 - us and e.kind == "discard" and e.card]
    taken = [e.card for e in view.events if e.seat == 1 - us and e.kind == "take" and e.card]
    if taken:
        still = " ".join(map(str, view.known)) or "none of them"
        lines.append(f"{name} took {' '.join(map(str, taken))} and still has {still}.")
    if thrown:
        lines.append(f"{name} threw {' '.join(map(str, thrown))}.")
    if view.refused:
        lines.append(f"{name} passed up {view.refused}.")
    return lines


# ---------------------------------------------------------------------------------------- the end


def shown(deal: Deal, names: tuple[str, str]) -> list[tuple[str, str]]:
    """What each side has at the end of a deal, the knocker first; labels and texts."""
    result = deal.result
    assert result is not None
    if result.knocker is None or result.spread is None or result.layoff is None:
        return [(names[seat], _held(best_spread(deal.hand(seat)))) for seat in (0, 1)]
    answer, defender = result.layoff, names[1 - result.knocker]
    left = Spread(answer.melds, answer.left, answer.deadwood)
    lines = [(names[result.knocker], _held(result.spread)), (defender, _held(left))]
    laid = [
        f"{' '.join(str(card) for card, place in answer.laid_off if place == number)} on [{meld}]"
        for number, meld in enumerate(result.spread.melds)
        if any(place == number for _, place in answer.laid_off)
    ]
    return [*lines, ("", f"{defender} laid off {' and '.join(laid)}")] if laid else lines


def outcome(deal: Deal, names: tuple[str, str]) -> str:
    """What a finished deal comes to."""
    result = deal.result
    assert result is not None
    if result.winner is None:
        if result.kind == "tie":
            return "Equal deadwood: nobody scores."
        again = "you deal" if names[deal.dealer] == "You" else f"{names[deal.dealer]} deals"
        left = len(deal.stock)
        reason = f"{left} cards are left in the stock" if left else "The stock is used up"
        if deal.rules.wall == "reshuffle":
            reason = f"{deal.rules.turn_limit} turns without a knock"
        return f"{reason}: the deal is dead. Nobody scores, {again} again."
    name = names[result.winner]
    points = "1 point" if result.points == 1 else f"{result.points} points"
    kind = {"gin": "Gin! ", "big_gin": "Big gin! ", "undercut": "Undercut! "}.get(result.kind, "")
    return f"{kind}{name} score{'' if name == 'You' else 's'} {points}: {_sum(deal, result)}."


def _sum(deal: Deal, result: DealResult) -> str:
    """What the points of a deal are made of."""
    rules, left = deal.rules, result.defender_deadwood
    made = {
        "knock": f"{left} - {result.knocker_deadwood}",
        "gin": f"{rules.gin_bonus} + {left}",
        "big_gin": f"{rules.big_gin_bonus} + {left}",
        "undercut": f"{rules.undercut_bonus} + {result.knocker_deadwood} - {left}",
    }[result.kind]
    times = rules.multiplier(deal.upcard)
    return made if times == 1 else f"{times} x ({made})"


def _held(spread: Spread) -> str:
    return f"{arranged(spread.melds, spread.unmelded)}   deadwood {spread.deadwood}"


# ------------------------------------------------------------------------------------------- hints


def hint(advice: Advice) -> list[str]:
    """The best action and why, then some others."""
    best, *others = advice.candidates
    lines = [f"Best: {best.action} ({_worth(best)}). {best.reason}"]
    if others:
        lines.append("Others: " + ", ".join(f"{c.action} {_loss(c)}" for c in others[:MORE_HINTS]))
    return lines


def _worth(candidate: Candidate) -> str:
    points = f"{candidate.equity:+z.1f} points"
    if candidate.match is None:
        return points
    return f"{points}, {candidate.match:.0%} to win the match"


def _loss(candidate: Candidate) -> str:
    if candidate.match_loss is not None:
        return f"({-100 * candidate.match_loss:+z.1f} matches in 100)"
    return f"({-candidate.loss:+z.1f})"
