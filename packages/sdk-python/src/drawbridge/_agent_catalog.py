"""The schemas of the actions of an instance, as tools need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import models


@dataclass(frozen=True)
class ActionSchema:
    description: str
    schema: dict[str, Any]
    """Describes the input, which is an object."""


@dataclass(frozen=True)
class IntegrationSchemas:
    display_name: str
    actions: Mapping[str, ActionSchema]


def to_catalog(listed: Sequence[models.Integration], wanted: Sequence[str]) -> dict[str, IntegrationSchemas]:
    """Returns the actions of the wanted integrations. Raises ValueError if the instance does not have one of them."""
    found = {one.name: one for one in listed if one.name in wanted}
    missing = [name for name in wanted if name not in found]
    if missing:
        raise ValueError(f"The instance has no integration {', '.join(missing)}")
    return {name: _to_schemas(one) for name, one in found.items()}


def _to_schemas(integration: models.Integration) -> IntegrationSchemas:
    actions = {name: ActionSchema(one.description, _input_schema(one.props)) for name, one in integration.actions.items()}
    return IntegrationSchemas(integration.display_name, actions)


def _input_schema(props: Mapping[str, models.Property]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: _property_schema(one) for name, one in props.items()},
        "required": [name for name, one in props.items() if one.required],
        "additionalProperties": False,
    }


def _property_schema(one: models.Property) -> dict[str, Any]:
    described = {"description": one.description} if one.description else {}
    return {"title": one.display_name, **described, **_value_schema(one)}


_TEXT: Mapping[str, Any] = {"type": "string"}
_FILE: Mapping[str, Any] = {
    "type": "object",
    "properties": {"filename": _TEXT, "mimeType": _TEXT, "base64": _TEXT},
    "required": ["filename", "mimeType", "base64"],
    "additionalProperties": False,
}
_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(("SHORT_TEXT", "LONG_TEXT", "SECRET_TEXT", "DATE_TIME", "DROPDOWN"), _TEXT),
    "NUMBER": {"type": "number"},
    "CHECKBOX": {"type": "boolean"},
    "MULTI_SELECT": {"type": "array", "items": _TEXT, "uniqueItems": True},
    "DYNAMIC": {"type": "object"},
    "FILE": _FILE,
}


def _value_schema(one: models.Property) -> Mapping[str, Any]:
    values = [option.value for option in one.options]
    if one.type == "STATIC_DROPDOWN":
        return {"enum": values}
    if one.type == "STATIC_MULTI_SELECT":
        return {"type": "array", "items": {"enum": values}, "uniqueItems": True}
    return _SCHEMAS.get(one.type, {})
