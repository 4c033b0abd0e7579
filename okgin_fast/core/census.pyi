from typing import NamedTuple

class Tally(NamedTuple):
    hands: list[int]
    held: list[list[int]]
    taken: list[list[int]]

def chunks(cards: int) -> list[tuple[int, ...]]: ...
def count_chunk(chunk: tuple[int, ...]) -> Tally: ...
