import { instant } from "../../../src/domain/calendar.ts";
import type { RefundReport } from "../../../src/domain/model/refund-report.ts";
import type { RefundFailureCode } from "../../../src/domain/model/refund-failure.ts";
import type { ProviderCharge, Refund as RefundRequest } from "../../../src/payments/provider.ts";
import type {
  ProviderRefund,
  FailedRefund,
  OutsideRefund,
  RefundAuthor,
} from "../../../src/payments/sandbox-transactions.ts";
import { fromStripe } from "../../../src/payments/stripe/money.ts";
import type { StripeProvider } from "../../../src/payments/stripe/stripe.ts";
import type { Charge, Refund } from "../../payments/stripe/objects.ts";
import { intentOf } from "./cards.ts";
import { learn } from "./facts.ts";
import type { Site } from "./site.ts";

const MOST_ENTRIES = 500;

/** Stripe's reason of a failed refund, from which the adapter makes ours. */
const REASONS: Partial<Record<RefundFailureCode, string>> = {
  declined: "declined",
  card_gone: "expired_or_canceled_card",
  card_lost: "lost_or_stolen_card",
  insufficient_funds: "insufficient_funds",
  canceled: "merchant_request",
  disputed: "charge_for_pending_refund_disputed",
};

const keyOf = ({ metadata }: Charge | Refund): string | null => metadata["billow_key"] ?? null;

/** A page of entries in the order of their keys. */
const pageOf = <Entry extends { key: string }>(entries: Entry[], after: string): Entry[] =>
  entries
    .filter(({ key }) => key > after)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, MOST_ENTRIES);

const booked = (
  organizationId: string,
  key: string,
  { amount, currency, created }: Charge | Refund,
): ProviderCharge => ({
  organizationId,
  key,
  amount: fromStripe(amount, currency),
  currency,
  createdAt: instant(created * 1000),
});

export function chargesOf({ stripe: { book } }: Site, organizationId: string, after: string): ProviderCharge[] {
  const succeeded = [...book.charges.values()].filter(({ status }) => status === "succeeded");
  return pageOf(
    succeeded.map((charge) => booked(organizationId, keyOf(charge)!, charge)),
    after,
  );
}

export function refundsOf(
  { stripe: { book } }: Site,
  organizationId: string,
  after: string,
  author: RefundAuthor,
): ProviderRefund[] {
  const succeeded = [...book.refunds.values()].filter(
    (refund) => refund.status === "succeeded" && (keyOf(refund) === null) === (author === "dashboard"),
  );
  const entries = succeeded.map((refund) => ({
    ...booked(organizationId, keyOf(refund) ?? refund.id, refund),
    chargeKey: keyOf(book.charges.get(refund.charge)!)!,
  }));
  return pageOf(entries, after);
}

/** The keys of succeeded refunds to cards whose refunds fail later. */
export const refundsToFail = ({ stripe: { book }, cards }: Site): string[] =>
  [...book.refunds.values()]
    .filter(({ status, charge }) => {
      const card = book.charges.get(charge)!.payment_method;
      return status === "succeeded" && cards.get(card) === "refund_fails";
    })
    .map((refund) => keyOf(refund) ?? refund.id);

async function factOf(
  site: Site,
  adapter: StripeProvider,
  organizationId: string,
  operation: () => Refund,
): Promise<RefundReport> {
  const fact = (await learn(site, adapter, organizationId, operation)).at(-1);
  if (fact?.kind !== "refund") throw new Error("the adapter learns of no refund");
  return fact.refund;
}

const outsideOf = ({ chargeKey, amount, currency, createdAt }: RefundReport): OutsideRefund => ({
  chargeKey,
  amount,
  currency,
  createdAt,
});

/** A refund in the dashboard; null: too little is left of the charge, or the charge is disputed. */
export async function refundOutside(
  site: Site,
  adapter: StripeProvider,
  { organizationId, key: id, chargeKey, amount }: RefundRequest,
): Promise<OutsideRefund | null> {
  const { book, operations } = site.stripe;
  const charge = book.charges.get(intentOf(site, chargeKey)?.latest_charge ?? "");
  if (!charge || charge.amount - charge.amount_refunded < amount) return null;
  return outsideOf(await factOf(site, adapter, organizationId, () => operations.refund(charge.id, amount, id)));
}

/** A succeeded refund in the dashboard, even if the refund failed later; null: no such refund. */
export function outsideRefund({ stripe: { book } }: Site, ref: string): OutsideRefund | null {
  const refund = book.refunds.get(ref);
  if (!refund || keyOf(refund) !== null) return null;
  const { amount, currency, createdAt } = booked("", ref, refund);
  return { chargeKey: keyOf(book.charges.get(refund.charge)!)!, amount, currency, createdAt };
}

/** Makes a refund fail that has succeeded, also at a repetition; null: no such refund. */
export async function failRefund(
  site: Site,
  adapter: StripeProvider,
  { organizationId, key, code }: { organizationId: string; key: string; code: RefundFailureCode },
): Promise<FailedRefund | null> {
  const { book, operations } = site.stripe;
  const refund = [...book.refunds.values()].find((each) => keyOf(each) === key || each.id === key);
  if (refund?.status !== "succeeded" && refund?.status !== "failed") return null;
  const fact = await factOf(site, adapter, organizationId, () => {
    if (refund.status === "succeeded") operations.failRefund(refund.id, REASONS[code] ?? "unknown");
    return refund;
  });
  return { ...outsideOf(fact), outside: fact.key === null, failureCode: fact.failureCode ?? "unknown" };
}
