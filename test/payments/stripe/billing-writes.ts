import { cancelSubscription, makeInvoice, makeInvoiceItem } from "./billing.ts";
import { finalize } from "./billing-clock.ts";
import { invoiceFor, pendingItems, periodAfter, periodOf } from "./billing-invoices.ts";
import { emit, find, type Book } from "./book.ts";
import { ApiError, invalid, malformed, noSuch } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { PauseBehavior, Subscription } from "./objects.ts";
import { route, type Route } from "./routes.ts";

const BEHAVIORS: readonly string[] = ["keep_as_draft", "mark_uncollectible", "void"];
const ENDED = ["canceled", "incomplete_expired"];

const subscriptionOf = (book: Book, id: string): Subscription => find(book, book.subscriptions, "subscription", id);

/** Stripe answers an ended subscription as one that does not exist, unless the request reads. */
function runningSubscription(book: Book, id: string): Subscription {
  const found = subscriptionOf(book, id);
  if (ENDED.includes(found.status)) throw noSuch("subscription", id);
  return found;
}

type Change = {
  cancel_at_period_end: boolean | undefined;
  metadata: Record<string, string> | undefined;
  pause_collection: { behavior: string; resumes_at: number | undefined } | null | undefined;
};

function pauseOf(book: Book, given: NonNullable<Change["pause_collection"]>): Subscription["pause_collection"] {
  const { behavior, resumes_at: resumesAt = null } = given;
  if (!BEHAVIORS.includes(behavior)) {
    const message = `Invalid pause_collection[behavior]: must be one of ${BEHAVIORS.join(", ")}`;
    throw malformed(message, { param: "pause_collection[behavior]" });
  }
  if (resumesAt !== null && resumesAt <= book.now())
    throw invalid("`resumes_at` must be in the future.", { param: "pause_collection[resumes_at]" });
  return { behavior: behavior as PauseBehavior, resumes_at: resumesAt };
}

function change(book: Book, subscription: Subscription, given: Change): Subscription {
  const isEnded = ENDED.includes(subscription.status);
  if (isEnded && (given.cancel_at_period_end !== undefined || given.pause_collection !== undefined))
    throw invalid("A canceled subscription can only update its cancellation_details and metadata.");
  const before: JsonObject = {};
  const set = (fields: Partial<Subscription>): void => {
    for (const name of Object.keys(fields)) before[name] = structuredClone(subscription[name]);
    Object.assign(subscription, fields);
  };
  const { pause_collection: pause, cancel_at_period_end: ends, metadata } = given;
  if (pause !== undefined) set({ pause_collection: pause === null ? null : pauseOf(book, pause) });
  if (ends !== undefined && ends !== subscription.cancel_at_period_end) {
    const cancel_at = ends ? periodOf(subscription).end : null;
    set({ cancel_at_period_end: ends, cancel_at, canceled_at: ends ? book.now() : null });
  }
  if (metadata !== undefined) {
    const merged = Object.entries({ ...subscription.metadata, ...metadata }).filter(([, value]) => value !== "");
    set({ metadata: Object.fromEntries(merged) });
  }
  emit(book, "customer.subscription.updated", subscription, before);
  return subscription;
}

/** An item with the unused rest of the period, by its seconds. */
function prorate(book: Book, subscription: Subscription): void {
  const { start, end } = periodOf(subscription);
  const unused = Math.max(0, (end - book.now()) / (end - start));
  for (const { price, quantity = 0 } of subscription.items.data) {
    const amount = -Math.round(Number(price.unit_amount_decimal ?? 0) * quantity * unused);
    const { currency, customer, id } = subscription;
    if (amount !== 0) makeInvoiceItem(book, customer, id, { amount, currency, proration: true });
  }
}

/** One last invoice with the pending items. Money that is left goes to the Customer's balance. */
function billRest(book: Book, subscription: Subscription): void {
  const pending = pendingItems(book, subscription);
  if (pending.length === 0) return;
  const { customer, currency, id } = subscription;
  const total = pending.reduce((sum, { amount }) => sum + amount, 0);
  const fields = { amount_due: Math.max(total, 0), currency, subtotal: total, total, status: "draft" };
  const invoice = makeInvoice(book, customer, id, { ...fields, billing_reason: "manual" });
  for (const item of pending) item.invoice = invoice.id;
  finalize(book, invoice);
}

function cancel(book: Book, subscription: Subscription, { invoiceNow = false, isProrated = false }): Subscription {
  if (isProrated) prorate(book, subscription);
  if (invoiceNow) billRest(book, subscription);
  cancelSubscription(book, subscription);
  return subscription;
}

const noUpcoming = (customer: string): ApiError =>
  new ApiError(
    404,
    {
      type: "invalid_request_error",
      code: "invoice_upcoming_none",
      message: `No upcoming invoices for customer: ${customer}`,
    },
    true,
  );

/**
 * The next invoice of a subscription. A subscription that ends with its period has no next invoice. The same is assumed
 * of a subscription with void invoices, and so is the status 404.
 */
function preview(book: Book, subscription: Subscription): JsonObject {
  const { customer, id, cancel_at: endsAt, pause_collection: pause, status } = subscription;
  const period = periodAfter(subscription);
  const ends = ENDED.includes(status) || (endsAt !== null && endsAt <= period.start);
  const isVoid = pause?.behavior === "void" && (pause.resumes_at ?? Infinity) > period.start;
  if (ends || isVoid || subscription.items.data.length === 0) throw noUpcoming(customer);
  const { fields } = invoiceFor(book, subscription, period);
  const invoice = makeInvoice(book, customer, id, {
    ...fields,
    id: book.newId("upcoming_in"),
    amount_remaining: fields.amount_due,
    auto_advance: false,
    automatically_finalizes_at: null,
    billing_reason: "upcoming",
    collection_method: subscription.collection_method,
    created: period.start,
    ending_balance: null,
    next_payment_attempt: period.start + 3600,
    period_end: period.start,
    period_start: periodOf(subscription).start,
    status: "draft",
  });
  book.invoices.delete(invoice.id);
  return invoice;
}

export const billingWrites: readonly Route[] = [
  route("GET /v1/subscriptions/:id", "subscription_read", {}, ({ book, id }) => subscriptionOf(book, id)),
  route(
    "POST /v1/subscriptions/:id",
    "subscription_write",
    {
      cancel_at_period_end: "boolean",
      metadata: "metadata",
      pause_collection: ["unset", { behavior: "string!", resumes_at: "integer" }],
    },
    ({ book, id, params }) => change(book, subscriptionOf(book, id), params),
  ),
  route(
    "DELETE /v1/subscriptions/:id",
    "subscription_write",
    { invoice_now: "boolean", prorate: "boolean" },
    ({ book, id, params: { invoice_now: invoiceNow, prorate: isProrated } }) =>
      cancel(book, runningSubscription(book, id), {
        ...(invoiceNow === undefined ? {} : { invoiceNow }),
        ...(isProrated === undefined ? {} : { isProrated }),
      }),
  ),
  route(
    "POST /v1/invoices/create_preview",
    "invoice_write",
    { customer: "string", subscription: "string" },
    ({ book, params: { customer, subscription } }) => {
      if (subscription === undefined) {
        throw invalid(
          "You must provide at least one of: `subscription`, `schedule`, `subscription_details.items`, " +
            "`schedule_details.phases`, `invoice_items`.",
        );
      }
      const found = find(book, book.subscriptions, "subscription", subscription, "subscription");
      if (customer !== undefined && customer !== found.customer)
        throw invalid(`The subscription ${subscription} does not belong to ${customer}.`, { param: "subscription" });
      return preview(book, found);
    },
  ),
  route("GET /v1/invoices/:id", "invoice_read", {}, ({ book, id }) => find(book, book.invoices, "invoice", id)),
];
