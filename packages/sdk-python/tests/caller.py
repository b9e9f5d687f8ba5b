"""Calls methods of the clients for e2e/sdk-python.test.ts. Each line of stdin describes a call, and each line of stdout is its result."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

from drawbridge import ApiError, AsyncDrawbridge, AsyncPages, Drawbridge, Pages


def sync_call(client: Drawbridge, call: dict[str, Any]) -> Any:
    result = bound(client, call)()
    if isinstance(result, Pages):
        return {"page": dump(result.page), "items": len(list(result))}
    return len(list(result)) if isinstance(result, Iterator) else dump(result)


async def async_call(client: AsyncDrawbridge, call: dict[str, Any]) -> Any:
    result = bound(client, call)()
    if isinstance(result, AsyncIterator):
        return len([item async for item in result])
    result = await result
    if isinstance(result, AsyncPages):
        return {"page": dump(result.page), "items": len([item async for item in result])}
    return dump(result)


def bound(client: Drawbridge | AsyncDrawbridge, call: dict[str, Any]) -> Callable[[], Any]:
    """Binds the arguments that the method takes. The fields are those of its operation, of which it may be a narrower form."""
    method = getattr(getattr(client, call["resource"]), call["method"])
    taken = inspect.signature(method).parameters
    return partial(method, *call["ids"], **{name: value for name, value in call["fields"].items() if name in taken})


def dump(result: Any) -> Any:
    return result.model_dump(mode="json", by_alias=True)


def main() -> None:
    sync, loop = Drawbridge(max_retries=0), asyncio.new_event_loop()
    asynchronous = AsyncDrawbridge(max_retries=0)
    for line in sys.stdin:
        call = json.loads(line)
        try:
            is_async = call["client"] == "AsyncDrawbridge"
            value = loop.run_until_complete(async_call(asynchronous, call)) if is_async else sync_call(sync, call)
            outcome: Any = {"value": value}
        except ApiError as error:
            outcome = {"error": type(error).__name__, "code": error.code, "status": error.status}
        except Exception as error:
            outcome = {"error": repr(error)}
        print(json.dumps(outcome), flush=True)


main()
