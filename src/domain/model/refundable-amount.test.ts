import { describe, expect, test } from "vitest";
import { creditWith, invoiceWith, lineWith, refundWith } from "../../../test/support/customer-billing.ts";
import { GRANTED, paidBy, type LotPart } from "./credit-source.ts";
import { NOTHING_BACK, type Back } from "./invoice-returns.ts";
import type { Invoice, InvoiceLine } from "./invoice.ts";
import { refundableOf } from "./refundable-amount.ts";
import type { Refund } from "./refund.ts";

const CHARGED: Back = { ...NOTHING_BACK, paymentId: "pay_1" };
const lot = (amount: number, paymentId: string | null = "pay_0"): LotPart => ({
  ...(paymentId === null ? GRANTED : paidBy(paymentId)),
  creditedLineId: null,
  amount,
});
const toCard = (status: Refund["status"], amount: number, id = "rfd_1") =>
  refundWith({ id, to: "card", status, amount, settledAt: status === "pending" ? null : 0 } as Partial<Refund>);

/** The refundable amounts of an invoice with one line, which comes to the invoice's total. */
function left(invoice: Partial<Invoice>, back: Partial<Back> = {}, lines: readonly InvoiceLine[] = []) {
  const bill = invoiceWith(invoice);
  const own = lines.length > 0 ? lines : [lineWith({ amount: bill.totalAmount })];
  const { toCard: card, toBalance: balance } = refundableOf({
    invoice: bill,
    lines: own,
    back: { ...CHARGED, ...back },
  });
  return [card, balance];
}

describe("the amounts that may still be refunded (rules I3a, I3b)", () => {
  const partly = { balanceApplied: 300, balanceSources: [lot(300)] };

  test.each<[what: string, invoice: Partial<Invoice>, back: Partial<Back>, card: number, balance: number]>([
    ["all that was paid", {}, {}, 1000, 1000],
    ["the part of the balance goes to the balance alone", partly, {}, 700, 1000],
    ["not the debt that it collected", { amountDue: 1300, balanceApplied: -300 }, {}, 1000, 1000],
    ["zero of a free invoice", { totalAmount: 0 }, { paymentId: null }, 0, 0],
    ["a debt that it made counts as granted", { balanceApplied: 1000 }, { paymentId: null }, 0, 1000],
    ["money from outside goes to the balance", { paidOutside: true }, { paymentId: null }, 0, 1000],
    [
      "the rest after refunds",
      {},
      { refunds: [toCard("succeeded", 300), toCard("succeeded", 200, "rfd_2")] },
      500,
      500,
    ],
    [
      "not an amount that is on its way",
      {},
      { refunds: [toCard("pending", 300), toCard("unknown", 200, "rfd_2")] },
      500,
      500,
    ],
    ["the amount of a failed refund, too", {}, { refunds: [toCard("failed", 1000)] }, 1000, 1000],
    ["zero when all is given back", {}, { refunds: [toCard("succeeded", 1000)] }, 0, 0],
    ["refunds to the balance count as well", {}, { refunds: [refundWith({ amount: 400 })] }, 600, 600],
    [
      "a refund to the balance of credit leaves the money of the card",
      partly,
      { refunds: [refundWith({ amount: 300, sources: [{ ...lot(300), own: false }] })] },
      700,
      700,
    ],
    ["a part that came off the balance gives no sale back", {}, { refunds: [fromBalance()] }, 800, 800],
    ["less the amount that a bank took back", {}, { disputed: 600 }, 400, 400],
    ["a bank does not know of refunds to the balance", {}, { refunds: [refundWith()], disputed: 1000 }, 0, 0],
    ["a dispute leaves credit from elsewhere", partly, { disputed: 700 }, 0, 300],
    ["credit from a lost charge is worth 0", partly, { lost: new Set(["pay_0"]) }, 700, 700],
    ["granted credit is never lost", { ...partly, balanceSources: [lot(300, null)] }, { disputed: 700 }, 0, 300],
  ])("%s", (_, invoice, back, card, balance) => expect(left(invoice, back)).toEqual([card, balance]));

  /** A refund of 500 to the card; 300 came off the balance. */
  function fromBalance(): Refund {
    const lines = [{ invoiceLineId: "iln_1", amount: 200, taxAmount: 0 }];
    return refundWith({ to: "card", amount: 500, fromBalance: 300, taken: [lot(300, "pay_1")], lines });
  }

  test("the credit among its lines that is left, of an invoice that fed the balance", () => {
    const lines = [
      lineWith(),
      creditWith(5000, { invoiceId: "inv_1", sources: [{ ...paidBy("pay_0"), amount: 5000 }] }),
    ];
    const given = { balanceSources: [{ ...lot(-4000), creditedLineId: "iln_1" }] };
    expect(left({ totalAmount: -4000, balanceApplied: -4000, ...given }, { paymentId: null }, lines)).toEqual([
      0, 1000,
    ]);
  });

  test("held credit on it did not lower its price, and a debt that it collected beside is no part of it", () => {
    const held = { ...paidBy("pay_0"), amount: 5000 };
    const lines = [lineWith({ amount: 1500 }), creditWith(5000, { invoiceId: "inv_1", sources: [held] })];
    const invoice = {
      totalAmount: -3500,
      balanceBasis: { balance: -200, minimum: 50, held: 5000 },
      balanceSources: [lot(-5000)],
    };
    expect(left({ ...invoice, balanceApplied: -5000, amountPaid: 1500 }, {}, lines)).toEqual([1500, 1500]);
    expect(left({ ...invoice, balanceApplied: -5200, amountPaid: 1700 }, {}, lines)).toEqual([1500, 1500]);
  });

  test("less later credits of its lines; a credit on the invoice itself has already lowered its total", () => {
    const lines = [
      lineWith(),
      lineWith({ id: "iln_b", amount: 250 }),
      creditWith(250, { invoiceId: "inv_1", creditedLineId: "iln_b", sources: null }),
    ];
    const credits = [
      { creditedLineId: "iln_1", amount: 400, netted: false, sources: [{ ...paidBy("pay_1"), amount: 400 }] },
      { creditedLineId: "iln_b", amount: 250, netted: true, sources: [] },
    ];
    const one = [toCard("succeeded", 300)];
    expect(left({}, { credits }, lines)).toEqual([600, 600]);
    expect(left({}, { credits, refunds: one }, lines)).toEqual([300, 300]);
    expect(left({}, { credits, refunds: one, disputed: 100 }, lines)).toEqual([200, 200]);
    expect(left({}, { credits, refunds: one, disputed: 700 }, lines)).toEqual([0, 0]);
  });

  test("at most the sum that is left of the billed lines", () => {
    const credits = [{ creditedLineId: "iln_1", amount: 900, netted: false, sources: [{ ...GRANTED, amount: 900 }] }];
    expect(left({}, { credits })).toEqual([100, 100]);
  });
});
