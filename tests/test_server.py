"""The engine process: what it answers, what it refuses, and what happens to whom disappears.

Most of this goes through a real process, by pipes or by TCP.
"""

from __future__ import annotations

import doctest
import json
import random
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import TIMEOUT
from serving import HAND, LONG, POSITION, TOKEN, Client, Engine, check, engine, listener

import okgin_fast as og
from okgin_fast.protocol import LONGEST_LINE
from okgin_fast.server import Pool, answers, serve_tcp, session, transport
from okgin_fast.server.lines import lines_of
from okgin_fast.server.pool import Job
from okgin_fast.server.session import Session

PAGE = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text("utf-8")
VERSION = {"id": "are you there", "type": "version"}


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    """A process that whoever is well-behaved may use."""
    with engine() as process:
        yield process


def check_alive(client: Client) -> None:
    assert client.ask(VERSION)["id"] == VERSION["id"]


# --- the page --------------------------------------------------------------------------------


def scenes() -> list[list[str]]:
    """The page's blocks of lines that are sent and received."""
    blocks = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [block.splitlines() for block in blocks if block.startswith("> ")]


@pytest.mark.parametrize("scene", scenes(), ids=["alone", "match"])
def test_the_sessions_of_the_page_are_played(scene: list[str]) -> None:
    same = doctest.OutputChecker().check_output
    with engine() as process:
        for line in scene:
            if line.startswith("> "):
                process.send(line[2:].encode())
            else:
                heard = process.line()
                assert same(line[2:] + "\n", heard, doctest.ELLIPSIS), f"{line}\n< {heard}"
                check(json.loads(heard))
        assert process.end()[:2] == (0, [])


# --- answers ---------------------------------------------------------------------------------


def test_act_is_what_the_player_does(shared: Engine) -> None:
    view = og.View.from_position(POSITION)
    for level in ("beginner", "club", 6, "gold"):
        answer = shared.ask({"id": 1, "type": "act", "level": level, "position": POSITION})
        assert answer["action"] == str(og.agent(level).act(view))
    ask = {"id": 1, "type": "act", "rollouts": 150, "seed": 3, "position": view.position()}
    expert = og.agent("expert", seed=3, limit=og.Limit(rollouts=150))
    for every in ({}, {"every_ms": 10}):
        assert shared.ask({**ask, **every})["action"] == str(expert.act(view))


def test_advice_is_that_of_the_library_with_partial_results_or_without(shared: Engine) -> None:
    view = og.View.from_position(POSITION, score="40-65")
    known = og.advise(view, og.Limit(rollouts=600), seed=5).to_dict()
    position = {**POSITION, "score": [40, 65], "rules": {"name": "oklahoma"}}
    ask = {"id": 1, "type": "advise", "rollouts": 600, "seed": 5, "position": position}
    for every in ({}, {"every_ms": 10}):
        answer = shared.ask({**ask, **every})
        assert {key: answer[key] for key in known} == json.loads(json.dumps(known))
        assert og.View.from_position(answer["position"]) == view


def test_a_time_is_kept(shared: Engine) -> None:
    before = time.perf_counter()
    shared.ask({"id": 1, "type": "advise", "time_ms": 100, "position": POSITION})
    assert time.perf_counter() - before < 30  # and not for ever, on whatever machine


def test_rules_and_options(shared: Engine) -> None:
    presets = shared.ask({"id": 1, "type": "rules"})["rules"]
    options = shared.ask({"id": 1, "type": "options"})
    assert [one["fields"]["name"] for one in presets] == options["presets"]
    (own,) = shared.ask({"id": 1, "type": "rules", "rules": {"gin_bonus": 20}})["rules"]
    assert og.Rules.from_dict(own["fields"]) == og.Rules(gin_bonus=20)
    assert "Gin scores 20 points" in " ".join(own["text"])
    assert options["levels"][-1] == "expert"
    assert options["line_bytes"] == LONGEST_LINE


def test_melds_of_eleven_cards(shared: Engine) -> None:
    ask = {"id": 1, "type": "melds", "hand": "AS 2S 3S 7H 7D 7C 9C 9D 9S KD 4H"}
    answer = shared.ask({**ask, "upcard": "5H"})
    assert answer["limit"] == 5
    assert answer["throws"][0] == {"card": "KD", "deadwood": 4, "knock": True, "gin": False}
    assert shared.ask(ask)["throws"][0]["knock"] is None
    assert shared.ask({**ask, "taken": "KD"})["throws"][0]["card"] != "KD"
    assert shared.ask({**ask, "taken": "2H"})["field"] == "taken"
    assert shared.ask({**ask, "limit": 5, "upcard": "5H"})["field"] == "limit"
    assert shared.ask({**ask, "against": ["KC KH"]})["field"] == "against"


def test_settle(shared: Engine) -> None:
    knocker, defender = "AS2S3S 7H7D7C 9C9D9S 4H", "KSKCKD QSQCQD 4S 5H 8H 6D"
    ask = {"id": 1, "type": "settle", "knocker": knocker, "defender": defender}
    answer = shared.ask({**ask, "upcard": "5S", "rules": "oklahoma-spades"})
    assert (answer["kind"], answer["winner"], answer["points"]) == ("knock", 0, 2 * 15)
    spread = {"melds": ["AS2S3S", "7H7D7C"], "rules": "standard"}
    for changes, field in (
        ({}, "upcard"),
        ({"defender": "KS"}, "defender"),
        ({"knocker": "KH", "upcard": "5H"}, "knocker"),
        ({"upcard": "AH"}, "knocker"),
        (spread, "melds"),
    ):
        error = shared.ask({**ask, **changes})
        assert (error["code"], error["field"]) == ("input", field)
    shown = shared.ask({**ask, "melds": ["AS2S3S", "7H7D7C", "9C9D9S"], "rules": "standard"})
    assert shown["points"] == 15


def test_an_analysis_needs_open_cards_and_a_whole_record(shared: Engine) -> None:
    deal = og.Deal("eaai", seed=5)
    while deal.to_move is not None:
        deal.apply(og.agent("club").act(deal.view(deal.to_move)))
    record = json.loads(deal.to_json())
    ask = {"id": 1, "type": "analyse", "record": record, "rollouts": 10}
    assert shared.ask(ask)["field"] == "open_cards"
    ask["open_cards"] = True
    found = shared.ask({**ask, "every_ms": 10})
    assert shared.ask({**ask, "record": deal.to_text()})["analysis"] == found["analysis"]
    assert len(found["analysis"]["deals"]) == 1
    head = json.dumps({"format": "okgin match 1", "players": [None, "club"]})
    played = head + "\n" + json.dumps({"proof": {}, "deal": record})  # as okgin play saves it
    (told,) = shared.ask({**ask, "record": played})["analysis"]["deals"]
    assert deal.result is not None
    assert (told["upcard"], told["points"]) == (str(deal.upcard), deal.result.points)
    bad_ones = ({}, "record"), ([record, "nonsense"], "record[1]"), ("", "record"), (head, "record")
    for bad, field in bad_ones:
        error = shared.ask({**ask, "record": bad})
        assert (error["code"], error["field"]) == ("input", field)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"position": {**POSITION, "upcard": "7H"}}, "position"),
        ({"position": {**POSITION, "stock": 3}}, "position"),
        ({"position": {**POSITION, "events": ["sKC"]}}, "position"),
        ({"position": {**POSITION, "dealer": "me", "events": []}}, "position"),
        ({"position": "hand=AS upcard=7S"}, "position"),
        ({"position": f"hand={HAND} upcard=7S opponent_hand=KS"}, "position"),
        ({"position": "nonsense"}, "position"),
        ({"match": "m1"}, "position"),
        ({"match": "m7", "position": None}, "match"),
        ({"position": None}, "position"),
    ],
)
def test_what_cannot_be_is_refused(shared: Engine, changes: dict[str, Any], field: str) -> None:
    ask = {"id": 7, "type": "act", "position": POSITION, **changes}
    error = shared.ask({key: value for key, value in ask.items() if value is not None})
    assert (error["id"], error["code"], error["field"]) == (7, "input", field)
    check_alive(shared)


# --- bad lines -------------------------------------------------------------------------------


def test_every_bad_line_gets_one_error_and_the_server_goes_on(shared: Engine) -> None:
    deep = b'{"id": 1, "type": "act", "position": ' + b"[" * 900 + b"]" * 900 + b"}"
    for line, code, id in (
        (b"nonsense", "line", None),
        (b"[" * 100_000, "line", None),
        (deep, "request", 1),
        (b'{"id": 1, "type": "\xff\xfe"}', "line", None),
        (b'{"id": 1, "type": "act", "time_ms": NaN}', "line", None),
        (b'{"id": 1, "id": 2, "type": "version"}', "request", 2),
        (b'{"id": "a", "type": "rules", "rules": "\\udc00"}', "request", "a"),
        (b"x" * 10_000_000, "line", None),
        (b'{"id": 1, "type": "version", "x": "' + b"x" * 1_000_000 + b'"}', "request", 1),
        (b"\0", "line", None),
    ):
        error = shared.ask(line)
        assert (error["type"], error["code"], error["id"]) == ("error", code, id)
        check_alive(shared)
    shared.send(b"", b"   ", b"\r")
    check_alive(shared)


def broken(chance: random.Random) -> bytes:
    """A request with something wrong, or perhaps nothing."""
    message = chance.choice(
        [
            {"id": 1, "type": "act", "level": "club", "position": POSITION},
            {"id": 1, "type": "advise", "rollouts": 2, "position": f"hand={HAND} upcard=7S"},
            {"id": 1, "type": "melds", "hand": HAND, "against": ["7S 8S 9S"]},
            {"id": 1, "type": "settle", "knocker": HAND, "defender": HAND, "upcard": "7S"},
            {"id": 1, "type": "new_match", "seat": 0, "rules": "standard", "dealer": 0},
            {"id": 1, "type": "event", "match": "m1", "event": "deal", "hand": HAND},
        ]
    )
    odd = [None, True, -1, 10**30, 0.5, "", "x" * 5000, [], [[]], {}, {"a": 1}, "\ud800", "☃", HAND]
    for _ in range(chance.randint(0, 2)):
        key = chance.choice([*message, "token", "seed", "rules", "taken", "upcard", "stock"])
        if chance.random() < 0.2:
            message.pop(key, None)
        elif isinstance(message.get(key), dict) and chance.random() < 0.7:
            message[key] = {
                **message[key],
                chance.choice(["stock", "pile", "x"]): chance.choice(odd),
            }
        else:
            message[key] = chance.choice(odd)
    line = bytearray(json.dumps(message).encode())
    for _ in range(chance.choice([0, 0, 1, 2])):
        place = chance.randrange(len(line))
        piece = bytes(chance.choices(b'{}[]",:\\\0\xffeE-+.0 9', k=chance.randint(0, 3)))
        line[place : place + chance.randint(0, 2)] = piece
    return bytes(line.replace(b"\n", b" "))


def test_whatever_is_sent_gets_exactly_one_final_answer(shared: Engine) -> None:
    chance = random.Random(20)
    for _ in range(400):
        line = broken(chance)
        answer = shared.ask(line)
        assert answer.get("code") != "internal", (line, answer)
        if line.strip():
            check_alive(shared)


def test_a_last_line_needs_no_newline_but_must_be_whole() -> None:
    for last, kind in ((json.dumps(VERSION), "version"), (json.dumps(VERSION)[:-1], "error")):
        with engine() as process:
            process.to.write(last.encode())
            code, answers, complaints = process.end()
        assert (code, [answer["type"] for answer in answers], complaints) == (0, [kind], "")


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_lines_are_cut_wherever_the_chunks_end(size: int) -> None:
    lines = [b"", b"a", b"b" * 98, b"c" * 99, b"d" * 100, b"", b"e" * 1000, b"f"]
    data = b"\n".join(lines)
    chunks = iter([*(data[i : i + size] for i in range(0, len(data), size)), b""])
    cut = [line if len(line) < 100 else None for line in lines]
    assert list(lines_of(lambda: next(chunks), 100)) == cut


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_a_long_line_is_not_held_in_memory() -> None:
    def memory(process: Engine) -> int:
        status = Path(f"/proc/{process.process.pid}/status").read_text()
        return int(re.findall(r"VmHWM:\s*(\d+) kB", status)[0])

    with engine() as process:
        check_alive(process)
        before = memory(process)
        for _ in range(50):
            process.to.write(b"[" * 1_000_000)
        assert process.ask(b"")["code"] == "line"
        check_alive(process)
        assert memory(process) - before < 12_000


# --- what waits, and what is stopped ---------------------------------------------------------


def test_beyond_the_queue_it_is_busy_and_nothing_is_lost() -> None:
    with engine("--workers", "1", "--queue", "2") as process:
        process.partial({**LONG, "id": "runs"})
        for id in ("waits 1", "waits 2", "refused"):
            process.send({**LONG, "id": id})
        refused = process.answer_to("refused")
        assert refused["code"] == "busy"
        check_alive(process)  # what takes no time is answered all the same
        stopped = process.ask({"id": "stop 1", "type": "stop", "target": "waits 2"})
        assert (stopped["id"], stopped["code"]) == ("waits 2", "stopped")
        assert process.answer_to("stop 1")["stopped"] == 1
        process.send({"id": "stop all", "type": "stop"})
        found = {id: process.answer_to(id) for id in ("waits 1", "runs", "stop all")}
        assert found["waits 1"]["code"] == "stopped"
        assert found["runs"]["stopped"] is True
        assert found["runs"]["rollouts"] > 0
        assert found["stop all"]["stopped"] == 2
        assert process.end() == (0, [], "")


def test_clients_take_turns_and_fill_their_own_queue_only() -> None:
    begun: list[object] = []
    free, ended = threading.Event(), threading.Event()

    def run(job: Job) -> None:
        begun.append(job.id)
        free.wait(TIMEOUT)
        if job.id == "a4":
            ended.set()

    def ask(id: str) -> Job:
        return Job(id[0], id, run)

    with Pool(workers=1, queue=3) as pool:
        assert pool.add(ask("a0"))
        while not begun:  # a0 waits no more
            time.sleep(0.001)
        asked = {id: ask(id) for id in ("a1", "a2", "a3", "a4", "b1", "b2", "c1")}
        taken = [id for id, job in asked.items() if pool.add(job)]
        assert taken == ["a1", "a2", "a3", "b1", "b2", "c1"]
        assert pool.remove(asked["a2"])
        assert not pool.remove(asked["a2"])
        assert pool.add(asked["a4"])
        free.set()
        assert ended.wait(TIMEOUT)
    assert begun == ["a0", "a1", "b1", "c1", "a3", "b2", "a4"]


def test_the_end_of_input_finishes_what_is_queued() -> None:
    ask = {"type": "act", "position": POSITION, "rollouts": 200}
    with engine("--workers", "1") as process:
        process.send(*({**ask, "id": id} for id in range(5)))
        code, answers, complaints = process.end()
    assert (code, complaints) == (0, "")
    assert [answer["id"] for answer in answers] == list(range(5))
    assert len({answer["action"] for answer in answers}) == 1


def test_quit_is_answered_last_and_no_line_after_it() -> None:
    with engine() as process:
        process.send({"id": 1, "type": "act", "position": POSITION, "rollouts": 500})
        process.send({"id": 2, "type": "quit"}, VERSION)
        answers = process.rest()
        assert [answer["id"] for answer in answers] == [1, 2]
        assert process.process.wait(TIMEOUT) == 0


@pytest.mark.parametrize("stdin_too", [False, True])
def test_a_client_that_disappears_stops_its_searches(stdin_too: bool) -> None:
    with engine("--workers", "1") as process:
        process.partial({**LONG, "id": 1})
        process.send({**LONG, "id": 2})
        process.back.close()
        if stdin_too:
            process.to.close()
        assert process.process.wait(TIMEOUT) == 1


# --- TCP -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"id": 1, "type": "version"}, "token"),
        ({"id": 1, "type": "version", "token": TOKEN + "s"}, "token"),
        ({"id": 1, "type": "version", "token": "é"}, "token"),
        ({"id": 1, "type": "quit"}, "token"),
        ({"id": 1, "type": "version", "token": 5}, "request"),
        (b"POST / HTTP/1.1\r", "line"),
        (b"\xff", "line"),
        (b"x" * (LONGEST_LINE + 5), "line"),
    ],
)
def test_without_the_token_the_connection_is_closed(
    first: dict[str, Any] | bytes, code: str, tcp: Any
) -> None:
    with tcp.connection() as client:
        client.send(first)
        assert client.answer()["code"] == code
        with pytest.raises(AssertionError, match="no answer"):
            client.answer()


@pytest.fixture(scope="module")
def tcp() -> Iterator[Any]:
    """A server that listens, with one thread to think."""
    with listener("--token", TOKEN, "--workers", "1") as process:
        yield process


def test_clients_have_their_own_matches_and_their_own_end(tcp: Any) -> None:
    with tcp.client() as one, tcp.client() as two:
        assert one.ask({"id": 1, "type": "new_match", "seat": 0, "dealer": 0})["match"] == "m1"
        assert two.ask({"id": 1, "type": "state", "match": "m1"})["field"] == "match"
        assert one.ask({"id": 2, "type": "quit"})["type"] == "quit"
        assert one.rest() == []
        check_alive(two)


def test_after_quit_the_end_of_input_is_no_end(tcp: Any) -> None:
    with tcp.client() as client:
        client.send({"id": 1, "type": "act", "position": POSITION, "rollouts": 200})
        client.send({"id": 2, "type": "quit"})
        client.socket.shutdown(socket.SHUT_WR)
        assert [answer["type"] for answer in client.rest()] == ["act", "quit"]


@pytest.mark.parametrize("reset", [False, True])
def test_a_connection_that_ends_stops_its_searches(reset: bool, tcp: Any) -> None:
    with tcp.client() as other:
        with tcp.client() as leaver:
            leaver.partial({**LONG, "id": 1})
            leaver.send({**LONG, "id": 2}, b'{"half a line')
            if reset:
                linger = struct.pack("ii", 1, 0)
                leaver.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        answer = other.ask({"id": 3, "type": "act", "position": POSITION, "rollouts": 10})
        assert answer["id"] == 3


def test_stop_stops_nobody_elses(tcp: Any) -> None:
    with tcp.client() as one, tcp.client() as two:
        one.partial({**LONG, "id": 1})
        assert two.ask({"id": 1, "type": "stop"})["stopped"] == 0
        one.send({"id": 2, "type": "stop"})
        assert one.answer_to(1)["stopped"] is True


def test_a_client_that_does_not_read_holds_up_nobody(tcp: Any) -> None:
    with tcp.connection() as deaf, tcp.client() as other:
        rules = json.dumps({"id": 1, "type": "rules", "token": TOKEN}).encode() + b"\n"

        def shout() -> None:
            try:
                for _ in range(100_000):
                    deaf.to.write(rules)
                    deaf.to.flush()
            except (OSError, ValueError):
                pass

        thread = threading.Thread(target=shout, daemon=True)
        thread.start()
        for _ in range(20):
            check_alive(other)
        answer = other.ask({"id": 3, "type": "act", "position": POSITION, "rollouts": 10})
        assert answer["id"] == 3
        deaf.socket.shutdown(socket.SHUT_RDWR)
        thread.join(TIMEOUT)


@contextmanager
def listening(pool: Pool) -> Iterator[tuple[str, int]]:
    """A server that listens in this process; gives its address."""
    with socket.create_server(("127.0.0.1", 0)) as socket_:
        arguments = (pool, socket_, TOKEN, lambda line: None)
        thread = threading.Thread(target=serve_tcp, args=arguments, daemon=True)
        thread.start()
        yield socket_.getsockname()
    thread.join(TIMEOUT)
    assert not thread.is_alive()


def test_who_does_not_introduce_himself_in_time_has_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "INTRODUCTION", 0.2)
    with (
        Pool(1, 1) as pool,
        listening(pool) as address,
        socket.create_connection(address, timeout=TIMEOUT) as slow,
    ):
        slow.sendall(b'{"id": 1, ')
        heard = slow.makefile("rb").read()
    assert json.loads(heard)["code"] == "line"


def test_one_client_too_many_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MOST_CLIENTS", 1)
    with (
        Pool(1, 1) as pool,
        listening(pool) as address,
        socket.create_connection(address, timeout=TIMEOUT) as first,
    ):
        stream = first.makefile("rwb")
        one = Client(stream, stream)
        one.ask({**VERSION, "token": TOKEN})
        with socket.create_connection(address, timeout=TIMEOUT) as second:
            assert json.loads(second.makefile("rb").read())["code"] == "busy"
        check_alive(one)


class Recorded:
    """A session in this process, with what it wrote and complained of."""

    def __init__(self, pool: Pool) -> None:
        self.written: list[bytes] = []
        self.complaints: list[str] = []
        self.session = Session(
            pool,
            write=self.written.append,
            gone=lambda: False,
            hang_up=lambda: None,
            complain=self.complaints.append,
        )

    def hear(self, *messages: dict[str, Any]) -> list[dict[str, Any]]:
        for message in messages:
            assert self.session.hear(json.dumps(message).encode())
        self.session.finish()
        return [json.loads(line) for line in b"".join(self.written).splitlines()]


def test_a_fault_of_the_server_is_told_and_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("oh\ndear")

    monkeypatch.setitem(answers.QUICK, "rules", fail)
    monkeypatch.setitem(answers.LONG, "act", lambda request, matches: fail)
    with Pool(1, 1) as pool:
        recorded = Recorded(pool)
        found = recorded.hear({"id": 1, "type": "rules"}, {"id": 2, "type": "act"}, VERSION)
    told = sorted((answer.get("code", ""), str(answer["id"])) for answer in found)
    assert told == [("", VERSION["id"]), ("internal", "1"), ("internal", "2")]
    assert len(recorded.complaints) == 2
    assert "ZeroDivisionError: oh" in recorded.complaints[0]


def test_open_matches_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MOST_MATCHES", 2)
    new = {"id": 1, "type": "new_match", "seat": 0}
    with Pool(1, 1) as pool:
        found = Recorded(pool).hear(
            new, new, new, {"id": 1, "type": "end_match", "match": "m1"}, new
        )
    assert [answer.get("code") for answer in found] == [None, None, "busy", None, None]
    assert found[-1]["match"] == "m3"
