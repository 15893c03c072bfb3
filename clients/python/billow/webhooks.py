"""The verification of webhooks (Standard Webhooks)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Union, cast

from standardwebhooks import Webhook, WebhookVerificationError

from .models import WebhookEvent

__all__ = ["WebhookEvent", "WebhookVerificationError", "verify"]

_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


def verify(body: bytes | str, headers: Mapping[str, str], secret: Union[str, Sequence[str]]) -> WebhookEvent:
    """
    Verifies a request and returns its event. `body` is the raw body before any parser. During a rotation, pass both
    secrets. A newer server may send types of events that this version does not list: ignore these.

    Raises WebhookVerificationError if the request is not from Billow, was changed on the way, or was sent more than
    five minutes before or after now. Answer 400 then.
    """
    lowered = {name.lower(): value for name, value in headers.items()}
    given = {name: lowered[name] for name in _HEADERS if name in lowered}
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("a secret is missing. `node bin/billow.mjs listen` and the webhook endpoint's creation show it")
    failure = WebhookVerificationError("No matching signature found")
    for webhook in [Webhook(each) for each in secrets]:
        try:
            return cast(WebhookEvent, webhook.verify(body, given))
        except WebhookVerificationError as error:
            failure = error
        except ValueError as error:
            # A signature or a body that is not even of the right form.
            failure = WebhookVerificationError(str(error))
    raise failure
