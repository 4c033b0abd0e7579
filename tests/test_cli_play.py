"""``okgin play`` as it is played: at a pseudo-terminal, with all that can end it; and by pipe."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from command import okgin
from helpers import whole_deal

from okgin_fast import Deal, Rules, agent
from okgin_fast.cli import main
from okgin_fast.cli.play import session as module
from okgin_fast.cli.play.screen import Screen
from okgin_fast.deal import Action
from okgin_fast.fair import FairDeal, Proof, Record

pytest.importorskip("pty")  # Windows has none

from pty_terminal import Terminal

SEALED = r"into the shuffle\): $"
ASKS = r"\? $"  # take or draw, throw which card
CONFIRM = r"\(y or n.*\): $"
GOES_ON = r"last move back: $"
ANY = f"{SEALED}|{ASKS}|{CONFIRM}|{GOES_ON}"
RESUME = "okgin play --resume m.jsonl"


def record_of(folder: Path, name: str = "m.jsonl") -> Record:
    return Record.from_text((folder / name).read_text("utf-8"))


def deal_of(folder: Path) -> Deal:
    deal = record_of(folder).deals[-1].deal
    assert deal is not None
    return deal


def typed(action: Action) -> str:
    """How an action is typed."""
    short = {"discard": str(action.card), "knock": f"k {action.card}", "gin": f"g {action.card}"}
    return short.get(action.kind, action.kind[0])


def new(folder: Path, *words: str, **changes: str) -> Terminal:
    return Terminal("play", "--save", "m.jsonl", *words, folder=folder, **changes)


def play_on(terminal: Terminal, folder: Path, until: Callable[[Deal], bool] | None = None) -> None:
    """Play as `gold` does, until a decision is due in a deal that is so, or the match is over."""
    player = agent("gold")
    while True:
        try:
            shown = terminal.wait_for(ANY)
        except EOFError:
            return
        if re.search(ASKS, shown):
            deal = deal_of(folder)
            if until is not None and until(deal):
                return
            terminal.type(typed(player.act(deal.view(0))))
        else:
            terminal.type("y" if re.search(CONFIRM, shown) else "")


def may_end(deal: Deal) -> bool:
    return any(action.kind in ("knock", "gin") for action in deal.legal_actions())


# ------------------------------------------------------------------------------- at the terminal


@pytest.mark.parametrize(
    "words",
    [
        ["--level", "2", "--deals", "1"],
        ["--level", "strong", "--rules", "modern", "--set", "target=30", "--practice"],
        ["--level", "casual", "--rules", "oklahoma-spades", "--set", "hollywood=yes",
         "--set", "target=10"],
    ],
)  # fmt: skip
def test_a_whole_match(tmp_path: Path, words: list[str]) -> None:
    with new(tmp_path, *words) as terminal:
        play_on(terminal, tmp_path)
        code, _ = terminal.ended()
    assert code == 0
    record = record_of(tmp_path)
    match = record.match()
    assert match.over
    sheet = match.sheet(("You", str(record.players[1]).capitalize()))
    assert terminal.text.count(sheet) == 1
    assert record.faults() == [[] for _ in record.deals]
    for fair in record.deals:  # sealed before the cards, told after the end
        sealed = terminal.text.index(fair.proof.commitment)
        told = terminal.text.index(fair.proof.secret)
        assert "deadwood" in terminal.text[sealed:told]
    assert okgin("verify", str(tmp_path / "m.jsonl")).code == 0
    assert okgin("play", "--resume", str(tmp_path / "m.jsonl")).out.count(sheet) == 1
    assert record_of(tmp_path) == record


def test_what_is_always_in_sight(tmp_path: Path) -> None:
    with new(tmp_path, "--rules", "standard", NO_COLOR="1") as terminal:
        terminal.wait_for(SEALED)
        terminal.type("my word")
        table = terminal.wait_for(ASKS)
        deal = deal_of(tmp_path)
        view = deal.view(0)
        dealer = "you dealt" if deal.dealer == 0 else "Club dealt"
        assert f"Deal 1 · You 0, Club 0 of 100 · knock with 10 or less · {dealer}" in table
        assert re.search(
            rf"^Pile +{view.pile[-1].symbol} on top.*; stock {view.stock}$", table, re.M
        )
        (hand,) = re.findall(r"^You {5}(.*?)   deadwood \d+$", table, re.M)
        assert {card.symbol for card in view.hand} == set(re.sub(r"[\[\]]", "", hand).split())
        assert record_of(tmp_path).deals[0].proof.word == "my word"
    assert "\x1b[3" not in terminal.coloured  # no colours, whatever else the line editor does


def test_the_screen_shows_nothing_of_the_other_hand(tmp_path: Path) -> None:
    # Under these rules a deal hardly ever ends so soon.
    with new(tmp_path, "--practice", "--level", "7", "--rules", "straight") as terminal:
        play_on(terminal, tmp_path, lambda deal: len(deal.actions) > 8)
        terminal.type("pile\nlog\nscore\nfair")
        terminal.wait_for(r"^Deal 1: [0-9a-f]{64}$")
        deal = deal_of(tmp_path)
        hidden = {*(deal.hand(1) - deal.view(0).known), *deal.stock}
        seen = set(re.findall(r"\w[♠♣♦♥]", terminal.text))
        assert {card.symbol for card in deal.hand(0)} <= seen
        assert seen.isdisjoint(card.symbol for card in hidden)
        assert record_of(tmp_path).deals[-1].proof.secret not in terminal.text


def test_colours_with_rich(tmp_path: Path) -> None:
    pytest.importorskip("rich")
    with new(tmp_path) as terminal:
        terminal.wait_for(SEALED)
        terminal.type("")
        terminal.wait_for(ASKS)
        (red, *_) = [card for card in deal_of(tmp_path).hand(0) if card.suit > 1]
        assert re.search(rf"\x1b\[[0-9;]*38;5;\d+[0-9;]*m{red.symbol}\x1b\[0m", terminal.coloured)


def test_plain_text_without_rich(tmp_path: Path) -> None:
    (tmp_path / "rich.py").write_text("raise ModuleNotFoundError(name='rich')\n")
    with new(tmp_path, PYTHONPATH=str(tmp_path)) as terminal:
        terminal.wait_for(SEALED)
        terminal.type("")
        assert "deadwood" in terminal.wait_for(ASKS)
        assert not re.search(r"\x1b\[[0-9;]*m", terminal.coloured)


def test_lines_fit_the_window_also_after_it_was_resized(tmp_path: Path) -> None:
    with new(tmp_path, "--rules", "modern", columns=100, NO_COLOR="1") as terminal:
        terminal.wait_for(SEALED)
        terminal.type("")
        table = terminal.wait_for(ASKS)
        assert max(map(len, table.splitlines())) == 100
        for columns in (40, 30, 70):
            terminal.resize(columns)
            terminal.type("")
            lines = terminal.wait_for(r"^──[\s\S]*\? $").splitlines()
            rule = next(i for i, line in enumerate(lines) if line.startswith("──"))
            # The title goes across; where it ends in a word, the space after that is not shown.
            assert max(map(len, lines[rule:-1])) in (columns - 1, columns)
        terminal.resize(40)
        for line, first in (("help", "A card is typed"), ("rules", "- Each turn")):
            terminal.type(line)
            shown = terminal.wait_for(rf"^{first}[\s\S]*\? $")
            lines = shown[shown.index(first) :].splitlines()[:-1]
            assert max(map(len, lines)) <= 40
        assert "  d   draw         draw from the stock\n" in terminal.text
        assert "\n                   back (only with\n" in terminal.text
        terminal.type("quit")
        assert terminal.ended()[0] == 0


AFTER = "the end of the deal"
PROMPTS: dict[str, Callable[[Terminal, Path], None]] = {
    "the word": lambda terminal, _: terminal.wait_for(SEALED) and None,
    "the first choice": lambda terminal, folder: play_on(terminal, folder, lambda deal: True),
    "the throw": lambda terminal, folder: play_on(
        terminal, folder, lambda deal: deal.phase == "throw"
    ),
}


def knock_prompt(terminal: Terminal, folder: Path) -> None:
    play_on(terminal, folder, may_end)
    terminal.type("k")
    terminal.wait_for(CONFIRM)


def practice_prompt(terminal: Terminal, folder: Path) -> None:
    knock_prompt(terminal, folder)
    terminal.type("y")
    terminal.wait_for(GOES_ON)


PROMPTS |= {"the knock": knock_prompt, AFTER: practice_prompt}


@pytest.mark.parametrize("where", PROMPTS)
def test_ctrl_c_and_the_end_of_input_cost_nothing(where: str, tmp_path: Path) -> None:
    # A match so long that the player comes to every prompt.
    with new(tmp_path, "--rules", "eaai", "--set", "target=9999", "--practice") as terminal:
        PROMPTS[where](terminal, tmp_path)
        before = record_of(tmp_path)
        terminal.type("", end="\x03")
        code, shown = terminal.ended()
    assert code == 130
    last = f"okgin play: interrupted: the match is saved, go on with: {RESUME}"
    assert shown.splitlines()[-1] == last
    assert shown.count("--resume") == 1
    assert record_of(tmp_path) == before
    with Terminal("play", "--resume", "m.jsonl", folder=tmp_path) as terminal:
        shown = terminal.wait_for(ANY)
        assert (before.deals[-1].proof.commitment in shown) == (where == "the word")
        now = record_of(tmp_path)
        assert now.deals[: len(before.deals)] == before.deals
        terminal.type("", end="\x04")
        code, shown = terminal.ended()
    assert code == 0
    assert shown.splitlines()[-1] == f"The match is saved. Go on with: {RESUME}"
    assert record_of(tmp_path) == now


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_end_it_as_ctrl_c_does(tmp_path: Path, how: signal.Signals) -> None:
    with new(tmp_path) as terminal:
        terminal.wait_for(SEALED)
        line_by_line = terminal.line_by_line
        terminal.send(how)
        code, shown = terminal.ended()
        # While a line is edited the terminal hands over each key by itself.
        assert (line_by_line, terminal.line_by_line) == (False, True)
    assert code == 130
    assert f"the match is saved, go on with: {RESUME}" in shown
    assert [file.name for file in tmp_path.iterdir()] == ["m.jsonl"]


def test_a_killed_process_costs_nothing_and_a_running_one_is_let_be(tmp_path: Path) -> None:
    with new(tmp_path) as terminal:
        play_on(terminal, tmp_path, lambda deal: len(deal.actions) > 6)
        before = record_of(tmp_path)
        for option in ("--resume", "--save"):
            code, out, err = okgin("play", option, str(tmp_path / "m.jsonl"))
            assert (code, out, err.count("\n")) == (2, "", 1)
            assert "is being played by another process" in err
        terminal.send(signal.SIGKILL)
        assert terminal.ended()[0] == -signal.SIGKILL
    assert record_of(tmp_path) == before
    with Terminal("play", "--resume", "m.jsonl", folder=tmp_path) as terminal:
        terminal.wait_for(ASKS)
        terminal.type("quit")
        assert terminal.ended()[0] == 0
    assert [file.name for file in tmp_path.iterdir()] == ["m.jsonl"]


def test_a_terminal_that_goes_away_costs_nothing(tmp_path: Path) -> None:
    with new(tmp_path) as terminal:
        play_on(terminal, tmp_path, lambda deal: len(deal.actions) > 2)
        before = record_of(tmp_path)
        assert terminal.hang_up() in (1, 130)
    assert record_of(tmp_path) == before
    assert [file.name for file in tmp_path.iterdir()] == ["m.jsonl"]


def test_ctrl_c_while_the_other_side_thinks(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import time\n"
        "class Slow:\n"
        "    def __init__(self, seed=0): pass\n"
        "    def act(self, view): time.sleep(60)\n"
    )
    # Under these rules the player begins.
    with new(tmp_path, "--level", "mine.py:Slow", "--rules", "open-spiel") as terminal:
        terminal.wait_for(SEALED)
        terminal.type("")
        terminal.wait_for(ASKS)
        terminal.type("p")
        while not deal_of(tmp_path).actions:
            time.sleep(0.01)
        terminal.type("", end="\x03")
        code, shown = terminal.ended()
    assert code == 130
    assert f"{RESUME} --level mine.py:Slow" in shown
    assert deal_of(tmp_path).actions == (Action("pass"),)


# ---------------------------------------------------------------------------------------- by pipe

Table = Callable[..., str]


@pytest.fixture
def table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Table:
    """A function that plays lines in a deal with stacked cards, which the player begins."""

    def play(
        lines: str,
        *,
        hand: str = "AS2S3S 7S7D7C 4H5H QD KD",
        other: str = "AC 3C 5C 9C JC 4D 6D 8D TS QS",
        upcard: str = "8H",
        stock: str = "2H",
        rules: str = "eaai",
        practice: bool = False,
        **fields: object,
    ) -> str:
        played = Rules.preset(rules, **fields)
        cards = whole_deal(hand, other, upcard, stock)
        deal = Deal.from_cards(played, dealer=1, **cards)
        proof = Proof.of(1, 64 * "0").stirred("")
        record = Record(played, (None, "club"), "0", practice, (FairDeal(proof, deal),))
        monkeypatch.setattr("sys.stdin", StringIO(lines.replace(" / ", "\n")))
        with pytest.raises(module.Leave):
            module.Session(record, tmp_path / "m.jsonl", Screen()).run()
        return capsys.readouterr().out

    return play


def answers(out: str) -> list[str]:
    """What follows each line that the player typed, up to the next prompt."""
    pieces = re.split(r"[?:] (?=\S+(?: \S+)*\n|\n)", out)[1:]
    return [" ".join(piece.split("\n", 1)[1].split()) for piece in pieces]


FIRST_CHOICE = {
    "d": "You cannot draw now: t (take) or p (pass).",
    "KD": "First t (take) or p (pass), then throw a card.",
    "k": "First t (take) or p (pass), then throw a card.",
    "take 9H": "9H is not on top of the pile, 8H is.",
    "u": "Moves are taken back in practice only: okgin play --practice.",
}
THROW = {
    "d": "You have eleven cards: name the one to throw.",
    "p": "You have eleven cards: name the one to throw.",
    "8H": "8H was just taken from the pile and may not go back this turn.",
    "9h": "You do not hold 9H.",
    "throw": "Name the card to throw.",
    "k": "You cannot knock: the best throw leaves 27, the limit is 10.",
    "k 4H": "You cannot knock: throwing 4H leaves 33, the limit is 10.",
    "gin 4H": "No gin: throwing 4H leaves 33.",
    "b": "Big gin is not played under these rules.",
    "7": "'7' is a rank without a suit: type both, as in 7H.",
    "q": "'q' is a rank without a suit: type both, as in QH.",
    "pil": "'pil' is no card and no command (did you mean pile?).",
    "d 7H": "'d 7H' is no card and no command: type help for what there is.",
    "KD QD": "'KD QD' is no card and no command: type help for what there is.",
    "\x00\x1b[2J": r"'\x00\x1b[2J' is no card and no command: type help for what there is.",
}


@pytest.mark.parametrize(("begin", "expected"), [("", FIRST_CHOICE), ("t / ", THROW)])
def test_bad_input_is_answered_in_one_sentence(
    table: Table, begin: str, expected: dict[str, str]
) -> None:
    out = table(begin + " / ".join(expected))
    for typed_line, answer in expected.items():
        shown = f"? {typed_line}\n{answer}\n"
        assert shown in out.replace("\n  ", " ")
    assert "Traceback" not in out


@pytest.mark.parametrize("line", ["k xx", "k QD 7S7D", "k QD AS2S3S/AS2S3S", "k KD KD", "x" * 5000])
def test_bad_cards_and_melds_are_answered_and_nothing_is_played(
    table: Table, tmp_path: Path, line: str
) -> None:
    hand = "AS2S3S 7S7D7C 4H5H QD 2D"
    out = table(f"t / {line} / quit", hand=hand, upcard="6H")
    assert out.count("Throw which card (k knocks)? ") == 2
    assert deal_of(tmp_path).result is None


def test_a_knock_is_confirmed_and_shown_as_the_player_likes(table: Table, tmp_path: Path) -> None:
    hand = "AS2S3S 7S7D7C 4H5H QD 2D"
    out = table("t / k / n / k QD / maybe / 1 / y", hand=hand, upcard="6H")
    # 2D is loose; without the run of spades it is 1 + 2 + 3 + 2, too, within the limit of 10.
    assert out.count("Shown   [A♠ 2♠ 3♠] [7♠ 7♣ 7♦] [4♥ 5♥ 6♥] 2♦   deadwood 2 (limit 10)") == 3
    assert "Throw Q♦ and knock with 2? (y or n, 1 for another way): maybe" in out
    assert "'maybe' is no answer: y or n, 1 for another way." in out
    assert "Throw Q♦ and knock with 8? (y or n, 1 for another way): y" in out
    result = record_of(tmp_path).deals[0].deal.result  # type: ignore[union-attr]
    assert result is not None
    assert (result.kind, result.knocker_deadwood) == ("knock", 8)
    # The other side lays off on two melds only: not 4S on the run of spades.
    assert "You score" in out


def test_one_can_leave_where_a_knock_is_confirmed(table: Table, tmp_path: Path) -> None:
    table("t / k / quit", hand="AS2S3S 7S7D7C 4H5H QD 2D", upcard="6H")
    assert deal_of(tmp_path).actions == (Action("take", "6H"),)


def test_gin_is_not_forced(table: Table, tmp_path: Path) -> None:
    hand = "AS2S3S 7S7D7C 4H5H QD 7H"
    out = table("t / QD", hand=hand, upcard="6H")
    assert "Throw which card (k knocks, g goes gin)? QD" in out
    assert deal_of(tmp_path).actions[1] == Action("discard", "QD")
    out = table("t / g / y", hand=hand, upcard="6H")
    assert "Throw Q♦ and go gin? (y or n): y" in out
    # AC 3C 5C 9C JC 4D 6D 8D TS QS: no meld.
    assert "Gin! You score 91 points: 25 + 66." in out


def test_big_gin(table: Table, tmp_path: Path) -> None:
    hand = "AS2S3S4S 7S7D7C7H 4H5H"
    out = table("t / b / n / b / y", hand=hand, upcard="6H", rules="modern")
    assert out.count("Big gin? (y or n): ") == 2
    assert "Big gin! You score 97 points: 31 + 66." in out


def test_lay_offs_and_the_sum_of_the_points(table: Table) -> None:
    hand, other = "5C6C7C TS JS AH AD AS 2H 3D", "3C 4C 8C 9C 9S KS QD JD KH QH"
    out = table("t / k 3D / y", hand=hand, other=other, upcard="QS", stock="")
    laid = re.search(r"Club laid off (.*) on \[T♠ J♠ Q♠\] and (.*) on \[5♣ 6♣ 7♣\]\n", out)
    assert laid is not None
    assert [set(cards.split()) for cards in laid.groups()] == [
        {"9♠", "K♠"},
        {"3♣", "4♣", "8♣", "9♣"},
    ]
    assert "You score 38 points: 40 - 2." in out


def test_an_undercut_under_a_spade(table: Table) -> None:
    hand, other = "5C6C7C AH AD AC KS KD KH 9D", "2C 3C 4C 6H 7H 8H TH JH QH 2H"
    words = {"hand": hand, "other": other, "upcard": "4S", "stock": ""}
    out = table("t / k 9D / y", rules="oklahoma-spades", **words)
    assert "Undercut! Club scores 54 points: 2 x (25 + 4 - 2)." in out


def test_when_both_pass_there_is_nothing_to_choose(table: Table) -> None:
    out = table("p")
    assert "\nClub passes. You must draw from the stock. You draw 2♥.\n" in out


def test_practice_takes_moves_back(table: Table, tmp_path: Path) -> None:
    hand = "AS2S3S 7S7D7C 4H5H QD 2D"
    out = table("u / t / u", hand=hand, upcard="6H", practice=True)
    assert "Nothing to take back: you have not moved in this deal." in out
    assert "Taken back." in out
    assert deal_of(tmp_path).actions == ()
    table("t / QD / u", hand=hand, upcard="6H", practice=True)  # and what Club did since
    assert deal_of(tmp_path).actions == (Action("take", "6H"),)


def test_practice_takes_back_the_end_of_a_deal(table: Table, tmp_path: Path) -> None:
    hand = "AS2S3S 7S7D7C 4H5H QD 2D"
    table("t / k / y / score / zz / u", hand=hand, upcard="6H", practice=True)
    assert deal_of(tmp_path).actions == (Action("take", "6H"),)
    table("t / k / y\n\n", hand=hand, upcard="6H", practice=True)
    assert len(record_of(tmp_path).deals) == 2


def test_a_hint_names_the_best_action_and_why(table: Table) -> None:
    out = table("t / ? / ??", hand="AS2S3S 7S7D7C 4H5H QD 7H", upcard="6H")
    assert re.search(r"\? \?\nBest: gin Q♦ .*\n", out)
    assert re.search(r"^action +match +\+- +loss", out, re.MULTILINE)  # the table of okgin hint


def test_the_pile_and_the_turns_can_be_looked_back_on(table: Table) -> None:
    out = table("p / KD / pile / log / rules / score / fair / help / ")
    pile = out[out.index("Pile, the top last: 8♥ K♦") :]
    pile = pile.replace("\n  verify", " verify")
    assert "Club passed up K♦ 8♥." in pile
    for line in ("  1. You pass.", "  2. Club passes.", "  3. You draw and throw K♦."):
        assert line in pile
    for words in ("sets, three or four", "Nothing is scored yet.", "okgin verify", "knock"):
        assert words in pile


def test_words_typed_before_a_deal(tmp_path: Path) -> None:
    lines = f"score\nfair\nhelp\n?\n{'x' * 101}\n d luck \n"
    code, out, err = okgin("play", "--save", str(tmp_path / "m.jsonl"), stdin=lines)
    assert (code, err) == (0, "")
    assert "must be at most 100 characters" in out
    assert record_of(tmp_path).deals[0].proof.word == "d luck"
    assert out.splitlines()[-1].startswith("The match is saved. Go on with: okgin play --resume ")


def test_plain_letters_where_symbols_cannot_be_shown(tmp_path: Path) -> None:
    words = ["play", "--save", str(tmp_path / "m.jsonl"), "--deals", "1"]
    code, out, err = okgin(*words, stdin="gl\u00fcck\npile\n", PYTHONIOENCODING="ascii")
    assert (code, err) == (0, "")
    assert out.isascii()
    assert re.search(r"^-- Deal 1 \| a single deal \| ", out, re.MULTILINE)


# ----------------------------------------------------------------------------------------- usage


def refused(capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    assert main(["play", *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("okgin play: error: ")
    assert err.count("\n") == 1
    return err


BAD_USAGE = [
    (["--level", "wizard"], "'wizard' is no player"),
    (["--level", "8"], "'8' is no player"),
    (["--deals", "2"], "invalid choice: '2'"),
    (["--deals", "1", "--set", "hollywood=yes"], "a single deal has no three games"),
    (["--rules", "chess"], "'chess'"),
    (["--json"], "play is for people"),
    (["--save", "there.jsonl"], "'there.jsonl' is there already"),
    (["--resume", "missing.jsonl"], "there is no such file"),
    (["--resume", "."], "there is no such file"),
    (["--resume", "there.jsonl"], "line 1: 'nonsense' is no JSON"),
    (["--resume", "binary.jsonl"], "it is not text"),
    (["--resume", "there.jsonl", "--rules", "eaai"], "--rules with --resume"),
    (["--resume", "there.jsonl", "--practice"], "--practice with --resume"),
]


@pytest.mark.parametrize(("words", "part"), BAD_USAGE, ids=lambda value: " ".join(value))
def test_bad_usage(
    words: list[str],
    part: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.jsonl").write_text("nonsense\n")
    Path("binary.jsonl").write_bytes(b"\xff\xfe")
    assert part in refused(capsys, *words)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["binary.jsonl", "there.jsonl"]


def test_a_file_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert "No such file" in refused(capsys, "--save", "/no/such/folder/m.jsonl", code=1)


def test_a_match_that_was_tampered_with_does_not_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.jsonl"
    proof = Proof.of(1, 64 * "0").stirred("")
    deal = Deal("eaai", seed=5)
    rules = Rules.preset("eaai")
    path.write_text(Record(rules, (None, "club"), "0", False, (FairDeal(proof, deal),)).to_text())
    assert "deal 1: the cards are not those" in refused(capsys, "--resume", str(path))
    path.write_text(Record(rules, ("club", None), "0").to_text())
    assert "seat 0 must be a person's" in refused(capsys, "--resume", str(path))


def test_a_player_of_ones_own_who_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "class Bold:\n"
        "    def __init__(self, seed=0): pass\n"
        "    def act(self, view): raise ZeroDivisionError('oh')\n"
    )
    words = ["--level", "mine.py:Bold", "--save", "m.jsonl", "--rules", "open-spiel"]
    monkeypatch.setattr("sys.stdin", StringIO("\np\n"))
    assert main(["play", *words]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "'mine.py:Bold' cannot go on: 'ZeroDivisionError: oh'" in err
    assert len(deal_of(tmp_path).actions) == 1  # the player's pass is saved
    # Code that a file names is not run for the file's sake alone.
    assert "must be given again" in refused(capsys, "--resume", "m.jsonl")
    assert "the match has its own" not in refused(
        capsys, "--resume", "m.jsonl", "--level", "mine.py:Other"
    )
