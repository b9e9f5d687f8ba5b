"""The actions that an agent may call, by `github.create_issue` or `github.*`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .catalog import CatalogAction, CatalogSchemas

_MAX_NAME = 64


@dataclass(frozen=True)
class Chosen:
    """An action, and the name of its tool: at most 64 letters, digits and underscores, unique among the chosen actions."""

    name: str
    integration: str
    action: str
    description: str
    schema: dict[str, Any]


def integrations_of(actions: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(pattern.partition(".")[0] for pattern in actions))


def choose(catalog: CatalogSchemas, patterns: Iterable[str]) -> list[Chosen]:
    """Returns the actions that the patterns name. Raises ValueError for a pattern without an action."""
    found: dict[tuple[str, str], CatalogAction] = {}
    for pattern in patterns:
        integration, _, wanted = pattern.partition(".")
        matching = {(integration, name): one for name, one in catalog[integration]["actions"].items() if wanted in ("*", name)}
        if not matching:
            raise ValueError(f"actions: the instance has no action {pattern}. Use integration.action or integration.*")
        found.update(matching)
    names: set[str] = set()
    # A name must not depend on the order of the patterns or on the SDK: conversations that a program stored contain it.
    return [
        Chosen(_new_name(f"{key[0]}_{key[1]}", names), *key, one["description"] or f"{catalog[key[0]]['displayName']}: {key[1]}", one["schema"])
        for key, one in sorted(found.items(), key=lambda item: ".".join(item[0]))
    ]


def _new_name(wanted: str, names: set[str]) -> str:
    valid = re.sub(r"\W", "_", wanted, flags=re.ASCII)
    name, number = valid[:_MAX_NAME], 1
    while name in names:
        number += 1
        name = valid[: _MAX_NAME - len(f"_{number}")] + f"_{number}"
    names.add(name)
    return name
