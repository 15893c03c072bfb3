import { boundary, DAY, formatInstant, type Instant } from "./calendar.ts";
import { takenOff } from "./model/discount.ts";
import type { Dispute } from "./model/dispute.ts";
import type { Invoice, InvoiceLine } from "./model/invoice.ts";
import type { LineBasis } from "./model/line-basis.ts";
import {
  decided,
  disputed,
  issued,
  paid,
  paidOutside,
  payoutFailed,
  payoutRequested,
  refunded,
  refundReturned,
  voided,
  type LedgerTransfer,
  type TransferDraft,
  type TransferKind,
} from "./model/ledger.ts";
import { mrrOf } from "./metrics/mrr.ts";
import type { Amount } from "./money.ts";
import { passedOf, restOf } from "./model/proration.ts";
import { unitAmountOf } from "./model/quantity.ts";
import { hasGivenBack, type Refund } from "./model/refund.ts";
import { changesAt, withDerived, type Subscription, type SubscriptionStatus } from "./model/subscription.ts";
import { billedLine, billedOf, taxOf, type LineTax } from "./tax/tax.ts";

/** A stored figure that differs from the figure derived from the other data. */
export type Deviation = { figure: string; is: string | number | null; shouldBe: string | number | null };

function textOf(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

/** A total that is no whole price times its quantity (rule Q4). */
function unevenTotal(figure: string, sold: { amount: Amount; quantity: number }): Deviation[] {
  if (sold.quantity < 1) return [{ figure: "quantity", is: sold.quantity, shouldBe: 1 }];
  const shouldBe = unitAmountOf(sold) * sold.quantity;
  return sold.amount === shouldBe ? [] : [{ figure, is: sold.amount, shouldBe }];
}

/**
 * The end of the period in progress by its anchor (rule T2). Null: an unknown zone, or an end beyond the calendar.
 */
function periodEnd(subscription: Subscription): Instant | null {
  try {
    return boundary(subscription.anchorAt, subscription.anchorTimeZone, subscription, subscription.anchorIndex);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The figures of a Subscription's row that contradict the rest of the row: due instant, end of access, period's end,
 * pending change, totals.
 */
export function deviationsOf(subscription: Subscription): Deviation[] {
  const { currentPeriodEnd, dueAt, accessEndsAt, pendingChange } = subscription;
  const uneven = [
    ...unevenTotal("amount", subscription),
    ...(pendingChange ? unevenTotal("pendingChange.amount", pendingChange) : []),
  ];
  const derived = withDerived(subscription);
  const found = [
    { figure: "dueAt", is: textOf(dueAt), shouldBe: textOf(derived.dueAt) },
    { figure: "accessEndsAt", is: textOf(accessEndsAt), shouldBe: textOf(derived.accessEndsAt) },
  ].filter(({ is, shouldBe }) => is !== shouldBe);
  const effectiveAt = changesAt(subscription);
  if (pendingChange && pendingChange.effectiveAt !== effectiveAt) {
    found.push({
      figure: "pendingChange.effectiveAt",
      is: textOf(pendingChange.effectiveAt),
      shouldBe: textOf(effectiveAt),
    });
  }
  // The first period of an import ends as the other system has counted it (rule V3).
  const isGiven = subscription.imported !== null && subscription.periodNumber === 1;
  const end = isGiven ? currentPeriodEnd : periodEnd(subscription);
  // Zones are redefined now and then, by hours, but a stored end stays. So less than a day's difference is allowed.
  if (end === null || Math.abs(end - currentPeriodEnd) >= DAY) {
    found.push({ figure: "currentPeriodEnd", is: textOf(currentPeriodEnd), shouldBe: textOf(end) });
  }
  return [...found, ...uneven];
}

/** A Subscription of which all events are counted, with the MRR and the status of the count. */
export type CountedSubscription = Subscription & {
  mrr: number;
  countedStatus: SubscriptionStatus;
  countedQuantity: number;
};

/** The counted figures that differ from the Subscription's present terms (rules R1, R4). */
export function mrrDeviationsOf(counted: CountedSubscription): Deviation[] {
  const found = [
    { figure: "mrr", is: counted.mrr, shouldBe: mrrOf(counted, counted.discount) },
    { figure: "status", is: counted.countedStatus, shouldBe: counted.status },
    { figure: "quantity", is: counted.countedQuantity, shouldBe: counted.quantity },
  ];
  return found.filter(({ is, shouldBe }) => is !== shouldBe);
}

export type LineToVerify = Pick<
  InvoiceLine,
  "id" | "invoiceId" | "amount" | "discountAmount" | "taxAmount" | "tax" | "basis"
>;

/** The amount that follows from a line's basis (rules P, S4, X3). */
function amountBy(basis: LineBasis, tax: LineTax | null): Amount {
  if (basis.kind === "period") return billedOf(basis.price, tax);
  if (basis.kind === "passed") return passedOf(basis.amount, { start: basis.from, end: basis.periodEnd }, basis.until);
  const worth = restOf(
    basis.rate,
    { currentPeriodStart: basis.periodStart, currentPeriodEnd: basis.periodEnd },
    basis.from,
  );
  return basis.kind === "credit" ? -Math.min(worth, basis.most ?? worth) : worth;
}

/** The price of a whole period that is no whole price times the line's quantity (rules Q4, Q5). */
function unevenPrice(basis: LineBasis | null): Deviation[] {
  if (basis?.kind === "passed") return unevenPrice(basis.of);
  const { price, quantity = 1 } = basis ?? {};
  return price === undefined ? [] : unevenTotal("basis.price", { amount: price, quantity });
}

/** The figures of a line that contradict its price, discount, period, rate and units (rules P, S4, X1, X3, Q5). */
export function lineDeviationsOf({ amount, discountAmount, taxAmount, tax, basis }: LineToVerify): Deviation[] {
  const found: Deviation[] = [{ figure: "taxAmount", is: taxAmount, shouldBe: taxOf(amount - discountAmount, tax) }];
  if (basis) found.push({ figure: "amount", is: amount, shouldBe: amountBy(basis, tax) });
  if (basis?.kind === "period") {
    const { price, discount } = basis;
    const off = discount ? takenOff(discount, price, discount.part ?? null) : 0;
    found.push({ figure: "discountAmount", is: discountAmount, shouldBe: billedLine(price, off, tax).discountAmount });
  }
  if (basis?.kind === "passed" && basis.of)
    found.push({ figure: "basis.amount", is: basis.amount, shouldBe: amountBy(basis.of, tax) });
  found.push(...unevenPrice(basis));
  return found.filter(({ is, shouldBe }) => is !== shouldBe);
}

/** A transfer as it was posted for one source. */
export type Posting = Pick<LedgerTransfer, "kind" | "currency"> & TransferDraft;
export type PostedInvoice = Pick<
  Invoice,
  "id" | "status" | "currency" | "totalAmount" | "taxAmount" | "balanceApplied" | "amountDue" | "paidOutside"
> & { postings: Posting[] };
export type PostedRefund = Pick<
  Refund,
  "id" | "status" | "failedLate" | "currency" | "amount" | "fromBalance" | "taxAmount" | "to"
> & {
  postings: Posting[];
};
export type PostedDispute = Pick<Dispute, "id" | "status" | "currency" | "amount"> & { postings: Posting[] };

/** `missing` should have been posted, `unexpected` should not; each lists "kind debit credit amount currency". */
export type Misposting = { missing: string; unexpected: string };

const line = ({ kind, debitAccount, creditAccount, amount, currency }: Posting) =>
  `${kind} ${debitAccount} ${creditAccount} ${amount} ${currency}`;

function compare(wanted: readonly Posting[], posted: readonly Posting[]): Misposting | null {
  const unexpected = posted.map(line);
  const missing = wanted.map(line).filter((each) => {
    const at = unexpected.indexOf(each);
    if (at !== -1) unexpected.splice(at, 1);
    return at === -1;
  });
  return missing.length + unexpected.length === 0
    ? null
    : { missing: missing.join(", "), unexpected: unexpected.join(", ") };
}

const as = (kind: TransferKind, currency: string, drafts: readonly TransferDraft[]) =>
  drafts.map((draft) => ({ kind, currency, ...draft }));

/** The transfers that contradict an invoice (rule I4); null: all agree. */
export function invoiceMisposted(invoice: PostedInvoice): Misposting | null {
  const { status, currency, paidOutside: outside, postings } = invoice;
  const settled = outside
    ? as("invoice_paid_outside", currency, paidOutside(invoice))
    : as("invoice_paid", currency, paid(invoice));
  const wanted = [
    ...as("invoice_issued", currency, issued(invoice)),
    ...(status === "paid" ? settled : []),
    ...(status === "void" ? as("invoice_voided", currency, voided(invoice)) : []),
  ];
  return compare(wanted, postings);
}

/** The transfers that contradict a refund (rules I3, I4); null: all agree. */
export function refundMisposted(refund: PostedRefund): Misposting | null {
  const { failedLate, currency, amount, fromBalance } = refund;
  const hasFailedAtOnce = refund.status === "failed" && !failedLate;
  const wanted = [
    ...as("payout_requested", currency, payoutRequested(fromBalance)),
    ...(hasFailedAtOnce ? as("payout_failed", currency, payoutFailed(fromBalance)) : []),
    ...(hasGivenBack(refund) ? as("refund", currency, refunded(refund)) : []),
    ...(failedLate ? as("refund_failed", currency, refundReturned(amount)) : []),
  ];
  return compare(wanted, refund.postings);
}

/** The transfers that contradict a dispute (rules D5, I4); null: all agree. */
export function disputeMisposted({ status, currency, amount, postings }: PostedDispute): Misposting | null {
  // An inquiry has moved no money, also after its end.
  if (status === "inquiry" || status === "closed") return compare([], postings);
  const opened = as("dispute_opened", currency, disputed(amount));
  const closed = status === "open" ? [] : as(`dispute_${status}`, currency, decided(status, amount));
  return compare([...opened, ...closed], postings);
}
