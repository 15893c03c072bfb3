import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { boundary, nextBoundary, periodBefore } from "./billing-periods.ts";
import type { NewSubscription } from "./billing.ts";
import { startStripe, type StripeServer } from "./server.ts";

// Stripe Billing's own work on a clock that tests move.

const NOW = Date.UTC(2026, 2, 10);
const at = (date: string) => Date.parse(`${date}Z`);
const inSeconds = (date: string) => at(date) / 1000;

let stripe: StripeServer;
beforeEach(async () => void (stripe = await startStripe({ now: () => NOW })));
afterEach(() => stripe.close());

function subscribe(fields: NewSubscription = {}) {
  const { operations } = stripe;
  const customer = operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
  const card = operations.attachCard(customer);
  const endsAt = inSeconds("2026-03-31T10:00");
  return { customer, card, id: operations.subscribe(customer, { endsAt, default_payment_method: card, ...fields }) };
}
const subscription = (id: string) => stripe.book.subscriptions.get(id)!;
const invoices = () => [...stripe.book.invoices.values()];
const charges = () =>
  [...stripe.book.charges.values()].map(({ amount, created, status }) => [
    new Date(created * 1000).toISOString().slice(0, 16),
    amount,
    status,
  ]);

describe("periods", () => {
  const monthly = { interval: "month", interval_count: 1 } as const;

  test("end on the last day of a month that is too short, and return to the anchor's day", () => {
    const anchor = inSeconds("2026-01-31T10:00");
    const ends = [1, 2, 3].map((n) => new Date(boundary(anchor, monthly, n) * 1000).toISOString().slice(0, 10));
    expect(ends).toEqual(["2026-02-28", "2026-03-31", "2026-04-30"]);
    expect(nextBoundary(anchor, monthly, inSeconds("2026-02-28T10:00"))).toBe(inSeconds("2026-03-31T10:00"));
    expect(nextBoundary(anchor, monthly, inSeconds("2026-02-28T09:59"))).toBe(inSeconds("2026-02-28T10:00"));
  });

  test.each(["2026-03-31T10:00", "2028-02-29T00:00", "2026-04-30T23:59", "2026-01-01T00:00"])(
    "that end at %s have an anchor with this boundary",
    (date) => {
      for (const interval of ["day", "week", "month", "year"] as const) {
        const end = inSeconds(date);
        const recurring = { interval, interval_count: 1 };
        const { anchor, start } = periodBefore(end, recurring);
        expect(nextBoundary(anchor, recurring, start)).toBe(end);
      }
    },
  );
});

test("a renewal makes a draft, which is charged an hour later and no second time", () => {
  const { id } = subscribe();
  stripe.operations.advance(at("2026-03-31T10:59"));
  expect(invoices()).toMatchObject([{ status: "draft", total: 2000, billing_reason: "subscription_cycle" }]);
  expect(subscription(id)).toMatchObject({ latest_invoice: invoices()[0]!.id, status: "active" });
  expect(charges()).toEqual([]);
  stripe.operations.advance(at("2026-05-31T12:00"));
  stripe.operations.advance(at("2026-05-31T12:00"));
  expect(charges()).toEqual([
    ["2026-03-31T11:00", 2000, "succeeded"],
    ["2026-04-30T11:00", 2000, "succeeded"],
    ["2026-05-31T11:00", 2000, "succeeded"],
  ]);
  expect(invoices().map(({ status }) => status)).toEqual(["paid", "paid", "paid"]);
  expect(stripe.book.now()).toBe(inSeconds("2026-05-31T12:00"));
});

describe("a paused subscription", () => {
  test.each([
    ["void", "void"],
    ["keep_as_draft", "draft"],
    ["mark_uncollectible", "uncollectible"],
  ] as const)("with %s makes invoices that are %s, and its periods go on", (behavior, status) => {
    const { id } = subscribe({ pause_collection: { behavior, resumes_at: null } });
    stripe.operations.advance(at("2026-05-01T00:00"));
    expect(invoices().map((each) => each.status)).toEqual([status, status]);
    expect(charges()).toEqual([]);
    expect(subscription(id).items.data[0]!.current_period_end).toBe(inSeconds("2026-05-31T10:00"));
  });

  test("is charged for the draft from before the pause, and again from the instant at which the pause ends", () => {
    const { id } = subscribe();
    stripe.operations.advance(at("2026-03-31T10:30"));
    subscription(id).pause_collection = { behavior: "void", resumes_at: inSeconds("2026-05-10T00:00") };
    stripe.operations.advance(at("2026-06-01T00:00"));
    expect(charges().map(([when]) => when)).toEqual(["2026-03-31T11:00", "2026-05-31T11:00"]);
    expect(subscription(id).pause_collection).toBe(null);
  });
});

test("a trial ends with the first charge, for a whole period from its end", () => {
  const trialEnd = inSeconds("2026-03-20T08:00");
  const { id } = subscribe({ status: "trialing", trial_end: trialEnd, endsAt: trialEnd });
  stripe.operations.advance(at("2026-04-20T09:30"));
  expect(subscription(id).status).toBe("active");
  expect(charges().map(([when]) => when)).toEqual(["2026-03-20T09:00", "2026-04-20T09:00"]);
});

test("a planned end ends the subscription, after an invoice for the part of its last period", () => {
  const { id } = subscribe({ cancel_at: inSeconds("2026-04-15T10:00") });
  stripe.operations.advance(at("2026-06-01T00:00"));
  expect(subscription(id)).toMatchObject({ status: "canceled", ended_at: inSeconds("2026-04-15T10:00") });
  expect(charges()).toEqual([["2026-03-31T11:00", 1000, "succeeded"]]);
});

test("a discount ends after its months, and one for a single invoice after this invoice", () => {
  const { operations } = stripe;
  const months = operations.discount(operations.coupon({ duration: "repeating", duration_in_months: 2 }), {
    end: inSeconds("2026-04-20T00:00"),
  });
  const once = operations.discount(operations.coupon({ duration: "once", percent_off: 50 }));
  subscribe({ discounts: [months] });
  subscribe({ discounts: [once] });
  operations.advance(at("2026-05-01T00:00"));
  expect(charges().map(([, amount]) => amount)).toEqual([1500, 1000, 2000, 2000]);
});

test("a balance pays before the card, and an amount below the least charge waits on the balance", () => {
  const { customer } = subscribe();
  stripe.operations.changeCustomer(customer, { balance: -3980, currency: "usd" });
  stripe.operations.advance(at("2026-06-01T00:00"));
  // 20.00 of credit, then 19.80, whose rest of 0.20 is paid in the third month.
  expect(charges()).toEqual([["2026-05-31T11:00", 2020, "succeeded"]]);
  expect(stripe.book.customers.get(customer)).toMatchObject({ balance: 0 });
  const moved = [...stripe.book.customerBalance.values()].map(({ amount }) => amount);
  expect(moved).toEqual([2000, 2000, -20]);
});

test("a declined charge leaves the invoice open and the subscription past due", () => {
  const { id, card } = subscribe();
  stripe.operations.turnCard(card, "pm_card_chargeCustomerFail");
  stripe.operations.advance(at("2026-04-01T00:00"));
  expect(charges()).toEqual([["2026-03-31T11:00", 2000, "failed"]]);
  expect(invoices()).toMatchObject([{ status: "open", attempted: true, attempt_count: 1 }]);
  expect(subscription(id).status).toBe("past_due");
});

test("a card from before PaymentMethods is charged, and an ended subscription is not", () => {
  const { operations } = stripe;
  const { customer } = subscribe({ default_payment_method: null });
  operations.changeCustomer(customer, { default_source: operations.source(customer, "card") });
  operations.cancelSubscription(subscribe().id);
  operations.advance(at("2026-04-01T00:00"));
  expect(charges()).toEqual([["2026-03-31T11:00", 2000, "succeeded"]]);
});
