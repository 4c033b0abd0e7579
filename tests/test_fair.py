"""Sealed shuffles: the hashes as they are written down, and every way in which a record can lie."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

from okgin_fast import Deal, Hand, Match, Rules, agent
from okgin_fast.errors import NotationError, RulesError
from okgin_fast.fair import (
    FairDeal,
    Proof,
    Record,
    checked_word,
    commitment,
    deal_seed,
    match_seed,
    player_seed,
)

SECRETS = [f"{n:064x}" for n in range(1, 9)]


def sha256(*lines: str) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def test_the_hashes_are_those_of_the_documentation() -> None:
    secret = SECRETS[0]
    assert commitment(secret) == sha256("okgin fair 1 commit", secret)
    seed = sha256("okgin fair 1 deal", secret, "3", "glück")[:16]
    assert deal_seed(secret, "glück", 3) == int(seed, 16)
    assert match_seed(secret, "") == int(sha256("okgin fair 1 deal", secret, "0", "")[:16], 16)
    seed = sha256("okgin fair 1 player", secret, "3", "")[:16]
    assert player_seed(secret, "", 3) == int(seed, 16)


def test_hashes_worked_out_by_another_program() -> None:
    # printf 'okgin fair 1 commit\n%064d' 0 | sha256sum, and likewise
    # printf 'okgin fair 1 deal\n%064d\n1\nluck' 0 | sha256sum | cut -c 1-16
    zeros = 64 * "0"
    known = "90ca019b46d9e80ed61e594349c0abc29f65ebc2a4bec47307a79e6ea180b902"
    assert commitment(zeros) == known
    assert deal_seed(zeros, "luck", 1) == 0x24BA8590BFC64EAC


def test_the_cards_are_those_of_the_documentation() -> None:
    # docs/play.md shuffles them in plain Python; this is what it says of the seed above.
    deal = Deal("oklahoma", 0x24BA8590BFC64EAC)
    assert deal.hand(0) == Hand("8H QC KD 3D 9H JD 4D 6C 3C AD")


def test_each_of_secret_word_and_number_changes_the_cards() -> None:
    seeds = {
        deal_seed(secret, word, number)
        for secret in SECRETS
        for word in ("", "a", "b", "1\u00e9")
        for number in (0, 1, 2, 12)
    }
    assert len(seeds) == 8 * 4 * 4


def test_a_word_is_the_same_however_its_letters_are_coded() -> None:
    assert checked_word(" cafe\u0301\n") == "caf\u00e9"
    assert checked_word("") == ""


@pytest.mark.parametrize("word", ["a\nb", "\x1b[31m", "\ud800", "x" * 101, "tab\there"])
def test_words_that_cannot_be_printed_or_are_too_long(word: str) -> None:
    with pytest.raises(NotationError, match="at most 100 characters"):
        checked_word(word)


def played(rules: Rules, deals: int | None = None) -> Record:
    """A match between two programs, every deal sealed; or its beginning."""
    record = Record(rules, ("club", "strong"), "0.1.0")
    players = [agent("club"), agent("strong")]
    while not record.match().over and len(record.deals) != deals:
        number = len(record.deals) + 1
        proof = Proof.of(number, sha256(SECRETS[0], str(number))).stirred(f"word {number}")
        started = replace(record, deals=(*record.deals, FairDeal(proof)))
        deal = Deal(rules, proof.seed, started.match().dealer)
        while deal.to_move is not None:
            deal.apply(players[deal.to_move].act(deal.view(deal.to_move)))
        record = replace(record, deals=(*record.deals, FairDeal(proof, deal)))
    return record


@pytest.fixture(scope="module")
def record() -> Record:
    return played(Rules.preset("oklahoma", target=250), 4)


@pytest.mark.parametrize("name", ["oklahoma", "standard", "open-spiel", "oklahoma-pagat"])
def test_an_honest_match_has_no_faults(name: str) -> None:
    whole = played(Rules.preset(name))
    assert whole.match().over
    assert whole.faults() == [[] for _ in whole.deals]
    assert Record.from_text(whole.to_text()) == whole


def test_the_first_dealer_comes_of_the_first_secret_and_word(record: Record) -> None:
    first = record.deals[0].proof
    match = Match(record.rules, match_seed(first.secret, "word 1"))
    assert record.deals[0].deal is not None
    assert record.deals[0].deal.dealer == match.dealer


def test_a_deal_that_is_only_committed_to_is_part_of_a_record(record: Record) -> None:
    sealed = replace(record, deals=(*record.deals, FairDeal(Proof.of(5, SECRETS[7]))))
    assert sealed.faults() == [[]] * 5
    assert Record.from_text(sealed.to_text()) == sealed
    assert json.loads(sealed.to_text().splitlines()[-1])["proof"]["word"] is None


def lines_of(record: Record) -> list[Any]:
    return [json.loads(line) for line in record.to_text().splitlines()]


def faults_of(lines: list[Any]) -> list[list[str]]:
    return Record.from_text("\n".join(map(json.dumps, lines))).faults()


def test_another_secret_than_the_one_committed_to(record: Record) -> None:
    lines = lines_of(record)
    lines[2]["proof"]["secret"] = SECRETS[5]
    assert faults_of(lines)[1] == [
        "the commitment is not that of the secret",
        "the cards are not those of the secret and the word",
    ]


def test_another_word_than_the_players(record: Record) -> None:
    lines = lines_of(record)
    lines[2]["proof"]["word"] = "word of the dealer"
    assert faults_of(lines)[1] == ["the cards are not those of the secret and the word"]


def test_stacked_cards_with_the_right_seed(record: Record) -> None:
    lines = lines_of(record)
    deal = lines[4]["deal"]
    first, second, *rest = deal["stock"].split()
    last = rest.pop()
    deal["stock"] = " ".join([first, second, last, *rest])
    deal["turns"], deal["result"] = [], None
    assert faults_of(lines)[3] == ["the cards are not those of the secret and the word"]


def test_a_secret_that_the_other_side_knows(record: Record) -> None:
    again = Proof.of(2, record.deals[0].proof.secret).stirred("word 2")
    deal = record.deals[1].deal
    assert deal is not None
    dealt = FairDeal(again, Deal(record.rules, again.seed, deal.dealer))
    forged = replace(record, deals=(record.deals[0], dealt))
    assert forged.faults() == [[], ["the secret was told before"]]


def test_the_wrong_dealer(record: Record) -> None:
    proof = record.deals[0].proof
    due = record.match().deals[0].dealer
    forged = replace(record, deals=(FairDeal(proof, Deal(record.rules, proof.seed, 1 - due)),))
    assert forged.faults() == [[f"seat {1 - due} dealt, it was seat {due}'s turn"]]


def test_a_result_that_the_turns_do_not_come_to(record: Record) -> None:
    lines = lines_of(record)
    lines[1]["deal"]["result"]["points"] += 1
    (fault,) = faults_of(lines)[0]
    assert fault.startswith("it cannot be played: result ")


def test_a_turn_that_breaks_the_rules(record: Record) -> None:
    lines = lines_of(record)
    lines[3]["deal"]["turns"][0] = "sKD!"
    (fault,) = faults_of(lines)[2]
    assert fault.startswith("it cannot be played: turn 1 'sKD!': ")


def test_other_rules_a_deal_left_unfinished_a_number_left_out(record: Record) -> None:
    lines = lines_of(record)
    lines[1]["deal"]["rules"]["gin_bonus"] = 20
    lines[1]["deal"]["turns"], lines[1]["deal"]["result"] = [], None
    lines[2]["proof"]["number"] = 3
    first, second, *_ = faults_of(lines)
    assert first[0] == "it was played under other rules than the match's"
    assert "it was left unfinished" in first
    assert second[0] == "it is number 3 where number 2 is due"


def test_deals_after_the_end() -> None:
    single = played(Rules.preset("eaai", target=None))
    number = len(single.deals) + 1
    proof = Proof.of(number, SECRETS[3]).stirred("")
    more = replace(single, deals=(*single.deals, FairDeal(proof, Deal(single.rules, proof.seed))))
    assert more.faults()[-1] == ["the match was over"]


def test_a_deal_that_was_dropped_after_the_word(record: Record) -> None:
    lines = lines_of(record)
    lines[2]["deal"] = None
    assert faults_of(lines)[1] == ["it was committed to and never dealt"]


def test_another_seed_with_the_right_cards(record: Record) -> None:
    lines = lines_of(record)  # it would shuffle the pile in another way
    lines[2]["deal"]["seed"] ^= 1
    assert faults_of(lines)[1] == ["the seed is not that of the secret and the word"]


def test_how_the_match_stood_before_each_deal(record: Record) -> None:
    standings = list(record.standings())
    for number, standing in enumerate(standings):
        match = replace(record, deals=record.deals[:number] or record.deals[:1]).match()
        if number:
            assert standing == (match.dealer, match.scores, False)
        else:
            assert standing == (record.deals[0].deal.dealer, (0, 0), False)  # type: ignore[union-attr]
    lines = lines_of(record)
    lines[2]["deal"]["turns"] = ["x"]
    broken = Record.from_text("\n".join(map(json.dumps, lines)))
    assert list(broken.standings()) == [*standings[:2], None, None]


def test_cards_without_asking_for_a_word(record: Record) -> None:
    lines = lines_of(record)
    lines[1]["proof"]["word"] = None
    assert "it was dealt before the player was asked for his word" in faults_of(lines)[0]


BAD = [
    ("", "it is empty"),
    ("nonsense", "line 1: 'nonsense' is no JSON"),
    ("[]", "line 1: '[]' is no part of a record"),
    ("[" * 100_000, "line 1: "),
    ('{"format": "okgin deal 1"}', "must be an object with format"),
]


@pytest.mark.parametrize(("text", "words"), BAD, ids=range(len(BAD)))
def test_what_is_no_record(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        Record.from_text(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


CHANGED: list[tuple[int, str, Any, str]] = [
    (0, "format", "okgin match 2", "must be 'okgin match 1'"),
    (0, "players", ["club"], "must be two names or nulls"),
    (0, "players", ["club", 3], "must be two names or nulls"),
    (0, "version", None, "version must be text"),
    (0, "practice", 1, "practice true or false"),
    (1, "number", True, "must be a whole number from 1 up"),
    (1, "number", 0, "must be a whole number from 1 up"),
    (1, "secret", "00", "must be 64 hexadecimal digits"),
    (1, "commitment", 64 * "A", "must be 64 hexadecimal digits"),
    (1, "word", " blank ", "must be trimmed text"),
    (1, "word", 7, "must be trimmed text"),
    (1, "word", "\u0000", "characters that can be printed"),
    (1, "extra", 7, "must have number, commitment, secret, word"),
]


@pytest.mark.parametrize(("line", "key", "value", "words"), CHANGED)
def test_a_field_that_is_none(record: Record, line: int, key: str, value: Any, words: str) -> None:
    lines = lines_of(record)
    (lines[0] if line == 0 else lines[1]["proof"])[key] = value
    with pytest.raises(NotationError) as caught:
        faults_of(lines)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"line {line + 1}: ")


def test_rules_that_are_none(record: Record) -> None:
    lines = lines_of(record)
    lines[0]["rules"]["gin_bonus"] = -1
    with pytest.raises(RulesError, match="line 1: gin_bonus -1"):
        faults_of(lines)
