import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";
import type { Surface } from "../surfaces.ts";
import { renderOverview } from "./overview.ts";
import { htmlPage, inlineSource, linkFrom, pageHeaders, siteHeader } from "./shell.ts";

const STYLE = readFileSync(new URL("reference.css", import.meta.url), "utf8");
const EXPLORER = new URL("dist/openapi-explorer.min.js", import.meta.url);

/** The page has the only search on a narrow screen, where openapi-explorer shows no navigation. */
const SCRIPT = `
const explorer = document.querySelector("openapi-explorer");
const search = document.querySelector("#search");
search.addEventListener("click", () => explorer.onShowSearchModalClicked());
explorer.addEventListener("spec-loaded", () => { search.hidden = false; });
`;

/**
 * The style elements of openapi-explorer 2.4.820, with the light and the dark colours. They depend on the colours of
 * reference.css. The browser reports the hash of a refused element, so the test of the page names a new one.
 */
const EXPLORER_STYLES = [
  "ocL14FFBaUtNYa0SRfx210T0gdskEidC3UARy4W0q5k=",
  "Lgo4+iuE4VyjW/8PvYA7hTrrroh93IXc32xwaTxvbBU=",
];

export const REFERENCE_HEADERS = pageHeaders(
  `script-src 'self' ${inlineSource(SCRIPT)}`,
  `style-src ${[STYLE].map(inlineSource).join(" ")} ${EXPLORER_STYLES.map((each) => `'sha256-${each}'`).join(" ")}`,
  // Its templates carry style attributes, which no hash can list. Such an attribute can't load or run anything here.
  "style-src-attr 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self'",
);

export type Script = { path: string; bytes: Buffer<ArrayBuffer> };

let explorer: Script | undefined;

/** The path contains a hash of the bytes, so a browser may keep the file for good. */
export function explorerScript(): Script {
  if (explorer) return explorer;
  const bytes = readFileSync(EXPLORER);
  return (explorer = { path: `/docs/reference/${hash("sha256", bytes).slice(0, 16)}.js`, bytes });
}

export const referencePath = ({ name }: Surface) => `/docs/reference/${name}`;

/** The OpenAPI document that the page reads. */
export const referenceDocumentPath = (surface: Surface) => `${referencePath(surface)}.json`;

/** The longest pattern that a reader understands. The patterns of ids are shorter, those of texts fill three lines. */
const LONGEST_PATTERN = 60;

/**
 * The document for the page of the reference:
 *
 * - without an `allOf` beside `properties`. openapi-explorer 2.4.820 shows only the `allOf` of such a schema: the
 *   conditions among the fields of a body, in place of the fields.
 * - without long patterns, which `description` and `format` say in words.
 * - without backticks in a `summary`, since the navigation shows them as they are.
 */
export function readableDocument(document: object): string {
  return JSON.stringify(document, (key, value: unknown) => {
    if (typeof value === "string") {
      if (key === "pattern" && value.length > LONGEST_PATTERN) return undefined;
      return key === "summary" ? value.replaceAll("`", "") : value;
    }
    if (typeof value !== "object" || value === null || !("properties" in value && "allOf" in value)) return value;
    const { allOf: _conditions, ...shown } = value;
    return shown;
  });
}

export function renderReference(surface: Surface, surfaces: readonly Surface[], publicOrigin: string): string {
  const path = referencePath(surface);
  const openApi = linkFrom(path, `${surface.basePaths[0]}/openapi.json`);
  const shown = linkFrom(path, referenceDocumentPath(surface));
  const item = (each: Surface) => {
    const current = each === surface ? raw(' aria-current="page"') : "";
    return html`<li><a href="${linkFrom(path, referencePath(each))}"${current}>${each.name}</a></li>\n`;
  };
  const more = html`<h1>${surface.title}</h1>
<ul>${surfaces.map(item)}<li><button id="search" type="button" hidden>Search</button></li></ul>`;
  const body = html`${siteHeader(path, more)}
<noscript><p>The reference needs JavaScript. Without it, read the <a href="${openApi}">OpenAPI document</a> and the
<a href="${linkFrom(path, "/docs")}">guides</a>.</p></noscript>
<openapi-explorer spec-url="${shown}" tree hide-console hide-authentication
hide-server-selection>
${renderOverview(path, surface, publicOrigin)}
</openapi-explorer>
<script src="${linkFrom(path, explorerScript().path)}"></script>
<script>${raw(SCRIPT)}</script>`;
  return htmlPage(path, `${surface.title} · Billow`, STYLE, body);
}
