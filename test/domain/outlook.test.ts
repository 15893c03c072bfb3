import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { liveSubscriptions } from "../../src/domain/billing/customer-billing.ts";
import { freeIn } from "../../src/domain/balance/quote.ts";
import { sumOf } from "../../src/domain/money.ts";
import { outlooksOf } from "../../src/domain/subscription/outlook.ts";
import { previewRenewal } from "../../src/domain/subscription/preview-renewal.ts";
import { isStalled } from "../../src/domain/model/subscription.ts";
import { billingWith, customerWith, cardWith, lotWith, NOW } from "../support/customer-billing.ts";
import { anyBilling } from "../support/any-billing.ts";
import { at, subscriptionWith } from "../support/subscription.ts";

const RUNS = { numRuns: 1500 };

describe("the payments that are still to come (rule P8)", () => {
  it("are known for every live Subscription of any Customer", () => {
    fc.assert(
      fc.property(anyBilling, (given) => {
        const billing = billingWith(given);
        const live = liveSubscriptions(billing);
        const outlooks = outlooksOf(billing, live);
        expect([...outlooks.keys()]).toEqual(live.map(({ id }) => id));
        for (const subscription of live) {
          const { end, restart } = outlooks.get(subscription.id)!;
          const renews = !subscription.cancelAtPeriodEnd && subscription.changeId === null;
          if (renews && !isStalled(subscription, billing.now)) expect(end?.kind).toBe("renewal");
          if (restart) expect(end).toBeNull();
          if (end) expect(end.at).toBe(subscription.currentPeriodEnd);
        }
      }),
      RUNS,
    );
  });

  it("are those of the renewal for the first period that ends", () => {
    fc.assert(
      fc.property(anyBilling, (given) => {
        const outlooks = outlooksOf(...liveOf(given));
        const [billing, live] = liveOf(given);
        const going = live.filter(({ changeId, grantsSuspended }) => changeId === null && !grantsSuspended);
        const ends = Math.min(...going.map(({ currentPeriodEnd }) => currentPeriodEnd));
        const [first, ...others] = going.filter(({ currentPeriodEnd }) => currentPeriodEnd === ends);
        if (!first || others.length > 0 || first.cancelAtPeriodEnd) return;
        const { totalAmount, amountDue, card } = previewRenewal(billing, first);
        expect(outlooks.get(first.id)!.end).toMatchObject({ totalAmount, amountDue, card });
      }),
      RUNS,
    );
  });

  it("use the credit of a balance once", () => {
    fc.assert(
      fc.property(anyBilling, (given) => {
        const [billing, live] = liveOf(given);
        const credit = Math.max(freeIn(billing, "usd"), 0);
        // Lines that wait may be credit of their own, and a void invoice gives the balance back.
        if (billing.lines.where(({ invoiceId }) => invoiceId === null).length > 0) return;
        const outlooks = outlooksOf(billing, live);
        const ends = live.filter(({ currency, grantsSuspended }) => currency === "usd" && !grantsSuspended);
        if (ends.some(({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)) return;
        const bills = ends.map(({ id }) => outlooks.get(id)!.end);
        // A trial without a card ends, and its invoice is never made: the next invoice uses the credit instead.
        const used = bills.map((end) => (end && !end.endsInstead ? end.fromBalance : 0));
        expect(sumOf(used)).toBeLessThanOrEqual(credit);
      }),
      RUNS,
    );
  });
});

function liveOf(given: Parameters<typeof billingWith>[0]) {
  const billing = billingWith(given);
  return [billing, liveSubscriptions(billing)] as const;
}

describe("two plans beside one credit", () => {
  const plan = (id: string, start: string, amount: number, interval: "week" | "month") =>
    subscriptionWith({ id, groupKey: id, amount, paymentMethodId: "pm_1", interval, currentPeriodStart: at(start) });
  const dueOf = (subscriptions: ReturnType<typeof plan>[], amount: number) => {
    const billing = billingWith({
      now: NOW,
      customer: customerWith({ defaultPaymentMethodId: "pm_1" }),
      cards: [cardWith()],
      balances: [{ currency: "usd", amount }],
      balanceEntries: [lotWith(amount)],
      subscriptions,
    });
    const outlooks = outlooksOf(billing, liveSubscriptions(billing));
    return Object.fromEntries(subscriptions.map(({ id }) => [id, outlooks.get(id)!.end!.amountDue]));
  };

  it("use the credit in the order of their days", () => {
    const [early, late] = [plan("sub_1", "2025-05-20", 1000, "month"), plan("sub_2", "2025-06-01", 1000, "month")];
    expect(dueOf([late, early], 1500)).toEqual({ sub_1: 0, sub_2: 500 });
  });

  it("count each week before the month ends", () => {
    const [week, month] = [plan("sub_1", "2025-06-11", 300, "week"), plan("sub_2", "2025-06-01", 1000, "month")];
    // The week renews on 18 and 25 June, and takes 600 of the credit.
    expect(dueOf([week, month], 800)).toEqual({ sub_1: 0, sub_2: 800 });
  });

  it("leave the credit to the next invoice, if a trial ends without a card", () => {
    const trialEnd = at("2025-07-01");
    const named = { paymentMethodId: null, claimed: false };
    const trial = { ...plan("sub_1", "2025-06-01", 1000, "month"), status: "trialing" as const, trialEnd, ...named };
    expect(dueOf([trial, plan("sub_2", "2025-06-10", 1000, "month")], 800)).toEqual({ sub_1: 200, sub_2: 200 });
  });
});
