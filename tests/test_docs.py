"""The pages of docs/: their examples run, and their pictures show what is said of them.

- Python runs page by page; lines after ``>>>`` are compared as in a doctest.
- A block of shell commands after ``<!-- run -->`` is run by bash in an empty folder.
- In a block of cards, melds have no deadwood, and a deadwood that is named is the right one.

That links lead somewhere and all pages can be built is checked by ``nox -s docs``.
"""

import doctest
import re
import subprocess
from pathlib import Path

import pytest

import okgin_fast as og
from okgin_fast import client

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^<!-- run -->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = [(page.name, code) for page in PAGES for code in SHELL.findall(page.read_text("utf-8"))]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(page, language):
    return [code for name, code in FENCE.findall(page.read_text("utf-8")) if name == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session: dict[str, object] = {}
    for code in blocks(page, "python"):
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
            test.globs = session
            runner = doctest.DocTestRunner(optionflags=OPTIONS)
            assert runner.run(test, clear_globs=False).failed == 0
        elif not code.startswith('"""setup.py"""'):
            exec(code, session)


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_shell(page, command, tmp_path, environment):
    bash = ["bash", "-euo", "pipefail", "-c", command]
    done = subprocess.run(
        bash, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.fixture
def hooks(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    import hooks

    return hooks


def test_pictures(hooks):
    rows = [
        row for page in PAGES for block in blocks(page, "cards") for row in hooks.rows_of(block)
    ]
    assert len(rows) > 5
    for row in rows:
        hand = [card for group in row.groups for card in group]
        if named := re.search(r"deadwood (\d+)", row.caption):
            melds = [group for group in row.groups[:-1] if og.deadwood(group) == 0]
            left = [card for card in hand if not any(card in meld for meld in melds)]
            assert og.Hand(left).points == int(named[1]), row.caption
        if row.caption.endswith(("a set", "a run", "gin", "the knocker's melds")):
            assert og.deadwood(hand) == 0, row.caption
        if row.caption.startswith("no run"):
            assert og.deadwood(hand) == og.Hand(hand).points, row.caption


def test_a_picture(hooks):
    page = hooks.on_page_markdown("Before\n\n```cards\n7C TH | AS : two & one\n```\n\nAfter\n")
    before, picture, after = page.strip().split("\n\n")
    assert (before, after.strip()) == ("Before", "After")
    assert re.findall(r">([^<>\n]+)</text>", picture) == ["7", "♣", "T", "♥", "A", "♠"]
    assert 'aria-label="7C TH and AS"' in picture
    assert "<figcaption>two &amp; one</figcaption>" in picture


def test_every_page_is_in_the_navigation(root):
    settings = (root / "mkdocs.yml").read_text("utf-8")
    listed = re.findall(r"^  - .*: (\w+\.md)$", settings, re.MULTILINE)
    assert sorted(listed) == [page.name for page in PAGES]


def test_the_api_page_has_every_name():
    page = (DOCS / "api.md").read_text("utf-8")
    shown = re.findall(r"^::: okgin_fast\.(?:[\w.]+\.)?(\w+)$", page, re.MULTILINE)
    errors = {name for name in og.__all__ if name.endswith("Error")}  # shown by their module
    assert set(og.__all__) - errors - set(shown) == set()
    assert set(client.__all__) - {"Position"} - set(shown) == set()
    assert "errors" in shown


def test_nothing_here_names_a_machine_or_a_place():
    for page in PAGES:
        assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users)/", page.read_text("utf-8"))
