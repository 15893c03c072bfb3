import type { Context } from "../../context.ts";
import type { Payment, PaymentMethod } from "../../domain/payment/payment.ts";
import { AppError, invalid } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { realNow } from "../../clock.ts";
import { replaceCard } from "../../domain/payment/new-card.ts";
import { DECLINE_MESSAGES, type Card } from "../../domain/payment/outcome.ts";
import type { CardDetails } from "../../payments/provider.ts";
import type { PayCheckoutParams } from "../../resources/checkout.ts";
import type { SetCardParams } from "../../resources/payment-method.ts";
import { customers } from "../../store/customers.ts";
import { disputedCards } from "../../store/disputes.ts";
import { billingNow } from "../../store/organizations.ts";
import { unsettledOf } from "../../store/payments.ts";
import { inAccount } from "../account.ts";
import type { ShownCheckout } from "../shown.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { submitCheckout, type SubmissionRefusal } from "../checkout/submit.ts";

/** Any future expiry and any CVC do: here the number alone says what the card is. */
function cardOfNumber(number: string): CardDetails {
  const year = new Intl.DateTimeFormat("en", { year: "numeric", timeZone: "UTC" }).format(realNow());
  return { number, expMonth: 12, expYear: Number(year) + 2, cvc: "123" };
}

function refusalError(refusal: SubmissionRefusal): AppError {
  switch (refusal.refused) {
    case "already_subscribed":
      return new AppError("already_subscribed", { extra: { subscriptionId: refusal.subscriptionId } });
    case "card":
      return invalid("/card", refusal.fault.code, refusal.fault.message);
    case "card_missing":
      return invalid("/card", "required", "This Checkout needs a card.");
    case "billing_missing":
      return invalid("/billingAddress", "required", "There are tax rates: say in which country the buyer is.");
    case "email_missing":
      return invalid("/email", "required", "This Checkout names no Customer: say who pays.");
    case "product_archived":
      return new AppError("already_archived");
    case "change_refused":
      return refusal.error;
    case "discount_exhausted":
      return new AppError("discount_exhausted");
    case "too_many_attempts":
      return new AppError("checkout_not_open", { detail: "Too many attempts failed; create a new Checkout." });
    case "not_open":
    case "amount_changed":
      return new AppError("checkout_not_open", {
        detail: "It is being paid, was paid or has expired: read the Checkout, and create a new one only if it has expired.",
      });
  }
}

/** `payment`: the attempt that was made, where there was something to pay. */
export type PaidCheckout = ShownCheckout & { payment: Payment | null };

/** `POST /sandbox/checkouts/{id}/pay`: what the page does; the Checkout as it is afterwards, declined or not. */
export async function payCheckout(ctx: Context, organizationId: string, id: string, params: PayCheckoutParams): Promise<PaidCheckout> {
  const result = await submitCheckout(ctx, organizationId, id, {
    card: params.card === null ? null : cardOfNumber(params.card),
    email: params.email,
    name: params.name,
    billing: params.billingAddress && { address: params.billingAddress, taxId: params.taxId },
    expectedAmount: null,
    shownAt: null,
  });
  if ("refused" in result) throw refusalError(result);
  const { checkout, payment } = result;
  const customer = checkout.customerId && (await customers.find(ctx.db.read, organizationId, checkout.customerId));
  const now = await billingNow(ctx.db.read, organizationId);
  return { checkout, payment, externalCustomerId: customer ? customer.externalId : null, now };
}

/** A default card, and the fingerprints of the cards that disputes hold back. */
export type DefaultCard = { method: PaymentMethod; disputed: ReadonlySet<string> };

/** `POST /sandbox/customers/{id}/card`: a new default card, which pays what is open at once (rule D3). */
export async function setCard(ctx: Context, organizationId: string, customerId: string, params: SetCardParams): Promise<DefaultCard> {
  const customer = await customers.find(ctx.db.read, organizationId, customerId);
  if (!customer || customer.deletedAt !== null) throw new AppError("not_found");
  const accepted = await ctx.payments.sandbox.acceptCard(organizationId, cardOfNumber(params.card));
  if ("fault" in accepted) throw invalid("/card", accepted.fault.code, accepted.fault.message);
  const id = newId("pm");
  const request = { organizationId, key: id, card: accepted.card.ref, returnUrl: ctx.config.publicOrigin };
  const saved = await ctx.payments.sandbox.saveCard(request);
  if (saved.status === "declined") {
    const extra = { declineCode: saved.code, checkoutId: null, url: null };
    throw new AppError("payment_failed", { detail: DECLINE_MESSAGES[saved.code], extra });
  }
  const method = await makeDefault(ctx, organizationId, customerId, id, accepted.card);
  await settleCustomer(ctx, organizationId, customerId);
  return { method, disputed: await disputedCards(ctx.db.read, organizationId, customerId) };
}

async function makeDefault(
  ctx: Context,
  organizationId: string,
  customerId: string,
  id: string,
  card: Card,
): Promise<PaymentMethod> {
  const given = { ...card, provider: ctx.payments.sandbox.name };
  return ctx.db.tx((tx) => inAccount(ctx, tx, { organizationId, id: customerId }, (account) => replaceCard(account, given, id)));
}

/** Pays what is open, invoice after invoice, until nothing is left to be asked; an outcome that stays unknown is left to the worker. */
async function settleCustomer(ctx: Context, organizationId: string, customerId: string): Promise<void> {
  const asked = new Set<string>();
  for (;;) {
    const [id] = (await unsettledOf(ctx.db.read, organizationId, customerId)).filter((each) => !asked.has(each));
    if (!id) return;
    asked.add(id);
    await carryOutPayment(ctx, organizationId, id);
  }
}
