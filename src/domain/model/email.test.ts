import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emailOf, refusedDelay, retryDelay, type EmailKind, type EmailCause } from "./email.ts";
import type { EventType } from "../event.ts";
import type { Invoice } from "./invoice.ts";
import type { Payment } from "./payment.ts";
import type { Subscription } from "./subscription.ts";

const END = 1_000_000;
const subscription = (more: object) =>
  ({
    id: "sub_1",
    status: "active",
    productId: "prd_1",
    amount: 3000,
    discount: null,
    pendingChange: null,
    currentPeriodEnd: END,
    trialEnd: null,
    endedAt: null,
    cancellationReason: null,
    ...more,
  }) as Subscription;
const ended = { status: "canceled", endedAt: END };

describe("a Subscription", () => {
  test.each<[type: EventType, is: object, kind: EmailKind | null]>([
    ["subscription.created", { status: "trialing", trialEnd: END }, "trial_started"],
    ["subscription.trial_ending", { status: "trialing", trialEnd: END }, "trial_ending"],
    ["subscription.renewal_upcoming", {}, "renewal_upcoming"],
    ["subscription.cancellation_scheduled", { cancelAtPeriodEnd: true }, "cancellation_scheduled"],
    ["subscription.cancellation_undone", {}, "cancellation_undone"],
    ["subscription.resume_upcoming", {}, "resume_upcoming"],
    ["subscription.paused", { status: "paused" }, "pause_begun"],
    ["subscription.resumed", {}, null],
    // The amount due, with waiting lines, is computed only when the e-mail is sent.
    ["subscription.renewal_upcoming", { amount: 0 }, "renewal_upcoming"],
    ["subscription.canceled", ended, "canceled"],
    ["subscription.canceled", { ...ended, cancellationReason: "too_expensive" }, "canceled"],
    ["subscription.canceled", { ...ended, cancellationReason: "payment_failed" }, "renewal_failed"],
    ["subscription.canceled", { ...ended, cancellationReason: "payment_failed", trialEnd: END }, "canceled"],
    ["subscription.canceled", { ...ended, cancellationReason: "payment_failed", trialEnd: END - 1 }, "renewal_failed"],
    ["subscription.created", {}, null],
    ["subscription.renewed", {}, null],
    ["subscription.past_due", {}, null],
    ["subscription.recovered", {}, null],
  ])("%s of %j: %s", (type, is, kind) => {
    const email = emailOf({ type, subscription: subscription(is) }, []);
    expect(email?.kind ?? null).toBe(kind);
    if (email)
      expect(email).toMatchObject({
        subscriptionId: "sub_1",
        announcedAt: type === "subscription.canceled" ? null : END,
      });
  });
});

test("a longer trial has an e-mail about its new end, unless its kind is switched off (rules S9e, E1c)", () => {
  const cause = {
    type: "subscription.updated",
    subscription: subscription({ status: "trialing" }),
    trialEnd: END,
  } as const;
  expect(emailOf(cause, [])).toMatchObject({ kind: "trial_extended", subscriptionId: "sub_1", announcedAt: END });
  expect(emailOf(cause, ["trial_extended"])).toBeNull();
});

describe("an invoice", () => {
  const invoice = (totalAmount: number) => ({ id: "inv_1", subscriptionId: "sub_1", totalAmount }) as Invoice;
  test.each<[type: EventType, total: number, attempt: Partial<Payment> | null, kind: EmailKind | null]>([
    ["invoice.paid", 1, null, "receipt"],
    ["invoice.paid", 0, null, null],
    ["invoice.paid", -500, null, null],
    ["invoice.payment_failed", 1, { status: "failed" }, "payment_failed"],
    ["invoice.payment_failed", 1, null, "payment_failed"],
    ["invoice.payment_failed", 1, { status: "failed", purpose: "page" }, null],
    ["invoice.payment_failed", 1, { status: "requires_action" }, null],
    ["invoice.created", 1, null, null],
    ["invoice.voided", 1, null, null],
    ["invoice.refunded", 1, null, null],
  ])("%s of %d by %j: %s", (type, total, attempt, kind) => {
    const email = emailOf(
      { type, invoice: invoice(total), attempt: attempt && ({ id: "pay_1", ...attempt } as Payment) },
      [],
    );
    expect(email?.kind ?? null).toBe(kind);
    if (email)
      expect(email).toMatchObject({ invoiceId: "inv_1", subscriptionId: "sub_1", paymentId: attempt ? "pay_1" : null });
  });
});

test("a purchase of 0 has a confirmation, and a renewal of 0 has no e-mail", () => {
  const email = (reason: Invoice["reason"]) =>
    emailOf(
      {
        type: "invoice.paid",
        invoice: { id: "inv_1", subscriptionId: null, totalAmount: 0, reason } as Invoice,
        attempt: null,
      },
      [],
    );
  expect(email("checkout")).toMatchObject({ kind: "order_confirmation", invoiceId: "inv_1" });
  expect(email("renewal")).toBeNull();
});

describe("a payment", () => {
  const payment = (more: Partial<Payment>) =>
    ({
      id: "pay_1",
      invoiceId: "inv_1",
      subscriptionId: "sub_1",
      abandoned: false,
      ...more,
    }) as Payment;
  test.each<[type: EventType, is: Partial<Payment>, kind: EmailKind | null]>([
    ...(["renewal", "retry", "hand", "new_card"] as const).map((purpose): [EventType, Partial<Payment>, EmailKind] => [
      "payment.action_required",
      { purpose },
      "authentication_required",
    ]),
    ["payment.action_required", { purpose: "page" }, null],
    ["payment.action_required", { purpose: "checkout", invoiceId: null }, null],
    ["payment.action_required", { purpose: "change", invoiceId: null }, null],
    ["payment.action_required", { purpose: "last_invoice" }, null],
    ["payment.action_required", { purpose: "retry", abandoned: true }, null],
    ["payment.failed", { purpose: "renewal" }, null],
    ["payment.succeeded", { purpose: "renewal" }, null],
  ])("%s of %j: %s", (type, is, kind) => expect(emailOf({ type, payment: payment(is) }, [])?.kind ?? null).toBe(kind));
});

describe("kinds of e-mail that are switched off", () => {
  const challenge = {
    type: "payment.action_required",
    payment: { id: "pay_1", invoiceId: "inv_1", purpose: "renewal" },
  } as EmailCause;
  const declined = {
    type: "invoice.payment_failed",
    invoice: { id: "inv_1" },
    attempt: { id: "pay_1", status: "failed" },
  } as EmailCause;
  test.each<[cause: EmailCause, off: EmailKind[], kind: EmailKind | null]>([
    [challenge, ["receipt"], "authentication_required"],
    [challenge, ["payment_failed"], "authentication_required"],
    [challenge, ["authentication_required"], "payment_failed"],
    [challenge, ["authentication_required", "payment_failed"], null],
    [declined, ["authentication_required"], "payment_failed"],
    [declined, ["payment_failed"], null],
  ])("%j without %j: %s", (cause, off, kind) => {
    const email = emailOf(cause, off);
    expect(email?.kind ?? null).toBe(kind);
    if (email) expect(email).toMatchObject({ invoiceId: "inv_1", paymentId: "pay_1" });
  });
});

test("a server that refuses us is asked again, more and more seldom, for two weeks", () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  const waits = [0, minute, hour, day, 14 * day - 1, 14 * day];
  expect(waits.map((waited) => refusedDelay(waited, 0.5))).toEqual([minute, minute, 15 * minute, hour, hour, null]);
});

test("an e-mail is tried for three days, later and later", () => {
  const most = (random: number) => Array.from({ length: 9 }, (_, n) => retryDelay(n, random)!);
  const hours = (random: number) => most(random).reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  expect(hours(0.5)).toBeCloseTo(69.35);
  expect(retryDelay(9, 0.5)).toBe(null);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 7 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (n, random) => {
      const [before, after] = [retryDelay(n, random)!, retryDelay(n + 1, random)!];
      expect(after).toBeGreaterThan(before);
    }),
  );
});
