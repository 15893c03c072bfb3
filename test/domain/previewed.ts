import { CustomerBilling, type BillingRows } from "../../src/domain/billing/customer-billing.ts";
import type { TrackedRows } from "../../src/domain/billing/tracked-rows.ts";
import { balancesOf } from "../../src/domain/balance/move.ts";
import type { Instant } from "../../src/domain/calendar.ts";
import { collectOwed } from "../../src/domain/collection/failure.ts";
import { endSubscription } from "../../src/domain/collection/end.ts";
import { renewSubscription } from "../../src/domain/collection/renew.ts";
import { billOf, waitingLines, type Bill } from "../../src/domain/invoice/bills.ts";
import type { LineDraft } from "../../src/domain/model/invoice.ts";
import type { Payment } from "../../src/domain/model/payment.ts";
import type { ChangePreview } from "../../src/domain/model/plan-change.ts";
import type { Subscription } from "../../src/domain/model/subscription.ts";
import { settlePayment } from "../../src/domain/settlement/settle.ts";
import { SUBJECT } from "../support/any-billing.ts";

export const subject = (billing: CustomerBilling): Subscription => billing.subscriptions.get(SUBJECT)!;

/** A line without its place. Ids of lines that only one of two Customers has are left out. */
export function drafted(line: LineDraft) {
  const { description, productId, amount, discountAmount, taxAmount, tax, proration, periodStart, periodEnd, basis } =
    line;
  const creditedLineId = line.creditedLineId?.startsWith("iln_00") ? line.creditedLineId : null;
  const amounts = { amount, discountAmount, taxAmount, tax, basis };
  return { description, productId, ...amounts, proration, periodStart, periodEnd, creditedLineId };
}

const totalOf = (lines: readonly LineDraft[]) =>
  lines.reduce((sum, line) => sum + line.amount - line.discountAmount + (line.tax?.inclusive ? 0 : line.taxAmount), 0);

/** The invoices that were made for a Subscription since the billing was loaded. */
export function madeFor(billing: CustomerBilling, subscriptionId: string): Bill[] {
  const made = billing.invoices.where(
    (invoice) => billing.invoices.isNew(invoice.id) && invoice.subscriptionId === subscriptionId,
  );
  return made.map((invoice) => billOf(billing, invoice));
}

/** The attempts that were recorded for a Subscription since the billing was loaded. */
export const attemptsFor = (billing: CustomerBilling, subscriptionId: string): Payment[] =>
  billing.payments.where((payment) => billing.payments.isNew(payment.id) && payment.subscriptionId === subscriptionId);

/** The billing as loaded again at a later instant, with no event in between. */
export function later(billing: CustomerBilling, now: Instant): CustomerBilling {
  const names = Object.keys(billing.loaded.rows) as (keyof BillingRows)[];
  const all = (name: keyof BillingRows) => (billing[name] as TrackedRows<{ id: string }>).where(() => true);
  const rows = Object.fromEntries(
    names.map((name) => [name, all(name)]),
  ) as unknown as CustomerBilling["loaded"]["rows"];
  const { customer, numbers } = billing;
  return new CustomerBilling({
    ...billing.loaded,
    now,
    realNow: now,
    customer,
    numbers,
    balances: balancesOf(billing),
    rows,
  });
}

/** The billing after the end of the subject's period: its renewal, or its planned end. */
export function afterPeriod(billing: CustomerBilling): CustomerBilling {
  const at = subject(billing).currentPeriodEnd;
  const then = later(billing, at);
  const subscription = subject(then);
  if (subscription.cancelAtPeriodEnd) endSubscription(then, subscription, "ended", at);
  else collectOwed(then, renewSubscription(then, subscription));
  return then;
}

/** The invoice that the end of the period makes, as a preview tells it. */
export function nextInvoice(billing: CustomerBilling) {
  const then = afterPeriod(billing);
  const [bill] = madeFor(then, SUBJECT);
  return bill ? { at: bill.invoice.createdAt, total: bill.invoice.totalAmount, lines: bill.lines.map(drafted) } : null;
}

export const foretold = ({ nextInvoice: next }: Pick<ChangePreview, "nextInvoice">) =>
  next && { at: next.at, total: totalOf(next.lines), lines: next.lines.map(drafted) };

/** The lines of an invoice that the request made, or else the lines that the request left waiting. */
export function linesMade(billing: CustomerBilling) {
  const [bill] = madeFor(billing, SUBJECT);
  const lines = bill?.lines ?? waitingLines(billing, SUBJECT).filter(({ id }) => billing.lines.isNew(id));
  return lines.map(drafted);
}

/** Lets a charge succeed. Returns its amount. */
export function succeed(billing: CustomerBilling, payment: Payment | null | undefined): number {
  if (!payment) return 0;
  settlePayment(billing, payment.id, { status: "succeeded" });
  return payment.amount;
}
