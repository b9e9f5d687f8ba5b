"""The tools of agents in the real frameworks. e2e/sdk-python-agents.test.ts runs whole agents with the product."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from agents import FunctionTool, RunConfig
from agents.tool_context import ToolContext
from conftest import Server
from langchain_core.tools import BaseTool
from test_agent_tools import CATALOG, EXECUTED
from test_client import KEY, client, refusal

from drawbridge import AsyncDrawbridge, langchain, openai_agents
from drawbridge._agent_tools import agent_tools

OUTPUT = {"type": "image", "text": "Grüße"}
TEXT = '{"type": "image", "text": "Grüße"}'
Invoke = Callable[[Server, dict[str, Any]], str]


def executed(output: object) -> tuple[int, Any, dict[str, str]]:
    return 200, {**EXECUTED, "output": output}, {}


def langchain_tool(server: Server) -> BaseTool:
    server.replies = [CATALOG]
    [tool] = langchain.tools(client(server, workspace_id="w"), ["a-b-c.d"])
    return tool


async def langchain_async_tool(server: Server) -> BaseTool:
    server.replies = [CATALOG]
    [tool] = await langchain.async_tools(AsyncDrawbridge(server.url, KEY, workspace_id="w"), ["a-b-c.d"])
    return tool


def tool_call(input: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_call", "id": "1", "name": "a_b_c_d", "args": input}


def invoke_langchain(server: Server, input: dict[str, Any]) -> Any:
    tool = langchain_tool(server)
    server.replies = [executed(OUTPUT)]
    return tool.invoke(tool_call(input))


def ainvoke_langchain(server: Server, input: dict[str, Any]) -> Any:
    async def run() -> Any:
        tool = await langchain_async_tool(server)
        server.replies = [executed(OUTPUT)]
        return await tool.ainvoke(tool_call(input))

    return asyncio.run(run())


@pytest.mark.parametrize("invoke", [invoke_langchain, ainvoke_langchain])
def test_langchain_gives_the_model_text_and_the_program_the_output(server: Server, invoke: Invoke) -> None:
    message: Any = invoke(server, {"n": 1})
    assert (message.content, message.artifact) == (TEXT, OUTPUT)


@pytest.mark.parametrize("invoke", [invoke_langchain, ainvoke_langchain])
def test_langchain_passes_fields_with_the_names_of_its_own_arguments(server: Server, invoke: Invoke) -> None:
    input = {"config": {"a": 1}, "run_manager": 2, "self": 3, "input": 4, "args": 5, "kwargs": 6}
    invoke(server, input)
    assert server.requests[-1]["body"]["input"] == input


def test_langchain_says_that_a_tool_is_for_coroutines(server: Server) -> None:
    tool = asyncio.run(langchain_async_tool(server))
    with pytest.raises(NotImplementedError, match="use ainvoke, or make it with tools"):
        tool.invoke(tool_call({}))


def openai_tool(server: Server) -> FunctionTool:
    server.replies = [CATALOG]
    [tool] = openai_agents.tools(client(server, workspace_id="w"), ["a-b-c.d"])
    assert isinstance(tool, FunctionTool)
    return tool


async def invoke_openai(tool: FunctionTool, arguments: str) -> Any:
    context: Any = ToolContext(None, tool_name=tool.name, tool_call_id="1", tool_arguments=arguments, run_config=RunConfig())
    return await tool.on_invoke_tool(context, arguments)


def test_openai_agents_gives_the_model_text(server: Server) -> None:
    tool = openai_tool(server)
    server.replies = [executed(OUTPUT), refusal("ACTION_FAILED")]
    assert asyncio.run(invoke_openai(tool, '{"n": 1}')) == TEXT
    assert asyncio.run(invoke_openai(tool, "")) == "a_b_c_d failed: No.. The same arguments fail again: correct them first."
    assert [request["body"]["input"] for request in server.requests[-2:]] == [{"n": 1}, {}]


@pytest.mark.parametrize("arguments", ["{", "[1]", "null"])
def test_openai_agents_tells_the_model_that_its_arguments_are_no_object(server: Server, arguments: str) -> None:
    tool = openai_tool(server)
    server.requests.clear()
    text = "a_b_c_d did not run. Its arguments must be a JSON object. Correct them and call it again."
    assert asyncio.run(invoke_openai(tool, arguments)) == text
    assert server.requests == []


def test_tools_have_the_schema_and_the_description_of_their_action(server: Server) -> None:
    server.replies = [CATALOG]
    [plain] = agent_tools(client(server), ["a-b-c.d"], {})
    chain, openai = langchain_tool(server), openai_tool(server)
    described = (plain.name, plain.description, plain.schema)
    assert plain.schema["type"] == "object" and plain.description == "A-B-C: d"
    assert (chain.name, chain.description, chain.args_schema) == described
    assert (openai.name, openai.description, openai.params_json_schema) == described


def test_openai_agents_accepts_a_schema_with_optional_fields(server: Server) -> None:
    assert openai_tool(server).strict_json_schema is False


def test_openai_agents_runs_calls_beside_each_other(server: Server) -> None:
    tool = openai_tool(server)
    both = threading.Barrier(2)

    def reply(_: dict[str, Any]) -> Any:
        both.wait(timeout=20)
        return executed({})

    server.replies = [reply]

    async def run() -> list[str]:
        return [*await asyncio.gather(invoke_openai(tool, "{}"), invoke_openai(tool, "{}"))]

    assert asyncio.run(run()) == ["{}", "{}"]
