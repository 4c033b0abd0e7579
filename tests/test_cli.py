"""What ``okgin`` prints: the structure of its answers, not the figures of a search."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys

import pytest
from command import FAST, HAND, OKGIN, POSITION, TIMEOUT, okgin, plain_environment
from helpers import case

import okgin_fast as og
from okgin_fast.cli import COMMANDS, main
from okgin_fast.cli.table import table
from okgin_fast.rules import PRESETS

ELEVEN = f"{HAND} 8C"


@pytest.fixture
def ask(capsys, monkeypatch):
    """Run a command line in this process and return its output; it must be answered."""

    def run(*words, stdin="", code=0):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        assert main(list(words)) == code
        return capsys.readouterr().out

    return run


def lines_of(text):
    return text.splitlines()


# --- the frame ------------------------------------------------------------------------------


def test_alone_it_prints_help_and_fails():
    done = okgin()
    assert done.code == 2
    assert all(f"  {name}" in done.out for name in COMMANDS)


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help(command):
    done = okgin(*command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: okgin")
    assert ("examples:" in done.out) == bool(command)


def test_version():
    assert okgin("--version") == (0, f"{og.__version__}\n", "")


def test_the_installed_script_is_the_same(environment):
    done = subprocess.run(
        ["okgin", "--version"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == f"{og.__version__}\n"


def test_subcommands_are_imported_only_when_asked_for():
    code = (
        "import sys, okgin_fast.cli; "
        "print([m for m in ('hint', 'melds', 'rules') if f'okgin_fast.cli.{m}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_table_lines_up_and_is_cut_to_the_width():
    rows = [["KD", "3", "the last one"], ["discard 9C", "13", ""]]
    assert table(["throw", "left", "why"], rows, "<><") == [
        "throw       left  why",
        "KD             3  the last one",
        "discard 9C    13",
    ]
    assert max(map(len, table(["throw", "left", "why"], rows, "<><", width=25))) == 25


# --- okgin hint -----------------------------------------------------------------------------


def test_hint_recommends_first_and_then_lists_every_action(ask):
    lines = lines_of(ask("hint", "--hand", HAND, "--upcard", "7S", *FAST))
    assert lines[0] == "oklahoma: knock limit 7 (upcard 7S)"
    assert lines[1] == "Hand: AS 2S 3S | 7C 7D 7H | loose 9C QD KD 4H (deadwood 33)"
    assert re.fullmatch(
        r"Opponent: no card stands out, each of the unseen is his with 24%; deadwood about \d+",
        lines[3],
    )
    assert lines[4] == "To decide: take 7S or pass"
    best = re.fullmatch(r"Best: (take 7S|pass) \([+-]\d+\.\d points\)\. .+\.", lines[6])
    assert best
    header, first, second = lines[8:11]
    assert header.split() == [
        "action", "points", "+-", "loss", "knock", "gin", "under", "lose", "dead", "left", "outs",
        "reason",
    ]  # fmt: skip
    assert first.startswith(best[1])
    assert {first.split("  ")[0], second.split("  ")[0].strip()} == {"take 7S", "pass"}
    assert lines[12].startswith(f"Outs of {best[1]}: ")
    assert lines[13:] == ["20 rollouts of each action"]


def test_hint_tells_the_throws_of_eleven_cards(ask):
    text = ask("hint", f"hand={ELEVEN.replace(' ', '')} upcard=7S pile=7S,2D", *FAST)
    assert "To decide: what to throw\n" in text
    assert "Table: pile 7S 2D (the last is on top), 29 in the stock" in text
    assert sorted(re.findall(r"^discard (..)", text, re.M)) == sorted(ELEVEN.split())


def test_hint_table_lines_up(ask):
    lines = lines_of(ask("hint", f"hand={ELEVEN} upcard=7S", *FAST))
    header = next(line for line in lines if line.startswith("action"))
    rows = [line for line in lines if line.startswith("discard")]
    assert len(rows) == 11
    for name in ("points", "+-", "loss", "knock", "gin", "under", "lose", "dead", "left", "outs"):
        end = header.index(f" {name} ") + 1 + len(name)
        assert all(row[end - 1] != " " and row[end] == " " for row in rows), name
    start = header.index("reason")
    assert all(row[start - 1] == " " != row[start] for row in rows)


def test_hint_with_a_score_tells_the_chance_of_the_match(ask):
    lines = lines_of(ask("hint", f"hand={ELEVEN} upcard=7S score=40-65", *FAST))
    best = next(line for line in lines if line.startswith("Best: "))
    assert re.match(r"Best: discard .. \([+-]\d+\.\d points, \d+\.\d% to win the match\)\. ", best)
    start = next(number for number, line in enumerate(lines) if line.startswith("action"))
    assert lines[start].split()[:6] == ["action", "match", "+-", "loss", "points", "knock"]
    for line in lines[start + 1 : start + 12]:
        assert re.match(r"discard .. +\d+\.\d% +\d+\.\d +-?\d+\.\d +[+-]\d+\.\d +\d+%", line)


def test_hint_tells_what_the_opponent_may_hold(ask):
    line = lines_of(ask("hint", f"hand={ELEVEN} upcard=7S pile=7S,2D,JH known=8H9H", *FAST))[3]
    assert re.fullmatch(
        r"Opponent: holds 8H 9H; likely (.. \d+%(, )?){1,6}(; may have a .+ \d+%.*)?; "
        r"deadwood about \d+",
        line,
    )


def test_hint_tells_a_meld_that_the_opponent_is_known_to_hold(ask):
    line = lines_of(ask("hint", f"hand={ELEVEN} upcard=7S pile=7S,2D known=8H9HTH", *FAST))[3]
    assert line.startswith("Opponent: holds 8H 9H TH; ")
    assert "; may have a run of hearts 100%" in line


def test_hint_tells_how_often_it_has_played_out(ask):
    text = ask("hint", f"hand={ELEVEN} upcard=7S", "--rollouts", "300")
    assert lines_of(text)[-1] == (
        "300 rollouts of the best actions, 75 of those that trail clearly"
    )
    assert lines_of(ask("hint", POSITION, "--rollouts", "1"))[-1] == "1 rollout of each action"


def test_hint_names_an_ending(ask):
    text = ask("hint", "hand=AS2S3S7H7D7C4H5H6H4DKD upcard=9S", *FAST)
    assert "To decide: what to throw or knock\n" in text
    text = ask("hint", "--hand", "AS AH AD 2S 2H 2D 3S 3H 3D 3C KC", "--upcard", "7H", *FAST)
    assert "\nBest: gin KC " in text
    assert "Outs of" not in text


@pytest.mark.parametrize("name", ["R038", "R039"])
def test_cases_of_hint_texts(ask, name):
    given, expected = case(name)["input"], case(name)["expected"]
    text = ask(
        "hint", "--hand", HAND, "--upcard", given["upcard"], "--rules", given["rules"], *FAST
    )
    assert f": knock limit {expected['knock_limit']}" in lines_of(text)[0]
    if "text_mentions_oklahoma" in expected:
        assert ("oklahoma" in text.lower()) is expected["text_mentions_oklahoma"]
    if expected.get("shown_to_player"):
        assert f"(upcard {given['upcard']})" in lines_of(text)[0]


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["--rules", "straight"], "straight: only gin ends the deal"),
        (["--set", "ace=gin", "--upcard", "AC"],
         "oklahoma with ace=gin: only gin ends the deal (upcard AC)"),
        (["--set", "knock=5"], "own rules with knock=5, ace=none: knock limit 5"),
        (["--rules", "standard", "--set", "target=none", "--set", "gin_bonus=20"],
         "standard with gin_bonus=20, target=none: knock limit 10"),
        (["--rules", "oklahoma-spades", "--upcard", "9S"],
         "oklahoma-spades: knock limit 9 (upcard 9S), a spade: points x 2"),
    ],
)  # fmt: skip
def test_hint_names_the_rules_and_the_limit(ask, words, title):
    upcard = [] if "--upcard" in words else ["--upcard", "5D"]
    assert lines_of(ask("hint", "--hand", HAND, *upcard, *words, *FAST))[0] == title


def test_hint_as_json(ask):
    answer = json.loads(ask("hint", POSITION, "--json", *FAST))
    view = og.View.from_position(answer.pop("position"))
    assert view == og.View.from_position(POSITION)
    assert answer == og.advise(view, og.Limit(rollouts=20)).to_dict()


def test_a_position_is_the_same_in_options_and_words(ask):
    by_options = ask("hint", "--hand", HAND, "--upcard", "7S", "--score", "40-65",
                     "--dealer", "me", "--rules", "eaai", *FAST)  # fmt: skip
    line = f"rules=eaai {POSITION} score=40-65 dealer=me"
    assert ask("hint", line, *FAST) == by_options
    assert ask("hint", *line.split(), *FAST) == by_options
    assert "you dealt, score 40-65" in by_options


def test_seed_and_rollouts_fix_the_answer(ask):
    one = ask("hint", POSITION, "--seed", "5", *FAST)
    assert ask("hint", POSITION, "--seed", "5", *FAST) == one
    assert ask("hint", POSITION, "--seed", "6", *FAST) != one


def test_events_may_begin_with_a_pass(ask):
    text = ask("hint", "--hand", HAND, "--upcard", "6S", "--events", "-,-,sKC,s2D", *FAST)
    assert "Table: pile 6S KC 2D (the last is on top), 29 in the stock" in text


@pytest.mark.parametrize("name", ["hint", "melds", "rules"])
def test_the_examples_of_the_help_run(name):
    text = okgin(name, "--help").out.partition("examples:\n")[2]
    examples = [line.strip() for line in text.splitlines() if line.startswith("  okgin ")]
    assert examples
    for example in examples:
        if "<" not in example:
            words = shlex.split(example.replace("--time 3000", "--rollouts 5"))[1:]
            assert okgin(*words).code == 0, example


def test_suits_as_symbols(ask):
    text = ask("hint", POSITION, "--symbols", *FAST)
    assert "Hand: A♠ 2♠ 3♠ | 7♣ 7♦ 7♥ | loose 9♣ Q♦ K♦ 4♥" in text
    assert not re.search(r"\b[A2-9TJQK][SCDH]\b", text)


# --- lines on standard input ----------------------------------------------------------------

LINES = f"{POSITION}\n\n# a comment\nhand=AS upcard=7S\n{POSITION} dealer=me"


@pytest.mark.parametrize("dash", [[], ["-"]])
def test_a_bad_line_is_numbered_and_the_rest_still_run(dash):
    done = okgin("hint", *dash, "--json", *FAST, stdin=LINES)
    assert done.code == 1
    assert [json.loads(line)["line"] for line in lines_of(done.out)] == [1, 5]
    assert len(lines_of(done.err)) == 1
    assert done.err.startswith("okgin hint: error: line 4: hand")


def test_options_hold_for_every_line(ask):
    text = ask("hint", "--rules", "standard", "--upcard", "5D", "--json", *FAST,
               stdin=f"hand={HAND}\nhand={ELEVEN}\n")  # fmt: skip
    for line in lines_of(text):
        assert json.loads(line)["position"].startswith("rules=standard ")


def test_an_empty_line_between_answers(ask):
    answers = ask("melds", stdin="AS 2S 3S\nKD\n").split("\n\n")
    assert [answer.splitlines()[0] for answer in answers if answer] == [
        "Hand: AS 2S 3S (3 cards, 6 points)",
        "Hand: KD (1 card, 10 points)",
    ]


@pytest.mark.parametrize(
    ("command", "line"), [(["hint", "--json", *FAST], POSITION), (["melds", "--json"], HAND)]
)
def test_each_line_is_answered_before_the_next_is_read(command, line):
    with subprocess.Popen(
        [*OKGIN, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(f"{line}\n")
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.close()
        assert process.wait(TIMEOUT) == 0


def test_a_byte_order_mark_is_no_card(ask):
    assert ask("melds", stdin="\ufeffAS 2S 3S\n").startswith("Hand: AS 2S 3S ")


# --- okgin melds ----------------------------------------------------------------------------


def test_melds_of_ten_cards(ask):
    assert ask("melds", *HAND.split()) == (
        "Hand: AS 2S 3S 7C 9C 7D QD KD 4H 7H (10 cards, 60 points)\n"
        "Deadwood: 33\n"
        "Arrangements (1):\n"
        "  AS 2S 3S | 7C 7D 7H | loose 9C QD KD 4H\n"
    )


def test_all_minimal_arrangements(ask):
    assert lines_of(ask("melds", "TC JC QC TD TH"))[1:] == [
        "Deadwood: 20",
        "Arrangements (2):",
        "  TC JC QC | loose TD TH",
        "  TC TD TH | loose JC QC",
    ]
    answer = json.loads(ask("melds", "AS 2S 3S 4S 5S 6S", "--json"))
    assert answer["deadwood"] == 0
    assert answer["arrangements"] == [
        {"melds": [["AS", "2S", "3S"], ["4S", "5S", "6S"]], "unmelded": []},
        {"melds": [["AS", "2S", "3S", "4S", "5S", "6S"]], "unmelded": []},
    ]


def test_throws_of_eleven_cards(ask):
    lines = lines_of(ask("melds", "AS 2S 3S 7H 7D 7C 4H 5H 6H 4D KD", "--upcard", "9S"))
    assert "Throws (knock limit 9):" in lines
    rows = lines[lines.index("Throws (knock limit 9):") + 1 :]
    assert rows[0] == "  throw  leaves  ends   kept"
    assert rows[1] == "  KD          4  knock  AS 2S 3S | 7C 7D 7H | 4H 5H 6H | loose 4D"
    assert len(rows) == 12
    for row in rows[2:]:
        assert int(row.split()[1]) >= 10
        assert "knock" not in row


def test_a_throw_that_is_gin_and_all_eleven_melded(ask):
    text = ask("melds", "AS 2S 3S 4S 7H 7D 7C 4H 5H 6H 7S", "--limit", "0")
    gins = re.findall(r"^  (..) +0  gin ", text, re.M)
    # an end of A-2-3-4, any seven, or the 4H with the 7H going to its run
    assert sorted(gins) == ["4H", "4S", "7C", "7D", "7H", "7S", "AS"]
    assert "knock  " not in text
    assert text.endswith("All eleven cards meld: big gin, where the rules have it.\n")


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ([], None),
        (["--limit", "4"], 4),
        (["--upcard", "5D"], 5),
        (["--rules", "standard"], 10),
        (["--rules", "standard", "--upcard", "5D"], 10),
        (["--set", "ace=gin", "--upcard", "AD"], 0),
    ],
)
def test_the_limit_of_a_knock(ask, words, limit):
    hand = "AS 2S 3S 7H 7D 7C 4H 5H 6H 4D KD"
    answer = json.loads(ask("melds", hand, "--json", *words))
    assert answer["limit"] == limit
    best = answer["throws"][0]
    assert best == {
        "card": "KD",
        "deadwood": 4,
        "knock": None if limit is None else limit >= 4,
        "gin": False,
    }
    if limit is not None:
        expected = [(str(throw.card), *throw[1:]) for throw in og.discards(hand, limit)]
        assert [tuple(throw.values()) for throw in answer["throws"]] == expected


def test_the_card_just_taken_is_not_thrown(ask):
    def thrown(*words):
        answer = json.loads(ask("melds", ELEVEN, "--taken", "KD", "--json", *words))
        return {throw["card"] for throw in answer["throws"]}

    assert thrown() == set(ELEVEN.split()) - {"KD"}
    assert thrown("--rules", "open-spiel", "--upcard", "5D") == set(ELEVEN.split())


def test_lay_offs(ask):
    words = ["melds", "KC 7S 8S 2H", "--against", "7C7D7H 4S5S6S"]
    assert lines_of(ask(*words))[-3:] == [
        "Lay-offs:",
        "  7S 8S on 4S 5S 6S",
        "Left with 12: loose KC 2H",
    ]
    assert json.loads(ask(*words, "--json"))["layoff"] == {
        "deadwood": 12,
        "melds": [],
        "laid_off": [["7S", 1], ["8S", 1]],
        "left": ["KC", "2H"],
    }
    assert "Lay-offs: none" in ask("melds", "KC 2H", "--against", "7C7D7H")


def test_hands_of_any_size(ask):
    deck = " ".join(r + s for s in "SCDH" for r in "A23456789TJQK")
    assert lines_of(ask("melds", "")) == [
        "Hand: empty (0 cards, 0 points)",
        "Deadwood: 0",
        "Arrangements (1):",
        "  nothing",
    ]
    assert lines_of(ask("melds", deck))[1:3] == ["Deadwood: 0", "One of the best arrangements:"]
    thirteen = " ".join(r + "S" for r in "A23456789TJQK")
    assert "Arrangements (" in ask("melds", thirteen)


# --- okgin rules ----------------------------------------------------------------------------


def test_rules_are_listed_in_a_table_that_lines_up(ask):
    lines = lines_of(ask("rules"))
    header, rows = lines[0], lines[1 : len(PRESETS) + 1]
    assert re.split(r"  +", header) == [
        "name", "knock / ace", "gin", "undercut", "tie", "spade x", "wall", "next dealer", "target",
        "notes",
    ]  # fmt: skip
    assert [row.split()[0] for row in rows] == list(PRESETS)
    for name in ("knock / ace", "tie", "wall", "next dealer", "notes"):
        start = header.index(f"  {name}") + 2
        assert all(row[start - 1 : start] in (" ", "") for row in rows)
        assert all(row[start : start + 1] != " " for row in rows)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("oklahoma", "upcard / one|25|10|undercut|1|dead at 2|winner|100"),
        ("standard", "10|25|25|undercut|1|reshuffle|winner|100"),
        ("oklahoma-pagat", "upcard / one|20|10|undercut|2|dead at 2|loser|150"
                           "|box 20, game 100, shutout double points"),
        ("oklahoma-bicycle", "upcard / gin|20|10|undercut|1|dead at 2|winner|100"
                             "|box 20, game 100, shutout +100"),
        ("open-spiel", "upcard / gin|25|25|nobody|1|dead at 2|winner|one deal"
                       "|a taken card may be thrown back, player 0 starts"),
    ],
)  # fmt: skip
def test_a_row_says_what_rules_md_says(ask, name, cells):
    row = next(line for line in lines_of(ask("rules")) if line.startswith(f"{name} "))
    assert re.split(r"  +", row) == [name, *cells.split("|")]


@pytest.mark.parametrize("words", [["standard"], ["--rules", "standard"]])
def test_rules_in_plain_sentences(ask, words):
    lines = lines_of(ask("rules", *words, "--set", "target=250"))
    assert lines[0] == "standard with target=250"
    assert lines[1:] == og.Rules.preset("standard", target=250).describe()


def test_rules_as_json(ask):
    lines = lines_of(ask("rules", "--json"))
    assert [og.Rules.from_dict(json.loads(line)) for line in lines] == list(PRESETS.values())
    one = json.loads(ask("rules", "--set", "gin_bonus=20", "--json"))
    assert og.Rules.from_dict(one) == og.Rules(gin_bonus=20)


# --- on a terminal --------------------------------------------------------------------------


def on_a_terminal(*words, **changes):
    """What a terminal of 100 columns is sent."""
    pty = pytest.importorskip("pty")
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [*OKGIN, *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        env=plain_environment(TERM="xterm", COLUMNS="100") | changes,
    )
    os.close(theirs)
    sent = b""
    with contextlib.suppress(OSError):  # how Linux says that the other side is closed
        while piece := os.read(mine, 4096):
            sent += piece
    os.close(mine)
    assert process.wait(TIMEOUT) == 0
    return sent.decode().replace("\r\n", "\n")


def test_colour_only_on_a_terminal_and_only_if_wanted():
    words = ["hint", POSITION, *FAST]
    assert "\x1b[" not in okgin(*words).out
    assert "\x1b[1mBest: " in on_a_terminal(*words)
    assert "\x1b[" not in on_a_terminal(*words, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(*words, TERM="dumb")


def test_reasons_are_cut_to_the_terminal_but_nowhere_else():
    words = ["hint", f"hand={ELEVEN} upcard=7S", *FAST]

    def table_of(text):
        return [line for line in lines_of(text) if line.startswith(("action", "discard"))]

    full, cut = table_of(okgin(*words).out), table_of(on_a_terminal(*words))
    assert max(map(len, full)) > max(map(len, cut)) == 100
    assert all(len(line) < 100 or line.endswith("...") for line in cut)
    narrow = table_of(on_a_terminal(*words, COLUMNS="80"))
    assert narrow[0].endswith("outs")
