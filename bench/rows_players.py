"""Players: decisions a second on the same positions, deals a second of each against itself.

The positions are those of deals between our `simple` players, which OpenSpiel's state follows card
by card. RLCard deals otherwise: its player decides in positions of its own deals.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from measure import Row, Side, for_each
from peers import OPENSPIEL, RLCARD, SEED, openspiel_game, pyspiel, rlcard, rlcard_table

import okgin_fast as og
from okgin_fast.core.search import Search

RULES = "open-spiel"
POSITIONS = 300
SEARCHED = slice(5, POSITIONS, 100)  # three of them, for what is slow
ROLLOUTS = 64  # of each candidate; OpenSpiel's search makes as many simulations in all
DRAW_UPCARD, DRAW_STOCK, PASS = 52, 53, 54  # OpenSpiel's actions; a throw is the card's id


class Position(NamedTuple):
    """What our players see, and OpenSpiel's state of the same deal if it is installed."""

    view: og.View
    state: object


def positions() -> list[Position]:
    """Return the positions of some deals, except where our player knocks.

    OpenSpiel's would remember that it has knocked, and then trip over the next position.
    """
    player = og.agent("simple", seed=SEED)
    found: list[Position] = []
    for seed in itertools.count(SEED):
        deal = og.Deal(RULES, seed=seed, dealer=1)  # OpenSpiel's player 0 always begins
        state = begun(deal) if pyspiel else None
        while deal.to_move is not None:
            view = deal.view(deal.to_move)
            action = player.act(view)
            if action.kind in ("knock", "gin"):
                break
            found.append(Position(view, state and state.clone()))
            if len(found) == POSITIONS:
                return found
            deal.apply(action)
            if state and deal.to_move is not None:
                follow(state, action, deal)
    raise AssertionError


def begun(deal: og.Deal):
    """Return OpenSpiel's state with the same cards dealt."""
    state = openspiel_game().new_initial_state()
    for card in deal.cards[:21]:
        state.apply_action(int(card))
    return state


def follow(state, action: og.Action, deal: og.Deal) -> None:
    """Play in OpenSpiel what was just played in our deal."""
    ids = {"take": DRAW_UPCARD, "draw": DRAW_STOCK, "pass": PASS}
    state.apply_action(ids[action.kind] if action.kind in ids else int(action.card))
    if state.is_chance_node():
        (drawn,) = set(map(int, deal.hand(deal.to_move))) - set(state.hands()[deal.to_move])
        state.apply_action(drawn)
    for seat in range(2):
        assert sorted(state.hands()[seat]) == sorted(map(int, deal.hand(seat)))
    assert state.current_player() == deal.to_move


def here(name: str, asked: list[Position], **options: object) -> Side:
    """Return one of our players deciding in positions."""
    player = og.agent(name, seed=SEED, **options)
    return for_each(player.act, [position.view for position in asked])


def there(make: Callable, asked: list[Position]) -> Side:
    """Return a bot of OpenSpiel's, made for each seat, deciding in positions."""
    bots = [make(seat) for seat in range(2)]
    states = [position.state for position in asked]
    return for_each(lambda state: bots[state.current_player()].step(state), states)


def openspiel_random(seat: int):
    """Return OpenSpiel's random player."""
    return pyspiel.make_uniform_random_bot(seat, SEED)


def openspiel_simple(seat: int):
    """Return OpenSpiel's own gin rummy player."""
    return pyspiel.make_simple_gin_rummy_bot(openspiel_game().get_parameters(), seat)


def openspiel_search(_: int):
    """Return OpenSpiel's information set Monte Carlo tree search, with random rollouts."""
    most_visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    rollout = pyspiel.RandomRolloutEvaluator(1, SEED)
    return pyspiel.ISMCTSBot(SEED, rollout, 2.0, ROLLOUTS, -1, most_visits, False, True)


def decision_rows() -> Iterator[Row]:
    """Decisions a second, the positions made before."""
    asked = positions()
    few = asked[SEARCHED]
    peers: dict[str, dict[str, Side]] = {"random": {}, "simple": {}, "gold": {}, "expert": {}}
    if pyspiel:
        peers["random"][OPENSPIEL] = there(openspiel_random, asked)
        peers["simple"][OPENSPIEL] = there(openspiel_simple, asked)
        peers["expert"][OPENSPIEL] = there(openspiel_search, few)
    if rlcard:
        player, states = novice(), []
        table = rlcard_table(player)
        for _ in range(3):
            trajectories, _ = table.run()
            states += [state for own in trajectories for state in own[:-1:2]]
        peers["gold"][RLCARD] = for_each(player.step, states)
    for name in ("random", "simple", "gold"):
        yield Row(f"{name} player", "decisions", here(name, asked), peers[name])
    expert = here("expert", asked[::10], limit=og.Limit(rollouts=ROLLOUTS))
    yield Row(f"expert, {ROLLOUTS} rollouts", "decisions", expert, peers["expert"])
    yield Row("expert", "decisions", here("expert", asked[::30]), {})
    yield from search_rows(few, peers["expert"])


def novice():
    """Return RLCard's rule player: exact melds, least deadwood, knocks at once, draws by chance."""
    from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

    return GinRummyNoviceRuleAgent()


def search_rows(asked: list[Position], peers: dict[str, Side]) -> Iterator[Row]:
    """Games played out by the searches alone, ours to the end by its policies."""

    def search() -> None:
        for position in asked:
            Search(position.view, position.view.legal_actions(), SEED).run(ROLLOUTS)

    played = ROLLOUTS * sum(len(position.view.legal_actions()) for position in asked)
    simulated = {name: Side(side.run, side.items * ROLLOUTS) for name, side in peers.items()}
    yield Row("search", "rollouts", Side(search, played), simulated)


def self_play_rows() -> Iterator[Row]:
    """Whole deals of each player against itself."""
    seeds = itertools.count(SEED)
    rollouts = og.Limit(rollouts=ROLLOUTS)
    peers: dict[str, dict[str, Side]] = {"random": {}, "simple": {}, "gold": {}}
    if pyspiel:
        peers["random"][OPENSPIEL] = evaluated(openspiel_random, seeds)
        peers["simple"][OPENSPIEL] = evaluated(openspiel_simple, seeds)
    if rlcard:
        table = rlcard_table(novice())
        peers["gold"][RLCARD] = for_each(lambda _: table.run(is_training=True), range(2))
    for name in ("random", "simple", "gold"):
        ours = against_itself(og.agent(name, seed=SEED), seeds, 20)
        yield Row(f"{name} against itself", "deals", ours, peers[name])
    ours = against_itself(og.agent("expert", seed=SEED, limit=rollouts), seeds, 2)
    yield Row(f"expert, {ROLLOUTS} rollouts, against itself", "deals", ours, {})
    yield Row(
        "expert against itself",
        "deals",
        against_itself(og.agent("expert", seed=SEED), seeds, 1),
        {},
    )


def evaluated(bot: Callable, seeds: Iterator[int]) -> Side:
    """Return OpenSpiel's bot, made of a seat, who plays both seats of new deals."""
    game, bots = openspiel_game(), [bot(seat) for seat in range(2)]

    def evaluate(_: int) -> None:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))

    return for_each(evaluate, range(5))


def against_itself(player: og.Agent, seeds: Iterator[int], deals: int) -> Side:
    """Return a player who plays both seats of new deals."""

    def play(_: int) -> None:
        deal = og.Deal(RULES, seed=next(seeds))
        while deal.to_move is not None:
            deal.apply(player.act(deal.view(deal.to_move)))

    return for_each(play, range(deals))


def rows() -> Iterator[Row]:
    """Return every row about players."""
    yield from decision_rows()
    yield from self_play_rows()
