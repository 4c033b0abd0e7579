"""What can go wrong, by kind of wrong; the lowest layer, it imports nothing of the package.

Every message is one line, quotes the bad input and says what is allowed.
"""

__all__ = [
    "CardError",
    "IllegalActionError",
    "NotationError",
    "OkginError",
    "PositionError",
    "RulesError",
    "SeriesError",
    "quote",
]


class OkginError(ValueError):
    """Base of every error that the package raises for bad input."""


class CardError(OkginError):
    """Not a card, not a hand, a card twice, or bits that are no card."""


class RulesError(OkginError):
    """Unknown preset or field, impossible value, or rules that contradict each other."""


class IllegalActionError(OkginError):
    """An action, or a deal's result, that is not allowed at this point."""


class PositionError(OkginError):
    """A position that cannot arise under the rules."""


class NotationError(OkginError):
    """Text or a record that does not read as an action, a deal or a match."""


class SeriesError(OkginError):
    """A series that cannot go on: the disk is full, its workers die."""


def quote(value: object, width: int = 40) -> str:
    """Bad input as an error message shows it: one line, at most ``width`` characters.

    Examples
    --------
    >>> quote("7X")
    "'7X'"
    >>> quote("A" * 100, width=10)
    "'AAAAAA..."
    """
    # Python refuses to print integers of some thousand digits in decimal: large ones are in hex.
    large = isinstance(value, int) and value.bit_length() > 64
    text = " ".join((hex(value) if large else repr(value)).split())  # type: ignore[arg-type]
    return text if len(text) <= width else text[: width - 3] + "..."
