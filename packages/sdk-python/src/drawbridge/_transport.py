from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import httpx
from pydantic import BaseModel

from ._codes import CLASSES
from ._errors import ApiError, ConnectionError, RequestTimeoutError
from ._pages import AsyncPages, Pages
from ._request import Request, RequestOptions, require_key, require_url
from ._retry import retry_delay
from ._streams import Lines, items_of, reader_of
from ._version import VERSION

Result = TypeVar("Result")
Page = TypeVar("Page", bound=BaseModel)
Item = TypeVar("Item")

_TIMEOUT = 60.0
_LONG_TIMEOUT = 360.0
_MAX_RETRIES = 3


@dataclass(repr=False)
class Settings:
    """How a client reaches its instance."""

    base_url: str
    headers: dict[str, str]
    timeout: float | None
    max_retries: int

    @classmethod
    def of(
        cls,
        base_url: str | None,
        api_key: str | None,
        timeout: float | None,
        max_retries: int | None,
        headers: Mapping[str, str] | None,
    ) -> Settings:
        key = api_key or os.environ.get("DRAWBRIDGE_KEY")
        own = {"x-svc-source": "sdk", "user-agent": f"drawbridge-python/{VERSION}"}
        if key:
            own["authorization"] = f"Bearer {require_key(key)}"
        return cls(require_url(base_url), {**own, **(headers or {})}, timeout, _MAX_RETRIES if max_retries is None else max_retries)

    def sent(self, request: Request[Any], options: RequestOptions) -> dict[str, Any]:
        """Returns the arguments of `httpx.Client.build_request`."""
        timeout = options.get("timeout", self.timeout)
        return {
            "method": request.method,
            "url": self.base_url + request.path,
            "params": request.params(),
            "json": request.json(),
            "headers": {**self.headers, **options.get("headers", {})},
            "timeout": timeout if timeout is not None else _LONG_TIMEOUT if request.takes_long else _TIMEOUT,
        }

    def delay(self, error: Exception, request: Request[Any], options: RequestOptions, number: int) -> float | None:
        if number >= options.get("max_retries", self.max_retries):
            return None
        return retry_delay(error, number=number, is_repeatable=request.is_repeatable)


class SyncTransport:
    """Sends requests and blocks until they are answered."""

    def __init__(self, settings: Settings, client: httpx.Client | None) -> None:
        self.settings = settings
        self.client = client or httpx.Client()

    def send(self, request: Request[Result], options: RequestOptions | None = None) -> Result:
        given: RequestOptions = options or {}
        number = 0
        while True:
            try:
                return _result(self._response(request, given), request)
            except (ApiError, ConnectionError, RequestTimeoutError) as error:
                delay = self.settings.delay(error, request, given, number)
                if delay is None:
                    raise
                time.sleep(delay)
                number += 1

    def pages(self, request: Request[Page], options: RequestOptions | None, _item: type[Item], key: str) -> Pages[Page, Item]:
        offset = request.query.get("offset")
        return Pages(
            self.send(request, options),
            key,
            offset if isinstance(offset, int) else 0,
            lambda position: self.send(request.with_query(position), options),
        )

    def stream(self, request: Request[Item], options: RequestOptions | None, kind: type[Item]) -> Iterator[Item]:
        read = reader_of(kind)
        sent = self.client.build_request(**self.settings.sent(request, options or {}))
        try:
            response = self.client.send(sent, stream=True)
            try:
                if not response.is_success:
                    response.read()
                    raise read_error(response)
                lines = Lines()
                for text in response.iter_text():
                    yield from items_of(lines.split(text), read)
                yield from items_of(lines.end(), read)
            finally:
                response.close()
        except httpx.HTTPError as error:
            raise failure(request, error) from error

    def _response(self, request: Request[Any], options: RequestOptions) -> httpx.Response:
        try:
            return self.client.send(self.client.build_request(**self.settings.sent(request, options)))
        except httpx.HTTPError as error:
            raise failure(request, error) from error


class AsyncTransport:
    """Sends requests of coroutines."""

    def __init__(self, settings: Settings, client: httpx.AsyncClient | None) -> None:
        self.settings = settings
        self.client = client or httpx.AsyncClient()

    async def send(self, request: Request[Result], options: RequestOptions | None = None) -> Result:
        given: RequestOptions = options or {}
        number = 0
        while True:
            try:
                return _result(await self._response(request, given), request)
            except (ApiError, ConnectionError, RequestTimeoutError) as error:
                delay = self.settings.delay(error, request, given, number)
                if delay is None:
                    raise
                await asyncio.sleep(delay)
                number += 1

    async def pages(self, request: Request[Page], options: RequestOptions | None, _item: type[Item], key: str) -> AsyncPages[Page, Item]:
        offset = request.query.get("offset")
        return AsyncPages(
            await self.send(request, options),
            key,
            offset if isinstance(offset, int) else 0,
            lambda position: self.send(request.with_query(position), options),
        )

    async def stream(self, request: Request[Item], options: RequestOptions | None, kind: type[Item]) -> AsyncIterator[Item]:
        read = reader_of(kind)
        sent = self.client.build_request(**self.settings.sent(request, options or {}))
        try:
            response = await self.client.send(sent, stream=True)
            try:
                if not response.is_success:
                    await response.aread()
                    raise read_error(response)
                lines = Lines()
                async for text in response.aiter_text():
                    for item in items_of(lines.split(text), read):
                        yield item
                for item in items_of(lines.end(), read):
                    yield item
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise failure(request, error) from error

    async def _response(self, request: Request[Any], options: RequestOptions) -> httpx.Response:
        try:
            return await self.client.send(self.client.build_request(**self.settings.sent(request, options)))
        except httpx.HTTPError as error:
            raise failure(request, error) from error


def _result(response: httpx.Response, request: Request[Result]) -> Result:
    if not response.is_success:
        raise read_error(response)
    try:
        model = request.returns[response.status_code]
        return cast(Result, model.model_validate_json(response.content))
    except (KeyError, ValueError) as error:
        raise ConnectionError(f"{request.method} {request.path} got a response that is not one of the API") from error


def read_error(response: httpx.Response) -> ApiError:
    """Returns the error of an error response. The response of a proxy may not be JSON of the API, and then the code is `HTTP_` and the status."""
    try:
        parsed: Any = json.loads(response.text)
    except ValueError:
        parsed = None
    body = cast(dict[str, Any], parsed) if isinstance(parsed, dict) else {}
    code, message, details = body.get("code"), body.get("error"), body.get("details")
    name = code if isinstance(code, str) else f"HTTP_{response.status_code}"
    return CLASSES.get(name, ApiError)(
        message if isinstance(message, str) else f"The server answered {response.status_code} {response.text[:200]}".strip(),
        code=name,
        status=response.status_code,
        details=cast(dict[str, Any], details) if isinstance(details, dict) else {},
        headers={key.lower(): value for key, value in response.headers.items()},
    )


def failure(request: Request[Any], error: httpx.HTTPError) -> ConnectionError | RequestTimeoutError:
    if isinstance(error, httpx.TimeoutException):
        return RequestTimeoutError(f"{request.method} {request.path} got no response in time")
    return ConnectionError(f"{request.method} {request.path} failed: {error or type(error).__name__}")
