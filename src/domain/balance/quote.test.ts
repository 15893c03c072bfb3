import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  billingWith,
  creditWith,
  disputeWith,
  invoiceWith,
  lineWith,
  lotWith,
  NOW,
  paymentWith,
} from "../../../test/support/customer-billing.ts";
import { SUBMITTED } from "../../../test/support/checkout.ts";
import { PartsMissing } from "../billing/parts.ts";
import type { Checkout } from "../model/checkout.ts";
import type { Change } from "../model/frozen-plan.ts";
import { totalsOf } from "../model/invoice.ts";
import { bankUnapplied } from "../invoice/pay.ts";
import { refundInvoice } from "../refund/request.ts";
import { balanceIn, balancesOf, heldIn, lotsIn, spendableIn, takeCredit, addCredit } from "./move.ts";
import { availableCredit, quote, quoteLast } from "./quote.ts";
import { GRANTED, paidBy } from "../model/credit-source.ts";

const usd = (amount: number) => ({ currency: "usd", amount });
const moved = (currency = "usd") => ({ currency, reason: "adjustment", invoiceId: null, createdAt: NOW }) as const;
const granted = (amount: number) => [{ ...GRANTED, creditedLineId: null, amount }];
const line = (amount: number) => ({ amount, discountAmount: 0, taxAmount: 0, tax: null });

describe("balances", () => {
  it("are those that were loaded and every movement since, by currency", () => {
    const billing = billingWith({ balances: [usd(500)], balanceEntries: [lotWith(500)] });
    const { entry } = takeCredit(billing, moved(), 200, lotsIn(billing, "usd"));
    expect(entry).toMatchObject({ amount: -200, note: null, customerId: "cus_1" });
    addCredit(billing, { ...moved("eur"), note: "sorry" }, granted(70));
    expect(addCredit(billing, moved(), granted(0))).toEqual([]);
    expect(takeCredit(billing, moved(), 0, [])).toEqual({ used: [], entry: null });
    expect(balancesOf(billing)).toEqual([{ currency: "eur", amount: 70 }, usd(300)]);
    expect(balanceIn(billing, "gbp")).toBe(0);
  });
});

/** A change in progress that uses the amount `balanceApplied` of the balance. */
function pendingWith(total: number, balanceApplied: number): Change {
  const totals = {
    ...totalsOf([line(total)], 0, { least: 50, step: 1 }),
    balanceApplied,
    amountDue: total - balanceApplied,
  };
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
    expect(quote(billingWith({ balances: [usd(balance)], changes }), "usd", [line(1000)])).toMatchObject({
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
    const billing = billingWith({ balances: [usd(balance)], checkouts: [checkout] });
    expect(quote(billing, "usd", [line(1000)])).toMatchObject({ balanceApplied });
  });

  test.each([
    ["all", 700, 700],
    ["none of a debt", -700, 0],
  ])("another Checkout can use %s", (_, balance, available) => {
    expect(availableCredit(billingWith({ balances: [usd(balance)] }), "usd", "chk_2")).toBe(available);
  });

  it("another Checkout can use neither the part of a change nor the part of a Checkout", () => {
    const given = { balances: [usd(1000)], changes: [pendingWith(1000, 200)], checkouts: [paying(300)] };
    expect(availableCredit(billingWith(given), "usd", "chk_2")).toBe(500);
    expect(availableCredit(billingWith(given), "usd", "chk_1")).toBe(800);
  });

  it("another Checkout can't use held credit (rule D7)", () => {
    const balanceEntries = [lotWith(300, paidBy("pay_1")), lotWith(200, { id: "bal_002" })];
    const billing = billingWith({ disputes: [disputeWith()], balances: [usd(500)], balanceEntries });
    expect(availableCredit(billing, "usd", "chk_2")).toBe(200);
    billing.disputes.put(disputeWith({ status: "won" }));
    expect(availableCredit(billing, "usd", "chk_2")).toBe(500);
  });
});

describe("credit that came from a disputed charge (rule D7)", () => {
  const bought = { invoices: [invoiceWith()], lines: [lineWith()], payments: [paymentWith()] };
  const disputes = [disputeWith()];
  const lot = lotWith(300, paidBy("pay_1"));

  it("needs no entries if there is neither a balance nor a dispute", () => {
    expect(heldIn(billingWith({ parts: [] }), "usd")).toBe(0);
    const missing = (() => {
      try {
        return heldIn(billingWith({ disputes, parts: [] }), "usd");
      } catch (error) {
        return error instanceof PartsMissing ? error.parts : error;
      }
    })();
    expect(missing).toEqual([{ part: "open_entries" }]);
  });

  it("is not held once the dispute is won", () => {
    const rows = { balances: [usd(300)], balanceEntries: [lot] };
    expect(heldIn(billingWith({ ...rows, disputes: [disputeWith({ status: "won" })] }), "usd")).toBe(0);
    expect(heldIn(billingWith({ ...rows, disputes }), "usd")).toBe(300);
  });

  it("is held with the changes of this transaction: refund, money for a void invoice, and the decision", () => {
    const billing = billingWith(bought);
    refundInvoice(billing, "inv_1", { amount: 30, to: "balance", reason: null, revokeGrants: false });
    billing.disputes.put(disputeWith({ amount: 970 }));
    expect(heldIn(billing, "usd")).toBe(30);
    bankUnapplied(billing, invoiceWith(), "pay_1", 4, NOW);
    expect([heldIn(billing, "usd"), spendableIn(billing, "usd")]).toEqual([34, 0]);
    billing.disputes.put(disputeWith({ status: "won" }));
    expect([heldIn(billing, "usd"), spendableIn(billing, "usd")]).toEqual([0, 34]);
  });

  it("is not spent: the balance that is held pays for no invoice", () => {
    const lines = [lineWith(), creditWith(400, { invoiceId: "inv_1" })];
    const billing = billingWith({ ...bought, lines, disputes, balances: [usd(300)], balanceEntries: [lot] });
    expect(quote(billing, "usd", [line(1000)])).toMatchObject({ balanceApplied: 0, amountDue: 1000 });
    billing.disputes.put(disputeWith({ status: "won" }));
    expect(quote(billing, "usd", [line(1000)])).toMatchObject({ balanceApplied: 300, amountDue: 700 });
  });

  it("leaves credit from elsewhere alone (rule D7e)", () => {
    const others = [
      lot,
      lotWith(50, { id: "bal_2" }),
      lotWith(7, { id: "bal_3", source: "outside" }),
      lotWith(5, { id: "bal_4", ...paidBy("pay_2") }),
    ];
    const billing = billingWith({ disputes, balances: [usd(362)], balanceEntries: others });
    expect(quote(billing, "usd", [line(1000)])).toMatchObject({ balanceApplied: 62, amountDue: 938 });
  });

  it("feeds the balance on a last invoice that is not above zero", () => {
    const billing = billingWith({ ...bought, lines: [lineWith(), creditWith(400)], disputes });
    const waiting = [creditWith(400), lineWith({ id: "iln_3", invoiceId: null, amount: 300 })];
    expect(quoteLast(billing, "usd", waiting)).toMatchObject({ totalAmount: -100, balanceApplied: -100, amountDue: 0 });
    expect(quote(billing, "usd", waiting)).toMatchObject({ balanceApplied: -400, amountDue: 300 });
    const dearer = [...waiting, lineWith({ id: "iln_4", invoiceId: null, amount: 101 })];
    expect(quoteLast(billing, "usd", dearer)).toMatchObject({ totalAmount: 1, balanceApplied: -400, amountDue: 401 });
  });

  it("comes to the plain sum of the lots from charges with a dispute that is not won", () => {
    const charge = fc.record({
      status: fc.constantFrom("open" as const, "won" as const, null),
      lots: fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 4 }), fc.nat(500), (charges, other) => {
        const entries = charges.flatMap(({ lots }, n) =>
          lots.map((amount, k) => lotWith(amount, { id: `bal_${n}${k}`, ...paidBy(`pay_${n}`) })),
        );
        const open = charges.flatMap(({ status }, n) =>
          status ? [disputeWith({ id: `dsp_${n}`, paymentId: `pay_${n}`, status })] : [],
        );
        const sum = (lots: readonly { amount: number }[]) => lots.reduce((running, { amount }) => running + amount, 0);
        const all = [...entries, ...(other > 0 ? [lotWith(other, { id: "bal_x" })] : [])];
        const billing = billingWith({ balances: [usd(sum(all))], balanceEntries: all, disputes: open });
        const held = charges.filter(({ status }) => status === "open");
        expect(heldIn(billing, "usd")).toBe(
          held.reduce((running, { lots }) => running + lots.reduce((part, amount) => part + amount, 0), 0),
        );
      }),
    );
  });
});
