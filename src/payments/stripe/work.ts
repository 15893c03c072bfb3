import type { Outcome, ProviderRefusal } from "../../domain/model/payment-outcome.ts";
import type { Charge, SaveCard } from "../provider.ts";
import { accountRefusal, restriction } from "./account.ts";
import { StripeFault, Unanswered, type Api } from "./client.ts";
import type { StripeCustomers } from "./customers.ts";
import { declineOf, declineOfCode } from "./declines.ts";
import { toStripe } from "./money.ts";
import type { PaymentMethod } from "./objects.ts";
import type { Final, NewRequest, StripeRequests } from "./requests.ts";
import type { Settings } from "./settings.ts";

/** One call of the adapter: its requests to Stripe, and the adapter's own tables. */
export type Work = {
  settings: Settings;
  requests: StripeRequests;
  customers: StripeCustomers;
  api: Api;
};

export const canceled: Final = { status: "declined", code: "canceled" };

export const isCharge = (request: Charge | SaveCard): request is Charge => "amount" in request;

/** The row of a charge or a card save. */
export function newRequest(request: Charge | SaveCard): NewRequest {
  const { organizationId, key, card } = request;
  const [amount, currency] = isCharge(request) ? [request.amount, request.currency] : [null, null];
  const kind = isCharge(request) ? (card === null ? "charge_page" : "charge") : card === null ? "setup_page" : "setup";
  return { organizationId, key, kind, parts: [card, amount, currency], currency, chargeKey: null };
}

/** The amount in Stripe's unit; null: the unit can't express the amount. */
export function stripeAmount({ amount, currency }: Pick<Charge, "amount" | "currency">): number | null {
  try {
    return toStripe(amount, currency);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export const refusedCharge = (reason: Extract<ProviderRefusal, { scope: "charge" }>["reason"]): ProviderRefusal => ({
  status: "refused",
  scope: "charge",
  reason,
});

type GivenCard = { card: string; customer: string };

/** True if the card is detached, deleted, or another Customer's. Then no later charge of the card can succeed. */
async function isGone(api: Api, { card, customer }: GivenCard): Promise<boolean> {
  try {
    return (await api.get<PaymentMethod>(`/v1/payment_methods/${card}`)).customer !== customer;
  } catch (error) {
    if (error instanceof StripeFault && error.code === "resource_missing" && !accountRefusal(error)) return true;
    throw error;
  }
}

/**
 * The outcome behind an error of a creation or a confirmation. Stripe's errors about a detached card or a restricted
 * account have no codes, so the card and the account themselves are read.
 */
export async function outcomeOfFault(work: Work, fault: StripeFault, card: GivenCard | null): Promise<Final> {
  const refusal = accountRefusal(fault);
  if (refusal) return refusal;
  if (fault.type === "card_error") {
    const { code, declineCode: decline_code, adviceCode: advice_code } = fault;
    return { status: "declined", code: declineOf({ code, decline_code, advice_code }) };
  }
  const decline = declineOfCode(fault.code);
  if (decline) return { status: "declined", code: decline };
  if (fault.code === "amount_too_small" || fault.code === "amount_too_large") return refusedCharge(fault.code);
  if (/(^|\[)currency\]?$/.test(fault.param ?? "")) return refusedCharge("currency_unsupported");
  const restricted = await restriction(work.api);
  if (restricted) return restricted;
  if (card && (await isGone(work.api, card))) return { status: "declined", code: "card_gone" };
  const { status, type, code, param, requestId, message } = fault;
  work.settings.warn("Stripe refused a request", { status, type, code, param, requestId, reason: message });
  return refusedCharge("request_invalid");
}

/** Runs a part of the adapter, and answers `unknown` if Stripe gave no clear answer. @throws ProviderBusy */
export async function guarded<T>(
  { settings }: Pick<Work, "settings">,
  run: () => Promise<T>,
): Promise<T | ProviderRefusal | Extract<Outcome, { status: "unknown" }>> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Unanswered) return { status: "unknown" };
    if (!(error instanceof StripeFault)) throw error;
    const refusal = accountRefusal(error);
    if (refusal) return refusal;
    const { status, code, param, requestId, message } = error;
    settings.warn("Stripe gave an unexpected answer", { status, code, param, requestId, reason: message });
    return { status: "unknown" };
  }
}
