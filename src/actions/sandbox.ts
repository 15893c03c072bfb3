import type { Context } from "../context.ts";
import { formatInstant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { Payment, PaymentMethod } from "../domain/payment.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import { realNow } from "../clock.ts";
import type { Card } from "../domain/payment/outcome.ts";
import type { CardDetails } from "../payments/provider.ts";
import { DECLINE_MESSAGES } from "../domain/payment/outcome.ts";
import { presentCheckout, type PayCheckoutParams } from "../resources/checkout.ts";
import { presentClock, type AdvanceClockParams, type SetClockParams } from "../resources/clock.ts";
import { nextActionOf } from "../resources/payment.ts";
import { presentPaymentMethod, type SetCardParams } from "../resources/payment-method.ts";
import { customers } from "../store/customers.ts";
import { disputedCards } from "../store/disputes.ts";
import * as idempotency from "../store/idempotency.ts";
import { billingNow, readOrganization } from "../store/organizations.ts";
import { paymentMethods } from "../store/payment-methods.ts";
import { unsettledOf } from "../store/payments.ts";
import * as clock from "./advance-clock.ts";
import { answer, type Answer, type Call } from "./answer.ts";
import { makeDefaultCard, tryNewCard } from "./default-card.ts";
import { checkoutUrl } from "./links.ts";
import { runDue } from "./run-due.ts";
import { carryOutPayment } from "./settle-payment.ts";
import type { SubmissionRefusal } from "./submission.ts";
import { submitCheckout } from "./submit-checkout.ts";
import { workOn } from "./work.ts";

/**
 * The tools of a sandbox span several transactions, so their answers are kept after the deed, not with it: a repeat gets the stored
 * answer, but one sent while the first is still at work is refused by the state it meets.
 */
async function remembered(ctx: Context, call: Call, work: () => Promise<Answer>): Promise<Answer> {
  const wanted = call.idempotency;
  if (!wanted) return work();
  const before = await idempotency.look(ctx.db.read, wanted);
  if (before && "replay" in before) return { ...before.replay, replayed: true };
  if (before && "reused" in before) throw new AppError("idempotency_key_reused");
  if (before && "withheld" in before) throw new AppError("idempotency_key_used");
  const given = await work();
  if (given.status !== 200) return given;
  await ctx.db.tx(async (tx) => {
    if ("claimed" in (await idempotency.claim(tx, wanted))) idempotency.keepAnswer(tx, wanted, given);
  });
  return given;
}

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

/** `POST /sandbox/checkouts/{id}/pay`: what the page does; the Checkout as it is afterwards, declined or not. */
export async function payCheckout(ctx: Context, call: Call, id: string, params: PayCheckoutParams): Promise<Answer> {
  return remembered(ctx, call, async () => {
    const card = params.card === null ? null : cardOfNumber(params.card);
    const result = await submitCheckout(ctx, call.organizationId, id, {
      card,
      email: params.email,
      name: params.name,
      billing: params.billingAddress && { address: params.billingAddress, taxId: params.taxId },
      expectedAmount: null,
      shownAt: null,
    });
    if ("refused" in result) throw refusalError(result);
    return answer(200, await presentPaid(ctx, result.checkout, result.payment));
  });
}

async function presentPaid(ctx: Context, checkout: Checkout, payment: Payment | null) {
  const customer = checkout.customerId && (await customers.find(ctx.db.read, checkout.organizationId, checkout.customerId));
  const now = await billingNow(ctx.db.read, checkout.organizationId);
  const externalCustomerId = customer ? customer.externalId : null;
  const nextAction = payment && nextActionOf(payment);
  return { ...presentCheckout(checkout, { externalCustomerId, url: checkoutUrl(ctx, checkout), now }), nextAction };
}

/** `POST /sandbox/customers/{id}/card`: a new default card, which pays what is open at once (rule D3). */
export async function setCard(ctx: Context, call: Call, customerId: string, params: SetCardParams): Promise<Answer> {
  return remembered(ctx, call, async () => {
    const { organizationId } = call;
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
    return answer(200, presentPaymentMethod(method, method.id, await disputedCards(ctx.db.read, organizationId, customerId)));
  });
}

async function makeDefault(
  ctx: Context,
  organizationId: string,
  customerId: string,
  id: string,
  { ref, ...shown }: Card,
): Promise<PaymentMethod> {
  return ctx.db.tx(async (tx) => {
    const work = await workOn(ctx, tx, organizationId, customerId);
    if (!work) throw new AppError("not_found");
    const method = {
      ...shown,
      organizationId,
      id,
      customerId,
      provider: ctx.payments.sandbox.name,
      providerRef: ref,
      dead: false,
      createdAt: work.now,
    };
    paymentMethods.insert(tx, method);
    // What was due before the card came is done without it.
    await runDue(work);
    await makeDefaultCard(work, id);
    await tryNewCard(work, id);
    return method;
  });
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

/** `POST /sandbox/clock/advance`. */
export async function advanceClock(ctx: Context, call: Call, params: AdvanceClockParams): Promise<Answer> {
  return remembered(ctx, call, async () => {
    const { to, by } = params;
    const wanted = to !== undefined ? { to } : by !== undefined ? { by } : { toNextDue: true as const };
    const { now, target, done, arrived } = await clock.advanceClock(ctx, call.organizationId, wanted);
    if (arrived) return answer(200, { now: formatInstant(now), done });
    return answer(202, { now: formatInstant(now), target: formatInstant(target), done });
  });
}

/** `PUT /sandbox/clock`. */
export async function setClock(ctx: Context, call: Call, params: SetClockParams): Promise<Answer> {
  await clock.setClock(ctx, call.organizationId, params.now);
  return readClock(ctx, call);
}

/** `GET /sandbox/clock`. */
export async function readClock(ctx: Context, call: Call): Promise<Answer> {
  const { now, organization } = await readOrganization(ctx.db.read, call.organizationId);
  return answer(200, presentClock(now, organization));
}

/** `DELETE /sandbox/clock/advance`. */
export async function stopAdvance(ctx: Context, call: Call): Promise<Answer> {
  await clock.stopAdvance(ctx, call.organizationId);
  return readClock(ctx, call);
}
