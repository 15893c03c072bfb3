import { expect, test } from "vitest";
import type { Organization } from "../../domain/model/organization.ts";
import { readLimit, writtenLimit } from "./refund-limit.ts";

test.each([
  ["", "usd", null],
  [" 50 ", "usd", 5000],
  ["50.5", "usd", 5050],
  ["50,25", "eur", 5025],
  ["0.01", "usd", 1],
  ["5000", "jpy", 5000],
  ["1.234", "kwd", 1234],
])("%j in %s", (typed, currency, limit) => {
  expect(readLimit(typed, currency)).toEqual({ limit });
  const organization = { supportRefundLimit: limit, defaultCurrency: currency } as Organization;
  expect(readLimit(writtenLimit(organization), currency)).toEqual({ limit });
});

test.each([
  ["x", "usd"],
  ["-5", "usd"],
  ["$5", "usd"],
  ["1.234", "usd"],
  ["5.0", "jpy"],
  ["0", "usd"],
  ["0.00", "usd"],
  ["999999999999", "usd"],
  ["1e3", "usd"],
])("%j in %s is refused", (typed, currency) => expect(readLimit(typed, currency)).toHaveProperty("fault"));

test.each([
  ["1.234", "usd", "An amount in USD has at most 2 decimals."],
  ["5.0", "jpy", "An amount in JPY has no decimals."],
])("the fault of %j in %s names the decimals", (typed, currency, fault) =>
  expect(readLimit(typed, currency)).toEqual({ fault }),
);
