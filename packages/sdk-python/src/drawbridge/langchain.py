"""Actions as tools of LangChain: `pip install "drawbridge[langchain]"`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.tools import BaseTool
from typing_extensions import Unpack

from ._agent_tools import AgentTool, AsyncCall, AsyncToolOptions, SyncCall, ToolOptions, agent_tools, async_agent_tools
from ._tool_texts import output_text
from .async_client import AsyncDrawbridge
from .client import Drawbridge

__all__ = ["AsyncToolOptions", "ToolOptions", "async_tools", "tools"]


class _ActionTool(BaseTool):
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    action: SyncCall

    # Not a StructuredTool: it passes arguments of LangChain, such as `config`, beside those of the model, and an action may have a field `config`.
    def _run(self, /, *_: Any, **input: Any) -> tuple[str, Any]:
        result = self.action(input)
        return output_text(result), result


class _AsyncActionTool(BaseTool):
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    action: AsyncCall

    def _run(self, /, *_: Any, **input: Any) -> tuple[str, Any]:
        raise NotImplementedError("This tool is for coroutines: use ainvoke, or make it with tools() and a Drawbridge client")

    async def _arun(self, /, *_: Any, **input: Any) -> tuple[str, Any]:
        result = await self.action(input)
        return output_text(result), result


def tools(client: Drawbridge, actions: Sequence[str], **options: Unpack[ToolOptions]) -> list[BaseTool]:
    """Returns actions as tools for `create_agent(model, tools(client, ["github.create_issue", "slack.*"]))`.

    The model gets the output as JSON, and the artifact of the ToolMessage is the output itself. In an agent that runs in coroutines the call runs
    in a thread. Raises ValueError if the instance does not have one of the actions.
    """
    made = agent_tools(client, actions, options)
    return [_ActionTool(**_described(one), action=one.call) for one in made]


async def async_tools(client: AsyncDrawbridge, actions: Sequence[str], **options: Unpack[AsyncToolOptions]) -> list[BaseTool]:
    """Returns the tools of `tools`, for agents that run as coroutines. If a run is canceled, its request is canceled too."""
    made = await async_agent_tools(client, actions, options)
    return [_AsyncActionTool(**_described(one), action=one.call) for one in made]


def _described(tool: AgentTool[Any]) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "args_schema": tool.schema}
