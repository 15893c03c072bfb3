import { expect, test } from "vitest";
import { EVENT_TYPES, type EventType } from "../../../domain/event.ts";
import { dayText } from "./days.ts";

const day = (...types: [EventType, number][]) =>
  dayText({ types, total: types.reduce((all, [, count]) => all + count, 0) });

test.each<[string, [EventType, number][]]>([
  ["1 void invoice", [["invoice.voided", 1]]],
  [
    "1 new invoice, 2 unpaid invoices",
    [
      ["invoice.created", 1],
      ["invoice.payment_failed", 2],
    ],
  ],
  ["3 renewals", [["subscription.renewed", 3]]],
  [
    "1 new Customer, 2 renewals · 7 events",
    [
      ["subscription.renewed", 2],
      ["customer.created", 1],
      ["invoice.created", 4],
    ],
  ],
])("a day reads: %s", (text, types) => {
  expect(day(...types)).toBe(text);
});

test.each(EVENT_TYPES)("a day that has only %s names the number and the kind of its events", (type) => {
  expect(day([type, 1])).toMatch(/^1 [a-zA-Z -]+$/);
  expect(day([type, 2])).toMatch(/^2 [a-zA-Z -]+s$/);
});
