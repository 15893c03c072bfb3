import { cancelSubscription, makeInvoice } from "./billing.ts";
import { invoiceFor, periodAfter, periodOf, settled } from "./billing-invoices.ts";
import { emit, type Book } from "./book.ts";
import { moveBalance } from "./customer-balance.ts";
import { ApiError } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Invoice, PaymentMethod, Subscription } from "./objects.ts";
import { attemptPayment, makePaymentIntent } from "./payment-intents.ts";

/*
 * Stripe Billing's own work: renewals, invoices and their charges, ends of trials, pauses and subscriptions. Stripe
 * finalizes a renewal's invoice an hour after the renewal and then charges the invoice. A declined charge is not
 * repeated here.
 */

const HOUR = 3600;
const RENEWING = ["active", "trialing", "past_due", "unpaid"];

type Step = { at: number; order: number; run: () => void };

/** The next work of a subscription. At one instant a pause ends first, then a subscription, and then a period. */
function stepOf(book: Book, subscription: Subscription): Step | null {
  const { status, cancel_at: endsAt, pause_collection: pause } = subscription;
  if (!RENEWING.includes(status) || subscription.items.data.length === 0) return null;
  const steps: Step[] = [{ at: periodOf(subscription).end, order: 3, run: () => renew(book, subscription) }];
  if (endsAt !== null) steps.push({ at: endsAt, order: 2, run: () => cancelSubscription(book, subscription) });
  const resumesAt = pause?.resumes_at ?? null;
  if (resumesAt !== null) steps.push({ at: resumesAt, order: 1, run: () => resume(book, subscription) });
  return steps.sort(earlier)[0]!;
}

const earlier = (one: Step, other: Step): number => one.at - other.at || one.order - other.order;

function stepOfInvoice(book: Book, invoice: Invoice): Step | null {
  const { status, auto_advance, automatically_finalizes_at: at } = invoice;
  if (status !== "draft" || !auto_advance || at === null) return null;
  return { at, order: 0, run: () => finalize(book, invoice) };
}

/** Does all work of Stripe Billing that is due until an instant in seconds, each step as of its own instant. */
export function advance(book: Book, to: number): void {
  for (;;) {
    const steps = [
      ...[...book.subscriptions.values()].map((each) => stepOf(book, each)),
      ...[...book.invoices.values()].map((each) => stepOfInvoice(book, each)),
    ].filter((step): step is Step => step !== null && step.at <= to);
    const next = steps.sort(earlier)[0];
    if (next === undefined) break;
    book.clock.during(next.at, next.run);
  }
  book.clock.reach(to);
}

function resume(book: Book, subscription: Subscription): void {
  const { pause_collection } = subscription;
  subscription.pause_collection = null;
  emit(book, "customer.subscription.updated", subscription, { pause_collection });
}

/** Begins the next period and makes its invoice. */
function renew(book: Book, subscription: Subscription): void {
  const period = periodAfter(subscription);
  const invoice = makeInvoiceOf(book, subscription, period);
  const { status } = subscription;
  for (const item of subscription.items.data)
    Object.assign(item, { current_period_start: period.start, current_period_end: period.end });
  Object.assign(subscription, { latest_invoice: invoice.id, status: status === "trialing" ? "active" : status });
  emit(book, "customer.subscription.updated", subscription, { latest_invoice: null });
  hold(book, invoice, subscription);
}

function makeInvoiceOf(book: Book, subscription: Subscription, period: { start: number; end: number }): Invoice {
  const { fields, pending, running } = invoiceFor(book, subscription, period);
  const { start: period_end } = period;
  const invoice = makeInvoice(book, subscription.customer, subscription.id, {
    ...fields,
    amount_remaining: fields.amount_due,
    automatically_finalizes_at: book.now() + HOUR,
    billing_reason: "subscription_cycle",
    collection_method: subscription.collection_method,
    ending_balance: null,
    // An invoice names the period before, whose items it collects; its lines name the period to come.
    period_end,
    period_start: periodOf(subscription).start,
    status: "draft",
  });
  for (const item of pending) item.invoice = invoice.id;
  const once = running.filter(({ source }) => book.coupons.get(source.coupon)?.duration === "once");
  subscription.discounts = subscription.discounts.filter((id) => !once.some((each) => each.id === id));
  emit(book, "invoice.created", invoice);
  return invoice;
}

/** A paused subscription makes invoices that collect no money. An unpaid one makes drafts. */
function hold(book: Book, invoice: Invoice, { pause_collection: pause, status }: Subscription): void {
  if (pause?.behavior === "keep_as_draft" || status === "unpaid")
    Object.assign(invoice, { auto_advance: false, automatically_finalizes_at: null });
  if (pause?.behavior === "void") close(book, invoice, "void");
  if (pause?.behavior === "mark_uncollectible") close(book, invoice, "uncollectible");
}

const CLOSED = {
  paid: ["paid_at", "invoice.paid"],
  void: ["voided_at", "invoice.voided"],
  uncollectible: ["marked_uncollectible_at", "invoice.marked_uncollectible"],
} as const;

function close(book: Book, invoice: Invoice, status: keyof typeof CLOSED): void {
  const [at, type] = CLOSED[status];
  Object.assign(invoice.status_transitions, {
    finalized_at: invoice.status_transitions.finalized_at ?? book.now(),
    [at]: book.now(),
  });
  Object.assign(invoice, { auto_advance: false, automatically_finalizes_at: null, status });
  emit(book, type, invoice);
}

/** Takes the Customer's balance into account and charges the rest, as an hour after a renewal. */
export function finalize(book: Book, invoice: Invoice): void {
  const { customer, currency, total } = invoice;
  const { starting, due, ending } = settled(book, customer, total, currency);
  Object.assign(invoice, {
    amount_due: due,
    amount_remaining: due,
    automatically_finalizes_at: null,
    ending_balance: ending,
    starting_balance: starting,
    status: "open",
  });
  invoice.status_transitions.finalized_at = book.now();
  if (ending !== starting) {
    const type = starting === 0 && ending > 0 ? "invoice_too_small" : "applied_to_invoice";
    moveBalance(book, customer, { amount: ending - starting, currency, type, invoice: invoice.id });
  }
  emit(book, "invoice.finalized", invoice);
  if (due === 0) close(book, invoice, "paid");
  else if (invoice.collection_method === "charge_automatically") collect(book, invoice);
}

const subscriptionOf = (book: Book, { parent }: Invoice): Subscription | undefined =>
  book.subscriptions.get(parent?.subscription_details?.subscription ?? "");

/** The payment method that Stripe charges: the subscription's own before the Customer's. */
function methodOf(book: Book, { customer }: Invoice, subscription: Subscription | undefined): PaymentMethod | null {
  const owner = book.customers.get(customer);
  const settings = owner?.["invoice_settings"] as JsonObject | undefined;
  const found =
    subscription?.default_payment_method ??
    subscription?.default_source ??
    settings?.["default_payment_method"] ??
    owner?.["default_source"];
  return book.paymentMethods.get(String(found)) ?? null;
}

function collect(book: Book, invoice: Invoice): void {
  const { customer, currency, amount_due: amount } = invoice;
  const subscription = subscriptionOf(book, invoice);
  const method = methodOf(book, invoice, subscription);
  Object.assign(invoice, { attempted: true, attempt_count: invoice.attempt_count + 1 });
  if (method !== null && isCharged(book, method, { customer, currency, amount })) {
    Object.assign(invoice, { amount_paid: amount, amount_remaining: 0 });
    close(book, invoice, "paid");
    return;
  }
  if (subscription !== undefined && subscription.status !== "canceled") subscription.status = "past_due";
  emit(book, "invoice.payment_failed", invoice);
}

type Due = { customer: string; currency: string; amount: number };

function isCharged(book: Book, method: PaymentMethod, { customer, currency, amount }: Due): boolean {
  try {
    const description = "Subscription update";
    const intent = makePaymentIntent(book, { amount, currency, customer, description, types: ["card"] });
    return attemptPayment(book, intent, method, { offSession: true, returnUrl: null }) === null;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
