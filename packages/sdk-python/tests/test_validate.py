from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from drawbridge import models
from drawbridge._check_value import find_problems
from drawbridge.catalog import CatalogSchemas
from drawbridge.validate import validate_input


def problems_of(schema: dict[str, Any], value: Any) -> dict[str, str]:
    return {path: one["message"] for path, one in find_problems(schema, value, "input").items()}


def test_accepts_what_the_action_accepts() -> None:
    assert validate_input("github", "create_issue", {"repo": "acme/app", "title": "Broken"}) == {}


def test_names_each_problem_by_its_path_as_the_api_does() -> None:
    assert validate_input("github", "create_issue", {"repo": 1, "labels": ["a", 2], "colour": "red"}) == {
        "input.repo": {"message": "must be string"},
        "input.title": {"message": "is required"},
        "input.labels[1]": {"message": "must be string"},
        "input.colour": {"message": "unknown key"},
    }


def test_accepts_missing_fields_that_partials_provide() -> None:
    assert validate_input("github", "create_issue", {"title": "Broken"}, is_partial=True) == {}


def test_refuses_an_action_that_is_not_in_the_catalog() -> None:
    for integration, action in [("constructor", "x"), ("github", "x")]:
        with pytest.raises(KeyError, match=f"no action {integration}.{action}"):
            validate_input(integration, action, {})
    assert validate_input("erp", "book", 1, catalog({})) == {}


def catalog(schema: dict[str, Any]) -> CatalogSchemas:
    return {"erp": {"displayName": "ERP", "actions": {"book": {"description": "", "schema": schema}}}}


def test_checks_what_a_call_would_send() -> None:
    lists = catalog({"type": "object", "additionalProperties": {"type": "array"}})
    assert validate_input("erp", "book", {"a": (1, 2), 7: []}, lists) == {}
    assert validate_input("erp", "book", models.Workspace.model_construct(name="a"), lists) == {"input.name": {"message": "must be array"}}
    with pytest.raises(TypeError, match="not JSON serializable"):
        validate_input("erp", "book", {"a": {1, 2}}, lists)


def equal(one: int, other: int) -> str:
    return f"must NOT have duplicate items (items ## {one} and {other} are identical)"


TEXT_OR_NUMBER = {"anyOf": [{"type": "string"}, {"type": "number"}]}
TEXTS = {"type": "array", "uniqueItems": True, "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "value", "problems"),
    [
        ({"type": "string", "minLength": 2}, "😀", {"input": "must NOT have fewer than 2 characters"}),
        ({"type": "string", "maxLength": 1}, "😀", {}),
        ({"type": "string", "pattern": "^a$"}, "b", {"input": 'must match pattern "^a$"'}),
        ({"type": "string", "minLength": 2, "pattern": "^a"}, "b", {"input": 'must NOT have fewer than 2 characters and must match pattern "^a"'}),
        ({"type": "integer", "minimum": 1, "maximum": 3}, 4, {"input": "must be <= 3"}),
        ({"type": "number", "minimum": 0.00001}, 0, {"input": "must be >= 0.00001"}),
        ({"type": "number", "minimum": 1e-7}, 0, {"input": "must be >= 1e-7"}),
        ({"type": "number", "maximum": 1e20}, 1e300, {"input": "must be <= 100000000000000000000"}),
        ({"type": "integer"}, 1.5, {"input": "must be integer"}),
        ({"type": "integer"}, 1.0, {}),
        ({"type": "integer"}, True, {"input": "must be integer"}),
        ({"type": "integer", "maximum": 3}, 4.5, {"input": "must be integer and must be <= 3"}),
        ({"type": "integer", "maximum": 3}, math.inf, {"input": "must be integer"}),
        ({"type": "integer", "maximum": 3}, 10**400, {"input": "must be integer"}),
        ({"type": "number"}, math.nan, {"input": "must be number"}),
        ({"enum": ["a", 1]}, "b", {"input": "must be one of a, 1"}),
        ({"enum": ["a", 1]}, 1.0, {}),
        ({"enum": ["a", 1, False, 0.5]}, True, {"input": "must be one of a, 1, false, 0.5"}),
        ({"type": "string", "enum": ["a"]}, 1, {"input": "must be string and must be one of a"}),
        (TEXT_OR_NUMBER, True, {"input": "must be string or must be number"}),
        (TEXT_OR_NUMBER, 1, {}),
        ({"anyOf": [{"enum": ["a"]}, {"type": "string", "enum": ["b"]}]}, 1, {"input": "must be one of a or must be string or must be one of b"}),
        ({"type": "array", "minItems": 1}, [], {"input": "must NOT have fewer than 1 items"}),
        ({"type": "array", "maxItems": 1}, [1, 2], {"input": "must NOT have more than 1 items"}),
        ({"type": "array", "uniqueItems": True}, ["a", "b", "b", "a"], {"input": equal(0, 3)}),
        ({"type": "array", "uniqueItems": True}, [{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], {"input": equal(0, 1)}),
        ({"type": "array", "uniqueItems": True}, [1, True, "1"], {}),
        (TEXTS, ["a", "b", "b", "a"], {"input": equal(2, 1)}),
        (TEXTS, [1, 1], {"input[0]": "must be string", "input[1]": "must be string"}),
        ({"type": "array", "uniqueItems": True, "items": {"type": "integer"}}, [1, 2, 1.0], {"input": equal(2, 0)}),
        ({"type": "array", "items": False}, [1], {"input[0]": "is not allowed"}),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"a": 1}, {"input.a": "must be string"}),
        ({"type": "object", "propertyNames": {"maxLength": 1}}, {"ab": 1}, {"input.ab": "its name must NOT have more than 1 characters"}),
        ({"type": "object"}, [], {"input": "must be object"}),
        ({"type": "object", "required": ["a"]}, {"a": None}, {}),
        ({"type": "object", "required": ["a"]}, {}, {"input.a": "is required"}),
    ],
)
def test_checks(schema: dict[str, Any], value: Any, problems: dict[str, str]) -> None:
    assert problems_of(schema, value) == problems


def test_refuses_a_pattern_that_python_does_not_have() -> None:
    with pytest.raises(ValueError, match=re.escape(r"The escape \p of a pattern cannot be checked in Python")):
        validate_input("erp", "book", "a", catalog({"pattern": r"^\p{L}+$"}))


SIZES: list[tuple[str, dict[str, Any], Callable[[int], Any]]] = [
    ("equal items", {"type": "array", "uniqueItems": True}, lambda size: [*range(size), 0]),
    ("equal texts", TEXTS, lambda size: [*map(str, range(size)), "0"]),
    ("items of a wrong type", {"type": "array", "items": {"type": "string"}}, lambda size: [1] * size),
    ("unknown keys", {"type": "object", "additionalProperties": False}, lambda size: dict.fromkeys(map(str, range(size)))),
    ("names", {"propertyNames": {"pattern": r"^\S+$"}}, lambda size: dict.fromkeys(f"{key} " for key in range(size))),
    ("a long text", {"pattern": r"^[^\s@]+@[^\s@]+$", "maxLength": 9}, lambda size: "@" * size * 9),
]


@pytest.mark.parametrize(("schema", "value_of"), [one[1:] for one in SIZES], ids=[one[0] for one in SIZES])
def test_costs_ten_times_as_much_for_ten_times_as_much(schema: dict[str, Any], value_of: Callable[[int], Any]) -> None:
    def cost(size: int) -> float:
        value = value_of(size)
        took: list[float] = []
        for _ in range(3):
            began = time.process_time()
            find_problems(schema, value, "input")
            took.append(time.process_time() - began)
        return min(took)

    # A quadratic check would cost a hundred times as much.
    assert cost(30_000) < 40 * max(cost(3_000), 0.001)


def test_loads_the_schemas_only_when_they_are_needed() -> None:
    program = """
import drawbridge.validate as v
assert v.validate_input("a", "b", {}, {"a": {"displayName": "", "actions": {"b": {"description": "", "schema": {}}}}}) == {}
print(v._built_in.cache_info().currsize)"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "0\n"
