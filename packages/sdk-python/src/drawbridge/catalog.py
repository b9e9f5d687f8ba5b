"""The catalog: the JSON schemas of the actions of an instance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from typing_extensions import TypedDict

from . import models
from .async_client import AsyncDrawbridgeBase
from .client import DrawbridgeBase

JsonSchema = dict[str, Any]
"""A schema of the subset of JSON Schema (draft 2020-12) that describes the input of actions."""


class CatalogAction(TypedDict):
    """An action as the catalog of an instance shows it."""

    description: str
    schema: JsonSchema
    """Describes the input, which is an object."""


class CatalogIntegration(TypedDict):
    displayName: str
    actions: dict[str, CatalogAction]


CatalogSchemas = dict[str, CatalogIntegration]
"""The actions of each integration. Its JSON is that of `readCatalog` of the TypeScript SDK."""


def read_catalog(client: DrawbridgeBase, integrations: Iterable[str] | None = None) -> CatalogSchemas:
    """Returns the schemas of the actions of an instance, for `validate_input`.

    Raises ValueError if the instance does not have one of the integrations, and the errors of a request.

    :param integrations: The names of the integrations to include. Defaults to all, including those that the operator of the instance added.
    """
    return _to_schemas(client.integrations.list().page, integrations)


async def read_catalog_async(client: AsyncDrawbridgeBase, integrations: Iterable[str] | None = None) -> CatalogSchemas:
    """Does the same as `read_catalog`, in coroutines."""
    return _to_schemas((await client.integrations.list()).page, integrations)


def _to_schemas(page: models.IntegrationList, wanted: Iterable[str] | None) -> CatalogSchemas:
    found = {one.name: one for one in page.integrations}
    names = None if wanted is None else list(dict.fromkeys(wanted))
    missing = [name for name in names or [] if name not in found]
    if missing:
        raise ValueError(f"The instance has no integration {', '.join(missing)}")
    return {name: _to_integration(one) for name, one in found.items() if names is None or name in names}


def _to_integration(integration: models.Integration) -> CatalogIntegration:
    actions = {name: CatalogAction(description=one.description, schema=_input_schema(one.props)) for name, one in integration.actions.items()}
    return {"displayName": integration.display_name, "actions": actions}


def _input_schema(props: Mapping[str, models.Property]) -> JsonSchema:
    """Returns the JSON schema of an input. `props` are the properties of its form in the catalog of the API."""
    return {
        "type": "object",
        "properties": {name: _property_schema(one) for name, one in props.items()},
        "required": [name for name, one in props.items() if one.required],
        "additionalProperties": False,
    }


def _property_schema(one: models.Property) -> JsonSchema:
    description = {"description": one.description} if one.description else {}
    return {"title": one.display_name, **description, **_value_schema(one)}


def _value_schema(one: models.Property) -> JsonSchema:
    values = [option.value for option in one.options]
    if one.type == "STATIC_DROPDOWN":
        return {"enum": values}
    if one.type == "STATIC_MULTI_SELECT":
        return {"type": "array", "items": {"enum": values}, "uniqueItems": True}
    return _SCHEMAS.get(one.type, {})


_TEXT: JsonSchema = {"type": "string"}
_FILE_FIELDS = ("filename", "mimeType", "base64")
_SCHEMAS: dict[str, JsonSchema] = {
    "SHORT_TEXT": _TEXT,
    "LONG_TEXT": _TEXT,
    "SECRET_TEXT": _TEXT,
    "DATE_TIME": _TEXT,
    "DROPDOWN": _TEXT,
    "NUMBER": {"type": "number"},
    "CHECKBOX": {"type": "boolean"},
    "MULTI_SELECT": {"type": "array", "items": _TEXT, "uniqueItems": True},
    "DYNAMIC": {"type": "object"},
    "FILE": {
        "type": "object",
        "properties": {name: _TEXT for name in _FILE_FIELDS},
        "required": list(_FILE_FIELDS),
        "additionalProperties": False,
    },
}
