import { html, raw } from "hono/html";
import type { Surface } from "../surfaces.ts";
import { ASSETS } from "./assets.ts";
import { openApiPath, type Edition } from "./edition.ts";
import { renderOverview } from "./overview.ts";
import { HTML_TYPE, htmlPage, type Html } from "./shell.ts";
import { referencePath } from "./tree.ts";

/**
 * The style elements of openapi-explorer 2.4.820, with the light and the dark colours. They depend on the colours of
 * reference.css. The browser reports the hash of a refused element, so the test of the page names a new one.
 */
const EXPLORER_STYLES = [
  "ocL14FFBaUtNYa0SRfx210T0gdskEidC3UARy4W0q5k=",
  "Lgo4+iuE4VyjW/8PvYA7hTrrroh93IXc32xwaTxvbBU=",
];

const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "script-src 'self'",
  `style-src 'self' ${EXPLORER_STYLES.map((each) => `'sha256-${each}'`).join(" ")}`,
  // Its templates carry style attributes, which no hash can list. Such an attribute can't load or run anything here.
  "style-src-attr 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self'",
];
const STATIC_POLICY = [...POLICY, "form-action 'none'"].join("; ");

export const REFERENCE_HEADERS = {
  "Content-Type": HTML_TYPE,
  "Content-Security-Policy": [...POLICY, "frame-ancestors 'none'", "form-action 'self'"].join("; "),
};

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

/** The address of a server that was started as the README says. */
const OWN_SERVER = "http://127.0.0.1:4000";

/**
 * The field for the key of a sandbox. The key stays in the memory of the page, and reference.js refuses a live key. A
 * static site can't call a server: no API but the license API answers pages of other origins.
 */
function tryIt({ isStatic }: Edition, surface: Surface): Html | "" {
  const own = `${OWN_SERVER}${referencePath(surface)}`;
  if (isStatic)
    return html`<p class="try">Try it: the same page of your own server sends requests to your sandbox, such as
<a href="${own}">${own}</a>.</p>`;
  if (surface.scope === null) return "";
  return html`<div class="try" hidden><label for="key">Try it with a key of a sandbox</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="blw_test_…"
aria-describedby="key-state">
<p id="key-state" role="status">The key stays in this page until you leave it.</p></div>`;
}

export function renderReference(edition: Edition, surface: Surface): string {
  const { surfaces, isStatic, link } = edition;
  const path = referencePath(surface);
  const openApi = link(path, openApiPath(surface));
  const shown = link(path, referenceDocumentPath(surface));
  const item = (each: Surface) => {
    const current = each === surface ? raw(' aria-current="page"') : "";
    return html`<li><a href="${link(path, referencePath(each))}"${current}>${each.name}</a></li>\n`;
  };
  // openapi-explorer brings the landmark for the text.
  const body = html`<div id="content" class="page">
<nav class="head" aria-label="References"><h1>${surface.title}</h1>
<ul>${surfaces.map(item)}
<li><a href="${openApi}" download="${surface.name}.openapi.json">Download OpenAPI</a></li>
<li><button id="search" type="button" hidden>Find an operation</button></li></ul>
${tryIt(edition, surface)}</nav>
<noscript><p>The reference needs JavaScript. Without it, read the <a href="${openApi}">OpenAPI document</a> and the
<a href="${link(path, "/docs")}">guides</a>.</p></noscript>
<openapi-explorer spec-url="${shown}" data-path="${surface.basePaths[0]}"
data-base="${isStatic ? "" : link(path, surface.basePaths[0]!)}" tree
hide-authentication hide-server-selection fetch-credentials="omit"${isStatic ? raw(" hide-console") : ""}>
${renderOverview(edition, surface)}
</openapi-explorer>
</div>`;
  return htmlPage(edition, {
    path,
    title: `${surface.title} · Billow`,
    body,
    styles: [ASSETS.referenceStyle().path],
    scripts: [ASSETS.explorer().path, ASSETS.referenceScript().path],
    staticPolicy: STATIC_POLICY,
    bodyClass: "reference",
  });
}
