import { parse } from "csv-parse/sync";
import fc from "fast-check";
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
  ["\t=1", "\"'\t'=1\""],
  ["\r=1", "\"'\r'=1\""],
  ["\tx", '"\'\tx"'],
  [" =1", "' =1"],
  ["a;b", '"a;b"'],
  ["a\tb", '"a\tb"'],
  ["a;=1+1", '"a;\'=1+1"'],
  ["a; -1+1", '"a;\' -1+1"'],
  ['a;"=1+1"', '"a;\'""=1+1"""'],
  ["a\n@SUM(A1)", '"a\n\'@SUM(A1)"'],
  ["a\t＋1", '"a\t\'＋1"'],
  ["a;-5", '"a;\'-5"'],
  ["a,=1", '"a,=1"'],
  ["＝1+1", "'＝1+1"],
  ["a=b", "a=b"],
])("%j is written as %j", (value, cell) => expect(csvCell(value)).toBe(cell));

test("a line ends with CR and LF", () => expect(csvLine(["a", null, 1])).toBe("a,,1\r\n"));

const cells = fc.array(fc.string({ unit: fc.constantFrom(..."ab1=+-@＝\"',; \t\r\n"), maxLength: 12 }), {
  minLength: 1,
  maxLength: 5,
});

test("a reader of commas reads every cell again, with apostrophes added alone", () => {
  fc.assert(
    fc.property(cells, (texts) => {
      const [read] = parse(csvLine(["id", ...texts]), { record_delimiter: "\r\n" });
      expect(read).toHaveLength(texts.length + 1);
      for (const [n, text] of texts.entries()) expect(read![n + 1]!.replaceAll("'", "")).toBe(text.replaceAll("'", ""));
    }),
  );
});

test("neither a reader of commas nor one of semicolons or tabs finds a formula at the beginning of a field", () => {
  const isFormula = (field: string) => /^[\s"]*[=+\-@＝＋－＠]/.test(field) && !/^-?\d+(\.\d+)?$/.test(field);
  fc.assert(
    fc.property(cells, (texts) => {
      const line = csvLine(["id", ...texts]);
      expect(parse(line).flat().filter(isFormula)).toEqual([]);
      // Spreadsheets do not see the quotes in the middle of a field.
      for (const delimiter of [";", "\t"]) {
        const rows = parse(line, { delimiter, quote: false, relax_column_count: true, record_delimiter: ["\n", "\r"] });
        expect([delimiter, rows.flat().filter(isFormula)]).toEqual([delimiter, []]);
      }
    }),
  );
});
