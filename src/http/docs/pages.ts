import { html, raw } from "hono/html";
import { ERRORS, type ErrorCode } from "../../errors.ts";
import type { Surface } from "../surfaces.ts";
import { readDocument, titleOf, type Entry, type Library } from "./library.ts";
import { renderMarkdown, type Heading } from "./markdown.ts";
import { linkFrom, prose, textPage, type Html } from "./shell.ts";

/** Folders without a page of their own that lists their documents. */
export const FOLDERS = [
  { folder: "guides", title: "Guides" },
  { folder: "architecture", title: "Architecture in detail" },
  { folder: "decisions", title: "Decisions" },
] as const;

/** The guides in the order in which they are read. A guide that is not listed here comes last, for contributors. */
const GUIDES = [
  {
    title: "Start here",
    files: [
      "quickstart-express",
      "quickstart-fastify",
      "quickstart-next",
      "quickstart-python",
      "quickstart-curl",
      "own-products",
      "testing",
    ],
  },
  { title: "Build and sell", files: ["receive-webhooks", "license-a-program", "troubleshooting", "going-live"] },
];

/** The guides by section, the contributors' own section last. */
function guideSections(library: Library): { title: string; entries: Entry[] }[] {
  const all = library.inFolder("guides");
  const nameOf = ({ file }: Entry) => file.replace(/^guides\/|\.md$/g, "");
  const listed = GUIDES.map(({ title, files }) => ({
    title,
    entries: files.flatMap((name) => all.filter((entry) => nameOf(entry) === name)),
  }));
  const known = new Set(listed.flatMap(({ entries }) => entries));
  return [...listed, { title: "For contributors", entries: all.filter((entry) => !known.has(entry)) }];
}

/** A shorter list needs no contents. */
const FEWEST_HEADINGS = 4;

function list(from: string, entries: readonly Entry[]): Html {
  const item = (entry: Entry) => {
    const current = entry.path === from ? raw(' aria-current="page"') : "";
    return html`<li><a href="${linkFrom(from, entry.path)}"${current}>${titleOf(entry)}</a></li>\n`;
  };
  return html`<ul>${entries.map(item)}</ul>`;
}

function contents(headings: readonly Heading[]): Html | "" {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < FEWEST_HEADINGS) return "";
  return html`<details class="contents"><summary>On this page</summary>
<ul>${sections.map(({ text, anchor }) => html`<li><a href="#${anchor}">${text}</a></li>\n`)}</ul></details>`;
}

/** The folder whose documents stand beside a document: its own folder, or the folder that the document lists. */
function folderBeside({ file }: Entry): string {
  if (file === "api.md") return "api-guide";
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : file.replace(/\.md$/, "");
}

/** The guide to read after another one. The quickstarts are alternatives, so they lead to the guide behind them. */
function guideAfter(library: Library, entry: Entry): Entry | undefined {
  const guides = guideSections(library)
    .slice(0, -1)
    .flatMap(({ entries }) => entries);
  const at = guides.indexOf(entry);
  return at < 0 ? undefined : guides.slice(at + 1).find(({ file }) => !file.includes("/quickstart-"));
}

/** The address of a server that was started as the README says. */
const EXAMPLE = "http://127.0.0.1:4000";
/** These guides speak of other machines than the one that serves the page. */
const ELSEWHERE = new Set(["guides/going-live.md"]);

/** A guide with the address of the server that serves it, so that its commands work as they are copied. */
const withOrigin = (text: string, { file }: Entry, origin: string): string =>
  file.startsWith("guides/") && !ELSEWHERE.has(file) ? text.replaceAll(EXAMPLE, origin) : text;

export function renderDocument(library: Library, entry: Entry, origin: string): string {
  const text = withOrigin(readDocument(entry).toString(), entry, origin);
  const { html: rendered, headings } = renderMarkdown(text, (href) => library.resolve(entry, href));
  const end = rendered.indexOf("</h1>") + "</h1>".length;
  const folder = folderBeside(entry);
  const beside =
    folder === "guides" ? guideSections(library).flatMap(({ entries }) => entries) : library.inFolder(folder);
  const aside =
    beside.length === 0
      ? ""
      : html`<aside><nav aria-label="Pages of this section">${list(entry.path, beside)}</nav></aside>`;
  const next = guideAfter(library, entry);
  const onward = next && html`<p>Next page: <a href="${linkFrom(entry.path, next.path)}">${titleOf(next)}</a></p>`;
  const content = html`${raw(rendered.slice(0, end))}${contents(headings)}${raw(rendered.slice(end))}${onward ?? ""}`;
  return textPage({ path: entry.path, title: headings[0]?.text ?? entry.file, content, aside });
}

export function renderFolder(library: Library, { folder, title }: (typeof FOLDERS)[number]): string {
  const path = `/docs/${folder}`;
  const section = (each: { title: string; entries: Entry[] }) => html`<h2>${each.title}</h2>
${list(path, each.entries)}`;
  const content = html`<h1>${title}</h1>
${folder === "guides" ? guideSections(library).map(section) : list(path, library.inFolder(folder))}`;
  return textPage({ path, title, content });
}

/** The documents with a place of their own on the first page. The others are for contributors. */
const SHOWN = new Set(["/docs/api", "/docs/events", "/docs/rules", "/docs/operating"]);

/** The first page of the documentation: integrators first, contributors last. */
export function renderStart(library: Library, surfaces: readonly Surface[]): string {
  const path = "/docs";
  const reference = ({ name, title, description, basePaths }: Surface) => html`<li>
<a href="${linkFrom(path, `/docs/reference/${name}`)}">${title}</a>: ${prose(description)}
At ${basePaths.map((base) => html`<code>${base}</code> `)}·
<a href="${linkFrom(path, `${basePaths[0]}/openapi.json`)}">OpenAPI 3.1<span class="skip"> of the ${title}</span></a>
</li>`;
  const sections = guideSections(library);
  const contributors = sections.pop()!;
  const link = (to: string, text: string) => html`<li><a href="${linkFrom(path, to)}">${text}</a></li>\n`;
  const rest = library.inFolder(".").filter((entry) => !SHOWN.has(entry.path));
  const content = html`<h1>Billow</h1>
${sections.map(({ title, entries }) => html`<h2>${title}</h2>\n${list(path, entries)}\n`)}
<h2>API</h2>
<ul>${link("/docs/api", "API guide")}${surfaces.map(reference)}
${link("/docs/client", "Client for JavaScript and TypeScript")}
${link("/docs/client/python", "Client for Python")}
${link("/docs/events", "Events")}${link("/docs/errors", "Errors")}${link("/docs/rules", "Billing rules")}</ul>
<h2>Operate</h2>
<ul>${link("/docs/operating", "Running Billow")}</ul>
<h2>For contributors</h2>
<ul>${[...contributors.entries, ...rest].map((entry) => link(entry.path, titleOf(entry)))}
${FOLDERS.slice(1).map(({ folder, title }) => link(`/docs/${folder}`, title))}</ul>`;
  return textPage({ path, title: "Billow", content });
}

/** The HTML page with every error code. Each code has the anchor that the `type` of its problem names. */
export function renderErrors(): string {
  const path = "/docs/errors";
  const codes = Object.entries(ERRORS) as [ErrorCode, (typeof ERRORS)[ErrorCode]][];
  const content = html`<h1>Errors</h1>
<p>The <code>code</code> of a problem is stable. Its <code>detail</code> describes the single case. After a 401, stop
using that key. Send the same request again only after a 5xx, a 429 or <code>idempotency_in_progress</code>.
<a href="${linkFrom(path, "/docs/api/errors")}">More about errors</a></p>
<div class="stacked"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th>
<th scope="col">Next step</th></tr></thead>
<tbody>${codes.map(
    ([code, [status, title, advice]]) =>
      html`<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td>
<td>${title}</td><td>${prose(advice)}</td></tr>`,
  )}</tbody>
</table></div>`;
  return textPage({ path, title: "Errors", content });
}
