# Generated from the OpenAPI document of the public API: npm run gen.

from . import models
from .calls import Calls, Items, at


class Customers:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateCustomerParams, *, idempotency_key: str | None = None) -> models.Customer:
        """Create a Customer."""
        return self._calls.write("POST", "/customers", params, idempotency_key)


class Checkouts:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateCheckoutParams, *, idempotency_key: str | None = None) -> models.Checkout:
        """Create a Checkout, and its Customer if the Customer does not exist yet."""
        return self._calls.write("POST", "/checkouts", params, idempotency_key)

    def get(self, checkout_id: str) -> models.Checkout:
        """Read a Checkout."""
        return self._calls.read(at("/checkouts/{}", checkout_id), None)


class Subscriptions:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, subscription_id: str) -> models.Subscription:
        """Read a Subscription."""
        return self._calls.read(at("/subscriptions/{}", subscription_id), None)

    def update(self, subscription_id: str, params: models.UpdateSubscriptionParams, *, idempotency_key: str | None = None) -> models.Subscription:
        """Change the Product, or schedule or undo the cancellation."""
        return self._calls.write("PATCH", at("/subscriptions/{}", subscription_id), params, idempotency_key)


class BenefitGrants:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListBenefitGrantsParams = {}) -> Items[models.BenefitGrant]:
        """List the active BenefitGrants of a Customer, newest first."""
        return self._calls.items("/benefit-grants", params)


class PublicApi:
    """Every operation of the public API, by resource."""

    def __init__(self, calls: Calls) -> None:
        self.customers = Customers(calls)
        self.checkouts = Checkouts(calls)
        self.subscriptions = Subscriptions(calls)
        self.benefit_grants = BenefitGrants(calls)
