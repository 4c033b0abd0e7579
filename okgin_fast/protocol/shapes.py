"""Shapes of JSON values: the small part of JSON Schema that the protocol is defined in.

A shape is a JSON Schema as a plain dictionary, made by the functions here and read by `check`, so
that what is published and what is enforced cannot differ. It knows nothing of messages; of the game
it knows how to read what `FORMATS` names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias

from okgin_fast.cards import Hand, to_card
from okgin_fast.core.action import Action
from okgin_fast.errors import OkginError, quote
from okgin_fast.rules import Rules, as_rules

__all__ = [
    "ANYTHING",
    "FieldError",
    "Shape",
    "check",
    "choice",
    "either",
    "flag",
    "list_of",
    "nullable",
    "number",
    "open_record",
    "record",
    "text",
    "whole",
]

Shape: TypeAlias = dict[str, Any]


class FieldError(OkginError):
    """A value that has not the shape it should have.

    Attributes
    ----------
    field : str
        Where it is, such as ``position.hand``.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field


ANYTHING: Shape = {}

# ------------------------------------------------------------------------------------------ making


def text(description: str, longest: int = 1000, **more: Any) -> Shape:
    """Make the shape of a text, of so many characters at most."""
    return {"type": "string", "maxLength": longest, "description": description, **more}


def whole(low: int, high: int, description: str) -> Shape:
    """Make the shape of a whole number."""
    description = f"a whole number from {low} to {high}: {description}"
    return {"type": "integer", "minimum": low, "maximum": high, "description": description}


def number(low: float, high: float, description: str) -> Shape:
    """Make the shape of a number, fractions included."""
    description = f"a number from {low} to {high}: {description}"
    return {"type": "number", "minimum": low, "maximum": high, "description": description}


def choice(*values: Any, description: str) -> Shape:
    """Make the shape of one of some values."""
    return {"enum": list(values), "description": description}


def flag(description: str) -> Shape:
    """Make the shape of true or false."""
    return {"type": "boolean", "description": description}


def list_of(item: Shape, description: str, least: int = 0, most: int = 1000) -> Shape:
    """Make the shape of a list."""
    return {
        "type": "array", "items": item, "minItems": least, "maxItems": most,
        "description": description,
    }  # fmt: skip


def either(*shapes: Shape, description: str, **more: Any) -> Shape:
    """Make the shape of what has one of some shapes."""
    return {"anyOf": list(shapes), "description": description, **more}


def nullable(shape: Shape) -> Shape:
    """Make the shape of null, or of something."""
    return {"anyOf": [shape, {"type": "null"}], "description": shape["description"] + ", or null"}


def record(
    description: str,
    required: Mapping[str, Shape],
    optional: Mapping[str, Shape] | None = None,
    **more: Any,
) -> Shape:
    """Make the shape of an object that has these fields and no others."""
    return {
        "type": "object", "description": description,
        "properties": {**required, **(optional or {})}, "required": list(required),
        "additionalProperties": False, **more,
    }  # fmt: skip


def open_record(description: str) -> Shape:
    """Make the shape of an object with any fields."""
    return record(description, {}) | {"additionalProperties": True}


# ---------------------------------------------------------------------------------------- checking

FORMATS: dict[str, Callable[[Any], object]] = {
    "card": to_card,
    "cards": Hand,
    "action": Action.parse,
    "preset": as_rules,
    "rules": Rules.from_dict,
}
"""Readers by the name of a format; what they refuse is refused."""

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def check(value: Any, shape: Shape, field: str = "") -> None:
    """Refuse a value that has not the shape.

    Parameters
    ----------
    value : object
        As `json.loads` gives it.
    shape : dict
    field : str
        What to call the value in messages.

    Raises
    ------
    FieldError
        Names the first field that is wrong, quotes it, and says what is allowed.

    Examples
    --------
    >>> shape = record("a throw", {"card": text("a card", format="card")})
    >>> check({"card": "7H"}, shape)
    >>> check({"card": "7X"}, shape)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    okgin_fast.protocol.shapes.FieldError: card: '7X' (card 1, character 1) is not a card: ...
    """
    if not shape:
        return
    if "anyOf" in shape:
        _check_either(value, shape, field)
    elif "enum" in shape:
        if not any(type(one) is type(value) and one == value for one in shape["enum"]):
            raise _fault(field, value, shape)
    elif type(value) not in _TYPES[shape["type"]]:
        raise _fault(field, value, shape)
    elif shape["type"] in ("integer", "number"):
        if not shape["minimum"] <= value <= shape["maximum"]:
            raise _fault(field, value, shape)
    elif shape["type"] == "string":
        _check_text(value, shape, field)
    elif shape["type"] == "array":
        if not shape["minItems"] <= len(value) <= shape["maxItems"]:
            raise _fault(field, value, shape)
        for place, item in enumerate(value):
            check(item, shape["items"], f"{field}[{place}]")
    elif shape["type"] == "object":
        _check_fields(value, shape, field)
    if "format" in shape:
        try:
            FORMATS[shape["format"]](value)
        except OkginError as error:
            raise FieldError(field, str(error)) from None


def _check_either(value: Any, shape: Shape, field: str) -> None:
    """Check it as the one alternative that is of its type, if there is one."""
    of_type = [
        one for one in shape["anyOf"] if "type" not in one or type(value) in _TYPES[one["type"]]
    ]
    for one in of_type:
        try:
            return check(value, one, field)
        except FieldError:
            if len(of_type) == 1:
                raise
    raise _fault(field, value, shape)


def _check_text(value: str, shape: Shape, field: str) -> None:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise FieldError(field, f"{quote(value)} has half a surrogate pair") from None
    if not shape.get("minLength", 0) <= len(value) <= shape["maxLength"]:
        raise _fault(field, value, shape)


def _check_fields(value: dict[str, Any], shape: Shape, field: str) -> None:
    known = shape["properties"]
    for key in value:
        if key not in known and not shape["additionalProperties"]:
            near = get_close_matches(key[:100], known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"allowed are {', '.join(known)}"
            raise FieldError(_inside(field, _name(key)), f"no such field; {hint}")
    for key in shape["required"]:
        if key not in value:
            raise FieldError(_inside(field, key), f"is missing: {known[key]['description']}")
    for key, one in value.items():
        if key in known:
            check(one, known[key], _inside(field, key))


def _inside(field: str, key: str) -> str:
    return f"{field}.{key}" if field else key


def _fault(field: str, value: Any, shape: Shape) -> FieldError:
    return FieldError(field, f"{quote(value)} must be {shape['description']}")


def _name(key: str) -> str:
    """An unknown key, so that it can be printed."""
    return quote(key).strip("'\"")
