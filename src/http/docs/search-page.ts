import { html } from "hono/html";
import type { Edition } from "./edition.ts";
import type { Section } from "./sections.ts";
import { SEARCH_PATH, textPage } from "./shell.ts";

const MOST_FOUND = 30;
/** In UTF-16 units. A longer question takes time, and finds no section. */
const LONGEST = 100;
const MOST_WORDS = 8;
const EXCERPT = 160;

/** A section in lower case, so that a search does not convert a megabyte each time. */
export type Searchable = { section: Section; title: string; heading: string; text: string };

export const searchable = (sections: readonly Section[]): Searchable[] =>
  sections.map((section) => ({
    section,
    title: section.title.toLowerCase(),
    heading: section.heading.toLowerCase(),
    text: section.text.toLowerCase(),
  }));

/** The other groups count in full. search.js weighs them in the same way. */
const WEIGHTS: Readonly<Record<string, number>> = { Errors: 0.6, Reference: 0.8, Decisions: 0.4, Contribute: 0.4 };

/** Whether a word of the text begins with these letters. */
function begins(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  return false;
}

/** The sections with all words of the question, each as a beginning of a word. Title before heading before text. */
export function search(sections: readonly Searchable[], question: string): Section[] {
  const words = question.slice(0, LONGEST).toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const found = sections.flatMap(({ section, title, heading, text }) => {
    let score = 0;
    for (const word of words) {
      const ofWord = begins(title, word) ? (section.heading === "" ? 12 : 3) : 0;
      const ofHeading = begins(heading, word) ? 6 : 0;
      const ofText = ofWord + ofHeading > 0 || begins(text, word) ? 1 : 0;
      if (ofText === 0) return [];
      score += ofWord + ofHeading + ofText;
    }
    return { section, score: score * (WEIGHTS[section.group] ?? 1) };
  });
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ section }) => section);
}

function excerpt(text: string, question: string): string {
  const [first = ""] = question.toLowerCase().split(/\s+/).filter(Boolean);
  const at = Math.max(0, text.toLowerCase().indexOf(first) - EXCERPT / 3);
  const from = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  return `${from > 0 ? "… " : ""}${text.slice(from, from + EXCERPT)}${text.length > from + EXCERPT ? " …" : ""}`;
}

/** The results as a page, for a reader without a script. The links of a section start at a page below `/docs/`. */
export function renderSearch(edition: Edition, sections: readonly Searchable[], question: string): string {
  const found = search(sections, question);
  const item = ({ href, group, title, heading, text }: Section) => html`<li><a href="${href}">${title}${
    heading === "" ? "" : ` › ${heading}`
  }</a> <span class="group">${group}</span>
<p>${excerpt(text, question)}</p></li>\n`;
  const results =
    found.length > 0
      ? html`<ol class="results">${found.map(item)}</ol>`
      : html`<p>${question.trim() === "" ? "Type words into the field above." : "No page has all these words."}</p>`;
  const content = html`<h1>Search${question.trim() === "" ? "" : html`: ${question.slice(0, LONGEST)}`}</h1>
${results}`;
  return textPage(edition, { path: SEARCH_PATH, title: "Search", content });
}
