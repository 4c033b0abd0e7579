"""``okgin serve``: its options, its exit codes, and Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess

import pytest
from command import FULL, OKGIN, TIMEOUT, needs_full, okgin, plain_environment
from serving import LONG, TOKEN, engine, listener

VERSION = b'{"id": 1, "type": "version"}\n'


def test_one_request_from_the_shell() -> None:
    code, out, err = okgin("serve", stdin=VERSION)
    assert (code, err) == (0, "")
    assert json.loads(out)["protocol"] == 1


def test_no_input_is_no_error() -> None:
    assert okgin("serve") == (0, "", "")


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--port", "65536"], ["--port 65536", "from 0 to 65535"]),
        (["--port", "-1"], ["--port -1"]),
        (["--port", "http"], ["'http' is not a whole number"]),
        (["--workers", "0"], ["--workers 0", "from 1"]),
        (["--queue", "0"], ["--queue 0", "from 1"]),
        (["--token", TOKEN], ["--token goes with --port"]),
        (["--host", "127.0.0.1"], ["--host goes with --port"]),
        (["--port", "0", "--token", ""], ["--token ''"]),
        (["--port", "0", "--token", "a\nb"], ["--token 'a\\nb'"]),
        (["--port", "0", "--token", "x" * 300], ["--token 'xxx"]),
        (["--port", "0", "--host", "no such host."], ["cannot listen", "'no such host.'"]),
        (["--port", "0", "--host", "192.0.2.1"], ["cannot listen", "'192.0.2.1'"]),
        (["file.json"], ["file.json"]),
    ],
)
def test_bad_options_are_refused_in_one_line(
    words: list[str], parts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from okgin_fast.cli import main

    assert main(["serve", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, out, err = okgin("serve", "--port", str(taken.getsockname()[1]))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "cannot listen" in err


def test_a_token_is_made_up_and_told_once() -> None:
    with listener() as process:
        line = process.errors.readline().decode()
        found = re.fullmatch(r"okgin serve: token (\S{32})\n", line)
        assert found, line
        with process.connection() as client:
            answer = client.ask({"id": 1, "type": "version", "token": found[1]})
            assert answer["type"] == "version"


@pytest.mark.parametrize("thinking", [False, True])
def test_ctrl_c_ends_it_in_one_line(thinking: bool) -> None:
    with engine() as process:
        if thinking:
            process.partial({**LONG, "id": 1})
        else:
            process.ask(VERSION.strip())
        process.process.send_signal(signal.SIGINT)
        assert process.process.wait(TIMEOUT) == 130
        assert process.process.stderr is not None
        assert process.process.stderr.read() == b"okgin serve: interrupted\n"


def test_ctrl_c_ends_a_listener_whoever_is_connected() -> None:
    with listener("--token", TOKEN) as process, process.client() as client:
        client.partial({**LONG, "id": 1})
        process.process.send_signal(signal.SIGINT)
        assert process.process.wait(TIMEOUT) == 130
        assert process.errors.read() == b"okgin serve: interrupted\n"


@needs_full
def test_a_full_disk_and_a_closed_input() -> None:
    for redirected, code, said in (
        (f"> {FULL}", 1, "cannot write the output: No space left on device"),
        ("<&-", 2, "standard input or output is closed"),
    ):
        shell = ["bash", "-c", f'"$@" {redirected}', "bash", *OKGIN, "serve"]
        done = subprocess.run(
            shell, input=VERSION, capture_output=True, timeout=TIMEOUT, check=False
        )
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (code, b"", 1)
        assert said in done.stderr.decode()


def test_nobody_reads_the_answers() -> None:
    process = subprocess.Popen(
        [*OKGIN, "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=plain_environment(),
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(VERSION * 3, timeout=TIMEOUT)
    assert process.returncode == 1
    assert err == b"okgin serve: error: cannot write the output: Broken pipe\n"
