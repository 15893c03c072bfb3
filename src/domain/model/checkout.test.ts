import { describe, expect, it, test } from "vitest";
import { SUBMITTED } from "../../../test/support/checkout.ts";
import { at } from "../../../test/support/subscription.ts";
import { cardNeed, challengeEndsAt, dueToday, reopened } from "./checkout.ts";

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
    const asked = { ...SUBMITTED, amount, trialDays, trialCard };
    expect(dueToday(asked)).toBe(due);
    expect(cardNeed(asked)).toBe(need);
  });
});

describe("a challenge (rule C)", () => {
  test.each([
    ["2025-06-01T12:00:00Z", "2025-06-02T00:00:00Z", "2025-06-02T00:00:00Z"],
    ["2025-06-01T23:30:00Z", "2025-06-02T00:00:00Z", "2025-06-02T00:30:00Z"],
    ["2025-06-01T23:00:00Z", "2025-06-02T00:00:00Z", "2025-06-02T00:00:00Z"],
  ])("submitted at %s before its time is past at %s is waited for until %s", (SUBMITTEDAt, expiresAt, end) => {
    expect(challengeEndsAt({ submittedAt: at(SUBMITTEDAt), expiresAt: at(expiresAt) })).toBe(at(end));
  });
});

describe("a payment that failed (rules C, C1)", () => {
  const code = "card_declined";

  test.each([
    ["2025-06-01T13:00:00Z", "open", "2025-06-02"],
    ["2025-06-01T23:59:59.999Z", "open", "2025-06-02"],
    ["2025-06-02T00:00:00Z", "expired", null],
    ["2025-06-02T08:00:00Z", "expired", null],
  ])("at %s leaves it %s, due at %s", (now, status, dueAt) => {
    const next = reopened(SUBMITTED, code, at(now));
    expect(next).toMatchObject({
      status,
      dueAt: dueAt && at(dueAt),
      submittedAt: null,
      lastPaymentError: { code },
      failedAttempts: 1,
    });
  });

  it("does not count if the provider refused the charge, and the buyer learns only of the seller (rule D9)", () => {
    const next = reopened(SUBMITTED, "provider_refused", at("2025-06-01T13:00:00Z"));
    expect(next).toMatchObject({
      status: "open",
      lastPaymentError: { code: "provider_refused" },
      failedAttempts: 0,
    });
  });

  it("forgets a typed Customer, and keeps one that the caller named", () => {
    const now = at("2025-06-01T13:00:00Z");
    expect(reopened(SUBMITTED, code, now).customerId).toBe("cus_1");
    expect(reopened({ ...SUBMITTED, customerNamed: false }, code, now).customerId).toBeNull();
  });
});
