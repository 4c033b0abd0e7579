"""Random deals under every preset: the core in step with the oracle, and by itself.

The slow tests are the same with more deals: `pytest -m slow tests/test_deal_properties.py`.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable

import pytest
from helpers import lay_off_cards, whole_deal

from okgin_fast import Action, Deal, discards, reference, settle, spreads
from okgin_fast.cards import DECK, Card, Hand
from okgin_fast.errors import OkginError
from okgin_fast.reference import ReferenceDeal
from okgin_fast.rules import PRESETS, Rules

# Rules that bring about what the presets do seldom: short stocks, new stocks, endless takes.
RARE = {
    "big gin and ties": Rules.preset("modern", may_discard_taken=True, undercut_on_tie=False),
    "a wall of one card": Rules.preset("oklahoma", wall_size=1),
    "no wall": Rules.preset("oklahoma-spades", wall_size=0, undercut_on_tie=False),
    "thirty left": Rules.preset("eaai", wall_size=30),
    "five turns": Rules.preset("oklahoma-pagat", turn_limit=5),
    "gin at ten with reshuffle": Rules.preset("oklahoma", wall="reshuffle", knock=10, big_gin=True),
}
EVERY_RULES = {**PRESETS, **RARE}
every_rules = pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES)


def chooser(seed: int) -> Callable[[Deal], Action]:
    """Return a player for both seats who mostly throws towards melds, and knocks at times.

    Uniform choices hardly ever reach a knock; these bring about every kind of end.
    """
    rng = random.Random(seed)
    eager, careful = rng.choice([0.0, 0.3, 1.0]), rng.choice([0.5, 0.95])

    def choose(deal: Deal) -> Action:
        actions = deal.legal_actions()
        if deal.phase == "throw":
            gins = [action for action in actions if action.kind in ("gin", "big gin")]
            if gins and rng.random() < 0.5:
                return rng.choice(gins)
            knocks = [action for action in actions if action.kind == "knock"]
            if knocks and rng.random() < eager:
                return rng.choice(knocks)
            if rng.random() < careful:
                banned = None if deal.rules.may_discard_taken else deal.taken
                best = discards(deal.hand(deal.to_move), taken=banned)[0].card
                return Action("discard", best)
        return rng.choice(actions)

    return choose


def words(deal: Deal) -> list[str]:
    """Return the core's legal actions as text."""
    return [str(action) for action in deal.legal_actions()]


def oracle_of(deal: Deal) -> ReferenceDeal:
    """Return the oracle's deal of the same cards; a new stock is the one that the core shuffled."""

    def as_the_core_did(pile: list[Card]) -> list[Card]:
        assert sorted(pile) == sorted(deal.stock)
        return list(deal.stock)

    hands = [deal.hand(0), deal.hand(1)]
    return ReferenceDeal(deal.rules, hands, deal.upcard, deal.stock, deal.dealer, as_the_core_did)


def check_same(deal: Deal, oracle: ReferenceDeal) -> None:
    """Both are at the same point of the same deal."""
    assert (deal.phase, deal.to_move) == (oracle.phase, oracle.to_move)
    assert (deal.limit, deal.turn, deal.taken) == (oracle.limit, oracle.turns, oracle.taken)
    assert [set(deal.hand(seat)) for seat in (0, 1)] == oracle.hands
    assert list(deal.stock) == oracle.stock
    assert list(deal.pile) == oracle.pile
    legal = words(deal)
    assert len(legal) == len(set(legal))
    assert set(legal) == set(oracle.legal_actions())


def apply_both(deal: Deal, oracle: ReferenceDeal, action: str) -> None:
    """Play in both; the oracle spreads a knock as the core chose to.

    Of the spreads that leave least it must offer the fewest lay-offs to the cards unseen so far.
    """
    seat = deal.to_move
    unseen = Hand(DECK) - deal.hand(seat) - Hand(deal.pile)
    deal.apply(action)
    if deal.result and deal.result.spread:
        kept, spread = oracle.hands[seat], deal.result.spread
        if action != "big gin":
            kept = kept - {Card(action.split()[-1])}
            shown = " ".join(meld.text(sep="") for meld in spread.melds)
            action = f"{action}: {shown}" if shown else action
        assert spread.deadwood == reference.deadwood(kept)
        offers = [len(lay_off_cards(melds, unseen)) for melds in reference.spreads(kept)]
        assert len(lay_off_cards(spread.melds, unseen)) == min(offers)
        assert spread.unmelded == Hand(reference.unmelded(kept, map(frozenset, spread.melds)))
    oracle.apply(action)


def any_deal(rules: Rules, seed: int) -> Deal:
    """Deal a deck, or for every third seed two hands of five or six ranks, full of melds."""
    dealer = seed // 3 % 2
    if seed % 3:
        return Deal(rules, seed=seed, dealer=dealer)
    rng = random.Random(seed)
    low, ranks = rng.randrange(8), rng.choice([5, 6])
    dense = rng.sample([Card(i) for i in range(52) if low <= i % 13 < low + ranks], 20)
    upcard = rng.choice([card for card in Hand(DECK) if card not in dense])
    hands = (Hand(dense[:10]), Hand(dense[10:]))
    return Deal.from_cards(rules, hands=hands, upcard=upcard, dealer=dealer, seed=seed)


def in_step(rules: Rules, seed: int) -> str:
    """Play one deal in the core and in the oracle and compare them at each step."""
    deal = any_deal(rules, seed)
    oracle = oracle_of(deal)
    choose = chooser(seed)
    check_same(deal, oracle)
    while deal.phase != "over":
        apply_both(deal, oracle, str(choose(deal)))
        check_same(deal, oracle)
    assert deal.result[:6] == oracle.result
    if deal.result.layoff:
        assert deal.result.layoff.deadwood == deal.result.defender_deadwood
    return str(deal.result.kind)


@every_rules
def test_the_core_keeps_step_with_the_oracle(rules: Rules) -> None:
    for seed in range(15):
        in_step(rules, seed)


@pytest.mark.slow
@every_rules
def test_the_core_keeps_step_with_the_oracle_for_long(rules: Rules) -> None:
    for seed in range(1_000, 2_000):
        in_step(rules, seed)


def test_the_random_deals_end_in_every_way() -> None:
    """So that the tests here mean something."""
    kinds = Counter()
    for rules in EVERY_RULES.values():
        for seed in range(40):
            deal, choose = any_deal(rules, seed), chooser(seed)
            while deal.phase != "over":
                deal.apply(choose(deal))
            kinds[deal.result.kind] += 1
    assert min(kinds[kind] for kind in ("gin", "knock", "dead")) > 20
    assert min(kinds[kind] for kind in ("undercut", "tie")) > 0


@pytest.mark.parametrize(
    ("upcard", "actions"),
    [("TC", ["pass", "pass", "draw", "big gin"]), ("9S", ["take 9S", "big gin"])],
)
def test_big_gin_in_step_with_the_oracle(upcard: str, actions: list[str]) -> None:
    melded = "5S 6S 7S 8S 9C 9D 9H 2D 3D 4D"
    first = "9S" if upcard != "9S" else ""
    cards = whole_deal("AS 2S 3S 4S 7C 7D 7H JC QC KC", melded, upcard, first)
    deal = Deal.from_cards(Rules.preset("modern"), **cards)
    oracle = oracle_of(deal)
    for action in actions:
        check_same(deal, oracle)
        apply_both(deal, oracle, action)
    check_same(deal, oracle)
    assert deal.result[:6] == oracle.result == ("big_gin", 1, 31, 1, 0, 0)


# --- the core by itself ----------------------------------------------------------------------


def check_conserved(deal: Deal) -> None:
    """All 52 cards are there, each once: 10 + 10 + pile + stock and the card in hand."""
    places = [deal.hand(0), deal.hand(1), Hand(deal.pile), Hand(deal.stock)]
    assert sum(map(len, places)) == 52
    assert sum(place.mask for place in places) == DECK


def check_result(deal: Deal) -> None:
    """What one wins the other loses; nobody wins nothing."""
    result = deal.result
    assert isinstance(result.points, int)
    if result.winner is None:
        assert (result.kind, result.points) in {("dead", 0), ("tie", 0)}
    else:
        assert result.winner in (0, 1)
        assert result.points > 0
        assert result.kind in {"knock", "gin", "big_gin", "undercut"}
        assert (result.winner != result.knocker) == (result.kind == "undercut")


def there_and_back(rules: Rules, seed: int) -> None:
    """Play a random deal to its end and take every action back."""
    rng = random.Random(seed)
    deal = Deal(rules, seed=seed, dealer=seed % 2)
    start = deal.clone()
    halfway, steps = None, rng.randrange(1, 60)
    choose = chooser(seed)
    uniform = seed % 8
    while deal.phase != "over":
        deal.apply(rng.choice(deal.legal_actions()) if uniform else choose(deal))
        if len(deal.actions) == steps:
            halfway = deal.clone()
            check_conserved(deal)
    check_conserved(deal)
    check_result(deal)
    while deal.actions:
        if halfway is not None and len(deal.actions) == steps:
            assert deal == halfway
        deal.undo()
    assert deal == start
    assert (deal.stock, deal.pile, words(deal)) == (start.stock, start.pile, words(start))


@every_rules
def test_cards_points_and_undo(rules: Rules) -> None:
    for seed in range(100):
        there_and_back(rules, seed)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_cards_points_and_undo_over_100_000_deals(preset: str) -> None:
    for seed in range(100_000):
        there_and_back(PRESETS[preset], seed)


@every_rules
def test_cards_are_conserved_at_every_step(rules: Rules) -> None:
    for seed in range(20):
        deal, choose = Deal(rules, seed=seed), chooser(seed)
        check_conserved(deal)
        while deal.phase != "over":
            deal.apply(choose(deal))
            check_conserved(deal)
            seat = deal.to_move
            if seat is not None:
                assert len(deal.hand(seat)) == (11 if deal.phase == "throw" else 10)
                assert len(deal.hand(1 - seat)) == 10


@every_rules
def test_undo_one_step_at_a_time_gives_back_the_very_state(rules: Rules) -> None:
    for seed in range(8):
        deal, choose = Deal(rules, seed=seed), chooser(seed)
        while deal.phase != "over":
            before = deal.clone()
            seen = [before.view(0), before.view(1)]
            deal.apply(choose(deal))
            assert deal != before
            after = deal.clone()
            deal.undo()
            assert deal == before
            assert [deal.view(0), deal.view(1)] == seen
            assert words(deal) == words(before)
            deal.apply(after.actions[-1])
            assert deal == after
            assert deal.result == after.result


@every_rules
def test_copies_are_equal_and_go_their_own_way(rules: Rules) -> None:
    for seed in range(5):
        deal, choose = Deal(rules, seed=seed), chooser(seed)
        for _ in range(6):
            deal.apply(choose(deal))
            if deal.phase == "over":
                break
            copies = [deal.clone(), copy.copy(deal), copy.deepcopy(deal)]
            copies.append(pickle.loads(pickle.dumps(deal)))
            for twin in copies:
                assert twin == deal
                assert (twin.stock, twin.history, twin.seed) == (
                    deal.stock,
                    deal.history,
                    deal.seed,
                )
                twin.apply(words(twin)[-1])
                assert twin != deal
                twin.undo()
                assert twin == deal


@every_rules
def test_a_refused_action_leaves_the_deal_untouched(rules: Rules) -> None:
    every = ["pass", "draw", "big gin"]
    every += [
        f"{verb} {card}" for verb in ("take", "discard", "knock", "gin") for card in Hand(DECK)
    ]
    for seed in range(4):
        deal, choose = Deal(rules, seed=seed), chooser(seed)
        while deal.phase != "over" and len(deal.actions) < 12:
            legal = set(words(deal))
            before = deal.clone()
            for action in set(every) - legal:
                if action.replace("knock", "gin") in legal:
                    continue  # `knock` is accepted for a gin
                with pytest.raises(OkginError) as refused:
                    deal.apply(action)
                assert "\n" not in str(refused.value)
                assert deal == before
            assert words(deal) == words(before)
            deal.apply(choose(deal))
        if deal.phase == "over":
            with pytest.raises(OkginError):
                deal.apply("draw")


@every_rules
def test_knocks_may_name_any_spread_within_the_limit(rules: Rules) -> None:
    """Every arrangement of the ten kept is accepted up to the limit and refused beyond it."""
    tried = 0
    for seed in range(60):
        deal, choose = Deal(rules, seed=seed), chooser(seed)
        while deal.phase != "over":
            actions = words(deal)
            ends = [word for word in actions if word.startswith(("knock", "gin"))]
            if ends:
                tried += 1
                name_every_spread(deal, ends[0].split()[1])
                break
            deal.apply(choose(deal))
    assert tried > 5 or rules.turn_limit == 5 or rules.wall_size == 30 or rules.knock == 0


def name_every_spread(deal: Deal, thrown: str) -> None:
    seat = deal.to_move
    kept = frozenset(deal.hand(seat) - [thrown])
    for melds in reference.arrangements(kept):
        if not melds:
            continue
        shown = " ".join(Hand(meld).text(sep="") for meld in melds)
        left = reference.points(reference.unmelded(kept, melds))
        twin = deal.clone()
        if left > deal.limit:
            with pytest.raises(OkginError):
                twin.apply(f"knock {thrown}: {shown}")
            assert twin == deal
            continue
        twin.apply(f"knock {thrown}: {shown}")
        oracle = oracle_of(deal)
        expected = reference.settle(
            kept, melds, oracle.hands[1 - seat], deal.rules, deal.upcard, seat
        )
        assert twin.result[:6] == expected
        twin.undo()
        assert twin == deal


@every_rules
def test_the_settlement_is_the_oracles(rules: Rules) -> None:
    """`settle` on random near-knock hands, for every arrangement within ten points."""

    rng = random.Random(5)
    for _ in range(40):
        low = rng.randrange(0, 8)
        pool = [Card(i) for i in range(52) if low <= i % 13 < low + 6]
        drawn = rng.sample(pool, 20)
        hand, defender = Hand(drawn[:10]), Hand(drawn[10:])
        upcard = rng.choice([Card(i) for i in range(52) if Card(i) not in drawn])
        limit = reference.knock_limit(rules, upcard)
        for spread in spreads(hand, limit)[:8]:
            expected = reference.settle(
                hand, map(frozenset, spread.melds), defender, rules, upcard, knocker=0
            )
            assert settle(spread, defender, rules, upcard)[:6] == expected
