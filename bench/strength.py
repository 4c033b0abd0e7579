"""How strong is a player? Mirrored games: every match is played twice, the seats swapped.

Both games of a pair get the same cards, and a pair is one observation: the interval is that of the
mean over pairs. Time is the processor's, for one decision, so that a busy machine does not count.

Example: python bench/strength.py expert simple --rules eaai --games 1000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import okgin_fast as og


@dataclass
class Clocked:
    """A player and how long each of its decisions took, in milliseconds of processor time."""

    player: og.Agent
    times: list[float] = field(default_factory=list)

    def act(self, view: og.View) -> og.Action:
        """Ask the player, with the clock running."""
        start = time.thread_time_ns()
        action = self.player.act(view)
        self.times.append((time.thread_time_ns() - start) / 1e6)
        return action


def make(name: str, seed: int, rollouts: int | None) -> Clocked:
    """A player by name; the number of rollouts is for those that search."""
    options = {"limit": og.Limit(rollouts=rollouts)} if rollouts and name == "expert" else {}
    return Clocked(og.agent(name, seed=seed, **options))


def play_pair(
    seed: int, *, a: str, b: str, rules: og.Rules, rollouts: int | None
) -> tuple[float, list[float], list[float]]:
    """What `a` won of two mirrored matches (0, 1/2 or 1), and both players' times."""
    first, second = make(a, 1, rollouts), make(b, 2, rollouts)
    won = og.play_match(first, second, rules, seed).winner == 0
    won_swapped = og.play_match(second, first, rules, seed).winner == 1
    return (won + won_swapped) / 2, first.times, second.times


def main() -> None:
    """Play the series and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--rules", default="eaai")
    parser.add_argument("--games", type=int, default=1000, help="an even number")
    parser.add_argument("--seed", type=int, default=1, help="of the first pair's cards")
    parser.add_argument("--rollouts", type=int, help="of every candidate, for players that search")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pairs = options.games // 2
    play = partial(
        play_pair,
        a=options.a,
        b=options.b,
        rules=og.Rules.preset(options.rules),
        rollouts=options.rollouts,
    )
    shares: list[float] = []
    times: tuple[list[float], list[float]] = ([], [])
    seeds = range(options.seed, options.seed + pairs)
    with ProcessPoolExecutor(options.workers) as pool:
        for share, *clocks in pool.map(play, seeds, chunksize=2):
            shares.append(share)
            for total, clock in zip(times, clocks, strict=True):
                total.extend(clock)
            print(f"\r{len(shares)} of {pairs} pairs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    half = 1.96 * statistics.stdev(shares) / len(shares) ** 0.5
    report = {
        "a": options.a,
        "b": options.b,
        "rules": options.rules,
        "rollouts": options.rollouts,
        "games": 2 * pairs,
        "seed": options.seed,
        "won": statistics.mean(shares),
        "interval": [statistics.mean(shares) - half, statistics.mean(shares) + half],
        "ms_mean": [statistics.mean(clock) for clock in times],
        "ms_p95": [statistics.quantiles(clock, n=20)[-1] for clock in times],
        "okgin_fast": og.__version__,
        "python": platform.python_version(),
    }
    if options.json:
        print(json.dumps(report))
        return
    low, high = report["interval"]
    print(
        f"{options.a} against {options.b}, {options.rules}, {2 * pairs} games to the end, "
        f"seeds from {options.seed}: {report['won']:.1%} won, 95 % interval {low:.1%} to {high:.1%}"
    )
    names = (options.a, options.b)
    for name, mean, p95 in zip(names, report["ms_mean"], report["ms_p95"], strict=True):
        print(f"{name}: {mean:.2f} ms a decision (95 % below {p95:.2f})")


if __name__ == "__main__":
    main()
