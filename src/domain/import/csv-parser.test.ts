import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvParser, CsvSyntaxError, LONGEST_CELL, type CsvRecord } from "./csv-parser.ts";

function read(...texts: string[]): CsvRecord[] {
  const parser = new CsvParser();
  return [...texts.flatMap((text) => parser.push(text)), ...parser.end()];
}
const cellsOf = (...texts: string[]) => read(...texts).map(({ cells }) => cells);

describe("CSV", () => {
  test.each<[name: string, text: string, cells: string[][]]>([
    [
      "lines with CRLF",
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "lines with LF",
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "lines with CR",
      "a,b\r1,2\r",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "no end of the last line",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "an empty last cell",
      "a,b\n1,",
      [
        ["a", "b"],
        ["1", ""],
      ],
    ],
    [
      "semicolons",
      "a;b\n1,50;2",
      [
        ["a", "b"],
        ["1,50", "2"],
      ],
    ],
    [
      "tabs",
      "a\tb\n1;5\t2,0",
      [
        ["a", "b"],
        ["1;5", "2,0"],
      ],
    ],
    ["one column", "a\n1\n2", [["a"], ["1"], ["2"]]],
    ["one column with a comma below", "a\n1,2", [["a"], ["1", "2"]]],
    [
      "a separator in quotes",
      'a,b\n"1,2",3',
      [
        ["a", "b"],
        ["1,2", "3"],
      ],
    ],
    [
      "a quoted name with another separator",
      '"a;b",c\n1,2',
      [
        ["a;b", "c"],
        ["1", "2"],
      ],
    ],
    [
      "a line break in quotes",
      'a,b\n"1\r\n2",3',
      [
        ["a", "b"],
        ["1\r\n2", "3"],
      ],
    ],
    ["two quotes for one", 'a\n"say ""hi"""', [["a"], ['say "hi"']]],
    [
      "an empty cell in quotes",
      'a,b\n"",1',
      [
        ["a", "b"],
        ["", "1"],
      ],
    ],
    [
      "blank lines and lines of separators",
      "a,b\n\n1,2\n,\n\r\n ,\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "an astral letter",
      "a,b\n𝒜,é",
      [
        ["a", "b"],
        ["𝒜", "é"],
      ],
    ],
    ["an empty file", "", []],
  ])("%s", (_, text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
    expect(cellsOf(...text)).toEqual(cells);
  });

  test("has the line on which each record begins", () => {
    expect(read('a,b\n"1\n2",3\n\n4,5').map(({ line }) => line)).toEqual([1, 2, 5]);
    expect(read('a\r\n"1\r\n2"\r\n3').map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  test.each<[name: string, text: string, line: number]>([
    ["a quote that is never closed", 'a,b\n1,2\n"3,4\n5,6', 3],
    ["a text behind a closing quote", 'a\n"1"2', 2],
    ["a quote in the middle of a cell", 'a\n1"2', 2],
    ["a very long cell", `a\n"${"x".repeat(LONGEST_CELL + 1)}"`, 2],
  ])("is refused with its line: %s", (_, text, line) => {
    expect(() => read(text)).toThrow(CsvSyntaxError);
    try {
      read(text);
    } catch (error) {
      expect(error).toMatchObject({ line });
    }
  });

  test("is read as another reader of CSV reads it, in pieces of any length", () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab ,;\t"\n\r1é') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, fc.constantFrom(",", ";"), fc.integer({ min: 1, max: 7 }), (rows, separator, size) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((cells) => cells.map(quoted).join(separator)).join("\r\n");
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        const expected = parse(text, { delimiter: separator, relax_column_count: true }) as string[][];
        const isBlank = (cells: string[]) => cells.every((each) => each.trim() === "");
        expect(cellsOf(...pieces)).toEqual(expected.filter((cells) => !isBlank(cells)));
      }),
    );
  });
});
