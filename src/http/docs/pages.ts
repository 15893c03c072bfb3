import { html, raw } from "hono/html";
import { ERRORS, type ErrorCode } from "../../errors.ts";
import { openApiPath, type Edition } from "./edition.ts";
import type { Entry } from "./library.ts";
import { renderMarkdown, type Heading } from "./markdown.ts";
import { markdownPath, textOf } from "./plain.ts";
import { prose, textPage, type Html } from "./shell.ts";
import { ERRORS_PATH, referencePath, START, type Page } from "./tree.ts";

/** A shorter list needs no contents. */
const FEWEST_HEADINGS = 3;

/** The contents for narrow screens, above the text, and for wide screens, beside the text. */
function contentsOf(headings: readonly Heading[]): { above: Html | ""; beside: Html | "" } {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < FEWEST_HEADINGS) return { above: "", beside: "" };
  const list = html`<ul>${sections.map(({ text, anchor }) => html`<li><a href="#${anchor}">${text}</a></li>\n`)}</ul>`;
  return {
    above: html`<details class="contents"><summary>On this page</summary>\n${list}</details>`,
    beside: html`<aside class="contents"><nav aria-labelledby="contents"><h2 id="contents">On this page</h2>
${list}</nav></aside>`,
  };
}

/** The page as Markdown, for a reader's editor or model. docs.js shows the button that copies the text. */
function tools(edition: Edition, path: string): Html {
  return html`<p class="tools"><button type="button" data-copy-page hidden>Copy page</button>
<a href="${edition.link(path, markdownPath(path))}">View as Markdown</a> <span role="status"></span></p>`;
}

export function renderDocument(edition: Edition, entry: Entry): string {
  const { library, link } = edition;
  const { path, file } = entry;
  const resolve = (href: string) => {
    if (/^(https?:|#)/.test(href)) return href;
    const target = library.resolve(file, href);
    return target === null ? null : link(path, target);
  };
  const { html: rendered, headings } = renderMarkdown(textOf(edition, entry), resolve);
  const end = rendered.indexOf("</h1>") + "</h1>".length;
  const { above, beside } = contentsOf(headings);
  const content = html`${raw(rendered.slice(0, end))}
${tools(edition, path)}${above}${raw(rendered.slice(end))}`;
  return textPage(edition, { path, title: headings[0]?.text ?? file, content, contents: beside });
}

function pageList({ link }: Edition, pages: readonly Page[]): Html {
  return html`<ul>${pages.map(({ path, title }) => html`<li><a href="${link(START, path)}">${title}</a></li>\n`)}</ul>`;
}

/** The first page of the documentation: integrators first, contributors last. */
export function renderStart(edition: Edition): string {
  const { surfaces, tree, link } = edition;
  const reference = (surface: (typeof surfaces)[number]) => html`<li>
<a href="${link(START, referencePath(surface))}">${surface.title}</a>: ${prose(surface.description)}
At ${surface.basePaths.map((base) => html`<code>${base}</code> `)}·
<a href="${link(START, openApiPath(surface))}" download="${surface.name}.openapi.json">OpenAPI 3.1<span class="skip"> of
the ${surface.title}</span></a></li>`;
  const references = new Set(surfaces.map(referencePath));
  const section = ({ title, pages, isLong }: (typeof tree)[number]) => {
    const shown = pages.filter(({ path }) => path !== START && !references.has(path));
    const heading = html`<h2>${title}</h2>\n`;
    const documents = title === "API" ? html`<ul class="references">${surfaces.map(reference)}</ul>\n` : "";
    return html`<section>${heading}${documents}${pageList(edition, isLong ? shown.slice(0, 1) : shown)}</section>\n`;
  };
  const content = html`<h1>Billow</h1>
<p class="lead">Billing for your own products, on your own server: Checkout, Subscriptions, invoices, dunning, webhooks
and access. Start with a quickstart, then sell your own Products.</p>
<div class="groups">${tree.map(section)}</div>
<p>All pages as Markdown for programs: <a href="${link(START, "/docs/llms.txt")}">llms.txt</a></p>`;
  return textPage(edition, { path: START, title: "Billow", content });
}

/** The HTML page with every error code. Each code has the anchor that the `type` of its problem names. */
export function renderErrors(edition: Edition): string {
  const path = ERRORS_PATH;
  const codes = Object.entries(ERRORS) as [ErrorCode, (typeof ERRORS)[ErrorCode]][];
  const content = html`<h1>Errors</h1>
<p>The <code>code</code> of a problem is stable. Its <code>detail</code> describes the single case. After a 401, stop
using that key. Send the same request again only after a 5xx, a 429 or <code>idempotency_in_progress</code>.
<a href="${edition.link(path, "/docs/api/errors")}">More about errors</a></p>
<div class="stacked"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th>
<th scope="col">Next step</th></tr></thead>
<tbody>${codes.map(
    ([code, [status, title, advice]]) =>
      html`<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td>
<td>${title}</td><td>${prose(advice)}</td></tr>`,
  )}</tbody>
</table></div>`;
  return textPage(edition, { path, title: "Errors", content });
}
