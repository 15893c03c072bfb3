# Generated from the OpenAPI document of the management API: npm run gen.

from . import models
from .calls import Calls, Items, at


class Organization:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self) -> models.Organization:
        """Read the Organization of the key."""
        return self._calls.read("/organization", None)

    def update(self, params: models.UpdateOrganizationParams, *, idempotency_key: str | None = None) -> models.Organization:
        """Change the settings. Objects within them are replaced as a whole, except `emails` and `portal`."""
        return self._calls.write("PATCH", "/organization", params, idempotency_key)


class ApiKeys:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateApiKeyParams, *, idempotency_key: str | None = None) -> models.NewApiKey:
        """Create an API key. Only this answer shows its secret."""
        return self._calls.write("POST", "/api-keys", params, idempotency_key)

    def list(self, params: models.ListApiKeysParams = {}) -> Items[models.ApiKey]:
        """List the API keys, with the expired and revoked keys, newest first."""
        return self._calls.items("/api-keys", params)

    def rotate(self, key_id: str, params: models.RotateApiKeyParams, *, idempotency_key: str | None = None) -> models.NewApiKey:
        """Create the successor of an API key. The old key stays valid for an overlap."""
        return self._calls.write("POST", at("/api-keys/{}/rotate", key_id), params, idempotency_key)

    def revoke(self, key_id: str) -> models.ApiKey:
        """Revoke an API key for good. The revocation takes effect within a second."""
        return self._calls.remove(at("/api-keys/{}", key_id), None)


class Products:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateProductParams, *, idempotency_key: str | None = None) -> models.Product:
        """Create a Product."""
        return self._calls.write("POST", "/products", params, idempotency_key)

    def list(self, params: models.ListProductsParams = {}) -> Items[models.Product]:
        """List Products, newest first."""
        return self._calls.items("/products", params)

    def get_by_key(self, key: str) -> models.Product:
        """Read by `key`. An unknown key is an `ApiError` with the code `not_found`."""
        return self._calls.by_key("/products", key)

    def get(self, product_id: str) -> models.Product:
        """Read a Product."""
        return self._calls.read(at("/products/{}", product_id), None)

    def update(self, product_id: str, params: models.UpdateProductParams, *, idempotency_key: str | None = None) -> models.Product:
        """Change a Product. Sold Subscriptions keep their price."""
        return self._calls.write("PATCH", at("/products/{}", product_id), params, idempotency_key)

    def create_price_change(self, product_id: str, params: models.CreatePriceChangeParams, *, idempotency_key: str | None = None) -> models.PriceChange:
        """Bring the present prices of a Product to present Subscriptions."""
        return self._calls.write("POST", at("/products/{}/price-changes", product_id), params, idempotency_key)

    def list_price_changes(self, product_id: str, params: models.ListPriceChangesParams = {}) -> Items[models.PriceChange]:
        """List the price changes of a Product, newest first."""
        return self._calls.items(at("/products/{}/price-changes", product_id), params)

    def preview_price_change(self, product_id: str, params: models.CreatePriceChangeParams, *, idempotency_key: str | None = None) -> models.PriceChangePreview:
        """Preview a price change: the Subscriptions that would move, and their MRR. No data is changed."""
        return self._calls.write("POST", at("/products/{}/price-changes/preview", product_id), params, idempotency_key)

    def get_prices(self, product_id: str) -> models.ProductPrices:
        """Read the prices of a Product with their time in the catalogue, and how many pay each."""
        return self._calls.read(at("/products/{}/prices", product_id), None)


class PriceChanges:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, price_change_id: str) -> models.PriceChange:
        """Read a price change and its progress."""
        return self._calls.read(at("/price-changes/{}", price_change_id), None)

    def list_subscriptions(self, price_change_id: str, params: models.ListPriceChangeSubscriptionsParams = {}) -> Items[models.RepricedSubscription]:
        """List the Subscriptions of a price change by their ids."""
        return self._calls.items(at("/price-changes/{}/subscriptions", price_change_id), params)

    def pause(self, price_change_id: str, *, idempotency_key: str | None = None) -> models.PriceChange:
        """Pause a price change: no further notice is given."""
        return self._calls.write("POST", at("/price-changes/{}/pause", price_change_id), None, idempotency_key)

    def resume(self, price_change_id: str, *, idempotency_key: str | None = None) -> models.PriceChange:
        """Go on with a paused price change."""
        return self._calls.write("POST", at("/price-changes/{}/resume", price_change_id), None, idempotency_key)

    def stop(self, price_change_id: str, *, idempotency_key: str | None = None) -> models.PriceChange:
        """Stop a price change for good."""
        return self._calls.write("POST", at("/price-changes/{}/stop", price_change_id), None, idempotency_key)

    def withdraw(self, price_change_id: str, *, idempotency_key: str | None = None) -> models.PriceChange:
        """Withdraw a price change: the prices that wait are taken back."""
        return self._calls.write("POST", at("/price-changes/{}/withdraw", price_change_id), None, idempotency_key)


class Benefits:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateBenefitParams, *, idempotency_key: str | None = None) -> models.Benefit:
        """Create a Benefit."""
        return self._calls.write("POST", "/benefits", params, idempotency_key)

    def list(self, params: models.ListBenefitsParams = {}) -> Items[models.Benefit]:
        """List Benefits, newest first."""
        return self._calls.items("/benefits", params)

    def get_by_key(self, key: str) -> models.Benefit:
        """Read by `key`. An unknown key is an `ApiError` with the code `not_found`."""
        return self._calls.by_key("/benefits", key)

    def get(self, benefit_id: str) -> models.Benefit:
        """Read a Benefit."""
        return self._calls.read(at("/benefits/{}", benefit_id), None)

    def update(self, benefit_id: str, params: models.UpdateBenefitParams, *, idempotency_key: str | None = None) -> models.Benefit:
        """Change a Benefit. Existing grants change too."""
        return self._calls.write("PATCH", at("/benefits/{}", benefit_id), params, idempotency_key)

    def delete(self, benefit_id: str) -> None:
        """Delete a Benefit. Products and their Subscriptions lose the Benefit. One-time purchases keep it."""
        return self._calls.remove(at("/benefits/{}", benefit_id), None)


class Discounts:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateDiscountParams, *, idempotency_key: str | None = None) -> models.Discount:
        """Create a Discount."""
        return self._calls.write("POST", "/discounts", params, idempotency_key)

    def list(self, params: models.ListDiscountsParams = {}) -> Items[models.Discount]:
        """List Discounts, newest first."""
        return self._calls.items("/discounts", params)

    def get(self, discount_id: str) -> models.Discount:
        """Read a Discount."""
        return self._calls.read(at("/discounts/{}", discount_id), None)

    def update(self, discount_id: str, params: models.UpdateDiscountParams, *, idempotency_key: str | None = None) -> models.Discount:
        """Change the code of a Discount or the limits of its use."""
        return self._calls.write("PATCH", at("/discounts/{}", discount_id), params, idempotency_key)

    def delete(self, discount_id: str) -> None:
        """Delete a Discount. Its code can't be used any more. Subscriptions with the Discount keep it."""
        return self._calls.remove(at("/discounts/{}", discount_id), None)


class Catalogue:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self) -> models.CatalogueRows:
        """Read the whole catalogue: Benefits, Products and Discounts by key."""
        return self._calls.read("/catalogue", None)

    def push(self, params: models.CatalogueParams) -> models.CatalogueResult:
        """Make and change Benefits, Products and Discounts by key, all or none."""
        return self._calls.replace("/catalogue", params)

    def preview(self, params: models.CatalogueParams, *, idempotency_key: str | None = None) -> models.CatalogueResult:
        """Preview the changes of a catalogue. No data is changed."""
        return self._calls.write("POST", "/catalogue/preview", params, idempotency_key)


class PaymentLinks:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreatePaymentLinkParams, *, idempotency_key: str | None = None) -> models.PaymentLink:
        """Create a payment link: a public page that sells up to ten Products."""
        return self._calls.write("POST", "/payment-links", params, idempotency_key)

    def list(self, params: models.ListPaymentLinksParams = {}) -> Items[models.PaymentLink]:
        """List payment links with their counts, newest first."""
        return self._calls.items("/payment-links", params)

    def get_by_key(self, key: str) -> models.PaymentLink:
        """Read by `key`. An unknown key is an `ApiError` with the code `not_found`."""
        return self._calls.by_key("/payment-links", key)

    def get(self, payment_link_id: str) -> models.PaymentLink:
        """Read a payment link with its counts."""
        return self._calls.read(at("/payment-links/{}", payment_link_id), None)

    def update(self, payment_link_id: str, params: models.UpdatePaymentLinkParams, *, idempotency_key: str | None = None) -> models.PaymentLink:
        """Change a payment link for later visits, or switch its page off or on."""
        return self._calls.write("PATCH", at("/payment-links/{}", payment_link_id), params, idempotency_key)


class Customers:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListCustomersParams = {}) -> Items[models.Customer]:
        """List Customers, newest first."""
        return self._calls.items("/customers", params)

    def get(self, customer_id: str) -> models.Customer:
        """Read a Customer."""
        return self._calls.read(at("/customers/{}", customer_id), None)

    def update(self, customer_id: str, params: models.UpdateCustomerParams, *, idempotency_key: str | None = None) -> models.Customer:
        """Change a Customer. Issued documents keep the earlier data of the Customer."""
        return self._calls.write("PATCH", at("/customers/{}", customer_id), params, idempotency_key)

    def delete(self, customer_id: str, params: models.DeleteCustomerParams = {}) -> None:
        """Delete a Customer. All that the Customer has ends at once. Only issued documents keep the Customer's personal data."""
        return self._calls.remove(at("/customers/{}", customer_id), params)

    def get_balance(self, customer_id: str) -> models.Balances:
        """Read a Customer's balance in each currency."""
        return self._calls.read(at("/customers/{}/balance", customer_id), None)

    def list_balance_entries(self, customer_id: str, params: models.ListCustomerBalanceEntriesParams = {}) -> Items[models.BalanceEntry]:
        """List the entries of a Customer's balance, newest first."""
        return self._calls.items(at("/customers/{}/balance-entries", customer_id), params)

    def adjust_balance(self, customer_id: str, params: models.AdjustBalanceParams, *, idempotency_key: str | None = None) -> models.BalanceEntry:
        """Add to a Customer's balance or take from it. Later renewals, changes and purchases may use the balance."""
        return self._calls.write("POST", at("/customers/{}/balance-adjustments", customer_id), params, idempotency_key)

    def create_portal_session(self, customer_id: str, params: models.CreateCustomerPortalSessionParams = {}, *, idempotency_key: str | None = None) -> models.PortalSession:
        """Make a link that signs a Customer in to the portal once."""
        return self._calls.write("POST", at("/customers/{}/portal-sessions", customer_id), params, idempotency_key)

    def list_payment_methods(self, customer_id: str, params: models.ListCustomerPaymentMethodsParams = {}) -> Items[models.PaymentMethod]:
        """List the cards of a Customer that may be charged, newest first."""
        return self._calls.items(at("/customers/{}/payment-methods", customer_id), params)

    def pay_out_balance(self, customer_id: str, params: models.PayOutBalanceParams, *, idempotency_key: str | None = None) -> models.BalanceRefunds:
        """Pay credit of a Customer's balance out to the cards that the credit came from."""
        return self._calls.write("POST", at("/customers/{}/balance-refunds", customer_id), params, idempotency_key)

    def export(self, customer_id: str) -> models.CustomerExport:
        """Export all data of a Customer as one JSON document, such as for a request under the GDPR."""
        return self._calls.read(at("/customers/{}/export", customer_id), None)


class PortalSessions:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreatePortalSessionParams, *, idempotency_key: str | None = None) -> models.PortalSession:
        """Make a link that signs in to the portal once, for a Customer named by id or `externalId`."""
        return self._calls.write("POST", "/portal-sessions", params, idempotency_key)


class Checkouts:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListCheckoutsParams = {}) -> Items[models.Checkout]:
        """List Checkouts, newest first."""
        return self._calls.items("/checkouts", params)

    def get(self, checkout_id: str) -> models.Checkout:
        """Read a Checkout."""
        return self._calls.read(at("/checkouts/{}", checkout_id), None)


class Subscriptions:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateSubscriptionParams, *, idempotency_key: str | None = None) -> models.Subscription:
        """Create a Subscription without a Checkout: complimentary, sold by hand, or begun elsewhere."""
        return self._calls.write("POST", "/subscriptions", params, idempotency_key)

    def list(self, params: models.ListSubscriptionsParams = {}) -> Items[models.Subscription]:
        """List Subscriptions, newest first."""
        return self._calls.items("/subscriptions", params)

    def get(self, subscription_id: str) -> models.Subscription:
        """Read a Subscription."""
        return self._calls.read(at("/subscriptions/{}", subscription_id), None)

    def preview(self, subscription_id: str, params: models.UpdateSubscriptionParams, *, idempotency_key: str | None = None) -> models.ChangePreview:
        """Preview a PATCH of the Subscription, line by line. No data is changed."""
        return self._calls.write("POST", at("/subscriptions/{}/preview", subscription_id), params, idempotency_key)

    def pause(self, subscription_id: str, params: models.PauseSubscriptionParams, *, idempotency_key: str | None = None) -> models.Subscription:
        """Pause a Subscription from the end of its period or trial on."""
        return self._calls.write("POST", at("/subscriptions/{}/pause", subscription_id), params, idempotency_key)

    def resume(self, subscription_id: str, *, idempotency_key: str | None = None) -> models.Subscription:
        """Resume a paused Subscription, or undo a pause that has not begun."""
        return self._calls.write("POST", at("/subscriptions/{}/resume", subscription_id), None, idempotency_key)

    def preview_resume(self, subscription_id: str, *, idempotency_key: str | None = None) -> models.ChangePreview:
        """Preview the invoice that `resume` would make now, line by line. No data is changed."""
        return self._calls.write("POST", at("/subscriptions/{}/resume/preview", subscription_id), None, idempotency_key)

    def change_discount(self, subscription_id: str, params: models.ChangeDiscountParams, *, idempotency_key: str | None = None) -> models.Subscription:
        """Give a Subscription another discount from its next period on, or take its discount off."""
        return self._calls.write("POST", at("/subscriptions/{}/discount", subscription_id), params, idempotency_key)

    def preview_discount(self, subscription_id: str, params: models.ChangeDiscountParams, *, idempotency_key: str | None = None) -> models.NextInvoicePreview:
        """Preview the next invoice before and after another discount. No data is changed."""
        return self._calls.write("POST", at("/subscriptions/{}/discount/preview", subscription_id), params, idempotency_key)

    def extend_trial(self, subscription_id: str, params: models.ExtendTrialParams, *, idempotency_key: str | None = None) -> models.Subscription:
        """Move the end of a trial to a later time."""
        return self._calls.write("POST", at("/subscriptions/{}/trial", subscription_id), params, idempotency_key)

    def preview_trial(self, subscription_id: str, params: models.ExtendTrialParams, *, idempotency_key: str | None = None) -> models.NextInvoicePreview:
        """Preview the next invoice before and after a longer trial. No data is changed."""
        return self._calls.write("POST", at("/subscriptions/{}/trial/preview", subscription_id), params, idempotency_key)

    def cancel_now(self, subscription_id: str, params: models.CancelSubscriptionParams = {}, *, idempotency_key: str | None = None) -> models.Subscription:
        """End a Subscription at once. Billow makes no refund by itself."""
        return self._calls.write("POST", at("/subscriptions/{}/cancel-now", subscription_id), params, idempotency_key)

    def preview_cancellation(self, subscription_id: str, params: models.CancelSubscriptionParams = {}, *, idempotency_key: str | None = None) -> models.ChangePreview:
        """Preview the last invoice of `cancel-now`, line by line. No data is changed."""
        return self._calls.write("POST", at("/subscriptions/{}/cancel-now/preview", subscription_id), params, idempotency_key)

    def list_timeline(self, subscription_id: str, params: models.ListSubscriptionTimelineParams = {}) -> Items[models.TimelineEntry]:
        """Read the history of a Subscription, its invoices, payments and grants, in order and in words."""
        return self._calls.items(at("/subscriptions/{}/timeline", subscription_id), params)


class Invoices:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListInvoicesParams = {}) -> Items[models.Invoice]:
        """List Invoices, newest first."""
        return self._calls.items("/invoices", params)

    def get(self, invoice_id: str) -> models.Invoice:
        """Read an Invoice."""
        return self._calls.read(at("/invoices/{}", invoice_id), None)

    def get_pdf(self, invoice_id: str) -> bytes:
        """Read an Invoice as a PDF, in its present state."""
        return self._calls.file(at("/invoices/{}/pdf", invoice_id))

    def pay(self, invoice_id: str, *, idempotency_key: str | None = None) -> models.Invoice:
        """Charge an open Invoice now. The schedule of its retries does not change."""
        return self._calls.write("POST", at("/invoices/{}/pay", invoice_id), None, idempotency_key)

    def void(self, invoice_id: str, params: models.VoidInvoiceParams = {}, *, idempotency_key: str | None = None) -> models.Invoice:
        """Void an open Invoice. The Invoice needs no payment any more."""
        return self._calls.write("POST", at("/invoices/{}/void", invoice_id), params, idempotency_key)

    def mark_paid(self, invoice_id: str, params: models.MarkInvoicePaidParams = {}, *, idempotency_key: str | None = None) -> models.Invoice:
        """Mark an open Invoice as paid outside Billow, for example by bank transfer."""
        return self._calls.write("POST", at("/invoices/{}/mark-paid", invoice_id), params, idempotency_key)

    def explain(self, invoice_id: str) -> models.Explanation:
        """Explain each amount of an Invoice: the rule, the inputs, and the arithmetic in words."""
        return self._calls.read(at("/invoices/{}/explanation", invoice_id), None)

    def refund(self, invoice_id: str, params: models.CreateRefundParams = {}, *, idempotency_key: str | None = None) -> models.Refund:
        """Refund a part or all of the paid amount. A refund to a card is `pending` until the provider has answered."""
        return self._calls.write("POST", at("/invoices/{}/refunds", invoice_id), params, idempotency_key)


class Payments:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListPaymentsParams = {}) -> Items[models.Payment]:
        """List Payments, newest first."""
        return self._calls.items("/payments", params)

    def get(self, payment_id: str) -> models.Payment:
        """Read a Payment."""
        return self._calls.read(at("/payments/{}", payment_id), None)


class PaymentMethods:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, payment_method_id: str) -> models.PaymentMethod:
        """Read a card on file, also after it was detached."""
        return self._calls.read(at("/payment-methods/{}", payment_method_id), None)


class Sandbox:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def update_payment_method(self, payment_method_id: str, params: models.UpdateCardParams, *, idempotency_key: str | None = None) -> models.PaymentMethod:
        """Let the bank replace a card: another expiry, and another number if `last4` is given."""
        return self._calls.write("POST", at("/sandbox/payment-methods/{}/update", payment_method_id), params, idempotency_key)

    def detach_payment_method(self, payment_method_id: str, *, idempotency_key: str | None = None) -> models.PaymentMethod:
        """Let the provider detach a card, so that the card can't be charged any more."""
        return self._calls.write("POST", at("/sandbox/payment-methods/{}/detach", payment_method_id), None, idempotency_key)

    def refund_payment(self, payment_id: str, params: models.RefundPaymentParams = {}, *, idempotency_key: str | None = None) -> models.Refund:
        """Refund a charge at the payment provider, as an operator does in the provider's dashboard."""
        return self._calls.write("POST", at("/sandbox/payments/{}/refund", payment_id), params, idempotency_key)

    def fail_refund(self, refund_id: str, params: models.FailRefundParams = {}, *, idempotency_key: str | None = None) -> models.Refund:
        """Let a refund to a card fail, as a bank does days or weeks after its success."""
        return self._calls.write("POST", at("/sandbox/refunds/{}/fail", refund_id), params, idempotency_key)

    def dispute_payment(self, payment_id: str, params: models.DisputePaymentParams = {}, *, idempotency_key: str | None = None) -> models.Dispute:
        """Dispute a charge, as a buyer does at their bank."""
        return self._calls.write("POST", at("/sandbox/payments/{}/dispute", payment_id), params, idempotency_key)

    def escalate_dispute(self, dispute_id: str, *, idempotency_key: str | None = None) -> models.Dispute:
        """Take the money of an inquiry back, as the bank does."""
        return self._calls.write("POST", at("/sandbox/disputes/{}/escalate", dispute_id), None, idempotency_key)

    def close_dispute(self, dispute_id: str, params: models.CloseDisputeParams, *, idempotency_key: str | None = None) -> models.Dispute:
        """Decide a Dispute, as the bank does."""
        return self._calls.write("POST", at("/sandbox/disputes/{}/close", dispute_id), params, idempotency_key)

    def get_clock(self) -> models.Clock:
        """Read the clock and the progress of its advance."""
        return self._calls.read("/sandbox/clock", None)

    def set_clock(self, params: models.SetClockParams) -> models.Clock:
        """Set the clock to any instant, before the first Customer and Checkout."""
        return self._calls.replace("/sandbox/clock", params)

    def advance_clock(self, params: models.AdvanceClockParams, *, idempotency_key: str | None = None) -> models.ClockAdvance | models.ClockAdvancing:
        """Advance the clock and do all due work on the way. 202: the advance continues by itself, read the clock."""
        return self._calls.write("POST", "/sandbox/clock/advance", params, idempotency_key)

    def stop_clock(self) -> models.Clock:
        """Stop the advance of the clock, if one is under way. The clock stays at its present time."""
        return self._calls.remove("/sandbox/clock/advance", None)

    def pay_checkout(self, checkout_id: str, params: models.PayCheckoutParams, *, idempotency_key: str | None = None) -> models.PaidCheckout:
        """Pay a Checkout as its page does. The answer is the Checkout after the attempt, also after a decline."""
        return self._calls.write("POST", at("/sandbox/checkouts/{}/pay", checkout_id), params, idempotency_key)

    def resume_payments(self, *, idempotency_key: str | None = None) -> models.OrganizationPayments:
        """Let the built-in provider take charges again. Charges that waited are made before the answer."""
        return self._calls.write("POST", "/sandbox/payments/resume", None, idempotency_key)

    def set_card(self, customer_id: str, params: models.SetCardParams, *, idempotency_key: str | None = None) -> models.PaymentMethod:
        """Give a Customer a new default card."""
        return self._calls.write("POST", at("/sandbox/customers/{}/card", customer_id), params, idempotency_key)


class Refunds:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListRefundsParams = {}) -> Items[models.Refund]:
        """List Refunds, newest first."""
        return self._calls.items("/refunds", params)

    def get(self, refund_id: str) -> models.Refund:
        """Read a Refund."""
        return self._calls.read(at("/refunds/{}", refund_id), None)


class CreditNotes:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListCreditNotesParams = {}) -> Items[models.CreditNote]:
        """List credit notes, newest first."""
        return self._calls.items("/credit-notes", params)

    def get(self, credit_note_id: str) -> models.CreditNote:
        """Read a credit note."""
        return self._calls.read(at("/credit-notes/{}", credit_note_id), None)

    def get_pdf(self, credit_note_id: str) -> bytes:
        """Read a credit note as a PDF."""
        return self._calls.file(at("/credit-notes/{}/pdf", credit_note_id))


class Disputes:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListDisputesParams = {}) -> Items[models.Dispute]:
        """List Disputes, newest first."""
        return self._calls.items("/disputes", params)

    def get(self, dispute_id: str) -> models.Dispute:
        """Read a Dispute."""
        return self._calls.read(at("/disputes/{}", dispute_id), None)


class ProviderNotices:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListProviderNoticesParams = {}) -> Items[models.ProviderNotice]:
        """List the notices of payment providers, newest first."""
        return self._calls.items("/provider-notices", params)


class BenefitGrants:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListManagedBenefitGrantsParams = {}) -> Items[models.ManagedBenefitGrant]:
        """List BenefitGrants, also revoked ones, newest first."""
        return self._calls.items("/benefit-grants", params)

    def list_license_activations(self, benefit_grant_id: str, params: models.ListLicenseActivationsParams = {}) -> Items[models.LicenseActivation]:
        """List the devices on which a granted license key is used, newest first."""
        return self._calls.items(at("/benefit-grants/{}/activations", benefit_grant_id), params)

    def remove_license_activation(self, benefit_grant_id: str, activation_id: str) -> None:
        """End the use of a license key on a device that its owner no longer has."""
        return self._calls.remove(at("/benefit-grants/{}/activations/{}", benefit_grant_id, activation_id), None)


class Events:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListEventsParams = {}) -> Items[models.Event]:
        """List events in the order they happened."""
        return self._calls.items("/events", params)

    def get(self, event_id: str) -> models.Event:
        """Read an event."""
        return self._calls.read(at("/events/{}", event_id), None)


class WebhookEndpoints:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(self, params: models.CreateWebhookEndpointParams, *, idempotency_key: str | None = None) -> models.WebhookEndpointWithSecret:
        """Create a webhook endpoint that receives events. Only this answer shows its secret."""
        return self._calls.write("POST", "/webhook-endpoints", params, idempotency_key)

    def list(self, params: models.ListWebhookEndpointsParams = {}) -> Items[models.WebhookEndpoint]:
        """List webhook endpoints, newest first."""
        return self._calls.items("/webhook-endpoints", params)

    def get(self, endpoint_id: str) -> models.WebhookEndpoint:
        """Read a webhook endpoint."""
        return self._calls.read(at("/webhook-endpoints/{}", endpoint_id), None)

    def update(self, endpoint_id: str, params: models.UpdateWebhookEndpointParams, *, idempotency_key: str | None = None) -> models.WebhookEndpoint:
        """Change, disable or enable a webhook endpoint."""
        return self._calls.write("PATCH", at("/webhook-endpoints/{}", endpoint_id), params, idempotency_key)

    def delete(self, endpoint_id: str) -> None:
        """Delete a webhook endpoint. The endpoint gets no deliveries any more."""
        return self._calls.remove(at("/webhook-endpoints/{}", endpoint_id), None)

    def rotate_secret(self, endpoint_id: str, params: models.RotateSecretParams = {}, *, idempotency_key: str | None = None) -> models.WebhookEndpointWithSecret:
        """Make a new secret. Only this answer shows it. The old secret also signs during the overlap."""
        return self._calls.write("POST", at("/webhook-endpoints/{}/rotate-secret", endpoint_id), params, idempotency_key)

    def test(self, endpoint_id: str, *, idempotency_key: str | None = None) -> models.Delivery:
        """Send a `webhook_endpoint.test` event to this endpoint alone."""
        return self._calls.write("POST", at("/webhook-endpoints/{}/test", endpoint_id), None, idempotency_key)

    def redeliver(self, endpoint_id: str, params: models.RedeliverParams = {}, *, idempotency_key: str | None = None) -> models.Redelivered:
        """Send deliveries again: those that did not arrive, or all deliveries of a span of time."""
        return self._calls.write("POST", at("/webhook-endpoints/{}/redeliver", endpoint_id), params, idempotency_key)

    def list_deliveries(self, endpoint_id: str, params: models.ListDeliveriesParams = {}) -> Items[models.Delivery]:
        """List the deliveries to an endpoint, newest first. They are kept for 30 days, or as the operator sets."""
        return self._calls.items(at("/webhook-endpoints/{}/deliveries", endpoint_id), params)


class Deliveries:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, delivery_id: str) -> models.Delivery:
        """Read a delivery."""
        return self._calls.read(at("/deliveries/{}", delivery_id), None)

    def redeliver(self, delivery_id: str, *, idempotency_key: str | None = None) -> models.Delivery:
        """Send a delivery again, in any status."""
        return self._calls.write("POST", at("/deliveries/{}/redeliver", delivery_id), None, idempotency_key)


class Emails:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListEmailsParams = {}) -> Items[models.Email]:
        """List the e-mails to Customers, newest first. E-mails are kept for 30 days, or as the operator sets."""
        return self._calls.items("/emails", params)

    def get(self, email_id: str) -> models.EmailWithBody:
        """Read an e-mail as it was sent or kept."""
        return self._calls.read(at("/emails/{}", email_id), None)


class AuditLog:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(self, params: models.ListAuditLogParams = {}) -> Items[models.AuditEntry]:
        """List the changes by people, management keys and commands, newest first."""
        return self._calls.items("/audit-log", params)


class Metrics:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get(self, params: models.GetMetricsParams) -> models.Metrics:
        """Read MRR, its changes, revenue and the number of Subscriptions, by day or month."""
        return self._calls.read("/metrics", params)


class Reports:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get_revenue(self, params: models.GetRevenueReportParams) -> models.RevenueReport:
        """Read the revenue of each month and currency, by the ledger."""
        return self._calls.read("/reports/revenue", params)

    def get_tax(self, params: models.GetTaxReportParams) -> models.TaxReport:
        """Read the tax of each month, by currency, country, region and rate."""
        return self._calls.read("/reports/tax", params)

    def get_receivables(self, params: models.GetReceivablesReportParams = {}) -> models.ReceivablesReport:
        """Read the amounts of open invoices by age, now or at the end of a day."""
        return self._calls.read("/reports/receivables", params)


class ManagementApi:
    """Every operation of the management API, by resource."""

    def __init__(self, calls: Calls) -> None:
        self.organization = Organization(calls)
        self.api_keys = ApiKeys(calls)
        self.products = Products(calls)
        self.price_changes = PriceChanges(calls)
        self.benefits = Benefits(calls)
        self.discounts = Discounts(calls)
        self.catalogue = Catalogue(calls)
        self.payment_links = PaymentLinks(calls)
        self.customers = Customers(calls)
        self.portal_sessions = PortalSessions(calls)
        self.checkouts = Checkouts(calls)
        self.subscriptions = Subscriptions(calls)
        self.invoices = Invoices(calls)
        self.payments = Payments(calls)
        self.payment_methods = PaymentMethods(calls)
        self.sandbox = Sandbox(calls)
        self.refunds = Refunds(calls)
        self.credit_notes = CreditNotes(calls)
        self.disputes = Disputes(calls)
        self.provider_notices = ProviderNotices(calls)
        self.benefit_grants = BenefitGrants(calls)
        self.events = Events(calls)
        self.webhook_endpoints = WebhookEndpoints(calls)
        self.deliveries = Deliveries(calls)
        self.emails = Emails(calls)
        self.audit_log = AuditLog(calls)
        self.metrics = Metrics(calls)
        self.reports = Reports(calls)
