import type { Json } from "../support/app.ts";
import {
  grantText,
  newPriceText,
  priceText,
  type BalanceSeen,
  type CustomerSeen,
  type EntrySeen,
  type InvoiceSeen,
  type PreviewSeen,
  type SubscriptionSeen,
} from "./history.ts";
import type { Reply, World } from "./world.ts";

/** A disagreement between Billow and the reference. */
export class Mismatch extends Error {}

/** The ids of the resources that a history names by number. */
export type Names = { products: string[]; benefits: string[]; discounts: string[] };

/** The body of an answer. @throws Mismatch if the request was refused. */
export async function ok(reply: Promise<Reply>): Promise<Json> {
  const { status, body } = await reply;
  if (status >= 300) throw new Mismatch(`it is refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** All pages of a list. `path` must have a query. */
export async function list(world: World, path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor = ""; ;) {
    const { data, nextCursor } = await ok(world.call({ method: "GET", path: `${path}&limit=100${cursor}` }));
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = `&cursor=${nextCursor}`;
  }
}

/** A Customer's Subscriptions in the order of their creation. */
export async function subscriptionsOf(world: World, customerId: string): Promise<Json[]> {
  return (await list(world, `/manage/v1/subscriptions?customerId=${customerId}`)).reverse();
}

/** A Customer's invoices in the order of their numbers. */
export async function invoicesOf(world: World, customerId: string): Promise<Json[]> {
  const found = await list(world, `/manage/v1/invoices?customerId=${customerId}`);
  return found.toSorted((one, other) => (one.number < other.number ? -1 : 1));
}

function seenSubscription(sub: Json, { products, discounts }: Names): SubscriptionSeen {
  const {
    status,
    quantity: units,
    amount,
    currency,
    currentPeriodStart: from,
    currentPeriodEnd: to,
    trialEnd,
    cancelAt,
    endedAt,
    pendingChange,
    pause,
    priceChange,
    pendingDiscount,
  } = sub;
  const price = ({ amount: price_, interval, intervalCount: count }: Json) =>
    priceText(price_, currency, { interval, count });
  return {
    product: products.indexOf(sub.productId),
    status,
    units,
    price: price({ ...sub, amount }),
    from,
    to,
    trialEnd,
    cancelAt,
    endedAt,
    pending:
      pendingChange &&
      `${products.indexOf(pendingChange.productId)}: ${pendingChange.quantity} for ${price(pendingChange)}`,
    pause: pause && `${pause.access} until ${pause.resumesAt}`,
    newPrice:
      priceChange &&
      newPriceText(priceChange.unitAmount, priceChange.amount, priceChange.effectiveAt, priceChange.consentedAt),
    nextDiscount: pendingDiscount && `${discounts.indexOf(pendingDiscount.discountId)}`,
    unaccepted: sub.cancellationReason === "price_not_accepted",
  };
}

function seenInvoice(invoice: Json, products: string[]): InvoiceSeen {
  const lines = invoice.lines.map((line: Json) => ({
    product: products.indexOf(line.productId),
    units: line.quantity,
    amount: line.amount,
    discount: line.discountAmount,
    tax: line.taxAmount,
    proration: line.proration,
    from: line.periodStart,
    to: line.periodEnd,
  }));
  return {
    reason: invoice.reason,
    status: invoice.status,
    at: invoice.createdAt,
    currency: invoice.currency,
    lines,
    total: invoice.totalAmount,
    balance: invoice.balanceApplied,
    due: invoice.amountDue,
    paid: invoice.amountPaid,
    refunded: invoice.refundedAmount,
    refundableToCard: invoice.refundableToCard,
    refundableToBalance: invoice.refundableToBalance,
    nextAttemptAt: invoice.nextAttemptAt,
  };
}

function seenBalances(balances: Json[]): Record<string, BalanceSeen> {
  const found = balances.filter(({ amount, held }) => amount !== 0 || held !== 0);
  return Object.fromEntries(
    found.map(({ currency, amount, held, available }) => [currency, { amount, held, available }]),
  );
}

/** A Customer's balance entries, newest first, with payments and lines by the numbers of their invoices. */
async function entriesOf(world: World, id: string, invoices: readonly Json[]): Promise<EntrySeen[]> {
  const entries = await list(world, `/manage/v1/customers/${id}/balance-entries?`);
  if (entries.length === 0) return [];
  const payments = await list(world, `/manage/v1/payments?customerId=${id}&status=succeeded`);
  const numbers = new Map(invoices.map((invoice, number) => [invoice.id, number]));
  const invoiceOf = new Map(payments.map((payment) => [payment.id, numbers.get(payment.invoiceId) ?? null]));
  const lines = new Map(
    invoices.flatMap((invoice, number) => invoice.lines.map((line: Json, n: number) => [line.id, `${number}.${n}`])),
  );
  return entries.map(({ currency, amount, reason, source, paymentId, creditedLineId, remaining }) => {
    const payment = paymentId && (invoiceOf.get(paymentId) ?? null);
    const line = creditedLineId && (lines.get(creditedLineId) ?? null);
    return { currency, amount, reason, source, payment, line, remaining };
  });
}

/**
 * The state of a Customer as the API shows it, in the reference's shape. Of a deleted Customer (`gone`) only
 * Subscriptions and invoices are read.
 */
export async function look(world: World, names: Names, id: string | null, gone = false): Promise<CustomerSeen> {
  const { products, benefits } = names;
  const nothing = { subscriptions: [], invoices: [], balances: {}, entries: [], access: [] };
  if (id === null) return nothing;
  const subscriptions = (await subscriptionsOf(world, id)).map((sub) => seenSubscription(sub, names));
  const issued = await invoicesOf(world, id);
  const invoices = issued.map((invoice) => seenInvoice(invoice, products));
  if (gone) return { ...nothing, subscriptions, invoices };
  const { data: balances } = await ok(world.call({ method: "GET", path: `/manage/v1/customers/${id}/balance` }));
  const grants = await list(world, `/public/v2/benefit-grants?customerId=${id}`);
  return {
    subscriptions,
    invoices,
    balances: seenBalances(balances),
    entries: await entriesOf(world, id, issued),
    access: grants
      .map(({ benefitId, quantity, properties }) => grantText(benefits.indexOf(benefitId), quantity, properties.value))
      .toSorted(),
  };
}

/** An answer in brief: its status, and the code of a refusal with the amount that would be available. */
export function answerOf({ status, body }: Reply): string {
  if (body?.code === undefined) return String(status);
  return body.available === undefined ? `${status} ${body.code}` : `${status} ${body.code} ${body.available}`;
}

export function seenPreview(reply: Reply): PreviewSeen | string {
  if (reply.status !== 200) return answerOf(reply);
  const { lines, chargeAmount, balanceChange, nextInvoice } = reply.body;
  return {
    lines: lines.map(({ amount }: Json) => amount),
    charge: chargeAmount,
    balance: balanceChange,
    next: nextInvoice && { date: nextInvoice.date, total: nextInvoice.totalAmount },
  };
}

/** The next invoice before and after a change of the discount or the trial. */
export function seenNextInvoices(reply: Reply): object | string {
  if (reply.status !== 200) return answerOf(reply);
  const seen = (next: Json) => next && { date: next.date, total: next.totalAmount };
  return { before: seen(reply.body.before), after: seen(reply.body.after) };
}

/** The preview of a round of new prices, as the reference writes it. */
export function seenRepricing(reply: Reply): object | string {
  if (reply.status !== 200) return answerOf(reply);
  const { currencies, leftOut } = reply.body;
  const moved = currencies.map(
    ({ currency, subscriptions, mrrBefore, mrrAfter }: Json) =>
      `${currency}: ${subscriptions} from ${mrrBefore} to ${mrrAfter}`,
  );
  const left = leftOut.map(({ reason, subscriptions }: Json) => `${reason}: ${subscriptions}`);
  return { currencies: moved.toSorted(), leftOut: left.toSorted() };
}
