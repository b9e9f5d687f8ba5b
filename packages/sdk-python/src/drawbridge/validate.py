"""Validation of the input of an action without a request."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any, cast

from ._check_value import FieldProblem, find_problems
from ._request import plain
from .catalog import CatalogSchemas

__all__ = ["FieldProblem", "validate_input"]


def validate_input(
    integration: str,
    action: str,
    input: Any,
    schemas: CatalogSchemas | None = None,
    *,
    is_partial: bool = False,
) -> dict[str, FieldProblem]:
    """Returns the problems of an input by their paths, such as `input.title`. The result is empty if the input is valid.

    Paths and messages are those of `details.fields` of a ValidationError, except that the server names at most 100 problems, only the first of a
    very large input, and suggests the name of an unknown key. Raises KeyError for an action that the schemas do not have, TypeError for a value
    that cannot be JSON, and ValueError for a pattern that Python cannot express.

    :param schemas: The schemas of your instance, from `read_catalog`. Defaults to those of the built-in integrations.
    :param is_partial: Accepts an input without its required fields, because input partials provide them.
    """
    catalog = _built_in() if schemas is None else schemas
    if integration not in catalog or action not in catalog[integration]["actions"]:
        raise KeyError(f"The catalog has no action {integration}.{action}")
    schema = catalog[integration]["actions"][action]["schema"]
    # Tuples, models and keys that are numbers become those that a call would send.
    value = json.loads(json.dumps(plain(input)))
    return find_problems({**schema, "required": []} if is_partial else schema, value, "input")


@lru_cache(maxsize=1)
def _built_in() -> CatalogSchemas:
    """Returns the schemas of the built-in integrations. They are a large file, which is loaded only when a program needs it."""
    text = (resources.files("drawbridge") / "built_in_schemas.json").read_text("utf-8")
    return cast(CatalogSchemas, json.loads(text))
