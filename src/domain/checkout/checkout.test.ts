import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { cardNeed, challengeEndsAt, dueToday, reopened, type Checkout } from "./checkout.ts";

const submitted: Checkout = {
  organizationId: "org_1",
  id: "chk_1",
  status: "processing",
  productId: "prd_1",
  customerId: "cus_1",
  customerNamed: true,
  subscriptionId: null,
  invoiceId: null,
  productName: "Pro",
  groupKey: "plans",
  currency: "usd",
  amount: 3000,
  interval: "month",
  intervalCount: 1,
  trialDays: null,
  trialCard: "required",
  discount: null,
  billing: null,
  tax: { rate: null },
  change: null,
  successUrl: null,
  cancelUrl: null,
  lastPaymentError: null,
  failedAttempts: 0,
  submittedAt: at("2025-06-01T12:00:00Z"),
  metadata: {},
  expiresAt: at("2025-06-02"),
  completedAt: null,
  dueAt: null,
  simulated: true,
  version: 2,
  eventSequence: 1,
  createdAt: at("2025-06-01"),
  updatedAt: at("2025-06-01T12:00:00Z"),
};

describe("the amount and the card that a Checkout asks for (rule C2)", () => {
  test.each([
    [3000, null, "required", 3000, "charge"],
    [3000, null, "optional", 3000, "charge"],
    [3000, 14, "required", 0, "save"],
    [3000, 14, "optional", 0, "optional"],
    [0, null, "required", 0, "none"],
    [0, 14, "required", 0, "none"],
    [0, 14, "optional", 0, "none"],
  ] as const)("price %s, trial %s, card %s: %s today, card: %s", (amount, trialDays, trialCard, due, need) => {
    const asked = { ...submitted, amount, trialDays, trialCard };
    expect(dueToday(asked)).toBe(due);
    expect(cardNeed(asked)).toBe(need);
  });
});

describe("a challenge (rule C)", () => {
  test.each([
    ["2025-06-01T12:00:00Z", "2025-06-02T00:00:00Z", "2025-06-02T00:00:00Z"],
    ["2025-06-01T23:30:00Z", "2025-06-02T00:00:00Z", "2025-06-02T00:30:00Z"],
    ["2025-06-01T23:00:00Z", "2025-06-02T00:00:00Z", "2025-06-02T00:00:00Z"],
  ])("submitted at %s before its time is past at %s is waited for until %s", (submittedAt, expiresAt, end) => {
    expect(challengeEndsAt({ submittedAt: at(submittedAt), expiresAt: at(expiresAt) })).toBe(at(end));
  });
});

describe("a payment that failed (rules C, C1)", () => {
  const error = { code: "card_declined", message: "The card was declined." };

  test.each([
    ["2025-06-01T13:00:00Z", "open", "2025-06-02"],
    ["2025-06-01T23:59:59.999Z", "open", "2025-06-02"],
    ["2025-06-02T00:00:00Z", "expired", null],
    ["2025-06-02T08:00:00Z", "expired", null],
  ])("at %s leaves it %s, due at %s", (now, status, dueAt) => {
    const next = reopened(submitted, error, at(now));
    expect(next).toMatchObject({
      status,
      dueAt: dueAt && at(dueAt),
      submittedAt: null,
      lastPaymentError: error,
      failedAttempts: 1,
    });
  });

  it("forgets a typed Customer, and keeps one that the caller named", () => {
    const now = at("2025-06-01T13:00:00Z");
    expect(reopened(submitted, error, now).customerId).toBe("cus_1");
    expect(reopened({ ...submitted, customerNamed: false }, error, now).customerId).toBeNull();
  });
});
