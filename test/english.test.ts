import { expect, test } from "vitest";
import { commentsOf, proseOf, readSources } from "./support/source.ts";

// STYLE.md, "English": a sentence begins with its subject. Clauses that begin with these words hide the subject.
const HIDING = /\b(what|whatever|who|whoever|whom|whose|nobody|nothing)\b/i;
/** So many of a hundred sentences may hold such a word: a few quote a title or a log line. */
const MOST = 1;

const sources = readSources();
const sentencesOf = (texts: readonly string[]) =>
  texts.flatMap((text) => text.split(/(?<=[.:;?!])\s+/)).filter((sentence) => sentence.split(" ").length > 2);
const read = (path: RegExp, textsOf: (text: string) => string[]) =>
  sources.filter((source) => path.test(source.path)).flatMap(({ text }) => sentencesOf(textsOf(text)));

/** The descriptions and summaries of an OpenAPI document, each once. */
function descriptionsOf(json: string): string[] {
  const found = new Set<string>();
  JSON.parse(json, (key, value: unknown) => {
    if ((key === "description" || key === "summary") && typeof value === "string") found.add(value);
    return value;
  });
  return [...found];
}

test.for<[string, number, string[]]>([
  ["comments", 5000, read(/\.ts$/, commentsOf)],
  ["documents", 3000, read(/\.md$/, proseOf)],
  ["descriptions of the APIs", 500, read(/^docs\/api\/.*\.json$/, descriptionsOf)],
])("the sentences of %s begin with their subject", ([, least, sentences]) => {
  expect(sentences.length).toBeGreaterThan(least);
  const hiding = sentences.filter((sentence) => HIDING.test(sentence));
  expect(hiding.length, hiding.join("\n")).toBeLessThan((sentences.length * MOST) / 100);
});
