import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { billingWith, debtWith, disputeWith, lotWith, NOW } from "../../../test/support/customer-billing.ts";
import type { Account } from "../billing/customer-billing.ts";
import type { BalanceEntry } from "../model/balance.ts";
import { addCredit } from "./add.ts";
import {
  balanceIn,
  closeBalance,
  heldIn,
  isHeld,
  lotsForAdjustment,
  lotsIn,
  lotsLike,
  lotsOfCharge,
  openEntries,
  settleWithLots,
  spendableIn,
  spendableLots,
  takeCredit,
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
const accountOf = (balanceEntries: readonly BalanceEntry[], disputes = [] as ReturnType<typeof disputeWith>[]) =>
  billingWith({
    balanceEntries,
    disputes,
    balances: [{ currency: "usd", amount: sumOf(balanceEntries, "remaining") }],
  });
const remainingOf = (account: Account) =>
  account.balanceEntries.where(() => true).map(({ amount, remaining }) => [amount, remaining]);
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
    const account = billingWith();
    const parts = [part(P1, 5, "iln_1"), part(GRANTED, 2), part(P1, 3, "iln_1"), part(P1, 1), part(OUTSIDE, 0)];
    expect(addCredit(account, moved, parts)).toMatchObject([
      { ...P1, creditedLineId: "iln_1", amount: 8, remaining: 8, reason: "invoice", note: null },
      { ...GRANTED, creditedLineId: null, amount: 2, remaining: 2 },
      { ...P1, creditedLineId: null, amount: 1, remaining: 1 },
    ]);
    expect(balanceIn(account, "usd")).toBe(11);
  });

  it("settles debts first, the oldest debt before all others", () => {
    const account = accountOf([debtWith(30, { id: "bal_001" }), debtWith(50, { id: "bal_002", remaining: -40 })]);
    addCredit(account, moved, [part(P1, 10)]);
    expect(remainingOf(account)).toEqual([
      [-30, -20],
      [-50, -40],
      [10, 0],
    ]);
    addCredit(account, moved, [part(P1, 35), part(GRANTED, 40)]);
    expect(remainingOf(account).slice(0, 2)).toEqual([
      [-30, 0],
      [-50, 0],
    ]);
    expect(lotsIn(account, "usd")).toMatchObject([{ ...GRANTED, amount: 40, remaining: 15 }]);
    expect(balanceIn(account, "usd")).toBe(15);
  });

  it("leaves debts in another currency alone", () => {
    const account = accountOf([debtWith(30, { currency: "eur" })]);
    addCredit(account, moved, [part(P1, 10)]);
    expect(remainingOf(account)).toEqual([
      [-30, -30],
      [10, 10],
    ]);
  });
});

describe("credit that is taken", () => {
  test.each<[what: string, lots: (account: Account) => BalanceEntry[], ids: string[]]>([
    [
      "by an invoice: the oldest charge first (rule I6c)",
      (account) => spendableLots(account, "usd"),
      ["4p1", "5p1b", "1p2", "2o", "3g"],
    ],
    [
      "by an operator: the other way round (rule I6d)",
      (account) => lotsForAdjustment(account, "usd"),
      ["3g", "2o", "1p2", "4p1", "5p1b"],
    ],
    [
      "for a charge: its lots alone, newest first (rule I3c)",
      (account) => lotsOfCharge(account, "usd", "pay_1"),
      ["5p1b", "4p1"],
    ],
    [
      "back for a void invoice: the same sources and lines first",
      (account) => lotsLike(account, "usd", [part(GRANTED, 1), part(P1, 1)]),
      ["5p1b", "3g", "4p1", "1p2", "2o"],
    ],
  ])("%s", (_, lots, ids) => expect(idsOf(lots(accountOf(five)))).toEqual(ids));

  test.each<[what: string, lots: (account: Account) => BalanceEntry[], ids: string[]]>([
    ["not by an invoice (rule D7a)", (account) => spendableLots(account, "usd"), ["1p2", "2o", "3g"]],
    [
      "by an operator, last (rule I6d)",
      (account) => lotsForAdjustment(account, "usd"),
      ["3g", "2o", "1p2", "4p1", "5p1b"],
    ],
    ["not for the disputed charge", (account) => lotsOfCharge(account, "usd", "pay_1"), []],
    ["for another charge", (account) => lotsOfCharge(account, "usd", "pay_2"), ["1p2"]],
    [
      "back for a void invoice that gave it",
      (account) => lotsLike(account, "usd", [part(P1, 1, "iln_1")]),
      ["4p1", "1p2", "2o", "3g"],
    ],
  ])("from a disputed charge %s", (_, lots, ids) => expect(idsOf(lots(accountOf(five, disputed)))).toEqual(ids));

  it("is shown with its sources; the rest is a debt", () => {
    const account = accountOf(five);
    const { used, entry } = takeCredit(account, moved, 65, spendableLots(account, "usd"));
    expect(used).toEqual([part(P1, 10, "iln_1"), part(P1, 30), part(P2, 20), part(OUTSIDE, 5)]);
    expect(entry).toMatchObject({ amount: -65, remaining: 0, source: null, paymentId: null, creditedLineId: null });
    expect(takeCredit(account, moved, 12, spendableLots(account, "usd"))).toMatchObject({
      used: [part(GRANTED, 7)],
      entry: { amount: -12, remaining: -5 },
    });
    expect(balanceIn(account, "usd")).toBe(-5);
  });

  it("of 0 makes no entry", () => {
    const account = accountOf(five);
    expect(takeCredit(account, moved, 0, spendableLots(account, "usd"))).toEqual({ used: [], entry: null });
    expect(account.balanceEntries.changes().inserted).toEqual([]);
  });
});

describe("lots from a disputed charge (rule D7)", () => {
  test.each<[status: "open" | "lost" | "won", held: number]>([
    ["open", 40],
    ["lost", 40],
    ["won", 0],
  ])("while the dispute is %s", (status, held) => {
    const account = accountOf(five, [disputeWith({ status })]);
    expect([heldIn(account, "usd"), spendableIn(account, "usd")]).toEqual([held, 72 - held]);
    expect(five.map((lot) => isHeld(account, lot))).toEqual([false, false, false, held > 0, held > 0]);
  });

  it("settle open debts once they are released (rule D7c)", () => {
    const account = accountOf([debtWith(15, { id: "bal_000" }), ...five.slice(3)], disputed);
    settleWithLots(account, "usd");
    expect(remainingOf(account)[0]).toEqual([-15, -15]);
    account.disputes.put(disputeWith({ status: "won" }));
    settleWithLots(account, "usd");
    expect(remainingOf(account)).toEqual([
      [-15, 0],
      [10, 0],
      [30, 25],
    ]);
    expect(balanceIn(account, "usd")).toBe(25);
  });
});

describe("a balance that is closed (rule I5j)", () => {
  it("closes all lots, held lots too", () => {
    const account = accountOf([...five, debtWith(3, { id: "bal_006" })], disputed);
    expect(closeBalance(account, moved, 69)).toMatchObject({ amount: -69, remaining: 0, source: null });
    expect([openEntries(account, "usd"), balanceIn(account, "usd")]).toEqual([[], 0]);
  });

  it("closes a debt with granted credit that is used up", () => {
    const account = accountOf([debtWith(30)]);
    expect(closeBalance(account, moved, -30)).toMatchObject({ amount: 30, remaining: 0, ...GRANTED });
    expect([openEntries(account, "usd"), balanceIn(account, "usd")]).toEqual([[], 0]);
  });

  it("closes a lot and a debt of the same amount without an entry", () => {
    const account = accountOf([lotWith(5, P1), debtWith(5, { id: "bal_002" })], disputed);
    expect(closeBalance(account, moved, 0)).toBeNull();
    expect(openEntries(account, "usd")).toEqual([]);
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
      const account = billingWith();
      for (const each of steps) {
        if (each.kind === "add") addCredit(account, moved, [part(each.source, each.amount)]);
        else if (each.kind === "spend") takeCredit(account, moved, each.amount, spendableLots(account, "usd"));
        else if (each.kind === "adjust") takeCredit(account, moved, each.amount, lotsForAdjustment(account, "usd"));
        else if (each.kind === "charge") takeCredit(account, moved, each.amount, lotsOfCharge(account, "usd", "pay_1"));
        else if (each.kind === "settle") settleWithLots(account, "usd");
        else account.disputes.put(disputeWith({ status: each.kind === "win" ? "won" : "open" }));
        const entries = account.balanceEntries.where(() => true);
        expect(sumOf(entries, "remaining")).toBe(balanceIn(account, "usd"));
        for (const { amount: whole, remaining } of entries) {
          expect(remaining === 0 || Math.sign(remaining) === Math.sign(whole)).toBe(true);
          expect(Math.abs(remaining)).toBeLessThanOrEqual(Math.abs(whole));
        }
      }
    }),
  );
});
