import { describe, expect, test } from "vitest";
import { billingWith, cardWith, customerWith, eventsOf, NOW } from "../../../test/support/customer-billing.ts";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { addCalendar } from "../calendar.ts";
import { runFirst, runInSlice } from "./due.ts";

const CLOCK = at("2025-07-02");
const RENEWAL = at("2025-07-01");
/** Subscriptions that renew on 1 July. Their Customer is in a sandbox with its clock at 2 July. */
const dueBilling = (count = 1, others = {}) =>
  billingWith({
    now: CLOCK,
    customer: customerWith({ defaultPaymentMethodId: "pm_1" }),
    cards: [cardWith()],
    subscriptions: Array.from({ length: count }, (_, n) =>
      subscriptionWith({ id: `sub_${n}`, groupKey: `group_${n}`, noticedUntil: RENEWAL }),
    ),
    ...others,
  });
const chargedAt = (billing: ReturnType<typeof dueBilling>) =>
  billing.payments.where(() => true).map(({ createdAt }) => createdAt);

describe("a Customer's part of a slice (rules T4, T5)", () => {
  test("is carried out and charged as of its own instant, and billing time is as before then", () => {
    const billing = dueBilling();
    expect(runInSlice(billing, RENEWAL, { to: CLOCK }, at("2025-06-30"))).toBe(1);
    expect(chargedAt(billing)).toEqual([RENEWAL]);
    expect(billing.events.map((event) => event.at)).toEqual(billing.events.map(() => RENEWAL));
    expect(billing.now).toBe(CLOCK);
  });

  test("is charged as of where the clock stood where the instant was past by then", () => {
    const billing = dueBilling();
    expect(runInSlice(billing, RENEWAL, { to: RENEWAL }, CLOCK)).toBe(1);
    expect(chargedAt(billing)).toEqual([CLOCK]);
  });

  test("is all of it, but at the last instant of the slice ten items", () => {
    expect(runInSlice(dueBilling(12), RENEWAL, { to: CLOCK }, RENEWAL)).toBe(12);
    expect(runInSlice(dueBilling(12), RENEWAL, { to: RENEWAL }, RENEWAL)).toBe(10);
    expect(runFirst(dueBilling(12), RENEWAL)).toBe(10);
  });

  test("is empty for a deleted Customer, and before the instant", () => {
    const deleted = dueBilling(1, { customer: customerWith({ deletedAt: NOW }) });
    expect(runInSlice(deleted, RENEWAL, { to: CLOCK }, NOW)).toBe(0);
    const billing = dueBilling();
    expect(runInSlice(billing, addCalendar(NOW, "UTC", "P1D"), { to: CLOCK }, NOW)).toBe(0);
    expect(eventsOf(billing)).toEqual([]);
  });
});
