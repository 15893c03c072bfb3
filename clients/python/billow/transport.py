"""Sends requests, and repeats them after transient failures."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .errors import BillowError, ConnectionError, error_of

# Full jitter: each wait is a random part of a ceiling that doubles.
FIRST_CEILING = 0.25
LAST_CEILING = 8.0
# The longest wait in seconds, even if the server asks for an hour.
LONGEST_RETRY_AFTER = 60.0


class Transport:
    """The calls with one key. Threads may share a transport."""

    def __init__(self, http: httpx.Client, api_key: str | None, option: str, scope: str, max_attempts: int) -> None:
        if max_attempts < 1:
            raise ValueError("max_attempts must be a whole number from 1")
        self._http = http
        self._api_key = api_key
        self._option = option
        self._scope = scope
        self._max_attempts = max_attempts

    def send(
        self,
        method: str,
        url: str,
        body: object = None,
        headers: dict[str, str] = {},
        advice: str = "",
        read: Callable[[bytes], Any] = bytes,
    ) -> Any:
        """
        Returns what `read` makes of the body of a success. `read` raises ValueError for a body that Billow never sends.
        `advice`: the remedy of a 403. Raises BillowError.
        """
        key = self._checked_key()
        content = None if body is None else json.dumps(body).encode()
        own = {"Authorization": f"Bearer {key}", "Accept": "application/json, application/pdf"}
        if content is not None:
            own["Content-Type"] = "application/json"
        attempt = 1
        while True:
            outcome, retry_after = self._attempt(method, url, content, {**own, **headers}, advice, read)
            if not isinstance(outcome, BillowError):
                return outcome
            # The answer to the earlier attempt was lost, and that attempt deleted the resource.
            if method == "DELETE" and attempt > 1 and outcome.status == 404:
                return read(b"")
            if retry_after is None or attempt == self._max_attempts:
                raise outcome
            ceiling = min(FIRST_CEILING * 2 ** (attempt - 1), LAST_CEILING)
            time.sleep(retry_after + random.random() * ceiling)
            attempt += 1

    def _attempt(
        self,
        method: str,
        url: str,
        content: bytes | None,
        headers: dict[str, str],
        advice: str,
        read: Callable[[bytes], Any],
    ) -> tuple[Any, float | None]:
        """The second value: the shortest wait before another attempt, or None if no other attempt can help."""
        try:
            response = self._http.request(method, url, content=content, headers=headers, follow_redirects=False)
        except httpx.RequestError as cause:
            return _no_answer(method, url, cause), 0.0
        if response.is_success:
            try:
                return read(response.content), None
            except ValueError as cause:
                return _no_answer(method, url, cause), 0.0
        refusal = error_of(response.status_code, response.content, url, response.headers.get("request-id"), advice)
        return refusal, _retry_after(response.headers) if _is_transient(refusal) else None

    def _checked_key(self) -> str:
        key = self._api_key
        if not key:
            raise ValueError(
                f"{self._option} is missing. If {self._option} comes from a variable of the environment, set the variable. "
                f"Make a key in Billow's folder: node bin/billow.mjs keys create --scope {self._scope}"
            )
        if not all("!" <= character <= "~" for character in key):
            raise ValueError(f"{self._option} has a character that no key has. Copy the whole key")
        return key


def _no_answer(method: str, url: str, cause: Exception) -> ConnectionError:
    error = ConnectionError(f"{method} {url}: {str(cause) or type(cause).__name__}. Is Billow running there?")
    error.__cause__ = cause
    return error


def _is_transient(error: BillowError) -> bool:
    status = error.status or 0
    return status >= 500 or status == 429 or (status == 409 and error.code == "idempotency_in_progress")


def _retry_after(headers: httpx.Headers) -> float:
    """`Retry-After` is seconds or a date. A date is compared with the server's own clock."""
    value = headers.get("retry-after", "")
    if value.isdigit():
        return min(float(value), LONGEST_RETRY_AFTER)
    until = _date(value)
    now = _date(headers.get("date", "")) or datetime.now(timezone.utc)
    return min(max((until - now).total_seconds(), 0.0), LONGEST_RETRY_AFTER) if until else 0.0


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    # A date without a zone is one of UTC (RFC 9110).
    return date if date.tzinfo else date.replace(tzinfo=timezone.utc)
