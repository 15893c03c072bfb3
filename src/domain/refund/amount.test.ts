import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  invoiceWith,
  lineWith,
  lotWith,
  paymentWith,
  refundWith,
} from "../../../test/support/customer-billing.ts";
import { subscriptionWith } from "../../../test/support/subscription.ts";
import { balanceIn } from "../balance/move.ts";
import { Refusal } from "../refusal.ts";
import type { AskedRefund } from "./draft.ts";
import { refundInvoice } from "./request.ts";
import { settleRefund } from "./settle.ts";

const asked = (more: Partial<AskedRefund> = {}): AskedRefund => ({
  amount: null,
  to: "card",
  reason: null,
  revokeGrants: false,
  ...more,
});

describe("a refund to a card whose provider has a step of 10 (rule M5g)", () => {
  const paid = (amountPaid: number) => ({
    subscriptions: [subscriptionWith()],
    invoices: [
      invoiceWith({ totalAmount: 1292, balanceApplied: 1292 - amountPaid, amountDue: amountPaid, amountPaid }),
    ],
    lines: [lineWith({ amount: 1292 })],
    payments: [paymentWith({ amount: amountPaid })],
    step: 10,
  });
  const usd = (amount: number) => ({ currency: "usd", amount });
  const between = (...nearest: number[]) => {
    return { code: "refund_between_steps", values: { field: "/amount", step: usd(10), nearest: nearest.map(usd) } };
  };
  const left5 = { ...paid(1290), refunds: [refundWith({ to: "balance", amount: 1285 })] };

  test.each([
    ["of an invoice with a part above the step", paid(1290), 1290],
    ["of an invoice that collected a debt", paid(1300), 1290],
    ["after a refund to the balance", { ...paid(1290), refunds: [refundWith({ to: "balance", amount: 105 })] }, 1180],
  ])("is by default rounded down: %s", (_, rows, amount) => {
    expect(refundInvoice(billingWith(rows), "inv_1", asked())).toMatchObject({ amount, fromBalance: 0 });
  });

  test.each<[string, Parameters<typeof billingWith>[0], number | null, object]>([
    ["an amount between two steps", paid(1290), 1285, between(1280, 1290)],
    ["an amount below the first step", paid(1290), 5, between(10)],
    ["the whole price of 1292", paid(1300), 1292, between(1290)],
    ["a rest below the step", left5, null, between()],
    [
      "more than the price",
      paid(1300),
      1300,
      { code: "refund_too_large", values: { field: "/amount", most: usd(1290), to: "card" } },
    ],
  ])("names what can be refunded: %s", (_, rows, amount, refusal) => {
    const refund = () => refundInvoice(billingWith(rows), "inv_1", asked({ amount }));
    expect(refund).toThrow(expect.objectContaining(refusal));
  });

  it("leaves the rest to a refund to the balance, which settles the debt of the invoice", () => {
    const debt = lotWith(-2, { amount: -2, remaining: -2, source: null });
    const billing = billingWith({ ...paid(1290), balances: [{ currency: "usd", amount: -2 }], balanceEntries: [debt] });
    const refund = refundInvoice(billing, "inv_1", asked());
    settleRefund(billing, refund.id, { status: "succeeded" });
    expect(refundInvoice(billing, "inv_1", asked({ to: "balance" }))).toMatchObject({ amount: 2 });
    expect(balanceIn(billing, "usd")).toBe(0);
  });

  it("is a multiple of the step, or refused, and comes to the amount that was asked for", () => {
    const amount = fc.integer({ min: 1, max: 1400 });
    fc.assert(
      fc.property(fc.constantFrom(1290, 1300), fc.array(amount, { maxLength: 4 }), (taken, amounts) => {
        const billing = billingWith(paid(taken));
        let sum = 0;
        for (const each of amounts) {
          const isPossible = each % 10 === 0 && sum + each <= 1290;
          let made: number | null = null;
          try {
            made = refundInvoice(billing, "inv_1", asked({ amount: each })).amount;
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
          expect(made).toBe(isPossible ? each : null);
          sum += made ?? 0;
        }
      }),
    );
  });
});
