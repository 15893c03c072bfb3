import { readFileSync } from "node:fs";
import GithubSlugger from "github-slugger";
import { Marked, type RendererObject, type Token, type Tokens } from "marked";
import { codeBlock, codeTabs, escape } from "./code.ts";

export type Heading = { depth: number; text: string; anchor: string };
export type Rendered = { html: string; headings: Heading[] };
/** The target of a link as the page writes it, or null if the target is not served. */
export type Resolve = (href: string) => string | null;

/** The comment in front of code blocks that say the same in several languages. */
const TABS = "<!-- tabs -->";

/** Diagrams as SVG by their Mermaid text, written by `npm run gen`. */
const DIAGRAMS = new URL("dist/diagrams.json", import.meta.url);
let diagrams: Readonly<Record<string, string>> | undefined;

/** The words of a text without marks: its code, links and emphasis as plain text. */
export function wordsOf(tokens: readonly Tokens.Generic[]): string {
  return tokens.map((token) => (token.tokens ? wordsOf(token.tokens) : String(token["text"] ?? ""))).join("");
}

/** A diagram in a frame that scrolls, or its text if `npm run gen` has not drawn the text yet. */
function diagram(text: string): string {
  diagrams ??= JSON.parse(readFileSync(DIAGRAMS, "utf8")) as Readonly<Record<string, string>>;
  const svg = diagrams[text];
  return svg === undefined ? codeBlock(text, "mermaid") : `<figure class="diagram" tabindex="0">${svg}</figure>\n`;
}

function rendererOf(resolve: Resolve, headings: Heading[]): RendererObject {
  const slugger = new GithubSlugger();
  return {
    heading({ tokens, depth }) {
      const text = wordsOf(tokens);
      const anchor = slugger.slug(text);
      headings.push({ depth, text, anchor });
      return `<h${depth} id="${escape(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const [target, text] = [resolve(href), this.parser.parseInline(tokens)];
      return target === null ? text : `<a href="${escape(target)}">${text}</a>`;
    },
    image({ href, text }) {
      const target = resolve(href);
      return target === null ? escape(text) : `<img src="${escape(target)}" alt="${escape(text)}">`;
    },
    code: ({ text, lang = "" }) => (lang === "mermaid" ? diagram(text) : codeBlock(text, lang)),
    // The documents hold no HTML but comments for tests and for tabs.
    html: () => "",
  };
}

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === "code";
/** Comments for tests may stand between the blocks of a choice. */
const isBetween = (token: Token | undefined) => token?.type === "space" || token?.type === "html";

/** The tokens with each choice of languages as one token of HTML, in the place of its blocks. */
function withTabs(tokens: readonly Token[]): { token: Token; html: string | null }[] {
  const parts: { token: Token; html: string | null }[] = [];
  let choices = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.type !== "html" || token.raw.trim() !== TABS) {
      parts.push({ token, html: null });
      continue;
    }
    const blocks: Tokens.Code[] = [];
    for (let next = at + 1; isCode(tokens[next]) || isBetween(tokens[next]); next++) {
      const each = tokens[next];
      if (!isCode(each)) continue;
      if (blocks.some(({ lang }) => lang === each.lang)) break;
      blocks.push(each);
      at = next;
    }
    const shown = blocks.map(({ text, lang = "" }) => ({ text, language: lang }));
    parts.push({ token, html: codeTabs(shown, (choices += 1)) });
  }
  return parts;
}

/** A document of this project as HTML, with the anchors that code hosts give to its headings. */
export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  const headings: Heading[] = [];
  const marked = new Marked({ async: false, renderer: rendererOf(resolve, headings) });
  const html = withTabs(marked.lexer(markdown))
    .map(({ token, html: made }) => made ?? marked.parser([token]))
    .join("")
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  return { html, headings };
}
