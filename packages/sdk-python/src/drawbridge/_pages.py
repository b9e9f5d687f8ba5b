from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

Page = TypeVar("Page", bound=BaseModel)
Item = TypeVar("Item")


class Pages(Generic[Page, Item]):
    """A list. `page` is its first page as the API sent it; a loop goes through the items of all pages, and requests each when it is needed."""

    def __init__(self, page: Page, key: str, offset: int, request: Callable[[Mapping[str, Any]], Page]) -> None:
        self.page = page
        self._key = key
        self._offset = offset
        self._request = request

    def __iter__(self) -> Iterator[Item]:
        page, offset = self.page, self._offset
        while True:
            items: list[Item] = _items(page, self._key)
            yield from items
            offset += len(items)
            position = _next(page, items, offset)
            if position is None:
                return
            page = self._request(position)


class AsyncPages(Generic[Page, Item]):
    """A list. `page` is its first page as the API sent it; `async for` goes through the items of all pages."""

    def __init__(self, page: Page, key: str, offset: int, request: Callable[[Mapping[str, Any]], Awaitable[Page]]) -> None:
        self.page = page
        self._key = key
        self._offset = offset
        self._request = request

    async def __aiter__(self) -> AsyncIterator[Item]:
        page, offset = self.page, self._offset
        while True:
            items: list[Item] = _items(page, self._key)
            for item in items:
                yield item
            offset += len(items)
            position = _next(page, items, offset)
            if position is None:
                return
            page = await self._request(position)


def _items(page: BaseModel, key: str) -> list[Any]:
    for name, about in type(page).model_fields.items():
        if (about.alias or name) == key:
            return list(getattr(page, name))
    return []


def _next(page: BaseModel, items: list[Any], offset: int) -> dict[str, Any] | None:
    """Returns the query parameters of the next page, or None after the last page.

    Lists that can be long have a cursor. Other lists have a total number of items, and continue at an offset.
    """
    cursor = getattr(page, "next_cursor", None)
    if cursor:
        return {"cursor": cursor}
    if "next_cursor" in type(page).model_fields or not items or offset >= getattr(page, "total", 0):
        return None
    return {"offset": offset}
