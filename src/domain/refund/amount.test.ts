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
import { AppError } from "../../errors.ts";
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
  const messageOf = (rows: Parameters<typeof billingWith>[0], amount: number | null) => {
    try {
      return refundInvoice(billingWith(rows), "inv_1", asked({ amount }));
    } catch (error) {
      return (error as AppError).parts.errors?.[0]?.message;
    }
  };
  const left5 = { ...paid(1290), refunds: [refundWith({ to: "balance", amount: 1285 })] };

  test.each([
    ["of an invoice with a part above the step", paid(1290), 1290],
    ["of an invoice that collected a debt", paid(1300), 1290],
    ["after a refund to the balance", { ...paid(1290), refunds: [refundWith({ to: "balance", amount: 105 })] }, 1180],
  ])("is by default rounded down: %s", (_, rows, amount) => {
    expect(refundInvoice(billingWith(rows), "inv_1", asked())).toMatchObject({ amount, fromBalance: 0 });
  });

  test.each<[string, Parameters<typeof billingWith>[0], number | null, string]>([
    ["an amount between two steps", paid(1290), 1285, "Refund 1280 or 1290, and the rest to the `balance`."],
    ["an amount below the first step", paid(1290), 5, "Refund 10, and the rest to the `balance`."],
    ["the whole price of 1292", paid(1300), 1292, "Refund 1290, and the rest to the `balance`."],
    ["a rest below the step", left5, null, "Refund this amount to the `balance`."],
    ["more than the price", paid(1300), 1300, "Refund at most 1290 of this Invoice to the card."],
  ])("names what can be refunded: %s", (_, rows, amount, words) => expect(messageOf(rows, amount)).toContain(words));

  it("leaves the rest to a refund to the balance, which settles the debt of the invoice", () => {
    const debt = lotWith(-2, { amount: -2, remaining: -2, source: null });
    const account = billingWith({ ...paid(1290), balances: [{ currency: "usd", amount: -2 }], balanceEntries: [debt] });
    const refund = refundInvoice(account, "inv_1", asked());
    settleRefund(account, refund.id, { status: "succeeded" });
    expect(refundInvoice(account, "inv_1", asked({ to: "balance" }))).toMatchObject({ amount: 2 });
    expect(balanceIn(account, "usd")).toBe(0);
  });

  it("is a multiple of the step, or refused, and comes to the amount that was asked for", () => {
    const amount = fc.integer({ min: 1, max: 1400 });
    fc.assert(
      fc.property(fc.constantFrom(1290, 1300), fc.array(amount, { maxLength: 4 }), (taken, amounts) => {
        const account = billingWith(paid(taken));
        let sum = 0;
        for (const each of amounts) {
          const isPossible = each % 10 === 0 && sum + each <= 1290;
          let made: number | null = null;
          try {
            made = refundInvoice(account, "inv_1", asked({ amount: each })).amount;
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
          }
          expect(made).toBe(isPossible ? each : null);
          sum += made ?? 0;
        }
      }),
    );
  });
});
