import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { invoiceWith, lineWith } from "../../../test/support/customer-billing.ts";
import { evaluate } from "../../../test/support/arithmetic.ts";
import { at } from "../../../test/support/subscription.ts";
import { HOUR, instant } from "../../domain/calendar.ts";
import { settlementOf } from "../../domain/checkout/settlement.ts";
import { limitsWith } from "../../domain/model/charge-limits.ts";
import { explainInvoice } from "./invoice.ts";
import { totalsOf, type Invoice } from "../../domain/model/invoice.ts";

const KWD = limitsWith("kwd", 10);
const lineOf = (amount: number) => [{ amount, discountAmount: 0, taxAmount: 0, tax: null }];
const billed = (total: number, balance: number, limits = KWD, held = 0): Invoice =>
  invoiceWith({ currency: "kwd", ...totalsOf(lineOf(total), balance, limits, held) });
/** The invoice of a purchase that this credit pays for. */
function bought(total: number, available: number, limits = KWD): Invoice {
  const { balanceApplied, basis } = settlementOf(total, available, limits);
  const totals = { ...totalsOf(lineOf(total), 0, limits), balanceApplied, balanceBasis: basis };
  return invoiceWith({ currency: "kwd", reason: "checkout", ...totals, amountDue: total - balanceApplied });
}
const explainedOf = (invoice: Invoice) => {
  const { balance } = explainInvoice(invoice, [], "UTC");
  return { ...balance, text: balance.text.replaceAll("\u00a0", " ") };
};

describe("the explanation of a part of a period", () => {
  const start = at("2026-03-01");
  const textOf = (hoursLeft: number, hours: number) => {
    const periodEnd = instant(start + hours * HOUR);
    const span = { from: instant(periodEnd - hoursLeft * HOUR), periodStart: start, periodEnd };
    const line = lineWith({ basis: { kind: "debit", rate: 4800, ...span } });
    return explainInvoice(invoiceWith(), [line], "UTC").lines[0]!.amount.text.replaceAll("\u00a0", " ");
  };

  test.each([
    [20, 24, "20 hours of 24 hours"],
    [1, 24, "1 hour of 24 hours"],
    [19.92, 24, "19.92 hours of 24 hours"],
    [25, 47, "25 hours of 47 hours"],
    [24, 48, "1 day of 2 days"],
    [20, 720, "0.83 days of 30 days"],
  ])("%d of %d hours: the unit is chosen by the whole period", (left, whole, words) => {
    expect(textOf(left, whole)).toContain(`${words} were left.`);
  });
});

describe("the explanation of the part between two steps (rule M5)", () => {
  const left = (amount: string) =>
    `A card is charged in multiples of KWD 0.010. The rest, KWD ${amount}, stays on the balance as owed, and is paid ` +
    "with a later invoice.";

  test.each<[string, Invoice, string, string, string]>([
    ["without a balance", billed(1292, 0), "M5", "min(0, 1292) + 2", left("0.002")],
    ["with credit", billed(1292, 300), "M5", "min(300, 1292) + 2", `The balance had KWD 0.300. ${left("0.002")}`],
    [
      "with a debt",
      billed(1292, -3),
      "M5",
      "min(-3, 1292) + 5",
      `KWD 0.003 that was owed on the balance is added. ${left("0.005")}`,
    ],
    ["of a purchase", bought(1292, 5), "M5", "min(5, 1292) + 7", `The balance had KWD 0.005. ${left("0.007")}`],
  ])("%s", (_, invoice, rule, expression, text) => {
    expect(explainedOf(invoice)).toMatchObject({ rule, expression, text, inputs: { step: 10, minimum: 500 } });
  });

  test("beside held credit", () => {
    const { rule, expression, text } = explainedOf(billed(991, 0, KWD, 301));
    expect([rule, expression]).toEqual(["D7", "min(0, 1292) − 301 + 2"]);
    expect(text).toContain(left("0.002"));
  });
});

describe("the arithmetic of any explanation", () => {
  const amount = fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -4000, max: 4000 }));
  const limits = fc.constantFrom(1, 10, 100).map((step) => limitsWith("kwd", step));

  it("comes to the part that the balance settled", () => {
    fc.assert(
      fc.property(amount, amount, limits, fc.nat(700), (total, balance, given, held) => {
        const invoice = billed(total, balance, given, total + held > 0 ? held : 0);
        expect(evaluate(explainedOf(invoice).expression)).toBe(invoice.balanceApplied);
      }),
    );
  });

  it("comes to the part that the balance settled of a purchase", () => {
    fc.assert(
      fc.property(fc.nat(4000), fc.nat(4000), limits, (total, available, given) => {
        const invoice = bought(Math.max(total, given.least), available, given);
        expect(evaluate(explainedOf(invoice).expression)).toBe(invoice.balanceApplied);
      }),
    );
  });
});
