"""The exceptions of calls."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit


class BillowError(Exception):
    """The base class. Calls raise only this error, or a `ValueError` or `TypeError` for a wrong argument."""

    status: int | None
    """None if no answer arrived."""
    code: str | None
    """A stable code of the cause, such as `models.ErrorCode` lists. A newer server may send further codes."""
    detail: str
    """The advice: a description of the single case, with the next step."""
    request_id: str | None
    """Identifies the request in the server's logs."""
    problem: dict[str, Any]
    """The whole body of the answer (RFC 9457)."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        request_id: str | None = None,
        problem: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.problem = problem or {}
        self.status = status
        self.code = self.problem.get("code", code)
        detail = self.problem.get("detail")
        self.detail = detail if isinstance(detail, str) and detail else message
        self.request_id = request_id

    @property
    def errors(self) -> list[dict[str, str]]:
        """The faulty parts of the request: each has `in`, `pointer`, `code` and `message`."""
        found = self.problem.get("errors")
        return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []

    @property
    def pointer(self) -> str | None:
        """The place of the first faulty part: RFC 6901 in a body, a name elsewhere."""
        return self.errors[0].get("pointer") if self.errors else None

    @property
    def url(self) -> str | None:
        """The page on which the buyer goes on, after a 402 or a 409."""
        return self.problem.get("url")

    @property
    def checkout_id(self) -> str | None:
        """The Checkout whose page is `url`."""
        return self.problem.get("checkoutId")


class ApiError(BillowError):
    """An answer that is not a success, and none of the classes below."""


class AuthenticationError(BillowError):
    """401. The server does not know the key."""


class PaymentError(BillowError):
    """402. A change that had to be paid at once was not paid and had no effect. The buyer can pay at `url`."""

    @property
    def decline_code(self) -> str | None:
        return self.problem.get("declineCode")


class ValidationError(BillowError):
    """422. The request had no effect, and the same request would fail again."""


class ConnectionError(BillowError):
    """No complete answer arrived, or one without JSON. The server may have carried out the request."""


_CLASSES: dict[int, type[BillowError]] = {401: AuthenticationError, 402: PaymentError, 422: ValidationError}


def error_of(status: int, body: bytes, url: str, request_id: str | None, advice: str = "") -> BillowError:
    """The error of an answer. `advice`: the remedy of a 403."""
    problem = _parse(body)
    message = _message_of(problem) if problem else f"The server answered {status}"
    if status == 401:
        # A key of another server looks the same.
        message += f" The key was sent to {urlsplit(url).scheme}://{urlsplit(url).netloc}."
    if status == 403 and advice:
        message += f" {advice}"
    request_id = problem.get("requestId") or request_id
    return _CLASSES.get(status, ApiError)(message, status=status, request_id=request_id, problem=problem)


def _parse(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _message_of(problem: dict[str, Any]) -> str:
    text = str(problem.get("detail") or problem.get("title") or "The request failed")
    code = problem.get("code")
    lines = [f"{code}: {text}" if code else text]
    faults = problem.get("errors")
    for each in faults if isinstance(faults, list) else []:
        # Another program at the address has faults of another form.
        pointer = each.get("pointer") if isinstance(each, dict) else None
        if isinstance(pointer, str) and pointer not in text:
            lines.append(f"{pointer}: {each.get('message')}")
    return "\n  ".join(lines)
