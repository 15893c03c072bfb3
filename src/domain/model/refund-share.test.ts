import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { creditWith, invoiceWith, lineWith, refundWith } from "../../../test/support/customer-billing.ts";
import { amountFrom, GRANTED, paidBy, totalOfParts, without, type LotPart, type Source } from "./credit-source.ts";
import { NOTHING_BACK } from "./invoice-returns.ts";
import type { InvoiceLine } from "./invoice.ts";
import { refundableOf, type RefundedBill } from "./refundable-amount.ts";
import type { FreedPart, Refund, RefundTarget } from "./refund.ts";
import { shareOf } from "./refund-share.ts";

const [P1, P2, P3] = [paidBy("pay_1"), paidBy("pay_2"), paidBy("pay_3")];
const lot = (source: Source, amount: number): LotPart => ({ ...source, creditedLineId: null, amount });

/** A paid invoice at `own` of money, with lots from P2 and P1's credit among its lines. */
function billOf({
  own,
  lots,
  netted,
  granted = 0,
}: {
  own: number;
  lots: number;
  netted: number;
  granted?: number;
}): RefundedBill {
  const used = [...(lots > 0 ? [lot(P2, lots)] : []), ...(granted > 0 ? [lot(GRANTED, granted)] : [])];
  const credit = creditWith(netted, {
    id: "iln_c",
    invoiceId: "inv_1",
    creditedLineId: "iln_x",
    sources: [{ ...P1, amount: netted }],
  });
  return {
    invoice: invoiceWith({ totalAmount: own + lots + granted, balanceApplied: lots + granted, balanceSources: used }),
    lines: [...(netted > 0 ? [credit] : []), lineWith({ amount: own + lots + granted + netted })],
    back: { ...NOTHING_BACK, paymentId: own > 0 ? "pay_3" : null },
  };
}

/** The bill after a refund that succeeded, or that is still pending. */
function after(
  bill: RefundedBill,
  amount: number,
  to: RefundTarget,
  isPending = false,
): { next: RefundedBill; refund: Refund } {
  const share = shareOf(bill, amount, to);
  const id = `rfd_${bill.back.refunds.length}`;
  const lines = [{ invoiceLineId: "iln_1", amount, taxAmount: 0, freed: totalOfParts(share.freed) }];
  const state = isPending ? { status: "pending" as const, settledAt: null } : {};
  const refund = refundWith({ id, amount, to, lines, ...share, ...state });
  const freed = (line: InvoiceLine): InvoiceLine =>
    line.sources === null
      ? line
      : {
          ...line,
          sources: without(
            line.sources,
            share.freed.filter(({ lineId }) => lineId === line.id),
          ),
        };
  const back = { ...bill.back, refunds: [...bill.back.refunds, refund] };
  return { refund, next: { ...bill, back, lines: isPending ? bill.lines : bill.lines.map(freed) } };
}

const own = (amount: number) => ({ ...lot(P3, amount), own: true });
const credit = (source: Source, amount: number) => ({ ...lot(source, amount), own: false });
const freed = (amount: number): FreedPart[] => (amount === 0 ? [] : [{ lineId: "iln_c", ...P1, amount }]);

describe("a refund over the funds of its invoice (rules I3e, I3g)", () => {
  type Row = [
    what: string,
    bill: RefundedBill,
    amount: number,
    to: RefundTarget,
    freed: number,
    sources: Refund["sources"],
  ];
  test.each<Row>([
    ["money of the charge", billOf({ own: 1000, lots: 0, netted: 0 }), 300, "balance", 0, [own(300)]],
    ["to the card: no credit for the balance", billOf({ own: 600, lots: 400, netted: 0 }), 300, "card", 0, []],
    [
      "credit of the balance in proportion",
      billOf({ own: 600, lots: 400, netted: 0 }),
      500,
      "balance",
      0,
      [credit(P2, 200), own(300)],
    ],
    [
      "credit in the order of spending",
      billOf({ own: 0, lots: 400, netted: 0, granted: 600 }),
      500,
      "balance",
      0,
      [credit(P2, 400), credit(GRANTED, 100)],
    ],
    [
      "credit of the lines is freed in proportion to the price",
      billOf({ own: 1000, lots: 0, netted: 500 }),
      300,
      "card",
      150,
      [],
    ],
    ["rounded half up", billOf({ own: 1000, lots: 0, netted: 501 }), 500, "card", 251, []],
    [
      "all of it with the whole price",
      billOf({ own: 700, lots: 300, netted: 501 }),
      1000,
      "balance",
      501,
      [credit(P2, 300), own(700)],
    ],
    ["no credit for a refund of 0", billOf({ own: 700, lots: 300, netted: 501 }), 0, "card", 0, []],
  ])("%s", (_, bill, amount, to, freedAmount, sources) =>
    expect(shareOf(bill, amount, to)).toEqual({ freed: freed(freedAmount), sources }),
  );

  it("gives back more credit if the money is used up", () => {
    const { next } = after(billOf({ own: 600, lots: 400, netted: 0 }), 600, "card");
    expect(shareOf(next, 300, "balance").sources).toEqual([credit(P2, 300)]);
    expect(refundableOf(next)).toMatchObject({ toCard: 0, toBalance: 400 });
  });

  it("frees no credit twice while a refund is pending", () => {
    const { next, refund } = after(billOf({ own: 1000, lots: 0, netted: 500 }), 600, "card", true);
    expect(refund.freed).toEqual(freed(300));
    expect(shareOf(next, 400, "card").freed).toEqual(freed(200));
  });

  it("frees less if changes have credited a part", () => {
    const bill = billOf({ own: 1000, lots: 0, netted: 500 });
    const moved = { creditedLineId: "iln_1", amount: 450, netted: false, sources: [{ ...P1, amount: 450 }] };
    expect(shareOf({ ...bill, back: { ...bill.back, credits: [moved] } }, 1000, "card").freed).toEqual(freed(50));
  });

  it("of credit from a lost charge gives back the money alone", () => {
    const bill = billOf({ own: 600, lots: 400, netted: 0 });
    const lost = { ...bill, back: { ...bill.back, lost: new Set(["pay_2"]) } };
    expect(shareOf(lost, 500, "balance").sources).toEqual([own(500)]);
  });
});

describe("parts of a refund", () => {
  const anyBill = fc
    .record({ own: fc.nat(3000), lots: fc.nat(3000), netted: fc.nat(3000), granted: fc.nat(500) })
    .filter(({ own: money, lots, granted }) => money + lots + granted > 0);
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

  it("to the balance come to the same as one refund, in any order and size", () => {
    fc.assert(
      fc.property(anyBill, cuts, fc.double({ min: 0, max: 1, noNaN: true }), (amounts, shares, part) => {
        const bill = billOf(amounts);
        const whole = Math.floor(refundableOf(bill).toBalance * part);
        const once = after(bill, whole, "balance").refund;
        const at = [0, ...shares.map((share) => Math.floor(whole * share)).toSorted((a, b) => a - b), whole];
        const sizes = at
          .slice(1)
          .map((end, n) => end - at[n]!)
          .filter((size) => size > 0);
        for (const order of [sizes, sizes.toReversed()]) {
          let now = bill;
          for (const size of order) now = after(now, size, "balance").next;
          const all = now.back.refunds.flatMap(({ sources }) => sources);
          expect(totalOfParts(now.back.refunds.flatMap((refund) => refund.freed))).toBe(totalOfParts(once.freed));
          for (const source of [P2, P3, GRANTED])
            expect(amountFrom(all, source)).toBe(amountFrom(once.sources, source));
        }
      }),
    );
  });

  it("to the card and to the balance, some of them pending, give back all in the end and never more", () => {
    const step = fc.tuple(
      fc.constantFrom<RefundTarget>("card", "balance"),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(anyBill, fc.array(step, { maxLength: 8 }), (amounts, steps) => {
        let now = billOf(amounts);
        const rest = (to: RefundTarget) => (to === "card" ? refundableOf(now).toCard : refundableOf(now).toBalance);
        const give = (to: RefundTarget, amount: number, isPending: boolean) => {
          if (amount > 0) now = after(now, amount, to, isPending && to === "card").next;
        };
        for (const [to, share, isPending] of steps) give(to, Math.floor(rest(to) * share), isPending);
        give("balance", rest("balance"), false);
        const { refunds } = now.back;
        expect(refundableOf(now)).toMatchObject({ toCard: 0, toBalance: 0 });
        expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(amounts.own + amounts.lots + amounts.granted);
        expect(totalOfParts(refunds.flatMap((refund) => refund.freed))).toBe(amounts.netted);
        const returned = refunds.flatMap(({ sources }) => sources.filter((part) => !part.own));
        expect([amountFrom(returned, P2), amountFrom(returned, GRANTED)]).toEqual([amounts.lots, amounts.granted]);
      }),
    );
  });
});
