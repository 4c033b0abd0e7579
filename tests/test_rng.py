"""The generator against published vectors and a plain Python twin; deals that never change."""

from typing import Any

import numpy as np
import pytest

import okgin_fast as og
from okgin_fast.core.rng import Rng, checked_seed, derive_seed

WORD = (1 << 64) - 1


def splitmix64(seed: int) -> list[int]:
    """Four outputs of SplitMix64, from its authors' description."""
    outputs = []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & WORD
        z = seed
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
        outputs.append(z ^ (z >> 31))
    return outputs


def rotl(x: int, k: int) -> int:
    return (x << k | x >> (64 - k)) & WORD


class Twin:
    """xoshiro256** 1.0 in plain Python."""

    def __init__(self, state: list[int]) -> None:
        self.s = list(state)

    def bits(self) -> int:
        s = self.s
        result = rotl(s[1] * 5 & WORD, 7) * 9 & WORD
        t = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
        return result

    def below(self, n: int) -> int:
        m = (self.bits() >> 32) * n
        while m & 0xFFFFFFFF < (1 << 32) % n:
            m = (self.bits() >> 32) * n
        return m >> 32

    def shuffled(self, n: int) -> list[int]:
        cards = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return cards


def test_twin_gives_the_published_vectors() -> None:
    # Rosetta Code, "Pseudo-random numbers/Splitmix64"; the rand_xoshiro crate's reference test
    assert splitmix64(1234567) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
    ]
    twin = Twin([1, 2, 3, 4])
    assert [twin.bits() for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63, WORD])
def test_core_is_the_twin(seed: int) -> None:
    twin, core = Twin(splitmix64(seed)), Rng(seed)
    assert [core.bits() for _ in range(100)] == [twin.bits() for _ in range(100)]
    assert [core.below(n) for n in range(1, 100)] == [twin.below(n) for n in range(1, 100)]
    assert core.shuffled(52) == twin.shuffled(52)


@pytest.mark.parametrize("seed", [0, 7, WORD])
def test_a_seed_deals_the_cards_of_the_documented_shuffle(seed: int) -> None:
    cards = Twin(splitmix64(seed)).shuffled(52)
    deal = og.Deal("oklahoma", seed=seed)
    assert deal.hand(0) == og.Hand(cards[:10])
    assert deal.hand(1) == og.Hand(cards[10:20])
    assert deal.upcard == cards[20]
    assert [int(card) for card in deal.stock] == cards[21:]


def test_a_deal_that_must_never_change() -> None:
    """Typed from the plain Python twin."""
    deal = og.Deal("oklahoma", seed=7)
    assert str(deal.hand(0)) == "AS 3C 9C JC AD 3D TD AH 4H 8H"
    assert str(deal.hand(1)) == "8S JS KS AC 6C 7C QC 2D 6D KD"
    assert str(deal.upcard) == "7H"
    assert " ".join(str(card) for card in deal.stock[:5]) == "KC QS 7D QH 2S"


def test_system_entropy_differs_and_is_told() -> None:
    one, other = og.Deal("oklahoma"), og.Deal("oklahoma")
    assert one.seed != other.seed
    assert og.Deal("oklahoma", seed=one.seed).cards == one.cards


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "7"])
def test_a_bad_seed_is_quoted(seed: object) -> None:
    with pytest.raises(og.RulesError, match="seed="):
        og.Deal("oklahoma", seed=seed)  # type: ignore[arg-type]


def test_bounds_of_the_generator() -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        Rng(1).below(0)
    for n in (53, -1):
        with pytest.raises(ValueError, match="must be 0 to 52"):
            Rng(1).shuffled(n)
    assert Rng(1).below(1) == 0
    assert len({derive_seed(seed, i) for seed in (1, 2) for i in range(1000)}) == 2000


@pytest.mark.parametrize("seed", [np.int64(7), np.uint8(7), np.uint64(7), np.array(7)])
def test_numpys_whole_numbers_are_seeds(seed: Any) -> None:
    assert og.Deal("oklahoma", seed=seed) == og.Deal("oklahoma", seed=7)
    assert og.Match("oklahoma", seed=seed).to_dict() == og.Match("oklahoma", seed=7).to_dict()
    view = og.Deal("oklahoma", seed=1).view(1)
    assert og.agent("random", seed=seed).act(view) == og.agent("random", seed=7).act(view)
    series = [
        og.arena("gold", "random", games=2, unit="deals", workers=1, seed=n) for n in (seed, 7)
    ]
    assert series[0].meetings == series[1].meetings


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.0, np.float64(1), "7", True, np.True_, None])
def test_what_is_no_seed_is_named(seed: Any) -> None:
    with pytest.raises(og.RulesError, match=r"^dice=.*: a seed is a whole number from 0 to"):
        checked_seed(seed, "dice")
