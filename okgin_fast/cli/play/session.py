"""A match at the terminal: who is to act, what the player wants, and the file that keeps it all.

The player is seat 0. The program gets a `View` of seat 1, the screen one of seat 0; only this
module holds the deal. After every change the whole match is written, so whatever ends the process
ends at most the line that is being typed.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from okgin_fast.advice import advise
from okgin_fast.cli.hint import Hint
from okgin_fast.cli.play import texts
from okgin_fast.cli.play.moves import (
    ending_title,
    other_ways,
    prompt,
    showdown,
    shown_by,
    wanted,
)
from okgin_fast.cli.play.prompts import HELP, HELP_INDENT, Command, read
from okgin_fast.cli.play.screen import Screen, Style
from okgin_fast.cli.show import rules_title
from okgin_fast.cli.terminal import OutputError, printable
from okgin_fast.deal import Action, Deal, View
from okgin_fast.errors import OkginError, quote
from okgin_fast.fair import FairDeal, Proof, Record, player_seed
from okgin_fast.limit import Limit
from okgin_fast.match import Match
from okgin_fast.measure.files import write_whole
from okgin_fast.measure.players import player
from okgin_fast.rules import PRESETS

__all__ = ["ME", "THEM", "Leave", "Session"]

ME, THEM = 0, 1
HINT_MS = 700
FAIR = (
    "Before each deal the program draws a secret and prints its SHA-256. Then you may type a word"
    " that it cannot guess; the cards follow from both.",
    "After the deal it tells the secret, and anybody can work out the rest: okgin verify FILE does."
    " Write the SHA-256 down if you trust nobody.",
)


class Leave(Exception):  # noqa: N818 (nothing is wrong)
    """The player wants to stop here."""


class Session:
    """A match in play.

    Parameters
    ----------
    record : Record
        A new match, or one to go on with.
    path : Path
        The file that keeps it.
    screen : Screen
    """

    def __init__(self, record: Record, path: Path, screen: Screen) -> None:
        self.record, self.path, self.screen = record, path, screen
        self.opponent = record.players[THEM] or ""
        name = printable(self.opponent.partition(",")[0].rpartition(":")[2])
        self.name = name[:1].upper() + name[1:]
        self.names = ("You", self.name)
        self.label = max(len(self.name), 6) + 2  # columns of what stands before a line
        self.told = 0  # events of the deal that the player knows
        self.drawn = ""  # what he is to be told of his own draw
        self.in_sight = False  # whether the table was shown in this turn

    def run(self) -> None:
        """Play until the match is over.

        Raises
        ------
        Leave
            The player stops, or there is no more input.
        """
        try:
            self._introduce()
            while not self.match.over:
                deal = self._deal_on_table()
                while deal.to_move is not None:
                    (self._move if deal.to_move == ME else self._their_move)(deal)
                self._show_end(deal)
                if self.record.practice and self._takes_back(deal):
                    continue
            self._show_match()
        except EOFError:
            self.screen.say()
            raise Leave from None

    @property
    def match(self) -> Match:
        """The match as it stands after the finished deals."""
        return self.record.match()

    def save(self) -> None:
        """Write the match whole or not at all."""
        try:
            write_whole(self.path, self.record.to_text().encode())
        except OSError as error:
            raise OutputError(error.errno, f"{self.path}: {error.strerror}") from None

    def _replace_last(self, fair: FairDeal) -> None:
        self.record = replace(self.record, deals=(*self.record.deals[:-1], fair))
        self.save()

    # ------------------------------------------------------------------------------ between deals

    def _introduce(self) -> None:
        say = self.screen.say
        rules = self.record.rules
        title = rules_title(replace(rules, target=rules.target or PRESETS[rules.name].target))
        single = ", a single deal" if rules.target is None else ""
        practice = ", practice" if self.record.practice else ""
        say(f"{title}, against {self.name}{single}{practice}", "title", 2, cards=False)
        say("Type help for what you can type, ? for a hint, rules for the rules.", "dim")
        self.screen.raw(f"The match is kept in {self.path}", "dim")
        if self.record.deals and not self.match.over:
            self._score()

    def _deal_on_table(self) -> Deal:
        """The deal in play; if there is none, the next one is committed to and dealt."""
        deals = self.record.deals
        if not deals or (deals[-1].deal is not None and deals[-1].deal.result is not None):
            proof = Proof.of(len(deals) + 1, secrets.token_hex(32))
            self.record = replace(self.record, deals=(*deals, FairDeal(proof)))
            self.save()
        fair = self.record.deals[-1]
        if fair.deal is not None:
            mine = [i for i, event in enumerate(fair.deal.history) if event.seat == ME]
            self.told = mine[-1] + 1 if mine else 0
            return fair.deal
        self._cut(fair.proof)
        deal = self.record.deals[-1].deal
        assert deal is not None
        return deal

    def _cut(self, proof: Proof) -> None:
        """Say the commitment, ask for the player's word, and deal."""
        self.screen.say()
        self.screen.rule(f"Deal {proof.number}")
        self.screen.say("The shuffle is sealed; the SHA-256 of its secret is", "dim")
        self.screen.raw(proof.commitment, "dim")
        while True:
            line = self.screen.ask("Enter deals (or type a word to stir into the shuffle): ")
            try:
                command = _between(line)
                if command is not None:
                    self._inform(command)
                    continue
                proof = proof.stirred(line)
            except OkginError as error:
                self._refuse(error)
                continue
            dealt = replace(self.record, deals=(*self.record.deals[:-1], FairDeal(proof)))
            self.told = 0
            deal = Deal(self.record.rules, proof.seed, dealt.match().dealer)
            self._replace_last(FairDeal(proof, deal))
            return

    def _show_end(self, deal: Deal) -> None:
        self._tell(deal.view(ME))
        self.screen.say()
        result = deal.result
        assert result is not None
        for label, text in texts.shown(deal, self.names):
            self._say(label, text)
        self.screen.say(texts.outcome(deal, self.names), _style(result.winner))
        proof = self.record.deals[-1].proof
        honest = "as sealed" if not self.record.faults()[-1] else "NOT AS SEALED"
        self.screen.say()
        word = f", your word {quote(proof.word)}" if proof.word else ", no word of yours"
        self.screen.say(f"The shuffle was {honest}{word}; the secret was", "dim", cards=False)
        self.screen.raw(proof.secret, "dim")
        if not self.match.over:
            self._score()

    def _takes_back(self, deal: Deal) -> bool:
        """In practice: whether the finished deal goes on from the player's last move."""
        while True:
            line = self.screen.ask("Enter goes on, u takes your last move back: ")
            try:
                command = read(line)
                if command.name == "look":
                    return False
                if command.name == "undo":
                    self._undo(deal)
                    return True
                self._inform(command)
            except OkginError as error:
                self._refuse(error)

    def _show_match(self) -> None:
        self.screen.say()
        self._score()
        file = shlex.quote(str(self.path))
        self.screen.raw(f"Was it fair: okgin verify {file}", "dim")
        self.screen.raw(f"Was it well played: okgin analyse {file}", "dim")

    # ------------------------------------------------------------------------------------- a move

    def _their_move(self, deal: Deal) -> None:
        """Let the program play from what its seat sees."""
        proof = self.record.deals[-1].proof
        seed = player_seed(proof.secret, proof.word or "", proof.number)
        try:
            agent = player(self.opponent).make(seed)
            deal.apply(agent.act(self._view(deal, THEM)), THEM)
        except OutputError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            raise OkginError(
                f"player {quote(self.opponent)} cannot go on: {quote(problem, 200)}"
            ) from None
        self.save()

    def _view(self, deal: Deal, seat: int) -> View:
        score = self.match.scores
        return deal.view(seat, score if seat == ME or score is None else (score[1], score[0]))

    def _move(self, deal: Deal) -> None:
        """Ask until the player has made one move."""
        view = self._view(deal, ME)
        if view.phase == "draw" and len(view.legal_actions()) == 1:
            told = texts.told(view.events[self.told :], self.names)
            self.drawn = " ".join([*told, "You must draw from the stock. "])
            return self._apply(deal, Action("draw"))
        self._show_table(view, full=not self.in_sight)
        while True:
            line = self.screen.ask(prompt(view))
            try:
                command = read(line)
                if command.name == "undo":
                    self._undo(deal)
                    return None
                if not self._inform(command, view):
                    action = self._confirmed(deal, view, wanted(view, command))
                    if action is not None:
                        return self._apply(deal, action)
            except OkginError as error:
                self._refuse(error)

    def _apply(self, deal: Deal, action: Action) -> None:
        """Play the player's move; what he drew is told at once, the rest he knows."""
        before = deal.hand(ME)
        deal.apply(action, ME)
        self.told = len(deal.history)
        self.in_sight = self.in_sight and action.kind in ("draw", "take")
        self.save()
        if action.kind == "draw":
            (card,) = deal.hand(ME) - before
            self.drawn += f"You draw {card}."

    def _undo(self, deal: Deal) -> None:
        """Take back to the player's last choice."""
        if not self.record.practice:
            raise OkginError("moves are taken back in practice only: okgin play --practice")
        before = deal.clone()
        while before.actions:
            before.undo()
            if before.to_move == ME and len(before.legal_actions()) > 1:
                while deal.actions != before.actions:
                    deal.undo()
                self.told, self.in_sight = len(deal.history), False
                self.screen.say("Taken back.", "dim")
                self.save()
                return
        raise OkginError("nothing to take back: you have not moved in this deal")

    def _confirmed(self, deal: Deal, view: View, action: Action) -> Action | None:
        """The action; what ends the deal only if the player says so, shown as he likes."""
        if action.kind not in ("knock", "gin", "big gin"):
            return action
        shown = shown_by(deal, action)
        ways = other_ways(view, action, shown)
        while True:
            for label, text in showdown(view, action, shown, ways):
                self._say(label, text)
            last = f" to {len(ways)}" if len(ways) > 1 else ""
            allowed = f"y or n{f', 1{last} for another way' if ways else ''}"
            line = self.screen.ask(f"{ending_title(action, shown)}? ({allowed}): ")
            answer = line.strip().lower()
            if answer in ("y", "yes"):
                return action
            if answer in ("n", "no", ""):
                return None
            if answer == "quit":
                raise Leave
            if answer.isdecimal() and 1 <= int(answer) <= len(ways):
                other = ways[int(answer) - 1]
                ways[int(answer) - 1], shown = shown, other
                action = Action(action.kind, action.card, other.melds)
            else:
                self._refuse(f"{quote(answer)} is no answer: {allowed}")

    # -------------------------------------------------------------------------------- information

    def _inform(self, command: Command, view: View | None = None) -> bool:
        """Show what was asked for; False if the command is a move."""
        if command.name == "quit":
            raise Leave
        known: dict[str, Callable[[], None]] = {
            "help": self._help,
            "score": self._score,
            "rules": lambda: self._lines(texts.rules(self.record.rules)),
            "fair": self._fair,
        }  # fmt: skip
        if view is not None:
            known |= {
                "look": lambda: self._show_table(view),
                "pile": lambda: self._lines(texts.pile_story(view, self.name)),
                "log": lambda: self._lines(texts.log(view, self.names)),
                "hint": lambda: self._hint(view),
                "hint in full": lambda: self._hint(view, full=True),
            }
        if command.name in known:
            known[command.name]()
            return True
        if view is None:
            raise OkginError("there is no deal on the table now")
        return False

    def _say(self, label: str, text: str) -> None:
        """Print a line about somebody, or about the pile."""
        self.screen.say(f"{label:{self.label}}{text}", "", self.label)

    def _refuse(self, error: OkginError | str) -> None:
        text = str(error)
        self.screen.say(f"{text[:1].upper()}{text[1:].rstrip('.')}.", "bad", 2, cards=False)

    def _lines(self, lines: list[str]) -> None:
        for line in lines:
            self.screen.say(line, "", 2)

    def _help(self) -> None:
        for line in HELP.splitlines():
            self.screen.say(line, "", HELP_INDENT if line.startswith(" ") else 0, cards=False)

    def _score(self) -> None:
        match = self.match
        if match.deals:
            *table, last = texts.sheet(match, self.names, self.screen.columns)
            self.screen.block(table)
            self.screen.block([last], _style(match.winner) if match.over else "")
        else:
            self.screen.say("Nothing is scored yet.")

    def _fair(self) -> None:
        self._lines([*FAIR])
        for fair in self.record.deals[-1:]:
            self.screen.raw(f"Deal {fair.proof.number}: {fair.proof.commitment}")

    def _hint(self, view: View, full: bool = False) -> None:
        advice = advise(view, Limit(time_ms=HINT_MS))
        if full:
            self._lines(Hint(view, advice).lines(self.screen.columns))
        else:
            self._lines(texts.hint(advice))

    def _tell(self, view: View) -> None:
        """What has happened since the player's last move."""
        for line in texts.told(view.events[self.told :], self.names):
            self.screen.say(line, "strong", 2)
        self.told = len(view.events)

    def _show_table(self, view: View, full: bool = True) -> None:
        """The table as the player sees it; not in full: his hand, for the rest is just above."""
        screen = self.screen
        if full:
            number = self.record.deals[-1].proof.number
            dealer = "you dealt" if view.dealer == ME else f"{self.name} dealt"
            score = texts.scores(self.match, self.names)
            screen.say()
            screen.rule(f"Deal {number}", score, texts.knock_words(view), dealer)
            self._tell(view)
            self._say(self.name, texts.opponent_line(view))
            self._say("Pile", texts.pile_line(view))
            self.in_sight = True
        if self.drawn:
            screen.say(self.drawn, "strong")
            self.drawn = ""
        self._say("You", texts.hand_line(view))


def _between(line: str) -> Command | None:
    """A command typed between two deals; None for Enter and for a word to stir in."""
    if line.strip() == "?":
        return Command("help")
    try:
        command = read(line)
    except OkginError:
        return None
    return command if command.name in ("help", "score", "rules", "fair", "quit") else None


def _style(winner: int | None) -> Style:
    return "" if winner is None else "good" if winner == ME else "bad"
