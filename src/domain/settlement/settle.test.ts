import { describe, expect, test } from "vitest";
import { billingWith, cardWith, invoiceWith, lineWith, paymentWith } from "../../../test/support/customer-billing.ts";
import { organizationWith } from "../../../test/support/organization.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import type { Instant } from "../calendar.ts";
import type { Payment } from "../model/payment.ts";
import { abandonAttempt } from "../payment/attempt.ts";
import { settlePayment } from "./settle.ts";

const [ATTEMPT, LATER, CLOCK] = [at("2025-06-10"), at("2025-06-11"), at("2025-06-12")];

/** An attempt made on the 10th, in an Organization with billing time on the 12th. */
function billingOf(payment: Partial<Payment> = {}, clockAt: Instant | null = CLOCK, changedAt = ATTEMPT) {
  return billingWith({
    organization: organizationWith({ clockAt, clockTarget: clockAt }),
    now: CLOCK,
    cards: [cardWith()],
    subscriptions: [subscriptionWith({ updatedAt: changedAt })],
    invoices: [invoiceWith({ status: "open" })],
    lines: [lineWith()],
    payments: [paymentWith({ status: "pending", createdAt: ATTEMPT, updatedAt: ATTEMPT, ...payment })],
  });
}
type TestBilling = ReturnType<typeof billingOf>;

const declined = (billing: TestBilling) =>
  settlePayment(billing, "pay_1", { status: "declined", code: "card_declined" }).settledAt;

describe("an outcome counts (rule T4)", () => {
  const challenge = { status: "requires_action", actionUrl: "https://example.com" } as const;
  test.each([
    ["as of the attempt, where a clock was set", billingOf(), ATTEMPT],
    ["as of the attempt, though its outcome was unknown", billingOf({ status: "unknown" }), ATTEMPT],
    ["as of a later change of the Subscription", billingOf({}, CLOCK, LATER), LATER],
    ["as of billing time, where the buyer brought it about", billingOf(challenge), CLOCK],
    ["as of billing time, where that is real time", billingOf({}, null), CLOCK],
  ])("%s", (_, billing, expected) => {
    expect(declined(billing)).toBe(expected);
    expect(billing.now).toBe(CLOCK);
  });

  test("as of the instant at which the challenge was given up", () => {
    const billing = billingOf(challenge);
    abandonAttempt(billing, billing.payments.get("pay_1")!, LATER);
    expect(billing.payments.get("pay_1")).toMatchObject({ version: 1, updatedAt: LATER });
    expect(settlePayment(billing, "pay_1", { status: "declined", code: "canceled" }).settledAt).toBe(LATER);
  });

  test("with the retries that follow from it", () => {
    const billing = billingOf();
    declined(billing);
    expect(billing.subscriptions.get("sub_1")).toMatchObject({ firstFailedAt: ATTEMPT, nextRetryAt: at("2025-06-13") });
    expect(billing.events.map((event) => event.at)).toEqual(billing.events.map(() => ATTEMPT));
  });
});

describe("a challenge that waits for the buyer (rule D2)", () => {
  const waiting = { status: "requires_action", actionUrl: "https://bank.example/old" } as const;

  test("keeps its address and version while the provider gives the same one", () => {
    const payment = settlePayment(billingOf(waiting), "pay_1", { status: "requires_action", url: waiting.actionUrl });
    expect(payment).toMatchObject({ actionUrl: waiting.actionUrl, version: 1, checks: 1 });
  });

  test("takes another address of the provider as a new version", () => {
    const billing = billingOf(waiting);
    const url = "https://bank.example/new";
    expect(settlePayment(billing, "pay_1", { status: "requires_action", url })).toMatchObject({
      actionUrl: url,
      version: 2,
      eventSequence: 1,
    });
  });
});
