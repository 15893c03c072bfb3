import { createRequire } from "node:module";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

type Language = { name: string; grammar: string | null };

/** The languages of the documents by the word behind a fence, with the grammars of highlight.js. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  bash: { name: "Shell", grammar: "bash" },
  csv: { name: "CSV", grammar: null },
  http: { name: "HTTP", grammar: "http" },
  html: { name: "HTML", grammar: "xml" },
  ini: { name: "INI", grammar: "ini" },
  js: { name: "JavaScript", grammar: "javascript" },
  json: { name: "JSON", grammar: "json" },
  mermaid: { name: "Mermaid", grammar: null },
  python: { name: "Python", grammar: "python" },
  sh: { name: "Shell", grammar: "bash" },
  sql: { name: "SQL", grammar: "sql" },
  text: { name: "Text", grammar: null },
  ts: { name: "TypeScript", grammar: "typescript" },
  yaml: { name: "YAML", grammar: "yaml" },
};
const OTHER: Language = { name: "Text", grammar: null };

/** The used part of highlight.js. Its own types would bring the types of the DOM into the whole project. */
type Highlighter = {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(text: string, options: { language: string }): { value: string };
};

let highlighter: Highlighter | undefined;

/** The library and its grammars take 40 ms and 2 MB, so they wait for the first page with code. */
function load(): Highlighter {
  const require = createRequire(import.meta.url);
  const loaded = require("highlight.js/lib/core") as Highlighter;
  for (const grammar of new Set(Object.values(LANGUAGES).flatMap((each) => each.grammar ?? [])))
    loaded.registerLanguage(grammar, require(`highlight.js/lib/languages/${grammar}`));
  return loaded;
}

/** A text as HTML, with a class for each kind of word. A language without a grammar has no classes. */
export function highlight(text: string, language: string): string {
  const { grammar } = LANGUAGES[language] ?? OTHER;
  if (grammar === null) return escape(text);
  highlighter ??= load();
  return highlighter.highlight(text, { language: grammar }).value;
}

// docs.js shows the button where a browser lets a page copy. A keyboard can scroll a block only if the block takes
// the focus.
function block(text: string, language: string, attributes: string, title: string): string {
  return (
    `<div class="code"${attributes}><div class="bar"><span class="language">${title}</span>` +
    `<span role="status"></span><button type="button" aria-label="Copy this code" hidden>Copy</button></div>` +
    `<pre tabindex="0"><code>${highlight(text, language)}</code></pre></div>\n`
  );
}

export const codeBlock = (text: string, language: string) =>
  block(text, language, "", (LANGUAGES[language] ?? OTHER).name);

/** The names of tabs. A shell block among other languages calls the API by curl. */
const TABS: Readonly<Record<string, string>> = { js: "JavaScript", python: "Python", sh: "curl" };

/**
 * Blocks that say the same in several languages, as one block with a choice. The choice works without a script.
 * `number`: unique in the page.
 */
export function codeTabs(blocks: readonly { text: string; language: string }[], number: number): string {
  const name = `language-${number}`;
  const choice = ({ language }: { language: string }, at: number) =>
    `<input type="radio" name="${name}" id="${name}-${language}" value="${language}"${at === 0 ? " checked" : ""}>` +
    `<label for="${name}-${language}">${TABS[language] ?? (LANGUAGES[language] ?? OTHER).name}</label>`;
  const shown = ({ text, language }: { text: string; language: string }) =>
    block(text, language, ` data-language="${language}"`, TABS[language] ?? (LANGUAGES[language] ?? OTHER).name);
  return (
    `<fieldset class="tabs"><legend class="skip">Language</legend>${blocks.map(choice).join("")}\n` +
    `${blocks.map(shown).join("")}</fieldset>\n`
  );
}
