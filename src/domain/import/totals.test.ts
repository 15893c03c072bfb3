import { expect, test } from "vitest";
import type { UpcomingInvoice } from "./foreign.ts";
import { TOTAL_CAUSES, totalCauses, type OwnInvoice, type TotalCause } from "./totals.ts";

const THERE: UpcomingInvoice = { currency: "usd", subtotal: 2000, discount: 500, tax: 285, total: 1785 };
const HERE: OwnInvoice = { subtotal: 2000, discount: 500, tax: 285, total: 1785 };

const ROWS: [name: string, theirs: UpcomingInvoice | null, ours: OwnInvoice | null, causes: TotalCause[]][] = [
  ["no difference", THERE, HERE, []],
  ["the same total with other parts", THERE, { ...HERE, discount: 0, tax: 0, subtotal: 1785 }, []],
  ["no invoice on either side", null, null, []],
  ["no invoice here", THERE, null, ["no_invoice"]],
  ["no invoice there", null, HERE, ["no_invoice"]],
  ["another price", THERE, { ...HERE, subtotal: 2100, total: 1885 }, ["price"]],
  ["no discount here", THERE, { ...HERE, discount: 0, tax: 380, total: 2380 }, ["discount", "tax"]],
  ["no tax here", THERE, { ...HERE, tax: 0, total: 1500 }, ["tax"]],
  ["a cent of the discount", THERE, { ...HERE, discount: 501, total: 1784 }, ["rounding"]],
  ["a cent of both", THERE, { ...HERE, discount: 501, tax: 284, total: 1783 }, ["rounding"]],
  ["tax within the price here", THERE, { ...HERE, total: 1500 }, ["tax"]],
];

test.each(ROWS)("the causes of %s", (_, theirs, ours, causes) => {
  expect(totalCauses(theirs, ours)).toEqual(causes);
});

test("the table has each cause", () => {
  expect(new Set(ROWS.flatMap(([, , , causes]) => causes))).toEqual(new Set(TOTAL_CAUSES));
});
