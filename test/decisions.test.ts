import { expect, test } from "vitest";
import { readSources } from "./support/source.ts";

const RECORD = /^docs\/decisions\/((\d{4})-.*\.md)$/;
/** The numbers of the records that a part of a record's beginning names, such as "Changed by [0025](…)". */
const namedAfter = (head: string, word: string) =>
  head.split("\n\n").flatMap((paragraph) => {
    const from = paragraph.indexOf(`${word} [`);
    return from < 0 ? [] : [...paragraph.slice(from).matchAll(/\[(\d{4})\]\(/g)].map(([, number]) => number!);
  });

const sources = readSources();
const index = sources.find(({ path }) => path === "docs/decisions/README.md")!.text;
const records = sources
  .flatMap(({ path, text }) => {
    const [, file, number] = RECORD.exec(path) ?? [];
    if (file === undefined || number === undefined) return [];
    const [heading, ...rest] = text.split("\n");
    const [head = ""] = rest.join("\n").split("\n## ");
    return [{ file, number, heading, text, changes: namedAfter(head, "Changes"), by: namedAfter(head, "Changed by") }];
  })
  .sort((a, b) => a.file.localeCompare(b.file));

const listOf = (numbers: readonly string[]) => numbers.join(", ").replace(/, (\d+)$/, " and $1");
const statusOf = (by: readonly string[]) => (by.length === 0 ? "in force" : `changed by ${listOf(by)}`);

test("the index of the decisions has each record once, with its title and its status", () => {
  expect(records.length).toBeGreaterThan(90);
  const lines = index.split("\n").filter((line) => line.startsWith("- "));
  const expected = records.map(({ file, number, heading, by }) => {
    const title = heading!.replace(`# ${number}: `, "");
    return `- [${number}](${file}): ${title} (${statusOf(by)})`;
  });
  expect(lines.sort()).toEqual(expected);
});

test("a record that changes an earlier one is named at the top of the earlier one", () => {
  const changes = records.flatMap(({ number, changes: earlier }) =>
    earlier.map((changed) => [number, changed] as const),
  );
  expect(changes.length).toBeGreaterThan(5);
  const isNamed = ([later, earlier]: readonly [string, string]) =>
    records.find(({ number }) => number === earlier)!.by.includes(later);
  expect(changes.filter((change) => !isNamed(change))).toEqual([]);
});

test("a record is changed by later records only, and has its parts", () => {
  const faults = records.flatMap(({ file, number, text, by }) => [
    ...by.filter((later) => later <= number || !records.some((each) => each.number === later)),
    ...["\nAccepted, 20", "\n## Context\n", "\n## Decision\n", "\n## Rejected\n"]
      .filter((part) => !text.includes(part))
      .map((part) => `${file} lacks ${part.trim()}`),
  ]);
  expect(faults).toEqual([]);
});

test("the index names the unused numbers", () => {
  const last = Number(records.at(-1)!.number);
  const numbers = Array.from({ length: last }, (_, n) => String(n + 1).padStart(4, "0"));
  const unused = numbers.filter((number) => !records.some((record) => record.number === number));
  expect(index.slice(index.indexOf("## Unused numbers")).match(/\b\d{4}\b/g)).toEqual(unused);
});
