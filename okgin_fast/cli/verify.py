"""``okgin verify``: whether the deals of a recorded match are the ones that were committed to."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import okgin_fast
from okgin_fast.agents import named
from okgin_fast.cli.parser import Parser, UsageError
from okgin_fast.cli.play import read_record
from okgin_fast.cli.terminal import BOLD, printable, style, write
from okgin_fast.deal import Deal, DealResult
from okgin_fast.errors import OkginError, quote
from okgin_fast.fair import FairDeal, Record, player_seed
from okgin_fast.match import Match
from okgin_fast.measure.players import player

DESCRIPTION = """\
Say whether a recorded match was dealt honestly: each deal is dealt anew from the secret and the
player's word, and must be the one that was committed to and played. The moves of the program are
made anew, too, from what its seat could see.

Exit code 0: honest; 1: not; 2: no record."""
EXAMPLES = """\
examples:
  okgin verify okgin-2026-11-30-201500.jsonl
  okgin verify match.jsonl --commitment 3f2a91c0 --json

Whoever writes the record could have written another one later: compare the commitments with those
that you were shown before the deals, or give them with --commitment (their beginning is enough)."""
SHORTEST = 8  # digits of a commitment that tell it from others


def add_arguments(parser: Parser) -> None:
    """Add what this subcommand takes."""
    parser.add_argument("record", metavar="RECORD", help="the file of a match, as play keeps it")
    parser.add_argument(
        "--commitment",
        metavar="HEX",
        action="append",
        default=[],
        help="one that you were shown: a deal must have it; may be repeated",
    )


class Moves(NamedTuple):
    """What came of making the program's moves anew.

    Attributes
    ----------
    checked : int
        How many were made.
    faults : dict of int to str
        By the number of the deal, the first move that is another one.
    reason : str
        Why they could not be made anew; empty if they were.
    """

    checked: int
    faults: dict[int, str]
    reason: str = ""


def run(args: Namespace) -> int:
    """Check a record and say what was found."""
    record = read_record(Path(args.record))
    shown = [_beginning(text) for text in args.commitment]
    faults = record.faults()
    moves = _moves(record)
    for number, fault in moves.faults.items():
        faults[number - 1].append(fault)
    missing = [
        text
        for text in shown
        if not any(fair.proof.commitment.startswith(text) for fair in record.deals)
    ]
    honest = not any(faults) and not missing
    if args.json:
        write(json.dumps(_to_dict(record, faults, moves, missing, honest)) + "\n")
    else:
        write("\n".join(_lines(record, faults, moves, missing, honest)) + "\n")
    return 0 if honest else 1


def _beginning(text: str) -> str:
    found = text.strip().lower()
    if not re.fullmatch(f"[0-9a-f]{{{SHORTEST},64}}", found):
        raise UsageError(
            f"--commitment {quote(text)}: must be {SHORTEST} to 64 hexadecimal digits, 0-9 and a-f"
        )
    return found


# ------------------------------------------------------------------------------ the moves made anew


def _moves(record: Record) -> Moves:
    """Make the programs' moves anew, each from its seat's view."""
    names = [name for name in record.players if name is not None]
    if not names:
        return Moves(0, {}, "no program played")
    if record.version != okgin_fast.__version__:
        return Moves(0, {}, f"version {quote(record.version)} played, this is another")
    for name in names:
        if named(name.partition(",")[0]) is None:
            return Moves(0, {}, f"{quote(name)} is no player of this package")
        if "time_ms" in name:
            return Moves(0, {}, f"{quote(name)} was cut off by the clock")
        try:
            player(name).make(0)
        except OkginError as error:
            return Moves(0, {}, str(error))
    checked = 0
    wrong: dict[int, str] = {}
    for number, (fair, standing) in enumerate(
        zip(record.deals, record.standings(), strict=True), 1
    ):
        if standing is None:
            return Moves(checked, wrong, f"the score before deal {number} is not known")
        if fair.deal is not None:
            count, fault = _replayed(record, number, fair, fair.deal, standing.scores)
            checked += count
            if fault:
                wrong[number] = fault
    return Moves(checked, wrong)


def _replayed(
    record: Record, number: int, fair: FairDeal, deal: Deal, scores: tuple[int, int] | None
) -> tuple[int, str]:
    """Play a deal again; count the programs' moves, and tell the first that they do not make."""
    again = deal.clone()
    while again.actions:
        again.undo()
    count = 0
    for action in deal.actions:
        seat = again.to_move
        assert seat is not None
        name = record.players[seat]
        if name is not None:
            own = again.clone()
            seed = player_seed(fair.proof.secret, fair.proof.word or "", number)
            score = scores if scores is None or seat == 0 else (scores[1], scores[0])
            own.apply(player(name).make(seed).act(again.view(seat, score)))
            count += 1
            if own.actions[-1] != action:
                return count, f"{name} plays {own.actions[-1]} where the record has {action}"
        again.apply(action)
    return count, ""


# --------------------------------------------------------------------------------------- the report


def _to_dict(
    record: Record, faults: list[list[str]], moves: Moves, missing: list[str], honest: bool
) -> dict[str, object]:
    deals = [
        asdict(fair.proof)
        | {
            "seed": fair.proof.seed,
            "dealt": fair.deal is not None,
            "result": _scored(fair.deal.result) if fair.deal and fair.deal.result else None,
            "faults": wrong,
        }
        for fair, wrong in zip(record.deals, faults, strict=True)
    ]
    match = _match(record)
    return {
        "honest": honest,
        "deals": deals,
        "scores": match and match.scores,
        "over": match and match.over,
        "moves": {"checked": moves.checked, "not_checked": moves.reason or None},
        "missing_commitments": missing,
    }


def _scored(result: DealResult) -> dict[str, object]:
    return {"kind": result.kind, "winner": result.winner, "points": result.points}


def _match(record: Record) -> Match | None:
    """The match after the last deal; None if some deal is none of it."""
    try:
        return record.match()
    except OkginError:
        return None


def _lines(
    record: Record, faults: list[list[str]], moves: Moves, missing: list[str], honest: bool
) -> list[str]:
    lines = []
    for fair, wrong in zip(record.deals, faults, strict=True):
        proof = fair.proof
        word = f", word {quote(proof.word, 110)}" if proof.word else ""
        state = "committed to, not dealt" if fair.deal is None and not fair.problem else "honest"
        lines.append(f"Deal {proof.number}: {'NOT HONEST' if wrong else state}{printable(word)}")
        lines.append(f"  commitment {proof.commitment}")
        if fair.deal is not None:
            lines.append(f"  result     {_result(fair.deal)}")
        lines += [f"  {printable(fault)}" for fault in wrong]
    lines += [f"No deal has the commitment {text}." for text in missing]
    match = _match(record)
    if match is not None:
        lines.append(_score(match, record.players))
    if record.practice:
        lines.append("It was practice: moves could be taken back.")
    if moves.reason:
        lines.append(f"The program's moves are not checked: {printable(moves.reason)}.")
    elif not moves.faults:
        lines.append(f"The program's {moves.checked} moves are those that it makes from its view.")
    count = "1 deal" if len(record.deals) == 1 else f"{len(record.deals)} deals"
    verdict = f"Honest{' shuffles' if moves.reason else ''}: {count}."
    return [*lines, style(verdict if honest else f"Not honest, of {count}.", BOLD)]


def _result(deal: Deal) -> str:
    result = deal.result
    if result is None:
        return "none yet"
    kind = result.kind.replace("_", " ")
    return kind if result.winner is None else f"{kind}, seat {result.winner} scores {result.points}"


def _score(match: Match, players: tuple[str | None, str | None]) -> str:
    """Who sits where, the score, and whether that is the end."""
    scores = match.scores or ("", "")
    seats = [
        f"seat {seat} ({'a person' if name is None else printable(name)}) {score}".strip()
        for seat, (name, score) in enumerate(zip(players, scores, strict=True))
    ]
    return f"{', '.join(seats)}; the match {'is over' if match.over else 'goes on'}."
