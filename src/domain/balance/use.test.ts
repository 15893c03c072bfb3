import { describe, expect, it } from "vitest";
import {
  billingWith,
  creditWith,
  debtWith,
  disputeWith,
  lineWith,
  lotWith,
  NOW,
} from "../../../test/support/customer-billing.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import { NO_LIMITS, totalsOf, type Invoice, type InvoiceLine } from "../model/invoice.ts";
import { sumOf } from "../money.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { balanceIn, heldIn, lotsIn } from "./move.ts";
import { quote, quoteLast } from "./quote.ts";
import { GRANTED, OUTSIDE, paidBy, type Source, type SourcePart } from "../model/credit-source.ts";
import { returnBalance, useBalance } from "./use.ts";

const [P1, P2] = [paidBy("pay_1"), paidBy("pay_2")];
const moved = { currency: "usd", reason: "invoice", invoiceId: "inv_9", createdAt: NOW } as const;
const voided = { ...moved, reason: "invoice_voided" } as const;
const part = (source: Source, amount: number, creditedLineId: string | null = null) => ({
  ...source,
  amount,
  creditedLineId,
});
const debit = (amount: number) => lineWith({ id: "iln_9", invoiceId: "inv_9", amount });
const credit = (creditedLineId: string | null, ...sources: SourcePart[]): InvoiceLine =>
  creditWith(sumOf(sources.map(({ amount }) => amount)), {
    id: `iln_${creditedLineId}c`,
    invoiceId: "inv_9",
    creditedLineId,
    sources,
  });
const of = (source: Source, amount: number): SourcePart => ({ ...source, amount });

function billingOf(entries: readonly BalanceEntry[], dispute: "open" | "lost" | null = null): CustomerBilling {
  const disputes = dispute ? [disputeWith({ status: dispute })] : [];
  const amount = sumOf(entries.map(({ remaining }) => remaining));
  return billingWith({ balanceEntries: entries, balances: [{ currency: "usd", amount }], disputes });
}

/** Bills lines as an invoice does: quotes them, and moves the balance. */
function bill(billing: CustomerBilling, lines: readonly InvoiceLine[], quoted = quote) {
  const totals = quoted(billing, "usd", lines);
  const balanceSources = useBalance(billing, totals, lines, moved);
  return { ...totals, balanceSources } as Invoice;
}
const lotsOf = (billing: CustomerBilling) =>
  lotsIn(billing, "usd").map(({ source, paymentId, creditedLineId, remaining }) => ({
    source,
    paymentId,
    amount: remaining,
    creditedLineId,
  }));

describe("the balance of a new invoice (rules M4, I6c)", () => {
  it("is used in the order of spending, and the invoice keeps the lots", () => {
    const billing = billingOf([
      lotWith(50),
      lotWith(100, { id: "bal_002", ...P2 }),
      lotWith(30, { id: "bal_003", ...P1 }),
    ]);
    expect(bill(billing, [debit(120)])).toMatchObject({ amountDue: 0, balanceSources: [part(P1, 30), part(P2, 90)] });
    expect(lotsOf(billing)).toEqual([part(GRANTED, 50), part(P2, 10)]);
  });

  it("gets held credit of the lines before the invoice uses other credit (rule D7)", () => {
    const billing = billingOf([lotWith(30, P2)], "open");
    bill(billing, [debit(120), credit("iln_1", of(P1, 50))]);
    const entries = billing.balanceEntries.changes().inserted;
    expect(entries.map(({ amount, paymentId }) => [amount, paymentId])).toEqual([
      [50, "pay_1"],
      [-30, null],
    ]);
  });

  it("keeps no sources if the invoice used no credit", () => {
    expect(bill(billingOf([]), [debit(120)])).toMatchObject({ amountDue: 120, balanceSources: null });
  });

  it("collects a debt: the amount due contains the debt", () => {
    const billing = billingOf([debtWith(70)]);
    expect(bill(billing, [debit(120)])).toMatchObject({ amountDue: 190, balanceApplied: -70, balanceSources: null });
    expect([balanceIn(billing, "usd"), lotsOf(billing)]).toEqual([0, []]);
  });

  it("takes an amount below the minimum charge as a debt, beside the lots (rule M5)", () => {
    const billing = billingOf([lotWith(100, P1)]);
    expect(bill(billing, [debit(120)])).toMatchObject({
      amountDue: 0,
      balanceApplied: 120,
      balanceSources: [part(P1, 100)],
    });
    expect(billing.balanceEntries.where(({ amount }) => amount < 0)).toMatchObject([{ amount: -120, remaining: -20 }]);
    expect(balanceIn(billing, "usd")).toBe(-20);
  });
});

describe("credit that is left over among the lines (rule I6g)", () => {
  it("goes to the balance from the end of the order of spending, with the lines that it gives back", () => {
    const billing = billingOf([]);
    const lines = [credit("iln_1", of(P2, 60), of(GRANTED, 10)), credit("iln_2", of(P1, 50)), debit(80)];
    const { balanceSources } = bill(billing, lines);
    expect(lotsOf(billing)).toEqual([part(P2, 30, "iln_1"), part(GRANTED, 10, "iln_1")]);
    expect(balanceSources).toEqual([part(P2, -30, "iln_1"), part(GRANTED, -10, "iln_1")]);
    expect(balanceIn(billing, "usd")).toBe(40);
  });

  it("settles debts first", () => {
    const billing = billingOf([debtWith(25)]);
    bill(billing, [credit("iln_1", of(P1, 40))]);
    expect(lotsOf(billing)).toEqual([part(P1, 15, "iln_1")]);
    expect(balanceIn(billing, "usd")).toBe(15);
  });

  it("counts as granted for a credit without sources", () => {
    const billing = billingOf([]);
    bill(billing, [creditWith(40, { invoiceId: "inv_9", sources: null })]);
    expect(lotsOf(billing)).toEqual([part(GRANTED, 40)]);
  });
});

describe("credit from a disputed or lost charge among the lines (rule D7g)", () => {
  const lines = [credit("iln_1", of(P1, 100)), credit("iln_2", of(P2, 30)), debit(200)];

  it("goes to the balance as a held lot, and does not lower the amount due", () => {
    const billing = billingOf([lotWith(20, OUTSIDE)], "open");
    expect(bill(billing, lines)).toMatchObject({
      totalAmount: 70,
      amountDue: 150,
      balanceApplied: -80,
      balanceSources: [part(OUTSIDE, 20), part(P1, -100, "iln_1")],
    });
    expect(lotsOf(billing)).toEqual([part(P1, 100, "iln_1")]);
    expect([balanceIn(billing, "usd"), heldIn(billing, "usd")]).toEqual([100, 100]);
  });

  it("is written off at once if the charge is lost (rule D7d)", () => {
    const billing = billingOf([], "lost");
    expect(bill(billing, lines)).toMatchObject({ amountDue: 170 });
    expect([balanceIn(billing, "usd"), lotsOf(billing)]).toEqual([0, []]);
    expect(billing.balanceEntries.where(() => true)).toMatchObject([
      { amount: 100, remaining: 0, ...P1 },
      { amount: -100, remaining: 0, reason: "dispute_lost", invoiceId: "inv_9" },
    ]);
    expect(billing.transfers.where(() => true)).toMatchObject([
      { kind: "credit_lost", debitAccount: "balance", creditAccount: "dispute_lost", amount: 100 },
    ]);
  });

  it("counts on a last invoice that is not above zero (rule D7h); the lines use held credit last", () => {
    const billing = billingOf([], "open");
    const last = [credit("iln_1", of(P1, 100)), credit("iln_2", of(P2, 30)), debit(120)];
    expect(bill(billing, last, quoteLast)).toMatchObject({ totalAmount: -10, amountDue: 0 });
    expect(lotsOf(billing)).toEqual([part(P1, 10, "iln_1")]);
  });
});

describe("the balance of an invoice that becomes void (rules S5, I6g)", () => {
  const again = (billing: CustomerBilling, invoice: Invoice) => returnBalance(billing, invoice, voided);

  it("gets the lots back, with their sources and lines", () => {
    const billing = billingOf([lotWith(30, { ...P1, creditedLineId: "iln_1" }), lotWith(50, { id: "bal_002" })]);
    const invoice = bill(billing, [debit(200)]);
    expect(lotsOf(billing)).toEqual([]);
    again(billing, invoice);
    expect(lotsOf(billing)).toEqual([part(P1, 30, "iln_1"), part(GRANTED, 50)]);
  });

  it("gives back the debt that the invoice collected", () => {
    const billing = billingOf([debtWith(70)]);
    again(billing, bill(billing, [debit(120)]));
    expect(balanceIn(billing, "usd")).toBe(-70);
  });

  it("gives back credit that the invoice gave to the balance, from the very lots", () => {
    const billing = billingOf([lotWith(40, P1)], "open");
    const invoice = bill(billing, [credit("iln_1", of(P1, 100)), debit(200)]);
    expect(balanceIn(billing, "usd")).toBe(140);
    again(billing, invoice);
    expect(lotsOf(billing)).toEqual([part(P1, 40)]);
  });

  it("makes a debt if these lots are used; the lots that come back settle this debt", () => {
    const billing = billingOf([lotWith(40, P2)], "open");
    const invoice = bill(billing, [credit("iln_1", of(P1, 100)), debit(200)]);
    billing.disputes.put(disputeWith({ status: "won" }));
    expect(bill(billing, [debit(90)])).toMatchObject({ amountDue: 0, balanceSources: [part(P1, 90, "iln_1")] });
    again(billing, invoice);
    expect([balanceIn(billing, "usd"), lotsOf(billing)]).toEqual([-50, []]);
  });

  it("returns the part beyond the lots as granted credit", () => {
    const invoice = { ...totalsOf([debit(100)], 80, NO_LIMITS), balanceSources: [part(P1, 30)] } as unknown as Invoice;
    const billing = billingOf([]);
    again(billing, invoice);
    expect(lotsOf(billing)).toEqual([part(P1, 30), part(GRANTED, 50)]);
  });
});
