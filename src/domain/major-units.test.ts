import { expect, test } from "vitest";
import { majorUnits } from "./major-units.ts";

test.each([
  [2371, "usd", "23.71"],
  [-2371, "usd", "-23.71"],
  [0, "usd", "0.00"],
  [5, "eur", "0.05"],
  [4900, "jpy", "4900"],
  [-1, "kwd", "-0.001"],
  [999_999_999_999, "clf", "99999999.9999"],
])("%i %s is %s", (amount, currency, written) => expect(majorUnits(amount, currency)).toBe(written));
