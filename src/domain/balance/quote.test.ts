import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  accountWith,
  creditWith,
  disputeWith,
  invoiceWith,
  lineWith,
  NOW,
  refundWith,
} from "../../../test/support/account.ts";
import { SUBMITTED } from "../../../test/support/checkout.ts";
import { PartsMissing } from "../account/parts.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Change } from "../subscription/frozen-plan.ts";
import { totalsOf } from "../invoice/invoice.ts";
import { bankUnapplied } from "../invoice/pay.ts";
import { balanceIn, balancesOf, moveBalance } from "./move.ts";
import { availableCredit, holdsIn, quote, quoteLast } from "./quote.ts";

const usd = (amount: number) => ({ currency: "usd", amount });
const give = (amount: number, currency = "usd") =>
  ({ currency, amount, reason: "adjustment", invoiceId: null, createdAt: NOW }) as const;
const line = (amount: number) => ({ amount, discountAmount: 0, taxAmount: 0, tax: null });

describe("balances", () => {
  it("are those that were loaded and every movement since, by currency", () => {
    const account = accountWith({ balances: [usd(500)] });
    expect(moveBalance(account, give(-200))).toMatchObject({ amount: -200, note: null, customerId: "cus_1" });
    moveBalance(account, { ...give(70, "eur"), note: "sorry" });
    expect(moveBalance(account, give(0))).toBeNull();
    expect(balancesOf(account)).toEqual([{ currency: "eur", amount: 70 }, usd(300)]);
    expect(balanceIn(account, "gbp")).toBe(0);
  });
});

/** A change in progress that uses the amount `balanceApplied` of the balance. */
function pendingWith(total: number, balanceApplied: number): Change {
  const totals = { ...totalsOf([line(total)], 0, 50), balanceApplied, amountDue: total - balanceApplied };
  const plan = { totals, currency: "usd" } as Change["plan"];
  const ids = {
    organizationId: "org_1",
    id: "chg_1",
    subscriptionId: "sub_1",
    customerId: "cus_1",
    checkoutId: null,
    pageId: null,
  };
  const times = { decidedAt: NOW, settledAt: null, createdAt: NOW };
  return { ...ids, status: "pending", plan, groupKey: null, ...times, requestId: null, idempotency: null };
}

describe("the part of the balance that can be used (rule M4)", () => {
  test.each([
    ["all of it", 300, [], 300, 700],
    ["not more than the total", 3000, [], 1000, 0],
    ["a debt is collected", -300, [], -300, 1300],
    ["without the part that a change which is being paid uses", 300, [pendingWith(1000, 200)], 100, 900],
    ["never below zero", 100, [pendingWith(1000, 200)], 0, 1000],
    ["without the debt that a change which is being paid collects", -300, [pendingWith(1000, -300)], 0, 1000],
    ["a change without an amount due collects no debt", -300, [pendingWith(-500, -500)], -300, 1300],
    ["not by one that was dropped", 300, [{ ...pendingWith(1000, 200), status: "dropped" as const }], 300, 700],
  ])("%s", (_, balance, changes, balanceApplied, amountDue) => {
    expect(quote(accountWith({ balances: [usd(balance)], changes }), "usd", [line(1000)])).toMatchObject({
      balanceApplied,
      amountDue,
    });
  });
});

/** A Checkout that is being paid, and uses the amount `balanceApplied` of the balance. */
const paying = (balanceApplied: number): Checkout => {
  const settlement = { balanceApplied, basis: { balance: 1000, minimum: 50 } };
  return { ...SUBMITTED, usesBalance: true, settlement };
};

describe("the part of the balance that a submitted Checkout reserves (rule C7)", () => {
  test.each([
    ["a renewal uses the rest", 300, paying(200), 100],
    ["never below zero", 100, paying(200), 0],
    ["a debt is collected in full", -300, paying(200), -300],
    ["after a failure, all of it is free", 300, { ...paying(200), status: "open" as const, settlement: null }, 300],
    ["a Checkout from an earlier release reserves no part", 300, SUBMITTED, 300],
  ])("%s", (_, balance, checkout, balanceApplied) => {
    const account = accountWith({ balances: [usd(balance)], checkouts: [checkout] });
    expect(quote(account, "usd", [line(1000)])).toMatchObject({ balanceApplied });
  });

  test.each([
    ["all", 700, 700],
    ["none of a debt", -700, 0],
  ])("another Checkout can use %s", (_, balance, available) => {
    expect(availableCredit(accountWith({ balances: [usd(balance)] }), "usd", "chk_2")).toBe(available);
  });

  it("another Checkout can use neither the part of a change nor the part of a Checkout", () => {
    const given = { balances: [usd(1000)], changes: [pendingWith(1000, 200)], checkouts: [paying(300)] };
    expect(availableCredit(accountWith(given), "usd", "chk_2")).toBe(500);
    expect(availableCredit(accountWith(given), "usd", "chk_1")).toBe(800);
  });

  it("another Checkout can't use held credit (rule D7)", () => {
    const rows = { invoices: [invoiceWith()], lines: [lineWith()], refunds: [refundWith({ amount: 300 })] };
    const account = accountWith({ ...rows, disputes: [disputeWith()], balances: [usd(500)] });
    expect(availableCredit(account, "usd", "chk_2")).toBe(200);
    account.disputes.put(disputeWith({ status: "won" }));
    expect(availableCredit(account, "usd", "chk_2")).toBe(500);
  });
});

describe("credit that came from a disputed charge (rule D7)", () => {
  const paid = invoiceWith();
  const claimIn = (account: ReturnType<typeof accountWith>) => holdsIn(account)[0]?.claim ?? null;

  it("is not held without a dispute, and then no part is needed", () => {
    const won = disputeWith({ status: "won" });
    expect(holdsIn(accountWith({ disputes: [won], parts: [] }))).toEqual([]);
  });

  it("needs all that came from the charge, and the entries of the balance", () => {
    const account = accountWith({ disputes: [disputeWith()], parts: [] });
    const missing = (() => {
      try {
        return holdsIn(account);
      } catch (error) {
        return error instanceof PartsMissing ? error.parts : error;
      }
    })();
    expect(missing).toEqual([
      { part: "balance_entries" },
      { part: "unapplied", paymentId: "pay_1" },
      { part: "given_back", invoiceId: "inv_1" },
    ]);
  });

  it("is held with the changes of this transaction: credit, refund and money for a void invoice", () => {
    const account = accountWith({ invoices: [paid], lines: [lineWith()], disputes: [disputeWith()] });
    expect(claimIn(account)).toBe(0);
    account.lines.put(creditWith(200));
    expect(claimIn(account)).toBe(200);
    account.refunds.put(refundWith({ amount: 30 }));
    expect(claimIn(account)).toBe(230);
    bankUnapplied(account, paid, "pay_1", 4, NOW);
    expect(claimIn(account)).toBe(234);
    account.disputes.put(disputeWith({ status: "won" }));
    expect(claimIn(account)).toBeNull();
  });

  it("is not spent: the balance that is held pays for no invoice", () => {
    const rows = {
      invoices: [paid],
      lines: [lineWith(), creditWith(400, { invoiceId: "inv_1" })],
      disputes: [disputeWith()],
    };
    const account = accountWith({ ...rows, refunds: [refundWith({ amount: 300 })], balances: [usd(300)] });
    expect(quote(account, "usd", [line(1000)])).toMatchObject({ balanceApplied: 0, amountDue: 1000 });
    account.disputes.put(disputeWith({ status: "won" }));
    expect(quote(account, "usd", [line(1000)])).toMatchObject({ balanceApplied: 300, amountDue: 700 });
  });

  it("feeds the balance on a last invoice that is not above zero", () => {
    const lines = [lineWith(), creditWith(400)];
    const account = accountWith({ invoices: [paid], lines, disputes: [disputeWith()] });
    const waiting = [creditWith(400), lineWith({ id: "iln_3", invoiceId: null, amount: 300 })];
    expect(quoteLast(account, "usd", waiting)).toMatchObject({ totalAmount: -100, balanceApplied: -100, amountDue: 0 });
    expect(quote(account, "usd", waiting)).toMatchObject({ balanceApplied: -400, amountDue: 300 });
  });

  it("comes to the plain sum of all that came from the charges, each at most the amount that its bank took", () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 5 });
    const charge = fc.record({
      disputed: fc.integer({ min: 1, max: 2000 }),
      credits: amounts,
      refunds: amounts,
      unapplied: fc.nat(500),
    });
    fc.assert(
      fc.property(fc.array(charge, { minLength: 1, maxLength: 3 }), (charges) => {
        const account = accountWith();
        for (const [n, { disputed, credits, refunds, unapplied }] of charges.entries()) {
          const [invoiceId, lineId, paymentId] = [`inv_${n}`, `iln_${n}`, `pay_${n}`];
          const invoice = invoiceWith({ id: invoiceId });
          account.invoices.put(invoice);
          account.lines.put(lineWith({ id: lineId, invoiceId }));
          for (const [k, amount] of credits.entries()) {
            account.lines.put(creditWith(amount, { id: `${lineId}${k}`, creditedLineId: lineId }));
          }
          for (const [k, amount] of refunds.entries())
            account.refunds.put(refundWith({ id: `rfd_${n}${k}`, invoiceId, amount }));
          if (unapplied > 0) bankUnapplied(account, invoice, paymentId, unapplied, NOW);
          account.disputes.put(disputeWith({ id: `dsp_${n}`, invoiceId, paymentId, amount: disputed }));
        }
        const sum = (all: readonly number[]) => all.reduce((running, amount) => running + amount, 0);
        const expected = charges.map((each) =>
          Math.min(each.disputed, sum(each.credits) + sum(each.refunds) + each.unapplied),
        );
        expect(holdsIn(account)).toEqual([{ currency: "usd", claim: sum(expected), granted: 0 }]);
      }),
    );
  });
});
