import { expect, test } from "vitest";
import { readSources } from "./support/source.ts";

const sources = readSources();
const textOf = (path: string) => sources.find((source) => source.path === path)?.text;

/** The files of a table row, each with the functions that the row names in front of the file. */
function namedIn(row: string): { path: string; names: string[] }[] {
  const found: { path: string; names: string[] }[] = [];
  let names: string[] = [];
  for (const [, quoted] of row.matchAll(/`([^`]+)`/g)) {
    if (/^\w+$/.test(quoted!)) names.push(quoted!);
    if (!quoted!.endsWith(".ts")) continue;
    found.push({ path: quoted!.startsWith("src/") ? quoted! : `src/domain/${quoted!}`, names });
    names = [];
  }
  return found;
}

test("each function of the table of rules is declared in its file", () => {
  const table = textOf("docs/architecture/rules-in-code.md")!;
  const answers = table.split("\n").flatMap((line) => /^\| [^|]*\? *\|(.*)\|$/.exec(line)?.[1] ?? []);
  expect(answers.length).toBeGreaterThan(65);
  const wrong = answers.flatMap((answer) => {
    const named = namedIn(answer);
    if (named.length === 0) return [`no file: ${answer.trim()}`];
    return named.flatMap(({ path, names }) => {
      const text = textOf(path);
      if (text === undefined) return [`no such file: ${path}`];
      const declares = (name: string) => new RegExp(`\\b(function|const|class) ${name}\\b`).test(text);
      return names.filter((name) => !declares(name)).map((name) => `${path} declares no ${name}`);
    });
  });
  expect(wrong).toEqual([]);
});

test("the index of the decisions names each decision once", () => {
  const index = textOf("docs/decisions/README.md")!;
  const files = sources.flatMap(({ path }) => /^docs\/decisions\/(\d{4}-.*\.md)$/.exec(path)?.[1] ?? []).sort();
  expect(files.length).toBeGreaterThan(70);
  const listed = [...index.matchAll(/^- \[(\d{4})\]\(([^)]+)\)/gm)];
  expect(listed.map(([, , file]) => file).sort()).toEqual(files);
  expect(listed.filter(([, number, file]) => !file!.startsWith(`${number!}-`)).map(([line]) => line)).toEqual([]);
  const last = Number(files.at(-1)!.slice(0, 4));
  const numbers = Array.from({ length: last }, (_, n) => String(n + 1).padStart(4, "0"));
  const unused = numbers.filter((number) => !files.some((file) => file.startsWith(number)));
  expect(index.slice(index.indexOf("## Unused numbers")).match(/\b\d{4}\b/g)).toEqual(unused);
});
