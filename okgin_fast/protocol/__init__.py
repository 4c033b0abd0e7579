"""The engine's protocol: one JSON object a line each way; docs/protocol.md explains it to people.

It says what messages look like, reads and writes them. It answers nothing: that is the server's
business, and how to ask is the client's.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from okgin_fast.errors import OkginError, quote
from okgin_fast.protocol.messages import (
    ANSWERS,
    CODES,
    ID,
    LONGEST_LINE,
    PARTIALS,
    PARTS,
    PROTOCOL,
    REQUESTS,
)
from okgin_fast.protocol.shapes import FieldError, Shape, check, open_record

__all__ = [
    "ANSWERS",
    "CODES",
    "LONGEST_LINE",
    "PARTIALS",
    "PROTOCOL",
    "REQUESTS",
    "FieldError",
    "ProtocolError",
    "check_answer",
    "dump",
    "error_answer",
    "read_request",
    "schema",
]


class ProtocolError(OkginError):
    """A line that is no request, or a request that cannot be answered.

    Attributes
    ----------
    code : str
        One of `CODES`.
    field : str or None
        The field that is wrong.
    id : str, int or None
        The id of the request, if it has one that can be read.
    """

    def __init__(
        self, code: str, message: str, field: str | None = None, id: str | int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.id = id


def read_request(line: bytes) -> dict[str, Any]:
    """Read one line as a request.

    Parameters
    ----------
    line : bytes
        With or without its newline.

    Returns
    -------
    dict
        A message that has the shape of one of `REQUESTS`.

    Raises
    ------
    ProtocolError
        For anything else. The message names the first field that is wrong.

    Examples
    --------
    >>> read_request(b'{"id": 1, "type": "stop", "target": "a"}')
    {'id': 1, 'type': 'stop', 'target': 'a'}
    >>> read_request(b'{"id": 1, "type": "advice"}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    okgin_fast.protocol.ProtocolError: type: 'advice' is no request; allowed are version, ...
    """
    message = _object_of(line)
    id = _id_of(message)
    try:
        if "id" in message:
            check(message["id"], ID, "id")
        kind = message.get("type")
        if "type" not in message:
            raise FieldError("type", f"is missing: what is asked, one of {', '.join(REQUESTS)}")
        if not isinstance(kind, str) or kind not in REQUESTS:
            allowed = ", ".join(REQUESTS)
            raise FieldError("type", f"{quote(kind)} is no request; allowed are {allowed}")
        check(message, REQUESTS[kind])
    except FieldError as error:
        raise ProtocolError("request", str(error), error.field, id) from None
    except RecursionError:  # in an error message
        raise ProtocolError("line", "nested too deeply", None, id) from None
    return message


def _object_of(line: bytes) -> dict[str, Any]:
    """Read strict JSON: no key twice, no NaN, nothing that only Python reads."""
    faults: list[tuple[str, str]] = []

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            faults.append((twice, f"{quote(twice)} is there twice"))
        return found

    def no_constant(name: str) -> None:
        raise ValueError(f"{name} is no number")

    if len(line) > LONGEST_LINE:
        raise ProtocolError("line", f"the line is longer than {LONGEST_LINE} bytes")
    try:
        message = json.loads(line.decode(), object_pairs_hook=distinct, parse_constant=no_constant)
    except UnicodeDecodeError as error:
        raise ProtocolError("line", f"not UTF-8: byte {error.start + 1} of the line") from None
    except RecursionError:
        raise ProtocolError("line", "nested too deeply") from None
    except ValueError as error:
        raise ProtocolError("line", f"{quote(line.decode())} is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise ProtocolError("line", f"{quote(message)} is no JSON object")
    for key, fault in faults:
        raise ProtocolError("request", fault, quote(key).strip("'\""), _id_of(message))
    return message


def _id_of(message: dict[str, Any]) -> str | int | None:
    """The id of a message, if it has one that can be echoed."""
    try:
        check(message.get("id"), ID)
    except FieldError:
        return None
    id: str | int = message["id"]
    return id


def error_answer(error: ProtocolError) -> dict[str, Any]:
    """Make the answer that tells of an error."""
    return {
        "id": error.id,
        "type": "error",
        "code": error.code,
        "field": error.field,
        "message": str(error)[:2000],
    }


def dump(message: dict[str, Any]) -> bytes:
    r"""Write a message as a line.

    Examples
    --------
    >>> dump({"id": "é", "type": "quit"})
    b'{"id":"\\u00e9","type":"quit"}\n'
    """
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def check_answer(message: Any) -> None:
    """Refuse what is no answer of this protocol.

    Raises
    ------
    FieldError
        Names the first field that is wrong.
    """
    check(message, open_record("a JSON object"))
    shapes = PARTIALS if "partial" in message else ANSWERS
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in shapes:
        raise FieldError("type", f"{quote(kind)} is no answer; allowed are {', '.join(shapes)}")
    check(message, shapes[kind])


def schema() -> dict[str, Any]:
    """Give the JSON Schema of every message, as it is shipped in ``protocol.schema.json``.

    In ``$defs`` is each kind by its name, such as ``request.act``, ``partial.act`` and
    ``answer.act``, and what many of them are made of; the schema itself is any of the kinds.
    """
    shapes: dict[str, Shape] = {
        f"{group}.{name}": shape
        for group, named in (("request", REQUESTS), ("partial", PARTIALS), ("answer", ANSWERS))
        for name, shape in named.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"okgin_fast engine protocol {PROTOCOL}",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in shapes],
        "$defs": {name: _referring(shape, whole=True) for name, shape in (shapes | PARTS).items()},
    }


def _referring(shape: Any, *, whole: bool = False) -> Any:
    """The shape, with a reference in the place of each part that has a name of its own."""
    if isinstance(shape, dict):
        name = next((name for name, part in PARTS.items() if part is shape), None)
        if name is not None and not whole:
            return {"$ref": f"#/$defs/{name}"}
        return {key: _referring(one) for key, one in shape.items()}
    return [_referring(one) for one in shape] if isinstance(shape, list) else shape
