"""The kinds of calls of an API."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from .errors import ApiError
from .transport import Transport

Item = TypeVar("Item")
Page = Mapping[str, Any]


class Items(Generic[Item]):
    """A list. Iterate over the items of all pages, or read `data` and `next_cursor` of the first page."""

    def __init__(self, read: Callable[[str | None], Page]) -> None:
        self._read = read
        self._first: Page | None = None

    def _page(self) -> Page:
        if self._first is None:
            self._first = self._read(None)
        return self._first

    @property
    def data(self) -> list[Item]:
        return list(self._page()["data"])

    @property
    def next_cursor(self) -> str | None:
        """None: there is no further page."""
        cursor: str | None = self._page()["nextCursor"]
        return cursor

    def __iter__(self) -> Iterator[Item]:
        page = self._page()
        while True:
            yield from page["data"]
            if not page["nextCursor"]:
                return
            page = self._read(page["nextCursor"])


class Calls:
    """The calls of one API. Answers are the JSON objects of the server: no value is dropped or changed."""

    def __init__(self, transport: Transport, base_url: str, advice: str = "") -> None:
        self._transport = transport
        self._base_url = base_url
        self._advice = advice

    def read(self, path: str, params: Mapping[str, Any] | None) -> Any:
        return self._json("GET", path + _query(params))

    def file(self, path: str) -> bytes:
        return self._transport.send("GET", self._base_url + path, advice=self._advice)

    def items(self, path: str, params: Mapping[str, Any]) -> Items[Any]:
        given = dict(params)
        return Items(lambda cursor: self.read(path, {**given, "cursor": cursor} if cursor else given))

    def by_key(self, path: str, key: str) -> Any:
        """Raises ApiError `not_found`, as for an unknown id."""
        found = self.items(path, {"key": key}).data
        if not found:
            raise ApiError(f"not_found: {path} has no key {json.dumps(key)}", status=404, code="not_found")
        return found[0]

    def write(self, method: str, path: str, params: Mapping[str, Any] | None, idempotency_key: str | None) -> Any:
        """Every attempt of a call sends the same key."""
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        if not (1 <= len(key) <= 255 and all(" " <= character <= "~" for character in key)):
            raise ValueError("idempotency_key must be 1 to 255 printable ASCII characters")
        return self._json(method, path, params, {"Idempotency-Key": key})

    def replace(self, path: str, params: Mapping[str, Any] | None) -> Any:
        return self._json("PUT", path, params)

    def remove(self, path: str, params: Mapping[str, Any] | None) -> Any:
        """Returns None if the answer has no body."""
        return self._json("DELETE", path + _query(params))

    def _json(self, method: str, path: str, body: object = None, headers: dict[str, str] = {}) -> Any:
        return self._transport.send(method, self._base_url + path, body, headers, self._advice, _parsed)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError as error:
        raise ValueError("the answer is not JSON") from error


def at(template: str, *ids: str) -> str:
    """A path with its ids. Raises TypeError if an id is not a text with characters."""
    for each in ids:
        if not isinstance(each, str) or not each:
            raise TypeError(f"{template}: an id is a text, not {each!r}")
    return template.format(*(quote(each, safe="") for each in ids))


def _query(params: Mapping[str, Any] | None) -> str:
    given = {name: _text(value) for name, value in (params or {}).items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
