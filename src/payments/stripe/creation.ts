import type { Outcome, ProviderRefusal } from "../../domain/model/payment-outcome.ts";
import { ProviderBusy } from "../limits.ts";
import type { SaveCard } from "../provider.ts";
import { StripeFault, Unanswered, type Form } from "./client.ts";
import type { Final, StripeRequest } from "./requests.ts";
import { outcomeOfFault, type Work } from "./work.ts";

/** Creations in one call: a first one, and those after a correction of the parameters. */
const MOST_CREATIONS = 4;
/** An Idempotency-Key has at most 255 characters, and so has a key of ours. */
const MOST_KEY_CHARACTERS = 200;

/** The Idempotency-Key of the n-th creation for a request. `operation`: the kind of the object. */
export const creationKey = ({ key, attempt }: StripeRequest, operation = "create"): string =>
  `${key.slice(-MOST_KEY_CHARACTERS)}:${operation}:${attempt}`;

/** The Customer at Stripe for a request, made if there is none; or the outcome, if Stripe refuses the Customer. */
export async function customerFor(
  work: Work,
  begun: StripeRequest,
  { organizationId, customer }: SaveCard,
): Promise<{ customer: string } | { outcome: Outcome }> {
  let row = begun;
  for (let n = 1; ; n += 1) {
    try {
      return { customer: await work.customers.refOf(work.api, organizationId, customer, creationKey(row, "customer")) };
    } catch (error) {
      if (error instanceof Unanswered && error.isStored) await work.requests.nextAttempt(row);
      if (!(error instanceof StripeFault)) throw error;
      row = await work.requests.nextAttempt(row);
      // The Customer has changed since a creation with a lost answer. The Customer of that creation is harmless.
      if (error.type === "idempotency_error" && n < MOST_CREATIONS) continue;
      const outcome = await outcomeOfFault(work, error, null);
      if (outcome.status === "refused" && outcome.scope === "account") return { outcome };
      const settled = await work.requests.settleUnmade(row, outcome);
      return { outcome: settled.outcome ?? { status: "unknown" } };
    }
  }
}

export type Creation<T> = {
  path: string;
  form: Form;
  /** The id of the intent, if the object is one. */
  intentOf(made: T): string | null;
  /** Makes an object unusable that came too late. */
  discard(made: T): Promise<unknown>;
  /** Corrected parameters after an error; null: the error stands. */
  correct(fault: StripeFault): Promise<Form | null>;
  outcomeOf(fault: StripeFault): Promise<Final>;
};

/**
 * Creates an object that charges nothing by itself, and stores its id. A repetition may create a second object: only
 * the stored one is ever used. `made`: the object as Stripe answered; null: another process has stored its object, or
 * the request is settled. An account refusal is not stored, because the request is sent again later.
 */
export async function create<T extends { id: string }>(
  work: Work,
  begun: StripeRequest,
  creation: Creation<T>,
): Promise<{ row: StripeRequest; made: T | null } | { refusal: ProviderRefusal }> {
  let [row, form] = [begun, creation.form];
  for (let n = 1; ; n += 1) {
    try {
      const made = await work.api.post<T>(creation.path, form, creationKey(row));
      return await attach(work, row, creation, made);
    } catch (error) {
      if (error instanceof Unanswered && error.isStored) await work.requests.nextAttempt(row);
      if (!(error instanceof StripeFault)) throw error;
      row = await work.requests.nextAttempt(row);
      const corrected = error.type === "idempotency_error" ? form : await creation.correct(error);
      if (corrected && n < MOST_CREATIONS) {
        form = corrected;
        continue;
      }
      const outcome = await creation.outcomeOf(error);
      if (outcome.status === "refused" && outcome.scope === "account") return { refusal: outcome };
      return { row: await work.requests.settleUnmade(row, outcome), made: null };
    }
  }
}

async function attach<T extends { id: string }>(
  work: Work,
  row: StripeRequest,
  creation: Creation<T>,
  made: T,
): Promise<{ row: StripeRequest; made: T | null }> {
  const attached = await work.requests.attach(row, made.id, creation.intentOf(made));
  if (attached.objectId === made.id) return { row: attached, made };
  try {
    await creation.discard(made);
  } catch (error) {
    // Harmless: the object was never confirmed or shown, and the nightly look for orphans finds an intent.
    if (!(error instanceof StripeFault || error instanceof Unanswered || error instanceof ProviderBusy)) throw error;
  }
  return { row: attached, made: null };
}
