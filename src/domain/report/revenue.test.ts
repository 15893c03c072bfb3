import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { LEDGER_ACCOUNTS, revenueRows, type Booked } from "./revenue.ts";

const booked = (kind: Booked["kind"], debit: Booked["debit"], credit: Booked["credit"], amount: number): Booked => ({
  bucket: 0,
  currency: "usd",
  kind,
  debit,
  credit,
  amount,
});

describe("the report of revenue", () => {
  test.each<[string, Booked[], object]>([
    [
      "an invoice with tax that waits for its payment",
      [booked("invoice_issued", "receivable", "revenue", 119), booked("invoice_issued", "revenue", "tax", 19)],
      { invoiced: 119, tax: 19, net: 100, voided: 0, credited: 0 },
    ],
    [
      "an invoice of a downgrade, in the Customer's favour",
      [booked("invoice_issued", "revenue", "balance", 119), booked("invoice_issued", "tax", "revenue", 19)],
      { invoiced: -119, tax: -19, net: -100 },
    ],
    [
      "a void invoice",
      [booked("invoice_voided", "revenue", "receivable", 119), booked("invoice_voided", "tax", "revenue", 19)],
      { invoiced: 0, voided: 119, tax: -19, net: -100 },
    ],
    [
      "a refund to the card",
      [booked("refund", "revenue", "provider", 119), booked("refund", "tax", "revenue", 19)],
      { credited: 119, tax: -19, net: -100 },
    ],
    ["a lost dispute", [booked("dispute_lost", "dispute_lost", "disputed", 50)], { disputesLost: 50, net: 0 }],
    ["credit that was given up", [booked("balance_written_off", "balance", "written_off", 7)], { writtenOff: -7 }],
    ["a gift to the balance", [booked("balance_adjusted", "adjustment", "balance", 5)], { adjusted: 5, net: 0 }],
  ])("has %s", (_, given, wanted) => {
    expect(revenueRows(given)).toEqual([expect.objectContaining(wanted)]);
  });

  test("has a row for each month and currency, in their order", () => {
    const at = (bucket: number, currency: string) => ({
      ...booked("refund", "revenue", "provider", 1),
      bucket,
      currency,
    });
    const rows = revenueRows([at(10, "usd"), at(2, "usd"), at(2, "eur")]);
    expect(rows.map(({ bucket, currency }) => [bucket, currency])).toEqual([
      [2, "eur"],
      [2, "usd"],
      [10, "usd"],
    ]);
    expect(revenueRows([])).toEqual([]);
  });

  test("moves as much out of accounts as into them, and splits the revenue without a rest", () => {
    const account = fc.constantFrom(...LEDGER_ACCOUNTS);
    const kind = fc.constantFrom("invoice_issued" as const, "invoice_voided" as const, "refund" as const);
    const any = fc
      .record({ kind, debit: account, credit: account, amount: fc.integer({ min: 1, max: 1e9 }) })
      .filter(({ debit, credit }) => debit !== credit);
    // Only these kinds move the revenue, and only in a sale or in its tax.
    const isReal = ({ debit, credit }: { debit: string; credit: string }) =>
      [debit, credit].includes("revenue") || ![debit, credit].includes("tax");
    fc.assert(
      fc.property(fc.array(any.filter(isReal), { minLength: 1 }), (given) => {
        const [row] = revenueRows(given.map((each) => ({ bucket: 0, currency: "usd", ...each })));
        expect(Object.values(row!.accounts).reduce((sum, amount) => sum + amount, 0)).toBe(0);
        expect(row!.invoiced - row!.voided - row!.credited - row!.tax).toBe(row!.net);
      }),
    );
  });
});
