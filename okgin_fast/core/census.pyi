from typing import NamedTuple, TypeAlias

Chunk: TypeAlias = tuple[int, int, int, int, int]

class Tally(NamedTuple):
    hands: list[int]
    held: list[list[int]]
    taken: list[list[int]]

def chunks(cards: int) -> list[Chunk]: ...
def count_chunk(chunk: Chunk) -> Tally: ...
