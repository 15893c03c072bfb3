import GithubSlugger from "github-slugger";
import { Marked, type RendererObject, type Tokens } from "marked";

export type Heading = { depth: number; text: string; anchor: string };
export type Rendered = { html: string; headings: Heading[] };
/** The target of a link as served, or null if the target is not served. */
export type Resolve = (href: string) => string | null;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

/** The words of a heading without marks: its code, links and emphasis as plain text. */
function wordsOf(tokens: Tokens.Generic[]): string {
  return tokens.map((token) => (token.tokens ? wordsOf(token.tokens) : String(token["text"] ?? ""))).join("");
}

/** copy.js shows the button where a browser lets a page copy. */
const copyButton = (text: string) =>
  `<div class="copy"><button type="button" data-copy="${escape(text)}" data-copied="Copied" ` +
  `aria-label="Copy this code" hidden>Copy</button><span role="status"></span></div>`;

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
    // A keyboard can scroll a block only if the block takes the focus.
    code: ({ text }) =>
      `<div class="code"><pre tabindex="0"><code>${escape(text)}</code></pre>${copyButton(text)}</div>\n`,
    // The documents hold no HTML but comments for tests.
    html: () => "",
  };
}

/** A document of this project as HTML, with the anchors that code hosts give to its headings. */
export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  const headings: Heading[] = [];
  const marked = new Marked({ async: false, renderer: rendererOf(resolve, headings) });
  const html = (marked.parse(markdown) as string)
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  return { html, headings };
}
