import type { Card, Outcome } from "../../domain/model/payment-outcome.ts";
import type { Charge, SaveCard } from "../provider.ts";
import { StripeFault, type Form } from "./client.ts";
import { create, creationKey, customerFor } from "./creation.ts";
import { declineOf } from "./declines.ts";
import { shortened } from "./intents.ts";
import { pageLocale } from "./locale.ts";
import type { Intent, PaymentMethod, Session } from "./objects.ts";
import type { Final, StripeRequest } from "./requests.ts";
import { metadataOf } from "./settings.ts";
import { statementSuffix } from "./statement.ts";
import { canceled, isCharge, outcomeOfFault, refusedCharge, stripeAmount, type Work } from "./work.ts";

/**
 * The life of Stripe's page in seconds: 30 minutes, and two more for a clock of ours that is behind, because Stripe
 * takes no shorter life than 30 minutes.
 */
const LIFE_SECONDS = 32 * 60;
/** A name on Stripe's page has 250 characters at most. */
const MOST_NAME = 250;

const SESSIONS = "/v1/checkout/sessions";
const EXPANDED = { expand: ["payment_intent.payment_method", "setup_intent.payment_method"] };

export const readSession = (work: Work, id: string): Promise<Session> =>
  work.api.get<Session>(`${SESSIONS}/${id}`, EXPANDED);

const isWhole = (method: Intent["payment_method"]): method is PaymentMethod =>
  typeof method === "object" && method !== null;

/** The card of a PaymentMethod; null: not a card. A wallet without a fingerprint has a fingerprint of its own. */
export function cardOf({ id: ref, card }: PaymentMethod): Card | null {
  if (!card) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear, fingerprint } = card;
  return { ref, fingerprint: fingerprint ?? ref, type: "card", brand, last4, expMonth, expYear };
}

/** Sends the buyer to Stripe's page, where the buyer gives a card. The address of a page is only known to us. */
export async function carryOutSession(work: Work, request: Charge | SaveCard, begun: StripeRequest): Promise<Outcome> {
  if (begun.outcome) return begun.outcome;
  if (begun.givenUp) return giveUpSession(work, begun);
  if (begun.objectId !== null) return outcomeOf(work, begun, await readSession(work, begun.objectId));
  const amount = isCharge(request) ? stripeAmount(request) : null;
  if (isCharge(request) && amount === null) return refusedCharge("request_invalid");
  const payer = await customerFor(work, begun, request);
  if ("outcome" in payer) return payer.outcome;
  const { customer } = payer;
  const created = await create<Session>(work, begun, {
    path: SESSIONS,
    form: sessionForm(work, request, amount, customer),
    intentOf: () => null,
    discard: ({ id }) => work.api.post(`${SESSIONS}/${id}/expire`, {}),
    correct: (fault) => corrected(work, request, fault, { row: begun, amount, customer }),
    outcomeOf: (fault) => outcomeOfFault(work, fault, null),
  });
  if ("refusal" in created) return created.refusal;
  const { row, made } = created;
  if (row.outcome) return row.outcome;
  if (row.givenUp) return giveUpSession(work, row);
  return outcomeOf(work, row, made ?? (await readSession(work, row.objectId!)));
}

/** A Customer that was deleted at Stripe gets a successor there; a suffix that Stripe does not take is left out. */
async function corrected(
  work: Work,
  request: Charge | SaveCard,
  { code, param }: StripeFault,
  { row, amount, customer }: { row: StripeRequest; amount: number | null; customer: string },
): Promise<Form | null> {
  if (code === "resource_missing" && param === "customer") {
    const making = { idempotencyKey: creationKey(row, "renewed"), before: customer };
    const renewed = await work.customers.renew(work.api, request.organizationId, request.customer, making);
    return sessionForm(work, request, amount, renewed);
  }
  if (!param?.includes("statement_descriptor_suffix")) return null;
  return sessionForm(work, { ...request, statement: "" }, amount, customer);
}

function sessionForm({ settings }: Work, request: Charge | SaveCard, amount: number | null, customer: string): Form {
  const { organizationId, key, page, returnUrl } = request;
  const description = shortened(request.description);
  const metadata = metadataOf(settings, organizationId, key);
  const form = {
    customer,
    payment_method_types: ["card"],
    success_url: returnUrl,
    cancel_url: returnUrl,
    expires_at: Math.ceil(settings.now() / 1000) + LIFE_SECONDS,
    locale: page?.locale ? pageLocale(page.locale) : null,
    metadata,
    // Link would answer with a payment method that is no card.
    wallet_options: { link: { display: "never" } },
  };
  if (!isCharge(request)) return { ...form, mode: "setup", setup_intent_data: { description, metadata } };
  const product = { name: shortened(page?.article ?? "", MOST_NAME) || request.statement || description };
  const price = { currency: request.currency, unit_amount: amount, product_data: product };
  return {
    ...form,
    mode: "payment",
    // The buyer pays the amount of the invoice, in its currency.
    adaptive_pricing: { enabled: false },
    line_items: [{ quantity: 1, price_data: price }],
    payment_intent_data: {
      description,
      metadata,
      setup_future_usage: "off_session",
      statement_descriptor_suffix: statementSuffix(request.statement),
    },
  };
}

/**
 * The outcome of a page, which is never canceled by the bank's answer: a declined buyer may give another card there. A
 * page that is over is decided by its intent: the buyer may have been at the bank when the page expired.
 */
export async function outcomeOf(work: Work, row: StripeRequest, session: Session): Promise<Outcome> {
  if (session.status === "open") {
    return session.url === null ? { status: "unknown" } : { status: "requires_action", url: session.url };
  }
  const isExpired = session.status === "expired";
  const intent = session.payment_intent ?? session.setup_intent;
  if (!intent) return isExpired ? settled(work, row, canceled) : { status: "unknown" };
  if (row.intentId === null) await work.requests.noteIntent(row, intent.id);
  if (intent.status === "succeeded") return succeeded(work, row, intent);
  if (intent.status === "processing") return { status: "processing" };
  if (isExpired) return (await isOver(work, intent)) ? settled(work, row, canceled) : { status: "unknown" };
  // A complete page takes no other card, so a payment that failed afterwards has failed for good.
  const error = intent.last_payment_error ?? intent.last_setup_error;
  return error ? settled(work, row, { status: "declined", code: declineOf(error) }) : { status: "unknown" };
}

/**
 * True if the intent of an expired page can't succeed any more. The end of the page may leave an authentication
 * running, which is then canceled. Stripe may refuse the cancellation: then the bank decides.
 */
async function isOver({ api }: Work, { id, object, status }: Intent): Promise<boolean> {
  if (status === "canceled" || status === "requires_payment_method") return true;
  try {
    return (await api.post<Intent>(`/v1/${object}s/${id}/cancel`, {})).status === "canceled";
  } catch (error) {
    // The next reading of the page tells how the intent has ended.
    if (error instanceof StripeFault && error.status === 400) return false;
    throw error;
  }
}

function succeeded({ settings }: Work, { key }: StripeRequest, { id, payment_method: method }: Intent): Outcome {
  const card = isWhole(method) ? cardOf(method) : null;
  if (card) return { status: "succeeded", card };
  settings.warn("Stripe names no card of a payment on its page", { intent: id, key });
  return { status: "succeeded" };
}

async function settled(work: Work, row: StripeRequest, outcome: Final): Promise<Outcome> {
  return (await work.requests.settle(row, outcome)).outcome!;
}

/** Ends the page. If the buyer was faster, the outcome is the buyer's. */
export async function giveUpSession(work: Work, row: StripeRequest): Promise<Outcome> {
  if (row.outcome) return row.outcome;
  if (row.objectId === null) return (await work.requests.settleUnmade(row, canceled)).outcome!;
  try {
    await work.api.post(`${SESSIONS}/${row.objectId}/expire`, {});
  } catch (error) {
    // The page is complete or over already: its state tells.
    if (!(error instanceof StripeFault && error.status === 400)) throw error;
  }
  const outcome = await outcomeOf(work, row, await readSession(work, row.objectId));
  return outcome.status === "requires_action" ? { status: "unknown" } : outcome;
}
