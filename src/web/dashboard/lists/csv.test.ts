import { expect, test } from "vitest";
import { csvCell, csvLine } from "./csv.ts";

test.each([
  ["Ada", "Ada"],
  [null, ""],
  ["", ""],
  [7, "7"],
  ["-5.00", "-5.00"],
  ["Smith, Ada", '"Smith, Ada"'],
  ['the "one"', '"the ""one"""'],
  ["two\r\nlines", '"two\r\nlines"'],
  ["=1+1", "'=1+1"],
  ['=HYPERLINK("http://x", "y")', '"\'=HYPERLINK(""http://x"", ""y"")"'],
  ["+49 30 1234", "'+49 30 1234"],
  ["-1+1", "'-1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["＝1+1", "'＝1+1"],
  ["a=b", "a=b"],
])("%j is written as %j", (value, cell) => expect(csvCell(value)).toBe(cell));

test("a line ends with CR and LF", () => expect(csvLine(["a", null, 1])).toBe("a,,1\r\n"));
