import { expect, it } from "vitest";
import { billingWith, customerWith, NOW } from "../../../test/support/customer-billing.ts";
import { MAX_AMOUNT } from "../money.ts";
import { adjustBalance } from "./adjust-balance.ts";
import { balanceIn } from "../balance/move.ts";

const usd = (amount: number) => ({ currency: "usd", amount, reason: "sorry" });

it("an operator gives and takes, with a note and a transfer", () => {
  const billing = billingWith({ balances: [{ currency: "usd", amount: 100 }] });
  expect(adjustBalance(billing, usd(50))).toMatchObject({
    amount: 50,
    reason: "adjustment",
    note: "sorry",
    createdAt: NOW,
  });
  adjustBalance(billing, usd(-200));
  expect(balanceIn(billing, "usd")).toBe(-50);
  expect(billing.transfers.where(() => true)).toMatchObject([
    { kind: "balance_adjusted", debitAccount: "adjustment", creditAccount: "balance", amount: 50 },
    { kind: "balance_adjusted", debitAccount: "balance", creditAccount: "adjustment", amount: 200 },
  ]);
});

it("refuses a deleted Customer, and a balance beyond the largest amount (rule M1)", () => {
  const deleted = billingWith({ customer: customerWith({ deletedAt: NOW }) });
  expect(() => adjustBalance(deleted, usd(1))).toThrow(expect.objectContaining({ code: "not_found" }));
  const rich = billingWith({ balances: [{ currency: "usd", amount: MAX_AMOUNT }] });
  expect(() => adjustBalance(rich, usd(1))).toThrow(
    expect.objectContaining({
      code: "balance_too_large",
      values: {
        field: "/amount",
        balance: { currency: "usd", amount: MAX_AMOUNT },
        most: { currency: "usd", amount: MAX_AMOUNT },
      },
    }),
  );
  expect(adjustBalance(rich, usd(-2 * MAX_AMOUNT)).amount).toBe(-2 * MAX_AMOUNT);
});
