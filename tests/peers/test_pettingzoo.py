"""PettingZoo's own tests of ``okgin_v0``; its deals are `VectorDeals`' deals; nothing leaks."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test
from playing import EVERY_RULES
from seen import expected_mask, expected_observation

import okgin_fast as og
from okgin_fast import Deal, Match
from okgin_fast.adapters import okgin_v0
from okgin_fast.adapters.okgin_v0 import AGENTS, env, raw_env
from okgin_fast.core.encoding import LAYOUT, action_id
from okgin_fast.core.rng import derive_seed
from okgin_fast.core.vector import VectorDeals
from okgin_fast.rules import PRESETS, Rules

every_rules = pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)
modes = pytest.mark.parametrize("match", [False, True], ids=["deal", "match"])

# --- PettingZoo's tests ------------------------------------------------------------------------


# What PettingZoo remarks on every environment but its own: observations are dicts with a mask, and
# the mask is empty once the game is over.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")
@modes
@pytest.mark.parametrize("rules", PRESETS)
def test_api(rules: str, match: bool) -> None:
    for make in (env, raw_env):
        api_test(make(rules=rules, match=match, max_deals=3), num_cycles=300)


@modes
@pytest.mark.parametrize("rules", PRESETS)
def test_seed(rules: str, match: bool) -> None:
    seed_test(lambda: env(rules=rules, match=match), num_cycles=200)


@modes
@pytest.mark.parametrize("make", [env, raw_env])
def test_render(make: Any, match: bool) -> None:
    render_test(lambda render_mode: make(match=match, render_mode=render_mode))


# --- playing -------------------------------------------------------------------------------------


def choose(table: raw_env, rng: random.Random, eager: float = 0.7) -> int:
    """Choose an action of the agent whose turn it is: shows its hand when it may, throws well."""
    view = table.view(table.agent_selection)
    legal = view.legal_actions()
    shows = [action for action in legal if action.kind in ("knock", "gin", "big gin")]
    if shows and rng.random() < eager:
        return action_id(rng.choice(shows))
    if view.phase == "throw" and rng.random() < 0.8:
        taken = None if view.rules.may_discard_taken else view.taken
        return 3 + int(og.discards(view.hand, taken=taken)[0].card)
    return action_id(rng.choice([action for action in legal if action not in shows] or legal))


def play_out(table: raw_env, seed: int, eager: float = 0.7) -> dict[str, float]:
    """Play the game to its end as an agent_iter loop does; give what each agent was paid in all."""
    rng, paid = random.Random(seed), dict.fromkeys(AGENTS, 0.0)
    for agent in table.agent_iter():
        _, reward, terminated, truncated, _ = table.last()
        paid[agent] += reward
        table.step(None if terminated or truncated else choose(table, rng, eager))
    return paid


@pytest.mark.parametrize("name", ["oklahoma", "standard", "modern", "open-spiel", "six turns"])
def test_the_same_deals_as_side_by_side(name: str) -> None:
    """Observation, mask, reward and end at each step, for several slots and deals."""
    rules, slots, seed, rng = EVERY_RULES[name], 4, 11, random.Random(1)
    deals = VectorDeals(rules, slots, seed)
    tables = [raw_env(rules=rules) for _ in range(slots)]
    for slot, table in enumerate(tables):
        table.reset(seed=derive_seed(seed, slot))
    ended = 0
    while ended < 12:
        actions = []
        for slot, table in enumerate(tables):
            seen = table.observe(table.agent_selection)
            assert table.agent_selection == AGENTS[deals.to_move[slot]]
            assert seen["observation"].tobytes() == deals.observations[slot].tobytes()
            assert seen["action_mask"].tobytes() == deals.masks[slot].tobytes()
            actions.append(choose(table, rng))
        deals.step(actions)
        for slot, table in enumerate(tables):
            table.step(actions[slot])
            assert list(table.rewards.values()) == deals.rewards[slot].tolist()
            assert list(table.terminations.values()) == [deals.done[slot]] * 2
            if deals.done[slot]:
                table.reset()
                ended += 1


@every_rules
def test_each_agent_sees_its_own_hand_also_while_it_waits(rules: Rules) -> None:
    table, rng = raw_env(rules=rules), random.Random(2)
    table.reset(seed=3)
    while not all(table.terminations.values()):
        for seat, agent in enumerate(AGENTS):
            seen = table.observe(agent)
            assert set(seen) == {"observation", "action_mask"}
            assert seen["observation"].tolist() == expected_observation(table.deal, seat)
            assert seen["action_mask"].tolist() == expected_mask(table.deal, seat)
            assert seen["action_mask"].any() == (agent == table.agent_selection)
            assert table.observation_space(agent).contains(seen)
        table.step(choose(table, rng))
    for seat, agent in enumerate(AGENTS):
        seen = table.observe(agent)
        assert seen["observation"].tolist() == expected_observation(table.deal, seat)
        assert not seen["action_mask"].any()
        assert table.observation_space(agent).contains(seen)


def resampled(deal: Deal, seat: int, rng: random.Random) -> Deal:
    """Return another deal that this seat cannot tell from this one."""
    hidden = list((deal.hand(1 - seat) - deal.view(seat).known) | og.Hand(deal.stock))
    other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    cards = [other.get(card, card) for card in deal.cards]
    again = Deal.from_cards(
        deal.rules, (cards[:10], cards[10:20]), cards[20], cards[21:], deal.dealer
    )
    for action in deal.actions:
        again.apply(action)
    return again


@modes
def test_hidden_cards_change_nothing_that_a_seat_sees(match: bool) -> None:
    rng, compared = random.Random(4), 0
    for rules in ("oklahoma", "modern", "open-spiel"):
        table = raw_env(rules=rules, match=match)
        table.reset(seed=5)
        for _ in range(60):
            if table.deal.result is not None:
                break
            for seat, agent in enumerate(AGENTS):
                seen, info, deal = table.observe(agent), table.infos[agent], table.deal
                table.deal = resampled(deal, seat, rng)
                compared += table.deal.hand(1 - seat) != deal.hand(1 - seat)
                other = table.observe(agent)
                assert {key: value.tobytes() for key, value in other.items()} == {
                    key: value.tobytes() for key, value in seen.items()
                }
                table.deal = deal
                assert info == table.infos[agent]
            table.step(choose(table, rng, eager=0.3))
    assert compared > 100


# --- rewards and ends ---------------------------------------------------------------------------


@every_rules
def test_a_deal_pays_its_points(rules: Rules) -> None:
    kinds = set()
    for seed in range(6):
        table = raw_env(rules=rules)
        table.reset(seed=seed)
        paid = play_out(table, seed)
        result = table.deal.result
        assert result is not None
        kinds.add(result.kind)
        expected = dict.fromkeys(AGENTS, 0.0)
        if result.winner is not None:
            expected[AGENTS[result.winner]] = result.points
            expected[AGENTS[1 - result.winner]] = -result.points
        assert paid == expected
        assert table.agents == []
    assert kinds


@pytest.mark.parametrize(
    "rules",
    [
        *(rules for rules in PRESETS.values() if rules.knock != 0),
        Rules.preset("oklahoma-pagat", hollywood=True),
        Rules.preset("modern", target=250, shutout="double_difference"),
    ],
    ids=lambda rules: rules.name,
)
def test_a_match_pays_the_difference_of_its_totals(rules: Rules) -> None:
    table, seed = raw_env(rules=rules, match=True), 6
    table.reset(seed=seed)
    paid = play_out(table, seed)
    match = table.match
    assert match is not None
    assert match.result is not None
    assert match.rules == rules
    mine, other = match.result.totals
    assert paid == {AGENTS[0]: mine - other, AGENTS[1]: other - mine}
    assert match == Match.from_dict(match.to_dict())


def test_a_deal_of_a_match_pays_at_once_and_the_score_is_seen() -> None:
    table, rng = raw_env(rules="eaai", match=True), random.Random(1)
    table.reset(seed=8)
    scores = {0: 0, 1: 0}
    while not any(table.terminations.values()):
        for seat, agent in enumerate(AGENTS):
            seen = table.observe(agent)
            assert set(seen) == {"observation", "action_mask", "score"}
            assert seen["score"].tolist() == [scores[seat], scores[1 - seat], 100]
            assert table.observation_space(agent).contains(seen)
        table.step(choose(table, rng))
        assert table.rewards[AGENTS[0]] == -table.rewards[AGENTS[1]]
        for seat, agent in enumerate(AGENTS):
            scores[seat] += max(int(table.rewards[agent]), 0)
    assert max(scores.values()) >= 100
    assert table.match is not None
    assert table.match.deals_played > 1


def test_a_match_has_a_seed_that_follows_from_the_tables() -> None:
    table = raw_env(rules="eaai", match=True)
    table.reset(seed=9)
    for number in range(3):
        assert table.match == Match("eaai", seed=derive_seed(9, number))
        assert table.deal == table.match.next_deal()
        table.reset()


def test_players_who_never_knock_are_cut_off() -> None:
    table = raw_env(rules="oklahoma", match=True, max_deals=3)
    table.reset(seed=1)
    rng = random.Random(1)
    for _ in range(1_000):
        if not table.agents or any(table.truncations.values()):
            break
        legal = table.observe(table.agent_selection)["action_mask"].nonzero()[0]
        table.step(rng.choice([number for number in legal.tolist() if number < 55]))
    assert table.truncations == dict.fromkeys(AGENTS, True)
    assert table.terminations == dict.fromkeys(AGENTS, False)
    assert table.match is not None
    assert table.match.deals_played == 3
    for _ in AGENTS:
        table.step(None)
    assert table.agents == []


def test_a_single_deal_that_is_dead_pays_nothing() -> None:
    table = raw_env(rules=EVERY_RULES["six turns"])
    table.reset(seed=1)
    assert play_out(table, 1, eager=0) == dict.fromkeys(AGENTS, 0.0)
    assert table.deal.result is not None
    assert table.deal.result.kind == "dead"


def test_a_match_without_a_target_goes_on_until_a_deal_is_not_dead() -> None:
    table = raw_env(rules=Rules.preset("eaai", target=None, turn_limit=8), match=True)
    table.reset(seed=2)
    assert table.observe(AGENTS[0])["score"].tolist() == [0, 0, 0]
    paid = play_out(table, 2)
    assert table.match is not None
    assert table.match.deals_played > 1
    assert table.match.deals[-1].kind != "dead"
    assert abs(paid[AGENTS[0]]) == table.match.deals[-1].points


# --- infos and text ------------------------------------------------------------------------------


def test_infos_hold_what_everybody_knows() -> None:
    table = raw_env(rules="eaai")
    table.reset(seed=1)
    upcard, dealer = table.deal.upcard, AGENTS[table.deal.dealer]
    public = {"upcard": upcard, "limit": 10, "dealer": dealer, "result": None}
    assert table.infos == {AGENTS[0]: public, AGENTS[1]: public}
    rng = random.Random(1)
    while not any(table.terminations.values()):
        table.step(choose(table, rng))
    for agent in AGENTS:
        assert table.infos[agent]["result"] == table.deal.result
        assert table.infos[agent]["result"].spread is not None
    table.reset()
    assert table.infos[AGENTS[0]]["result"] is None


def test_in_a_match_the_last_deal_is_told_while_the_next_one_is_played() -> None:
    table, rng = raw_env(rules="eaai", match=True), random.Random(1)
    table.reset(seed=1)
    first = table.deal
    while first.result is None:
        table.step(choose(table, rng))
    assert table.deal is not first
    assert table.infos[AGENTS[1]]["result"] == first.result
    assert table.infos[AGENTS[1]]["upcard"] == table.deal.upcard


def test_the_table_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    table = raw_env(rules="oklahoma", render_mode="ansi")
    seed = next(seed for seed in range(100) if Deal("oklahoma", derive_seed(seed, 0)).limit == 7)
    table.reset(seed=seed)
    deal = table.deal
    dealer, other = AGENTS[seed % 2], AGENTS[1 - seed % 2]
    assert table.render() == (
        f"oklahoma: upcard {deal.upcard}, knock limit 7, {dealer} dealt\n"
        f"stock 31, pile {deal.upcard}\n"
        + "".join(
            f"{agent}: {deal.hand(seat)} (deadwood {og.deadwood(deal.hand(seat))}"
            f"{', to move: upcard' if agent == other else ''})\n"
            for seat, agent in enumerate(AGENTS)
        )
    )
    play_out(table, 2)
    result = table.deal.result
    assert result is not None
    text = table.render()
    assert text is not None
    won = "" if result.winner is None else f", {result.points} for {AGENTS[result.winner]}"
    assert text.endswith(f"\nover: {result.kind}{won}\n")
    assert capsys.readouterr().out == ""


def test_people_see_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    table = raw_env(rules="eaai", match=True, render_mode="human")
    table.reset(seed=1)
    assert capsys.readouterr().out.startswith("score 0-0, eaai: upcard ")
    table.step(0)
    assert "to move: upcard" in capsys.readouterr().out


def test_rendering_without_a_mode_warns() -> None:
    table = raw_env()
    table.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert table.render() is None


# --- seeds ----------------------------------------------------------------------------------------


def test_deals_follow_from_the_seed() -> None:
    table = raw_env(rules="oklahoma")
    table.reset(seed=12)
    for number in range(4):
        assert table.deal == Deal("oklahoma", derive_seed(12, number), dealer=number % 2)
        table.reset()
    table.reset(seed=np.int64(12))
    assert table.deal == Deal("oklahoma", derive_seed(12, 0), dealer=0)


def test_without_a_seed_every_table_is_another() -> None:
    tables = [raw_env() for _ in range(2)]
    for table in tables:
        table.reset()
    assert tables[0].deal != tables[1].deal


def test_named_dealers_deal_always() -> None:
    table = raw_env(rules="open-spiel")
    table.reset(seed=1)
    for _ in range(3):
        assert (table.deal.dealer, table.agent_selection) == (1, "player_0")
        table.reset()


@modes
def test_copies_play_on_alike(match: bool) -> None:
    table, rng = raw_env(match=match), random.Random(3)
    table.reset(seed=1)
    for _ in range(7):
        table.step(choose(table, rng))
    for again in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        original = copy.deepcopy(table)
        assert play_out(again, 5) == play_out(original, 5)
        assert again.deal == original.deal
        assert again.match == original.match
        assert again.agents == []


# --- bad input ------------------------------------------------------------------------------------


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    table = raw_env(rules="oklahoma")
    table.reset(seed=1)
    before = pickle.dumps(table)
    for bad in (1, 5, 108, -1, None, "2", 2.0):
        with pytest.raises(og.IllegalActionError, match="allowed: 0 pass, 2 take"):
            table.step(bad)
    assert pickle.dumps(table) == before
    table.step(np.int32(2))


def test_with_wrappers_an_illegal_action_ends_the_game(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = env(rules="oklahoma")
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(1)
    assert "Illegal move" in caplog.text
    assert table.terminations == dict.fromkeys(AGENTS, True)
    assert table.rewards[agent] == okgin_v0.ILLEGAL == -100
    other = env()
    other.reset(seed=1)
    with pytest.raises(AssertionError, match="not in action space"):
        other.step(108)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"rules": "oklahome"}, "oklahome"),
        ({"render_mode": "rgb_array"}, "render_mode='rgb_array'"),
        ({"max_deals": 0}, "max_deals=0"),
        ({"max_deals": 2.5}, "max_deals=2.5"),
        ({"max_deals": True}, "max_deals=True"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], word: str) -> None:
    for make in (env, raw_env):
        with pytest.raises(og.OkginError, match=word):
            make(**arguments)


@pytest.mark.parametrize("match", [False, True])
def test_before_reset_nothing_can_be_asked(match: bool) -> None:
    table = raw_env(match=match, render_mode="ansi")
    for ask in (
        table.last,
        table.render,
        lambda: table.step(0),
        lambda: table.observe("player_0"),
        lambda: table.view("player_0"),
    ):
        with pytest.raises(og.OkginError, match=r"call reset\(\) first"):
            ask()
    assert list(table.agent_iter()) == []


def test_bad_seeds_and_agents() -> None:
    table = raw_env()
    table.reset(seed=1)
    deal = table.deal
    for seed in (-1, 1 << 64, 1.0, "1", True):
        with pytest.raises(og.RulesError, match="seed="):
            table.reset(seed=seed)  # type: ignore[arg-type]
    assert table.deal is deal
    for agent in ("player_2", 0, None, []):
        with pytest.raises(og.OkginError, match="no agent"):
            table.observe(agent)  # type: ignore[arg-type]


def test_our_players_play_here() -> None:
    table = env(rules="oklahoma", match=True)
    table.reset(seed=1)
    players = dict(zip(AGENTS, (og.agent("gold"), og.agent("simple", seed=1)), strict=True))
    for agent in table.agent_iter():
        _, _, terminated, truncated, _ = table.last()
        if terminated or truncated:
            table.step(None)
        else:
            table.step(action_id(players[agent].act(table.unwrapped.view(agent))))
    assert table.unwrapped.match.over


def test_the_documented_layout_is_that_of_the_space() -> None:
    space = raw_env().observation_space(AGENTS[0])["observation"]
    for part in LAYOUT:
        assert (space.low[part.start : part.stop] == 0).all()
        assert (space.high[part.start : part.stop] == part.highest).all()
