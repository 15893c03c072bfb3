import { expect, test } from "vitest";
import { commentsOf, readSources } from "./support/source.ts";

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

test("each layer of ARCHITECTURE.md, and each import of one, is a file or folder of src", () => {
  const [, layers] = /\n## Layers\n(.*?)\n## /s.exec(textOf("ARCHITECTURE.md")!)!;
  // The column of the tasks names words of the code.
  const text = layers!.replace(/^(\|[^|]*\|)[^|]*/gm, "$1");
  const names = [...new Set([...text.matchAll(/`([a-z][\w/.-]*)`/g)].map(([, name]) => name!))];
  expect(names.length).toBeGreaterThan(25);
  const isThere = (name: string) =>
    sources.some(({ path }) => [`src/${name}`, `src/${name}.ts`].includes(path) || path.startsWith(`src/${name}/`));
  expect(names.filter((name) => !isThere(name))).toEqual([]);
});

/** The lettered rules that no place in the code decides, with the reason. */
const UNDECIDED: Readonly<Record<string, string>> = {
  M5h: "the invoice keeps its row; the refusal of the provider is rule D9g",
  T1a: "the use of billing time is the usual case in every decision",
  C11a: "the order of the texts on a page",
  S7d: "an end at once records no scheduled cancellation",
  P11h: "the portal sends the request of rule P6",
  I5p: "a deletion leaves these rows as they are",
  I5q: "a deletion leaves the limits of a refund as they are",
  I10c: "these actions have no switch",
  I10d: "the API does not read the switches",
  D7i: "the fields of an answer",
  R4d: "a deletion leaves the movements as they are",
};
/** The rules that comments of `src` cite by themselves. A range such as "rules P1–P9" cites no rule. */
function citedRules(): ReadonlySet<string> {
  const comments = sources
    .filter(({ path }) => /^src\/.*\.(ts|js)$/.test(path) && !path.endsWith(".test.ts"))
    .flatMap(({ text }) => commentsOf(text));
  const lists = comments.flatMap((text) => [
    ...text.matchAll(/\brules? ([A-Z]\d+[a-z]?(?:(?:, and |, or |, | and | or | to |–)[A-Z]\d+[a-z]?)*)/g),
  ]);
  return new Set(lists.flatMap(([, list]) => list!.split(/, and |, or |, | and | or /)));
}

test("the code cites each rule, and the lettered ones by their letter", () => {
  const text = textOf("docs/rules.md")!;
  const rules = [...text.matchAll(/^ *- \*\*([A-Z]\d+[a-z]?)\*\* /gm)].map(([, rule]) => rule!);
  const cited = citedRules();
  const lettered = rules.filter((rule) => /[a-z]$/.test(rule));
  const isCited = (rule: string) =>
    cited.has(rule) || lettered.some((letter) => letter.slice(0, -1) === rule && cited.has(letter));
  expect(rules.length).toBeGreaterThan(350);
  expect(rules.filter((rule) => !/[a-z]$/.test(rule) && !isCited(rule))).toEqual([]);
  expect(Object.keys(UNDECIDED).filter((rule) => !lettered.includes(rule) || cited.has(rule))).toEqual([]);
  expect(lettered.filter((rule) => !(rule in UNDECIDED) && !cited.has(rule))).toEqual([]);
});
