"""The client: what it asks and understands, and what it says if the server is not as it should be.

Where it must do something that a server never should, it is played by a few lines of Python.
"""

import asyncio
import json
import re
import subprocess
import sys
import threading
import time

import pytest

import okgin_fast as og
from okgin_fast.client import AsyncEngine, Engine, EngineTerminatedError, ProtocolError
from okgin_fast.protocol import PROTOCOL

VIEW = og.Deal("oklahoma", seed=7).view(1)
HELLO = {"type": "version", "name": "x", "version": "0", "protocol": PROTOCOL}

# A server that answers `version` with HELLO and everything else by `reply`.
ACTOR = """
import json, sys, time
hello = {hello!r}
for line in sys.stdin:
    asked = json.loads(line)
    def say(**answer):
        print(json.dumps({{"id": asked["id"], "type": asked["type"], **answer}}), flush=True)
    if asked["type"] == "version":
        say(**hello)
        continue
    {reply}
"""


def actor(reply, **hello):
    return [sys.executable, "-c", ACTOR.format(hello=HELLO | hello, reply=reply)]


@pytest.fixture(scope="module")
def engine():
    with Engine.popen() as engine:
        yield engine


# ---------------------------------------------------------------------------------- a real server


@pytest.mark.parametrize("level", ["beginner", "club", 6])
def test_act_is_what_the_player_would_do(engine, level):
    for seed in range(5):
        view = og.Deal("eaai", seed=seed).view(1)
        assert engine.act(view, level, seed=3) == og.agent(level, seed=3).act(view)


def test_the_expert_with_a_limit(engine):
    expert = og.agent("expert", seed=5, limit=og.Limit(rollouts=64))
    answer = engine.act(VIEW, "expert", og.Limit(rollouts=64), seed=5)
    assert answer == expert.act(VIEW)


def test_positions_as_people_type_them(engine):
    words = {"hand": "AS 2S 3S 7H 7D 7C KD QD 9C 4H 10C", "upcard": "7S"}
    text = " ".join(f"{name}={value}" for name, value in words.items())
    assert engine.act(words, "gold") == engine.act(text, "gold")
    assert engine.act(text, "gold") == og.agent("gold").act(og.View.from_position(text))


def test_advice_is_the_same_as_without_a_server(engine):
    limit = og.Limit(rollouts=200)
    assert engine.advise(VIEW, limit, seed=3) == og.advise(VIEW, limit, seed=3)


def test_any_request(engine):
    answer = engine.request("melds", hand="AS 2S 3S 7H 7D 7C KD QD 9C 4H")
    assert answer["deadwood"] == 33
    assert "club" in engine.options()["levels"]


def test_partial_results(engine):
    found = []
    advice = engine.advise(VIEW, og.Limit(time_ms=400), on_partial=found.append, every_ms=50)
    assert found
    assert all(one["partial"] and one["candidates"] for one in found)
    assert len(advice.candidates) == 2


def test_what_is_refused_says_why(engine):
    with pytest.raises(ProtocolError, match="hand") as caught:
        engine.act("hand=AS upcard=7H", "club")
    assert caught.value.code in ("request", "input")
    with pytest.raises(ProtocolError, match="wizard") as caught:
        engine.act(VIEW, "wizard")
    assert caught.value.field == "level"
    with pytest.raises(ProtocolError, match="longer") as caught:
        engine.request("melds", hand="x" * 2_000_000)
    assert engine.act(VIEW, "club") in VIEW.legal_actions()


def test_one_place_or_the_other(engine):
    with pytest.raises(og.OkginError, match="one of them"):
        engine.act()
    with pytest.raises(og.OkginError, match="one of them"):
        engine.act(VIEW, match="m1")
    with pytest.raises(og.OkginError, match="stop"):
        engine.act(VIEW, limit=og.Limit(rollouts=1, stop=threading.Event()))


def test_stop_ends_a_search(engine):
    begun = threading.Event()
    answers = []

    def ask():
        limit = og.Limit(time_ms=60_000)
        answers.append(engine.advise(VIEW, limit, every_ms=20, on_partial=lambda _: begun.set()))

    asking = threading.Thread(target=ask)
    asking.start()
    assert begun.wait(30)
    engine.stop()
    asking.join(30)
    assert not asking.is_alive()
    assert answers[0].rollouts > 0


def test_an_engine_is_a_player(engine):
    result = og.play_match(engine, og.agent("club"), og.Rules.preset("eaai", target=None), seed=2)
    assert result.winner in (0, 1, None)


def test_many_tasks_at_once():
    views = [og.Deal("eaai", seed=seed).view(1) for seed in range(20)]

    async def main():
        async with await AsyncEngine.popen() as engine:
            return await asyncio.gather(*(engine.act(view, "club") for view in views))

    assert asyncio.run(main()) == [og.agent("club").act(view) for view in views]


def test_a_cancelled_task_stops_its_search():
    async def main():
        async with await AsyncEngine.popen() as engine:
            begun = asyncio.Event()
            task = asyncio.create_task(
                engine.advise(
                    VIEW,
                    og.Limit(time_ms=60_000),
                    every_ms=20,
                    on_partial=lambda _: begun.set(),
                )
            )
            await asyncio.wait_for(begun.wait(), 30)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await engine.act(VIEW, "expert", og.Limit(rollouts=8))

    started = time.monotonic()
    assert asyncio.run(main()) in VIEW.legal_actions()
    assert time.monotonic() - started < 50


# ------------------------------------------------------------------------------ another than it


def test_the_process_dies_at_a_request():
    reply = "sys.exit('out of cards')"
    with (
        Engine.popen(actor(reply)) as engine,
        pytest.raises(EngineTerminatedError, match="exit code 1: out of cards") as first,
    ):
        engine.act(VIEW)
    with Engine.popen(actor(reply)) as engine:
        for _ in range(3):  # the same clear error every time
            with pytest.raises(EngineTerminatedError, match="out of cards"):
                engine.act(VIEW)
    assert "\n" not in str(first.value)


def test_all_that_wait_are_told_of_the_end():
    async def main():
        engine = await AsyncEngine.popen(actor("time.sleep(0.2); sys.exit(3)"))
        async with engine:
            asked = (engine.options() for _ in range(4))
            return await asyncio.gather(*asked, return_exceptions=True)

    answers = asyncio.run(main())
    assert [type(answer) for answer in answers] == [EngineTerminatedError] * 4
    assert "exit code 3" in str(answers[0])


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["no-such-program-anywhere"], "'no-such-program-anywhere' does not start"),
        ([sys.executable, "-c", "raise SystemExit('no licence')"], "no licence"),
        ([sys.executable, "-c", "print('Welcome!')"], "no engine.* 'Welcome!"),
        ([sys.executable, "-c", "print([1])"], r"no engine.* '\[1\]"),
        (actor("pass", protocol=99), "protocol 99"),
    ],
)
def test_what_is_started_is_no_engine(command, message):
    with pytest.raises(EngineTerminatedError, match=message):
        Engine.popen(command)


def test_no_answer_in_time():
    with Engine.popen(actor("pass")) as engine:
        engine._engine.timeout = 0.2
        with pytest.raises(TimeoutError, match=r"'options' within 0\.2 seconds"):
            engine.options()


def test_a_request_that_runs_out_of_time_is_stopped():
    reply = "asked['type'] == 'stop' and say(**hello) or say(partial=True, candidates=[])"
    told = actor(f"sys.stderr.write(line); {reply}")
    with Engine.popen(told) as engine:
        engine._engine.timeout = 0.2
        with pytest.raises(TimeoutError):
            engine.request("advise")
        deadline = time.monotonic() + 10
        while b'"target":2' not in engine._engine._last_words and time.monotonic() < deadline:
            time.sleep(0.01)
        assert b'"type":"stop","target":2' in engine._engine._last_words


def test_answers_out_of_order_and_answers_to_nothing():
    reply = (
        "late = globals().setdefault('late', []); late.append(asked['id']); "
        'print(\'{"id": 999, "type": "stop", "stopped": 0}\', flush=True); '
        "[print(json.dumps({'id': i, 'type': 'options', 'number': i}), flush=True)"
        " for i in reversed(late) if len(late) == 3]"
    )

    async def main():
        async with await AsyncEngine.popen(actor(reply)) as engine:
            return await asyncio.gather(*(engine.options() for _ in range(3)))

    assert [answer["number"] for answer in asyncio.run(main())] == [2, 3, 4]


def test_errors_that_nobody_can_be_told_from_reach_all():
    reply = "say(id=None, type='error', code='line', field='line', message='not JSON')"
    with (
        Engine.popen(actor(reply)) as engine,
        pytest.raises(ProtocolError, match="not JSON") as caught,
    ):
        engine.options()
    assert caught.value.code == "line"


def test_a_fault_in_the_callers_own_function_is_his():
    def broken(_):
        raise KeyError("mine")

    reply = "say(partial=True, candidates=[])"
    with Engine.popen(actor(reply)) as engine, pytest.raises(KeyError, match="mine"):
        engine.request("advise", on_partial=broken)


def test_closed_is_closed():
    engine = Engine.popen(actor("pass"))
    engine.close()
    engine.close()
    with pytest.raises(EngineTerminatedError, match="closed"):
        engine.options()


def test_a_process_that_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr("okgin_fast.client.async_engine.FAREWELL", 0.2)
    stubborn = actor("pass")
    stubborn[-1] += "\ntime.sleep(60)"
    started = time.monotonic()
    with Engine.popen(stubborn):
        pass
    assert time.monotonic() - started < 30


# ---------------------------------------------------------------------------------- over a socket


def serve(answer):
    """A server on a free port that answers one line by a function, and then hangs up."""

    async def talk(reader, writer):
        writer.write(answer(await reader.readline()))
        await writer.drain()
        writer.close()

    return asyncio.start_server(talk, "127.0.0.1", 0)


def test_nobody_listens():
    async def free_port():
        server = await serve(bytes)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        return port

    port = asyncio.run(free_port())
    with pytest.raises(EngineTerminatedError, match=rf"nobody listens at 127\.0\.0\.1:{port}"):
        Engine.connect(port, "x")


def test_what_still_waits_when_it_is_closed():
    async def talk(reader, writer):
        asked = json.loads(await reader.readline())
        writer.write(json.dumps(HELLO | {"id": asked["id"]}).encode() + b"\n")
        await reader.read()
        writer.close()

    async def main():
        async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
            engine = await AsyncEngine.connect(server.sockets[0].getsockname()[1], "x")
            waiting = asyncio.create_task(engine.options())
            await asyncio.sleep(0)
            await engine.close()
            await waiting

    with pytest.raises(EngineTerminatedError, match="closed"):
        asyncio.run(main())


def test_by_tcp_with_a_token(environment):
    command = [sys.executable, "-m", "okgin_fast", "serve", "--port", "0", "--token", "sesame"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        port = int(re.search(r"port (\d+)", server.stderr.readline())[1])
        with Engine.connect(port, "sesame") as one, Engine.connect(port, "sesame") as other:
            assert one.act(VIEW, "club") == other.act(VIEW, "club")
            state = one.new_match(0, "eaai", dealer=1)
            hand = "AS 2S 3S 7H 7D 7C KD QD 9C 4H"
            state = one.event(state["match"], "deal", hand=hand, upcard="7S")
            assert one.act(match=state["match"], level="club") == og.Action.parse("take 7S")
            assert one.state(state["match"])["deal"]["limit"] == 10
            one.end_match(state["match"])
            with pytest.raises(ProtocolError):
                one.state(state["match"])
        with pytest.raises(ProtocolError, match="token") as caught:
            Engine.connect(port, "abracadabra")
        assert caught.value.code == "token"
        server.terminate()


def test_a_server_hangs_up():
    async def main():
        server = await serve(lambda _: b"")
        async with server:
            await AsyncEngine.connect(server.sockets[0].getsockname()[1], "x")

    with pytest.raises(EngineTerminatedError, match="closed the connection"):
        asyncio.run(main())
