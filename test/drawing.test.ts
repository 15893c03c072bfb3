import { expect, test } from "vitest";
import { codeOf, readSources } from "./support/source.ts";

const indentOf = (line: string) => line.search(/\S/);
/** The end of the parameters, after which the body follows: `): Promise<void> {`. */
const isHead = (line: string) => /^\s*[)}\]].*(\{|=>)$/.test(line);

/** The numbers of the lines at which a template begins within an async function. The code is formatted. */
function asyncTemplates(text: string): number[] {
  const lines = codeOf(text).split("\n");
  const found = lines.flatMap((first, n) => {
    if (!/\basync\b/.test(first)) return [];
    const isBehind = (line: string) => line.trim() !== "" && indentOf(line) <= indentOf(first) && !isHead(line);
    const end = lines.findIndex((line, m) => m > n && isBehind(line));
    const body = lines.slice(n, end === -1 ? undefined : end);
    return body.flatMap((line, m) => (line.includes("html`") ? [n + m + 1] : []));
  });
  return [...new Set(found)];
}

test("no async function of src/web draws: a page reads its rows first, and draws synchronously", () => {
  const pages = readSources().filter(({ path }) => path.startsWith("src/web/") && path.endsWith(".ts"));
  expect(pages.filter(({ text }) => text.includes("html`")).length).toBeGreaterThan(100);
  const wrong = pages.flatMap(({ path, text }) => asyncTemplates(text).map((line) => `${path}:${line}`));
  expect(wrong).toEqual([]);
});

test.each([
  ["async function a() {\n  const b = await c();\n  return html`<p>${b}</p>`;\n}", [3]],
  ["async function a(\n  b: B,\n): Promise<{ c: Html }> {\n  return { c: html`<p>` };\n}", [4]],
  ['app.get(\n  "/a",\n  async (c) => c.html(html`<p>`),\n);', [3]],
  ["app.get(path, async (c) => {\n  const a = await b();\n  return c.html(page(a));\n});\n\nhtml`<p>`;", []],
  ["const a = {\n  load: async () => b(),\n  page() {\n    return html`<p>`;\n  },\n};", []],
  ["// async\nfunction a() {\n  return html`<p>`;\n}", []],
])("the rule finds the faults that it is for, in %j", (text, lines) => expect(asyncTemplates(text)).toEqual(lines));
