import { expect, test } from "vitest";
import { DAY, instant } from "../calendar.ts";
import { AGES, beginsOfAges, receivablesBy } from "./receivables.ts";

const NOW = instant(1_800_000_000_000);
/** As the store counts: the number of begins that are not after the creation. */
const beginsFor = (age: number) => beginsOfAges(NOW).filter((begin) => begin <= NOW - age).length;

test.each([
  [0, 0],
  [30 * DAY, 0],
  [31 * DAY - 1, 0],
  [31 * DAY, 1],
  [61 * DAY - 1, 1],
  [61 * DAY, 2],
  [91 * DAY - 1, 2],
  [91 * DAY, 3],
  [5000 * DAY, 3],
])("an invoice of %d milliseconds has the age number %d", (age, wanted) => {
  const [usd] = receivablesBy([{ currency: "usd", begins: beginsFor(age), amount: 7, invoices: 1 }]);
  expect(usd!.ages.map(({ amount }) => amount)).toEqual(AGES.map((_, n) => (n === wanted ? 7 : 0)));
});

test("the ages are those that accountants use, and each currency has a sum of its own", () => {
  expect(AGES).toEqual([
    { from: 0, until: 30 },
    { from: 31, until: 60 },
    { from: 61, until: 90 },
    { from: 91, until: null },
  ]);
  const counted = [
    { currency: "usd", begins: 3, amount: 100, invoices: 2 },
    { currency: "eur", begins: 3, amount: 5, invoices: 1 },
    { currency: "usd", begins: 0, amount: 30, invoices: 1 },
  ];
  expect(receivablesBy(counted)).toMatchObject([
    { currency: "eur", amount: 5, invoices: 1 },
    { currency: "usd", amount: 130, invoices: 3 },
  ]);
  expect(receivablesBy([])).toEqual([]);
});
