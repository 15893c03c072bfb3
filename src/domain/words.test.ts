import { expect, test } from "vitest";
import { counted, percent, periodInWords, valueInWords } from "./words.ts";

test.each([
  [counted(1, "period"), "1 period"],
  [counted(0, "period"), "0 periods"],
  [counted(2, "entry", "entries"), "2 entries"],
  [periodInWords({ interval: "month", intervalCount: 1 }), "month"],
  [periodInWords({ interval: "week", intervalCount: 5 }), "5 weeks"],
  [percent(1900), "19 %"],
  [percent(887), "8.87 %"],
  [valueInWords("refund_not_received"), "refund not received"],
])("%s", (words, expected) => expect(words).toBe(expected));
