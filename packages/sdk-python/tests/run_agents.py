"""Runs agents for e2e/sdk-python-agents.test.ts. Each line of stdin describes a run, and each line of stdout is its result.

Each framework has its own fake model, which calls one tool in each turn and then returns the text `Done`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any

import httpx
from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.items import ItemHelpers, ToolCallOutputItem
from langchain.agents import create_agent
from langchain_core.language_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, ToolMessage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from drawbridge import AsyncDrawbridge, Drawbridge, langchain, openai_agents

Outcome = dict[str, Any]
set_tracing_disabled(True)


class ChatModel(FakeMessagesListChatModel):
    def bind_tools(self, tools: Sequence[Any], **_: Any) -> ChatModel:
        return self


def chat_model(calls: list[dict[str, Any]]) -> ChatModel:
    turns = [AIMessage("", tool_calls=[{"name": one["name"], "args": one["input"], "id": str(at)}]) for at, one in enumerate(calls)]
    return ChatModel(responses=[*turns, AIMessage("Done")])


def of_messages(state: Any) -> Outcome:
    messages = state["messages"]
    return {"results": [one.content for one in messages if isinstance(one, ToolMessage)], "text": messages[-1].content}


class ResponsesModel(Model):
    def __init__(self, calls: list[dict[str, Any]]) -> None:
        self.calls = list(enumerate(calls))

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        if self.calls:
            at, call = self.calls.pop(0)
            arguments = call["input"] if isinstance(call["input"], str) else json.dumps(call["input"])
            made: Any = ResponseFunctionToolCall(type="function_call", call_id=str(at), name=call["name"], arguments=arguments)
        else:
            text = ResponseOutputText(type="output_text", text="Done", annotations=[])
            made = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[made], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


async def run_agent(tools: list[Any], calls: list[dict[str, Any]]) -> Outcome:
    result = await Runner.run(Agent(name="Agent", model=ResponsesModel(calls), tools=tools), "Go")
    results = [one.output for one in result.new_items if isinstance(one, ToolCallOutputItem)]
    return {"results": results, "text": ItemHelpers.text_message_outputs(result.new_items)}


async def frameworks(name: str, row: dict[str, Any], client: AsyncDrawbridge, own: Drawbridge) -> tuple[list[Any], Any]:
    """Returns the tools, and a function that runs an agent with them."""

    async def decide(approval: Any) -> None:
        await getattr(client.approvals, row["decision"])(approval.id, reason="Asked for")

    def sync_decide(approval: Any) -> None:
        getattr(own.approvals, row["decision"])(approval.id, reason="Asked for")

    options, actions = row["options"], row["actions"]
    awaited = {**options, **({"on_approval_required": decide} if "decision" in row else {})}
    blocking = {**options, **({"on_approval_required": sync_decide} if "decision" in row else {})}
    go = {"messages": [("user", "Go")]}
    if name == "LangChain":
        tools: list[Any] = [*langchain.tools(own, actions, **blocking)]
        return tools, lambda calls: asyncio.to_thread(lambda: of_messages(create_agent(chat_model(calls), tools).invoke(go)))
    if name == "LangChain in coroutines":
        tools = [*await langchain.async_tools(client, actions, **awaited)]

        async def run_graph(calls: list[dict[str, Any]]) -> Outcome:
            return of_messages(await create_agent(chat_model(calls), tools).ainvoke(go))

        return tools, run_graph
    if name == "OpenAI Agents":
        tools = [*openai_agents.tools(own, actions, **blocking)]
    else:
        tools = [*await openai_agents.async_tools(client, actions, **awaited)]
    return tools, lambda calls: run_agent(tools, calls)


def offered(tool: Any) -> dict[str, Any]:
    schema = tool.args_schema if hasattr(tool, "args_schema") else tool.params_json_schema
    return {"name": tool.name, "description": tool.description, "schema": schema}


class Hanging(httpx.AsyncBaseTransport):
    """Never answers calls of actions, and records that they were ended."""

    def __init__(self) -> None:
        self.real, self.started, self.ended = httpx.AsyncHTTPTransport(), asyncio.Event(), False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if "/actions/" not in request.url.path:
            return await self.real.handle_async_request(request)
        self.started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.ended = True
            raise
        raise AssertionError


async def canceled(row: dict[str, Any]) -> Outcome:
    transport = Hanging()
    client = AsyncDrawbridge(http_client=httpx.AsyncClient(transport=transport))
    _, run = await frameworks(row["framework"], row, client, Drawbridge())
    task = asyncio.ensure_future(run(row["rounds"][0]))
    await transport.started.wait()
    task.cancel()
    await asyncio.wait([task])
    return {"canceled": task.cancelled(), "ended": transport.ended}


async def outcome(row: dict[str, Any]) -> Outcome:
    if row.get("cancels"):
        return await canceled(row)
    key = row.get("apiKey")
    client, own = AsyncDrawbridge(api_key=key, max_retries=0), Drawbridge(api_key=key, max_retries=0)
    tools, run = await frameworks(row["framework"], row, client, own)
    rounds: list[Outcome] = []
    for calls in row["rounds"]:
        if rounds and "between" in row:
            async for approval in await client.approvals.list(workspace_id=row["options"]["workspace_id"], status="pending"):
                await getattr(client.approvals, row["between"])(approval.id)
        rounds.append(await run(calls))
    return {"rounds": rounds, "offered": [offered(tool) for tool in tools]}


def root(error: BaseException) -> BaseException:
    return root(error.__cause__) if error.__cause__ else error


async def main() -> None:
    for line in sys.stdin:
        try:
            answer = await outcome(json.loads(line))
        except Exception as error:
            cause = root(error)
            answer = {"error": type(cause).__name__, "message": str(cause)}
        print(json.dumps(answer), flush=True)


asyncio.run(main())
