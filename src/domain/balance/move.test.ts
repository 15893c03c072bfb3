import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { billingWith, debtWith, disputeWith, lotWith, NOW } from "../../../test/support/customer-billing.ts";
import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { BalanceEntry } from "../model/balance.ts";
import {
  balanceIn,
  closeBalance,
  heldIn,
  isHeld,
  lotsForAdjustment,
  lotsIn,
  lotsOfCharge,
  openEntries,
  settleWithLots,
  spendableIn,
  spendableLots,
  takeBack,
  takeCredit,
  addCredit,
} from "./move.ts";
import { GRANTED, OUTSIDE, paidBy, type LotPart, type Source } from "../model/credit-source.ts";

const [P1, P2] = [paidBy("pay_1"), paidBy("pay_2")];
const moved = { currency: "usd", reason: "invoice", invoiceId: null, createdAt: NOW } as const;
const part = (source: Source, amount: number, creditedLineId: string | null = null): LotPart => ({
  ...source,
  amount,
  creditedLineId,
});
const sumOf = (entries: readonly BalanceEntry[], of: "amount" | "remaining") =>
  entries.reduce((sum, entry) => sum + entry[of], 0);
const billingOf = (balanceEntries: readonly BalanceEntry[], disputes = [] as ReturnType<typeof disputeWith>[]) =>
  billingWith({
    balanceEntries,
    disputes,
    balances: [{ currency: "usd", amount: sumOf(balanceEntries, "remaining") }],
  });
const remainingOf = (billing: CustomerBilling) =>
  billing.balanceEntries.where(() => true).map(({ amount, remaining }) => [amount, remaining]);
const leftOf = (billing: CustomerBilling) =>
  Object.fromEntries(lotsIn(billing, "usd").map(({ id, remaining }) => [id.slice(6), remaining]));
const idsOf = (lots: readonly BalanceEntry[]) => lots.map(({ id }) => id.slice(6));

/** Lots `p2`, `o`, `g`, `p1`, `p1b`, in the order of their entries. */
const five = [
  lotWith(20, { id: "bal_001p2", ...P2 }),
  lotWith(5, { id: "bal_002o", ...OUTSIDE }),
  lotWith(7, { id: "bal_003g" }),
  lotWith(10, { id: "bal_004p1", ...P1, creditedLineId: "iln_1" }),
  lotWith(30, { id: "bal_005p1b", ...P1 }),
];
const disputed = [disputeWith()];

describe("new credit (rule I6b)", () => {
  it("is one lot for each source and billed line", () => {
    const billing = billingWith();
    const parts = [part(P1, 5, "iln_1"), part(GRANTED, 2), part(P1, 3, "iln_1"), part(P1, 1), part(OUTSIDE, 0)];
    expect(addCredit(billing, moved, parts)).toMatchObject([
      { ...P1, creditedLineId: "iln_1", amount: 8, remaining: 8, reason: "invoice", note: null },
      { ...GRANTED, creditedLineId: null, amount: 2, remaining: 2 },
      { ...P1, creditedLineId: null, amount: 1, remaining: 1 },
    ]);
    expect(balanceIn(billing, "usd")).toBe(11);
  });

  it("settles debts first, the oldest debt before all others", () => {
    const billing = billingOf([debtWith(30, { id: "bal_001" }), debtWith(50, { id: "bal_002", remaining: -40 })]);
    addCredit(billing, moved, [part(P1, 10)]);
    expect(remainingOf(billing)).toEqual([
      [-30, -20],
      [-50, -40],
      [10, 0],
    ]);
    addCredit(billing, moved, [part(P1, 35), part(GRANTED, 40)]);
    expect(remainingOf(billing).slice(0, 2)).toEqual([
      [-30, 0],
      [-50, 0],
    ]);
    expect(lotsIn(billing, "usd")).toMatchObject([{ ...GRANTED, amount: 40, remaining: 15 }]);
    expect(balanceIn(billing, "usd")).toBe(15);
  });

  it("leaves debts in another currency alone", () => {
    const billing = billingOf([debtWith(30, { currency: "eur" })]);
    addCredit(billing, moved, [part(P1, 10)]);
    expect(remainingOf(billing)).toEqual([
      [-30, -30],
      [10, 10],
    ]);
  });
});

describe("credit that is taken", () => {
  test.each<[what: string, lots: (billing: CustomerBilling) => BalanceEntry[], ids: string[]]>([
    [
      "by an invoice: the oldest charge first (rule I6c)",
      (billing) => spendableLots(billing, "usd"),
      ["4p1", "5p1b", "1p2", "2o", "3g"],
    ],
    [
      "by an operator: the other way round (rule I6d)",
      (billing) => lotsForAdjustment(billing, "usd"),
      ["3g", "2o", "1p2", "4p1", "5p1b"],
    ],
    [
      "for a charge: its lots alone, newest first (rule I3c)",
      (billing) => lotsOfCharge(billing, "usd", "pay_1"),
      ["5p1b", "4p1"],
    ],
  ])("%s", (_, lots, ids) => expect(idsOf(lots(billingOf(five)))).toEqual(ids));

  test.each<[what: string, lots: (billing: CustomerBilling) => BalanceEntry[], ids: string[]]>([
    ["not by an invoice (rule D7a)", (billing) => spendableLots(billing, "usd"), ["1p2", "2o", "3g"]],
    [
      "by an operator, last (rule I6d)",
      (billing) => lotsForAdjustment(billing, "usd"),
      ["3g", "2o", "1p2", "4p1", "5p1b"],
    ],
    ["not for the disputed charge", (billing) => lotsOfCharge(billing, "usd", "pay_1"), []],
    ["for another charge", (billing) => lotsOfCharge(billing, "usd", "pay_2"), ["1p2"]],
  ])("from a disputed charge %s", (_, lots, ids) => expect(idsOf(lots(billingOf(five, disputed)))).toEqual(ids));

  it("is shown with its sources; the rest is a debt", () => {
    const billing = billingOf(five);
    const { used, entry } = takeCredit(billing, moved, 65, spendableLots(billing, "usd"));
    expect(used).toEqual([part(P1, 10, "iln_1"), part(P1, 30), part(P2, 20), part(OUTSIDE, 5)]);
    expect(entry).toMatchObject({ amount: -65, remaining: 0, source: null, paymentId: null, creditedLineId: null });
    expect(takeCredit(billing, moved, 12, spendableLots(billing, "usd"))).toMatchObject({
      used: [part(GRANTED, 7)],
      entry: { amount: -12, remaining: -5 },
    });
    expect(balanceIn(billing, "usd")).toBe(-5);
  });

  it("back for a void invoice comes from lots like the given parts, and then in spending order", () => {
    const billing = billingOf(five, disputed);
    takeBack(billing, moved, [part(P1, 25), part(GRANTED, 2), part(OUTSIDE, 9)]);
    expect(leftOf(billing)).toEqual({ "1p2": 16, "3g": 5, "4p1": 10, "5p1b": 5 });
    expect(billing.balanceEntries.changes().inserted).toMatchObject([{ amount: -36, remaining: 0, source: null }]);
  });

  it("back for a void invoice takes no more held credit than was given, and leaves a debt", () => {
    const billing = billingOf(five, disputed);
    takeBack(billing, moved, [part(P1, 25), part(GRANTED, 100)]);
    expect(leftOf(billing)).toEqual({ "4p1": 10, "5p1b": 5 });
    expect(billing.balanceEntries.changes().inserted).toMatchObject([{ amount: -125, remaining: -68 }]);
  });

  it("of 0 makes no entry", () => {
    const billing = billingOf(five);
    expect(takeCredit(billing, moved, 0, spendableLots(billing, "usd"))).toEqual({ used: [], entry: null });
    expect(billing.balanceEntries.changes().inserted).toEqual([]);
  });
});

describe("lots from a disputed charge (rule D7)", () => {
  test.each<[status: "open" | "lost" | "won", held: number]>([
    ["open", 40],
    ["lost", 40],
    ["won", 0],
  ])("while the dispute is %s", (status, held) => {
    const billing = billingOf(five, [disputeWith({ status })]);
    expect([heldIn(billing, "usd"), spendableIn(billing, "usd")]).toEqual([held, 72 - held]);
    expect(five.map((lot) => isHeld(billing, lot))).toEqual([false, false, false, held > 0, held > 0]);
  });

  it("settle open debts once they are released (rule D7c)", () => {
    const billing = billingOf([debtWith(15, { id: "bal_000" }), ...five.slice(3)], disputed);
    settleWithLots(billing, "usd");
    expect(remainingOf(billing)[0]).toEqual([-15, -15]);
    billing.disputes.put(disputeWith({ status: "won" }));
    settleWithLots(billing, "usd");
    expect(remainingOf(billing)).toEqual([
      [-15, 0],
      [10, 0],
      [30, 25],
    ]);
    expect(balanceIn(billing, "usd")).toBe(25);
  });
});

describe("a balance that is closed (rule I5j)", () => {
  it("closes all lots, held lots too", () => {
    const billing = billingOf([...five, debtWith(3, { id: "bal_006" })], disputed);
    expect(closeBalance(billing, moved, 69)).toMatchObject({ amount: -69, remaining: 0, source: null });
    expect([openEntries(billing, "usd"), balanceIn(billing, "usd")]).toEqual([[], 0]);
  });

  it("closes a debt with granted credit that is used up", () => {
    const billing = billingOf([debtWith(30)]);
    expect(closeBalance(billing, moved, -30)).toMatchObject({ amount: 30, remaining: 0, ...GRANTED });
    expect([openEntries(billing, "usd"), balanceIn(billing, "usd")]).toEqual([[], 0]);
  });

  it("closes a lot and a debt of the same amount without an entry", () => {
    const billing = billingOf([lotWith(5, P1), debtWith(5, { id: "bal_002" })], disputed);
    expect(closeBalance(billing, moved, 0)).toBeNull();
    expect(openEntries(billing, "usd")).toEqual([]);
  });
});

it("the parts that are left come to the balance after any movements (rule I6b)", () => {
  const source = fc.constantFrom(P1, P2, OUTSIDE, GRANTED);
  const amount = fc.integer({ min: 1, max: 300 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), source, amount }),
    fc.record({ kind: fc.constantFrom("spend" as const, "adjust" as const, "charge" as const), amount }),
    fc.record({ kind: fc.constantFrom("dispute" as const, "win" as const, "settle" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20, size: "max" }), (steps) => {
      const billing = billingWith();
      for (const each of steps) {
        if (each.kind === "add") addCredit(billing, moved, [part(each.source, each.amount)]);
        else if (each.kind === "spend") takeCredit(billing, moved, each.amount, spendableLots(billing, "usd"));
        else if (each.kind === "adjust") takeCredit(billing, moved, each.amount, lotsForAdjustment(billing, "usd"));
        else if (each.kind === "charge") takeCredit(billing, moved, each.amount, lotsOfCharge(billing, "usd", "pay_1"));
        else if (each.kind === "settle") settleWithLots(billing, "usd");
        else billing.disputes.put(disputeWith({ status: each.kind === "win" ? "won" : "open" }));
        const entries = billing.balanceEntries.where(() => true);
        expect(sumOf(entries, "remaining")).toBe(balanceIn(billing, "usd"));
        for (const { amount: whole, remaining } of entries) {
          expect(remaining === 0 || Math.sign(remaining) === Math.sign(whole)).toBe(true);
          expect(Math.abs(remaining)).toBeLessThanOrEqual(Math.abs(whole));
        }
      }
    }),
  );
});
