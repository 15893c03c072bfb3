import type { DeclineCode, Outcome } from "../../domain/model/payment-outcome.ts";
import type { Refund as RefundRequest } from "../provider.ts";
import { accountRefusal } from "./account.ts";
import { StripeFault, Unanswered, type Form } from "./client.ts";
import { creationKey } from "./creation.ts";
import type { List, Refund } from "./objects.ts";
import type { Final, StripeRequest } from "./requests.ts";
import { readSession } from "./sessions.ts";
import { keyIn, metadataOf } from "./settings.ts";
import { refusedCharge, stripeAmount, type Work } from "./work.ts";

const REFUNDS = "/v1/refunds";
/** The most refunds of one page of a list. */
const PAGE = 100;

/** Stripe's reasons of a failed refund, with ours. */
const FAILURES = new Map<string, DeclineCode>(
  Object.entries({
    expired_or_canceled_card: "card_gone",
    insufficient_funds: "insufficient_funds",
    lost_or_stolen_card: "card_lost",
  } as const),
);

const declined = (code: DeclineCode): Final => ({ status: "declined", code });

function outcomeOf({ status, failure_reason: reason }: Refund): Outcome {
  if (status === "succeeded") return { status };
  if (status === "canceled") return declined("canceled");
  if (status === "failed") return declined(FAILURES.get(reason ?? "") ?? "card_declined");
  return { status: "processing" };
}

/** Errors that are final: too little is left of the charge, or a dispute holds the rest. */
const REFUSED = new Set([
  "charge_already_refunded",
  "charge_disputed",
  "charge_not_refundable",
  "payment_intent_unexpected_state",
  "refund_disputed_payment",
]);

function outcomeOfFault(work: Work, fault: StripeFault): Final {
  const refusal = accountRefusal(fault);
  if (refusal) return refusal;
  const { code, param, status, requestId, message } = fault;
  if (code === "balance_insufficient" || code === "insufficient_funds") return declined("insufficient_funds");
  if (REFUSED.has(code ?? "") || param === "amount") return declined("card_declined");
  work.settings.warn("Stripe refused a refund", { status, code, param, requestId, reason: message });
  return refusedCharge("request_invalid");
}

/** The refund with this key among the refunds of the charge. Stripe shows a new refund in this list at once. */
async function listed(work: Work, row: StripeRequest, intent: string): Promise<Refund | null> {
  let after: string | undefined;
  for (;;) {
    const form: Form = { payment_intent: intent, limit: PAGE, starting_after: after };
    const { data, has_more: more } = await work.api.get<List<Refund>>(REFUNDS, form);
    const found = data.find(({ metadata }) => keyIn(work.settings, row.organizationId, metadata) === row.key);
    if (found) return found;
    if (!more || data.length === 0) return null;
    after = data.at(-1)!.id;
  }
}

/** The intent of a charge. The intent of a page is known to Stripe as soon as the buyer has paid. */
async function intentOf(work: Work, charge: StripeRequest): Promise<string | null> {
  if (charge.intentId !== null || charge.objectId === null || charge.kind !== "charge_page") return charge.intentId;
  const intent = (await readSession(work, charge.objectId)).payment_intent;
  if (intent) await work.requests.noteIntent(charge, intent.id);
  return intent?.id ?? null;
}

async function known(work: Work, row: StripeRequest, refund: Refund): Promise<Outcome> {
  await work.requests.attach(row, refund.id, null);
  return outcomeOf(refund);
}

/**
 * Gives back a part of a charge. A refund has no second step that could wait for its id. So before a refund is sent
 * again, the refunds of the charge are listed, and the list decides.
 * @throws Error for a charge without a request
 */
export async function refundCharge(work: Work, request: RefundRequest): Promise<Outcome> {
  const { organizationId, key, chargeKey, amount } = request;
  const charge = await work.requests.find(organizationId, chargeKey);
  if (!charge) throw new Error(`there is no charge ${chargeKey} to refund`);
  const { currency } = charge;
  const row = await work.requests.begin({
    organizationId,
    key,
    kind: "refund",
    parts: [chargeKey, amount],
    currency,
    chargeKey,
  });
  if (row.outcome) return row.outcome;
  if (row.objectId !== null) return outcomeOf(await work.api.get<Refund>(`${REFUNDS}/${row.objectId}`));
  const intent = await intentOf(work, charge);
  if (intent === null) return settled(work, row, declined("card_declined"));
  const earlier = row.isNew ? null : await listed(work, row, intent);
  return earlier ? known(work, row, earlier) : send(work, request, row, { intent, currency: currency! });
}

async function send(
  work: Work,
  request: RefundRequest,
  row: StripeRequest,
  { intent, currency }: { intent: string; currency: string },
): Promise<Outcome> {
  const amount = stripeAmount({ amount: request.amount, currency });
  if (amount === null) return refusedCharge("request_invalid");
  const metadata = metadataOf(work.settings, row.organizationId, row.key);
  const form = { payment_intent: intent, amount, metadata };
  try {
    return await known(work, row, await work.api.post<Refund>(REFUNDS, form, creationKey(row)));
  } catch (error) {
    if (error instanceof Unanswered && error.isStored) await work.requests.nextAttempt(row);
    if (!(error instanceof StripeFault)) throw error;
    const next = await work.requests.nextAttempt(row);
    // The same key with other parameters: an earlier request of another release. The list decides about that one.
    if (error.type === "idempotency_error") return { status: "unknown" };
    const outcome = outcomeOfFault(work, error);
    if (outcome.status === "refused" && outcome.scope === "account") return outcome;
    // Too little is left of the charge also if an earlier request with this key has taken the rest.
    const earlier = await listed(work, next, intent);
    return earlier ? known(work, next, earlier) : settled(work, next, outcome);
  }
}

async function settled(work: Work, row: StripeRequest, outcome: Final): Promise<Outcome> {
  const now = await work.requests.settleUnmade(row, outcome);
  if (now.outcome) return now.outcome;
  return outcomeOf(await work.api.get<Refund>(`${REFUNDS}/${now.objectId}`));
}

/** The outcome of a refund that was sent before; `absent`: Stripe has no such refund. */
export async function readRefund(work: Work, row: StripeRequest): Promise<Outcome | { status: "absent" }> {
  if (row.outcome) return row.outcome;
  if (row.objectId !== null) return outcomeOf(await work.api.get<Refund>(`${REFUNDS}/${row.objectId}`));
  const charge = await work.requests.find(row.organizationId, row.chargeKey!);
  const intent = charge && (await intentOf(work, charge));
  const found = intent ? await listed(work, row, intent) : null;
  return found ? known(work, row, found) : { status: "absent" };
}
