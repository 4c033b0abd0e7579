"""Another project, tests/downstream, is built against the installed package and calls its core.

The expected values come from the Python API, a call a card.
"""

import random
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import okgin_fast as og
from okgin_fast import core
from okgin_fast.core.policy import Policy
from okgin_fast.core.rng import Rng

PUBLIC = ["action", "cards", "deal", "meld", "policy", "rng", "search", "spread", "state", "view"]


def test_the_api_version_has_one_value(root):
    declared = (root / "okgin_fast" / "core" / "__init__.pxd").read_text("utf-8")
    assert re.findall(r"API_VERSION = (\d+)", declared) == [str(core.API_VERSION)]


def test_every_public_declaration_file_is_documented(root):
    page = (root / "docs" / "cython.md").read_text("utf-8")
    assert re.findall(r"^\| `okgin_fast\.core\.(\w+)` ", page, re.MULTILINE) == PUBLIC
    assert all((root / "okgin_fast" / "core" / f"{name}.pxd").exists() for name in PUBLIC)


@pytest.fixture(scope="module")
def lab(root, tmp_path_factory):
    """The module, built and installed as its readers would, into a folder of its own."""
    folder = tmp_path_factory.mktemp("downstream")
    shutil.copytree(root / "tests" / "downstream", folder / "source")
    install = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps"]
    done = subprocess.run(
        [*install, "--target", str(folder / "site"), str(folder / "source")],
        cwd=folder,  # not the work tree: what is installed is what is built against
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder / "site"))
    try:
        import rummy_lab

        yield rummy_lab
    finally:
        sys.path.remove(str(folder / "site"))


@pytest.mark.slow
def test_deadwood(lab):
    random_hand = random.Random(1).sample
    hands = [sum(1 << card for card in random_hand(range(52), 10)) for _ in range(500)]
    assert lab.total_deadwood(np.array(hands, np.uint64)) == sum(map(og.deadwood, hands))


@pytest.mark.slow
def test_shuffles_are_those_of_the_generator(lab):
    rng = Rng(5)
    assert lab.shuffled(1, 5) == [bytes(rng.shuffled(52))]
    assert len(set(lab.shuffled(100, 5))) == 100


@pytest.mark.slow
@pytest.mark.parametrize("name", ["oklahoma-spades", "standard"])
def test_random_deals(lab, name):
    rules = og.Rules.preset(name)
    decks = np.frombuffer(b"".join(lab.shuffled(40, 3)), np.uint8).reshape(40, 52)
    points = np.empty(40, np.int32)
    lab.random_deals(rules, decks, points, 11)
    rng = Rng(11)
    for deck, won in zip(decks.tolist(), points.tolist(), strict=True):
        hands, stock = (deck[:10], deck[10:20]), deck[21:]
        deal = og.Deal.from_cards(rules, hands, deck[20], stock, dealer=0, seed=11)
        while deal.result is None:
            legal = deal.legal_actions()
            deal.apply(legal[rng.below(len(legal))])
        assert won == (deal.result.points if deal.result.winner == 0 else -deal.result.points)


@pytest.mark.slow
def test_rollouts_and_the_deal_stays_as_it_was(lab):
    players = Policy(), Policy(pair=0, gap=0, danger_sure=0, knock=[10])
    wins = 0
    for seed in range(60):
        deal = og.Deal("oklahoma", seed=seed)
        before = deal.clone()
        won = lab.rollout(deal, *players)
        assert deal == before
        while deal.result is None:
            deal.apply(players[deal.to_move].act(deal.view(deal.to_move)))
        assert won == (deal.result.points if deal.result.winner == 0 else -deal.result.points)
        wins += won > 0
    assert 0 < wins < 60


@pytest.mark.slow
def test_another_version_of_the_api_is_refused(lab):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from okgin_fast import core; core.API_VERSION += 1; import rummy_lab",
        ],
        env={"PYTHONPATH": str(lab.__file__).rpartition("rummy_lab")[0]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "build rummy_lab again" in done.stderr
