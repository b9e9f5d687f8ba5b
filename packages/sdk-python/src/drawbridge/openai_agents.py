"""Actions as tools of OpenAI Agents: `pip install "drawbridge[openai-agents]"`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, cast

from agents import FunctionTool, Tool
from agents.tool_context import ToolContext
from typing_extensions import Unpack

from ._agent_tools import AgentTool, AsyncCall, AsyncToolOptions, SyncCall, ToolOptions, agent_tools, async_agent_tools
from ._tool_texts import output_text
from .async_client import AsyncDrawbridge
from .client import Drawbridge

__all__ = ["AsyncToolOptions", "ToolOptions", "async_tools", "tools"]


def tools(client: Drawbridge, actions: Sequence[str], **options: Unpack[ToolOptions]) -> list[Tool]:
    """Returns actions as tools for `Agent(tools=tools(client, ["github.create_issue", "slack.*"]))`.

    Each call runs in a thread. Raises ValueError if the instance does not have one of the actions.
    """

    def in_thread(call: SyncCall) -> AsyncCall:
        return lambda input: asyncio.to_thread(call, input)

    return [_to_tool(one, in_thread(one.call)) for one in agent_tools(client, actions, options)]


async def async_tools(client: AsyncDrawbridge, actions: Sequence[str], **options: Unpack[AsyncToolOptions]) -> list[Tool]:
    """Returns the tools of `tools`, with calls that are coroutines. If a run is canceled, its request is canceled too."""
    return [_to_tool(one, one.call) for one in await async_agent_tools(client, actions, options)]


def _to_tool(tool: AgentTool[Any], call: AsyncCall) -> Tool:
    async def on_invoke_tool(_: ToolContext[Any], arguments: str) -> str:
        input = _parsed(arguments or "{}")
        if input is None:
            return f"{tool.name} did not run. Its arguments must be a JSON object. Correct them and call it again."
        return output_text(await call(input))

    # A strict schema has no optional fields.
    return FunctionTool(tool.name, tool.description, tool.schema, on_invoke_tool, strict_json_schema=False)


def _parsed(arguments: str) -> dict[str, Any] | None:
    try:
        input = json.loads(arguments)
    except ValueError:
        return None
    return cast("dict[str, Any]", input) if isinstance(input, dict) else None
