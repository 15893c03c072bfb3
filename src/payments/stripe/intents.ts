import type { Outcome } from "../../domain/model/payment-outcome.ts";
import type { Charge, SaveCard } from "../provider.ts";
import { accountRefusal } from "./account.ts";
import { StripeFault, type Api, type Form } from "./client.ts";
import { create, customerFor } from "./creation.ts";
import { declineOf, wantsBuyer } from "./declines.ts";
import type { Intent, List } from "./objects.ts";
import type { Final, StripeRequest } from "./requests.ts";
import { keyIn, metadataOf } from "./settings.ts";
import { statementSuffix } from "./statement.ts";
import { canceled, isCharge, outcomeOfFault, refusedCharge, stripeAmount, type Work } from "./work.ts";

/** A request with a card that Stripe has. */
export type CardRequest = (Charge | SaveCard) & { card: string };

/** Stripe shows 1,000 characters of a description at most. */
const MOST_DESCRIPTION = 500;
/** The beginning of a text, without a half of a character at its end. */
export const shortened = (text: string, most = MOST_DESCRIPTION) =>
  text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "")
    .trim();

/** Stripe's largest page. */
const MOST_LISTED = 100;
/** The steps of one call: creation, confirmation, a second confirmation, and one more after a race. */
const MOST_STEPS = 5;

/** The state of an intent. `buyer_wanted`: the bank asked for the buyer, and no buyer was present. */
export type State =
  | { is: "succeeded" | "processing" | "unconfirmed" | "buyer_wanted" | "canceled" | "unclear" }
  | { is: "challenge"; url: string }
  | { is: "declined"; code: Extract<Outcome, { status: "declined" }>["code"] };

/** `isChallenged`: the buyer was asked before, so a card that wants the buyer again is declined. */
export function stateOf(intent: Intent, isChallenged: boolean): State {
  const { status } = intent;
  if (status === "succeeded" || status === "processing" || status === "canceled") return { is: status };
  if (status === "requires_confirmation") return { is: "unconfirmed" };
  if (status === "requires_action") {
    const url = intent.next_action?.redirect_to_url?.url;
    return url ? { is: "challenge", url } : { is: "declined", code: "authentication_failed" };
  }
  if (status !== "requires_payment_method") return { is: "unclear" };
  const error = intent.last_payment_error ?? intent.last_setup_error ?? {};
  return !isChallenged && wantsBuyer(error) ? { is: "buyer_wanted" } : { is: "declined", code: declineOf(error) };
}

const pathOf = ({ kind }: StripeRequest) => (kind === "charge" ? "/v1/payment_intents" : "/v1/setup_intents");

export const readIntent = (work: Work, row: StripeRequest): Promise<Intent> =>
  work.api.get<Intent>(`${pathOf(row)}/${row.objectId}`);

/** The codes of a refusal because of the intent's state. `payment_method_unexpected_state` is about the card. */
const OF_STATE = new Set(["payment_intent_unexpected_state", "setup_intent_unexpected_state"]);

/** The intent as it is after a request that Stripe refused, if the refusal is about the intent's state. */
async function afterFault(work: Work, row: StripeRequest, fault: StripeFault): Promise<Intent | null> {
  if (fault.status !== 402 && !OF_STATE.has(fault.code ?? "")) return null;
  return fault.intent ?? readIntent(work, row);
}

/**
 * Charges or saves a card: creates an intent without confirming, stores its id, and confirms by the id. An intent is
 * confirmed once, however often and however late this runs.
 */
export async function carryOutIntent(work: Work, request: CardRequest, begun: StripeRequest): Promise<Outcome> {
  if (begun.outcome) return begun.outcome;
  if (begun.givenUp) return giveUpIntent(work, begun);
  if (begun.objectId !== null) return drive(work, request, begun, await readIntent(work, begun));
  const amount = isCharge(request) ? stripeAmount(request) : null;
  if (isCharge(request) && amount === null) return refusedCharge("request_invalid");
  const payer = await customerFor(work, begun, request);
  if ("outcome" in payer) return payer.outcome;
  const { customer } = payer;
  const earlier = await earlierIntent(work, request, begun, customer);
  if (earlier) return adopt(work, request, begun, earlier);
  const form = intentForm(work, request, begun, { amount, customer });
  const created = await create<Intent>(work, begun, {
    path: pathOf(begun),
    form,
    intentOf: ({ id }) => id,
    discard: ({ id }) => work.api.post(`${pathOf(begun)}/${id}/cancel`, {}),
    correct: async ({ param }) =>
      param === "statement_descriptor_suffix" ? { ...form, statement_descriptor_suffix: null } : null,
    outcomeOf: (fault) => outcomeOfFault(work, fault, { card: request.card, customer }),
  });
  if ("refusal" in created) return created.refusal;
  const { row, made } = created;
  if (row.outcome) return row.outcome;
  if (row.givenUp) return giveUpIntent(work, row);
  return drive(work, request, row, made ?? (await readIntent(work, row)));
}

/** A digest of the request in the metadata, for the look below. */
const digestOf = ({ requestHash }: StripeRequest) => requestHash.slice(0, 32);

/**
 * An intent with this key that our table does not have: from another copy of this database, from hours that a restored
 * backup has lost, or from a creation with a lost answer. Only attempts without a buyer have keys that a copy makes
 * again (rule D1a). Stripe lists a Customer's intents without delay, unlike a search. Null: there is none among the
 * latest hundred.
 * @throws Error if the key was used for another request
 */
async function earlierIntent(
  { api, settings }: Work,
  request: CardRequest,
  row: StripeRequest,
  customer: string,
): Promise<Intent | null> {
  if (!isCharge(request) || request.presence !== "off_session") return null;
  const data = await intentsOf(api, customer);
  const same = data.filter(({ metadata }) => keyIn(settings, row.organizationId, metadata) === row.key);
  const found = same.find(({ status }) => status !== "canceled") ?? same[0] ?? null;
  if (found && found.metadata?.["billow_request"] !== digestOf(row))
    throw new Error(`the key ${row.key} was used for another request at Stripe`);
  return found;
}

/** The latest hundred intents of a Customer. Of one that was deleted at Stripe, Stripe may list none. */
async function intentsOf(api: Api, customer: string): Promise<Intent[]> {
  try {
    return (await api.get<List<Intent>>("/v1/payment_intents", { customer, limit: MOST_LISTED })).data;
  } catch (error) {
    const isDeleted = error instanceof StripeFault && error.code === "resource_missing" && error.param === "customer";
    if (isDeleted && accountRefusal(error) === null) return [];
    throw error;
  }
}

async function adopt(work: Work, request: CardRequest, begun: StripeRequest, earlier: Intent): Promise<Outcome> {
  const row = await work.requests.attach(begun, earlier.id, earlier.id);
  if (row.outcome) return row.outcome;
  if (row.givenUp) return giveUpIntent(work, row);
  return drive(work, request, row, row.objectId === earlier.id ? earlier : await readIntent(work, row));
}

function intentForm(
  work: Work,
  request: CardRequest,
  row: StripeRequest,
  { amount, customer }: { amount: number | null; customer: string },
): Form {
  const { organizationId, key, card, description } = request;
  const form = {
    customer,
    payment_method: card,
    payment_method_types: ["card"],
    description: shortened(description),
    metadata: { ...metadataOf(work.settings, organizationId, key), billow_request: digestOf(row) },
  };
  if (!isCharge(request)) return { ...form, usage: "off_session" };
  const { currency, statement } = request;
  return { ...form, amount, currency, statement_descriptor_suffix: statementSuffix(statement) };
}

type Absent = { status: "absent" };

/** Takes an intent as far as it goes in this call. `request` null: without any confirmation. */
export async function drive<R extends CardRequest | null>(
  work: Work,
  request: R,
  begun: StripeRequest,
  found: Intent,
): Promise<Outcome | (R extends null ? Absent : never)>;
export async function drive(
  work: Work,
  request: CardRequest | null,
  begun: StripeRequest,
  found: Intent,
): Promise<Outcome | Absent> {
  let [row, intent] = [begun, found];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const state = stateOf(intent, row.isChallenged);
    if (state.is === "succeeded") return settled(work, row, { status: "succeeded" });
    if (state.is === "canceled") return settledAsWritten(work, row, intent);
    if (state.is === "processing") return { status: "processing" };
    if (state.is === "challenge") return { status: "requires_action", url: state.url };
    if (state.is === "declined") return end(work, row, intent, { status: "declined", code: state.code });
    if (state.is === "unclear") return { status: "unknown" };
    if (!request) return { status: "absent" };
    if (state.is === "buyer_wanted") row = await work.requests.challenge(row);
    const after = await confirm(work, request, row, state.is === "buyer_wanted");
    if (!("id" in after)) {
      if (after.status === "refused" && after.scope === "account") return after;
      return end(work, row, intent, after);
    }
    intent = after;
  }
  return { status: "unknown" };
}

/**
 * The second confirmation precedes the buyer's visit. The confirmation asks for a challenge, so that no bank approves
 * the charge as one that the buyer makes just now, without the authentication that the bank has asked for.
 */
const CHALLENGED: Form = { card: { request_three_d_secure: "challenge" } };

function confirmForm(request: CardRequest, again: boolean): Form {
  if (isCharge(request) && request.presence === "off_session" && !again) return { off_session: true };
  return {
    return_url: request.returnUrl,
    use_stripe_sdk: false,
    ...(isCharge(request) && { setup_future_usage: "off_session" }),
    ...(again && { payment_method: request.card, payment_method_options: CHALLENGED }),
  };
}

/**
 * Confirms by the id. Without a card among the parameters a declined or canceled intent can't be confirmed, so a late
 * repetition charges nothing. `again`: with the card once more, for the buyer to authenticate.
 */
async function confirm(work: Work, request: CardRequest, row: StripeRequest, again: boolean): Promise<Intent | Final> {
  try {
    return await work.api.post<Intent>(`${pathOf(row)}/${row.objectId}/confirm`, confirmForm(request, again));
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    const after = await afterFault(work, row, error);
    if (after) return after;
    const customer = (await work.customers.find(row.organizationId, request.customer.id)) ?? "";
    return outcomeOfFault(work, error, { card: request.card, customer });
  }
}

async function settled(work: Work, row: StripeRequest, outcome: Final): Promise<Outcome> {
  return (await work.requests.settle(row, outcome)).outcome!;
}

/**
 * A canceled intent has the outcome that was written down before. If another copy of this database canceled the intent,
 * its last error tells; canceled by hand at Stripe, it was just canceled.
 */
async function settledAsWritten(work: Work, { organizationId, key }: StripeRequest, intent: Intent): Promise<Outcome> {
  const row = (await work.requests.find(organizationId, key))!;
  const error = intent.last_payment_error ?? intent.last_setup_error;
  const final: Final = error ? { status: "declined", code: declineOf(error) } : canceled;
  return row.outcome ?? settled(work, row, row.verdict ?? final);
}

/**
 * Ends an intent without a charge: writes the outcome down, then cancels the intent. After that the intent can't be
 * confirmed. If the buyer was faster, the outcome is the buyer's.
 */
async function end(work: Work, row: StripeRequest, intent: Intent, verdict: Final): Promise<Outcome> {
  await work.requests.writeDown(row, verdict);
  const after = await cancelIntent(work, row, intent);
  const { is } = stateOf(after, true);
  if (is === "succeeded") return settled(work, row, { status: "succeeded" });
  if (is === "canceled") return settledAsWritten(work, row, after);
  return { status: is === "processing" ? "processing" : "unknown" };
}

async function cancelIntent(work: Work, row: StripeRequest, intent: Intent): Promise<Intent> {
  if (intent.status === "canceled" || intent.status === "succeeded") return intent;
  try {
    return await work.api.post<Intent>(`${pathOf(row)}/${row.objectId}/cancel`, {});
  } catch (error) {
    const after = error instanceof StripeFault ? await afterFault(work, row, error) : null;
    if (!after) throw error;
    return after;
  }
}

/** The outcome of a request that was given up. An intent that was never created has no object that could charge. */
export async function giveUpIntent(work: Work, row: StripeRequest): Promise<Outcome> {
  if (row.outcome) return row.outcome;
  if (row.objectId === null) return (await work.requests.settleUnmade(row, canceled)).outcome!;
  const intent = await readIntent(work, row);
  const state = stateOf(intent, row.isChallenged);
  const isAsked = state.is === "challenge" || state.is === "buyer_wanted";
  const code = isAsked ? "authentication_failed" : state.is === "declined" ? state.code : "canceled";
  return end(work, row, intent, { status: "declined", code });
}
