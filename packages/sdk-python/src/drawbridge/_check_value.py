"""Checks values against the schemas of inputs. check-value.ts of the TypeScript SDK does the same."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from typing_extensions import TypedDict

from ._pattern import to_pattern
from .catalog import JsonSchema


class FieldProblem(TypedDict):
    message: str


Report = Callable[[str, str, bool], None]
"""Receives each problem: the path of the value, the message, and whether the problem concerns only one of several allowed alternatives (`anyOf`)."""


def find_problems(schema: JsonSchema, value: Any, root: str) -> dict[str, FieldProblem]:
    """Returns the problems of a JSON value by their paths, which begin with `root`. Messages and order are those of the server."""
    problems: dict[str, FieldProblem] = {}

    def report(path: str, message: str, is_alternative: bool) -> None:
        before = problems.get(path, {"message": ""})["message"]
        if message not in before:
            problems[path] = {"message": f"{before} {'or' if is_alternative else 'and'} {message}" if before else message}

    _check(schema, value, root, report)
    return problems


def _check(schema: JsonSchema | bool, value: Any, path: str, report: Report) -> None:
    if isinstance(schema, bool):
        if not schema:
            report(path, "is not allowed", False)
        return
    if "type" in schema and not _is_of_type(schema["type"], value):
        report(path, f"must be {schema['type']}", False)
    if "enum" in schema and not any(_is_equal(one, value) for one in schema["enum"]):
        report(path, f"must be one of {', '.join(map(_text_of, schema['enum']))}", False)
    if "anyOf" in schema:
        _check_alternatives(schema["anyOf"], value, path, report)
    if isinstance(value, str):
        _check_text(schema, value, path, report)
    elif _is_number(value):
        _check_number(schema, value, path, report)
    elif isinstance(value, list):
        _check_list(schema, value, path, report)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, dict):
        _check_object(schema, value, path, report)  # pyright: ignore[reportUnknownArgumentType]


def _is_of_type(kind: str, value: Any) -> bool:
    if kind == "number":
        return _is_number(value)
    if kind == "integer":
        return _is_number(value) and (isinstance(value, int) or value.is_integer())
    return isinstance(value, _TYPES[kind])


_TYPES: Mapping[str, type] = {"string": str, "boolean": bool, "array": list, "object": dict}


def _is_number(value: Any) -> bool:
    """Returns True for a JSON number.

    True and False are excluded, although they are integers in Python. A number too large for JavaScript is Infinity there, which is not JSON.
    """
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def _is_equal(one: Any, other: Any) -> bool:
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _text_of(value: Any) -> str:
    """Returns the text that JavaScript writes for an enum value or a bound, so that messages are the same as those of the server."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and 1e-6 <= abs(value) < 1e21:
        return str(int(value)) if value.is_integer() else format(Decimal(repr(value)), "f")
    return json.dumps(value).replace("e-0", "e-")


def _check_alternatives(schemas: list[JsonSchema], value: Any, path: str, report: Report) -> None:
    """A value fits one alternative, or has the problems of all: `must be string or must be number`."""
    found: list[tuple[str, str]] = []
    for schema in schemas:
        before = len(found)
        _check(schema, value, path, lambda at, message, _: found.append((at, message)))
        if len(found) == before:
            return
    for at, message in found:
        report(at, message, True)


def _check_text(schema: JsonSchema, text: str, path: str, report: Report) -> None:
    if len(text) > schema.get("maxLength", math.inf):
        report(path, f"must NOT have more than {schema['maxLength']} characters", False)
    if len(text) < schema.get("minLength", 0):
        report(path, f"must NOT have fewer than {schema['minLength']} characters", False)
    if "pattern" in schema and not to_pattern(schema["pattern"]).search(text):
        report(path, f'must match pattern "{schema["pattern"]}"', False)


def _check_number(schema: JsonSchema, value: float, path: str, report: Report) -> None:
    if value > schema.get("maximum", math.inf):
        report(path, f"must be <= {_text_of(schema['maximum'])}", False)
    if value < schema.get("minimum", -math.inf):
        report(path, f"must be >= {_text_of(schema['minimum'])}", False)


def _check_list(schema: JsonSchema, items: list[Any], path: str, report: Report) -> None:
    if len(items) > schema.get("maxItems", math.inf):
        report(path, f"must NOT have more than {schema['maxItems']} items", False)
    if len(items) < schema.get("minItems", 0):
        report(path, f"must NOT have fewer than {schema['minItems']} items", False)
    wanted = schema.get("items", True)
    for index, item in enumerate(items):
        _check(wanted, item, f"{path}[{index}]", report)
    equal = _find_equal(items, wanted) if schema.get("uniqueItems") else None
    if equal:
        report(path, f"must NOT have duplicate items (items ## {equal[0]} and {equal[1]} are identical)", False)


def _find_equal(items: list[Any], wanted: JsonSchema | bool) -> tuple[int, int] | None:
    """Returns the positions of two equal items, or None. Among several equal items it selects the pair that the server names in its message."""
    kind = "" if isinstance(wanted, bool) else wanted.get("type", "")
    seen: dict[str, int] = {}
    if kind not in ("", "object", "array"):
        for index in range(len(items) - 1, -1, -1):
            if not _is_of_type("number" if kind == "integer" else kind, items[index]):
                continue
            text = _canonical(items[index])
            if text in seen:
                return seen[text], index
            seen[text] = index
        return None
    found: tuple[int, int] | None = None
    for index, text in enumerate(map(_canonical, items)):
        if text in seen:
            found = seen[text], index
        seen[text] = index
    return found


def _canonical(value: Any) -> str:
    """Returns the same text for values that are equal in JSON: 1 and 1.0, and objects that differ in the order of their keys."""
    return json.dumps(_with_integers(value), sort_keys=True)


def _with_integers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_with_integers(one) for one in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {key: _with_integers(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def _check_object(schema: JsonSchema, value: dict[str, Any], path: str, report: Report) -> None:
    properties: Mapping[str, JsonSchema] = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name in schema.get("required", []):
        if name not in value:
            report(f"{path}.{name}", "is required", False)
    for name, one in value.items():
        at = f"{path}.{name}"
        if "propertyNames" in schema:
            _check(schema["propertyNames"], name, at, lambda where, message, is_one: report(where, f"its name {message}", is_one))
        if name in properties:
            _check(properties[name], one, at, report)
        elif others is False:
            report(at, "unknown key", False)
        else:
            _check(others, one, at, report)
