import { html, raw } from "hono/html";
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

export function renderDocument(library: Library, entry: Entry): string {
  const { html: rendered, headings } = renderMarkdown(readDocument(entry).toString(), (href) =>
    library.resolve(entry, href),
  );
  const end = rendered.indexOf("</h1>") + "</h1>".length;
  const beside = library.inFolder(folderBeside(entry));
  const aside =
    beside.length === 0
      ? ""
      : html`<aside><nav aria-label="Pages of this section">${list(entry.path, beside)}</nav></aside>`;
  const content = html`${raw(rendered.slice(0, end))}${contents(headings)}${raw(rendered.slice(end))}`;
  return textPage({ path: entry.path, title: headings[0]?.text ?? entry.file, content, aside });
}

export function renderFolder(library: Library, { folder, title }: (typeof FOLDERS)[number]): string {
  const path = `/docs/${folder}`;
  const content = html`<h1>${title}</h1>
${list(path, library.inFolder(folder))}`;
  return textPage({ path, title, content });
}

/** The first page of the documentation. */
export function renderStart(library: Library, surfaces: readonly Surface[]): string {
  const path = "/docs";
  const reference = ({ name, title, description, basePaths }: Surface) => html`<li>
<a href="${linkFrom(path, `/docs/reference/${name}`)}">${title}</a>: ${prose(description)}
At ${basePaths.map((base) => html`<code>${base}</code> `)}·
<a href="${linkFrom(path, `${basePaths[0]}/openapi.json`)}">OpenAPI 3.1<span class="skip"> of the ${title}</span></a>
</li>`;
  const content = html`<h1>Billow</h1>
<h2>Reference</h2>
<ul>${surfaces.map(reference)}</ul>
<h2>Guides</h2>
${list(path, library.inFolder("guides"))}
<h2>In depth</h2>
${list(path, library.inFolder("."))}
<ul>
<li><a href="docs/errors">Errors</a></li>
${FOLDERS.slice(1).map(({ folder, title }) => html`<li><a href="docs/${folder}">${title}</a></li>`)}
</ul>`;
  return textPage({ path, title: "Billow", content });
}
