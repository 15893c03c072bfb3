"""The client of both APIs."""

from __future__ import annotations

import re
from types import TracebackType

import httpx

from . import models
from .calls import Calls
from .features import Feature, merge_features
from .management_api import ManagementApi
from .public_api import PublicApi
from .transport import Transport

_NEEDS_MANAGE_KEY = (
    "Pass the option manage_key, a key with the scope manage. Make one in Billow's folder: "
    "node bin/billow.mjs keys create --scope manage"
)


class Billow(PublicApi):
    """
    The public API v2 and, as `manage`, the management API. Keys are secrets of servers. Threads may share a client.

    api_key: with the scope `public`.
    base_url: the address of the server, such as https://billing.example.com, or of its public API.
    manage_key: for `manage`, with the scope `manage`. Without one, `manage` sends `api_key`, which may do little there.
    timeout: the limit of an attempt in seconds.
    max_attempts: the attempts that a call may take, the first one included.
    http: an own client of httpx, for a proxy or certificates. The caller closes this client.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None = None,
        manage_key: str | None = None,
        timeout: float = 30.0,
        max_attempts: int = 4,
        http: httpx.Client | None = None,
    ) -> None:
        address = _public_address(base_url)
        self._http = http or httpx.Client(timeout=timeout)
        self._owns_http = http is None
        transport = Transport(self._http, api_key, "api_key", "public", max_attempts)
        super().__init__(Calls(transport, address))
        manage_address = re.sub("/public/v2$", "/manage/v1", address)
        self.manage: ManagementApi
        """Every operation of the management API."""
        if manage_key is None and api_key:
            self.manage = ManagementApi(Calls(transport, manage_address, _NEEDS_MANAGE_KEY))
        else:
            own = Transport(self._http, manage_key, "manage_key", "manage", max_attempts)
            self.manage = ManagementApi(Calls(own, manage_address))

    def features(self, customer: models.ListBenefitGrantsParams) -> dict[str, Feature]:
        """The Customer's active `feature` grants, one value for each feature: `{"sso": True, "seats": 50}`."""
        params = customer.copy()
        params["type"] = "feature"
        return merge_features(self.benefit_grants.list(params))

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Billow:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _public_address(base_url: str) -> str:
    url = re.sub("(?<!:)/{2,}", "/", base_url or "").rstrip("/")
    if not re.fullmatch(r"https?://[^?#@\s]+", url):
        raise ValueError(
            f"base_url must be the address of your Billow server, such as https://billing.example.com, not {base_url!r}. "
            "Is a variable such as BILLOW_URL not set?"
        )
    return url if url.endswith("/public/v2") else f"{url}/public/v2"
