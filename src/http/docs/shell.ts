import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";

export type Html = ReturnType<typeof html>;

/** The colours of the hosted pages. */
const TOKENS = readFileSync(new URL("../../web/static/tokens.css", import.meta.url), "utf8");
const STYLE = `${TOKENS}
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0; overflow-wrap: anywhere; }
body { background: var(--surface); color: var(--ink); }
header.site { border-bottom: 1px solid var(--line); padding: .6rem 1.25rem; }
header.site nav, header.site ul { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
header.site ul { margin: 0; padding: 0; list-style: none; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 0; background: var(--surface); padding: .6rem 1.25rem; }
.columns { max-width: 82rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
main { min-width: 0; max-width: 60rem; }
main > :is(p, ul, ol) { max-width: 48rem; }
aside { border-top: 1px solid var(--line); margin-top: 3rem; font-size: .9375rem; }
aside ul { padding-left: 0; list-style: none; }
aside li { margin: .35rem 0; }
a { color: var(--accent-text); }
a[aria-current] { font-weight: 600; }
h1 { font-size: 1.8rem; line-height: 1.2; margin-top: 0; }
h2 { margin-top: 2.5rem; }
h1, h2, h3 { text-wrap: balance; }
:target { scroll-margin-top: 1rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; background: var(--wash); }
code { padding: .1em .3em; border-radius: 4px; }
pre { padding: 1rem .75rem; border-radius: 8px; overflow-x: auto; overflow-wrap: normal; font-size: .8rem; }
pre code { background: none; padding: 0; font-size: 1em; }
img { max-width: 100%; height: auto; background: #fff; }
.code { position: relative; margin: 1em 0; }
.code pre { margin: 0; }
.copy { margin-top: .4rem; }
.copy { display: flex; flex-direction: row-reverse; align-items: center; gap: .5rem; font-size: .8125rem; }
.copy button { font: inherit; padding: .2rem .6rem; border: 1px solid var(--line); border-radius: 6px; }
.copy button { background: var(--surface); color: var(--ink); cursor: pointer; }
.wide { overflow-x: auto; overflow-wrap: break-word; margin: .75rem 0; }
table { width: 100%; border-collapse: collapse; margin: .75rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
.wide :is(th, td) { min-width: 7rem; }
tr:target { background: var(--wash); }
summary { cursor: pointer; }
.contents { padding: .75rem 1rem; background: var(--wash); border-radius: 8px; }
@media (min-width: 64rem) {
  .columns:has(aside) { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; }
  aside { order: -1; border: 0; margin: 0; }
  .copy { position: absolute; top: .4rem; right: .4rem; margin: 0; }
  .copy span:not(:empty) { background: var(--surface); padding: .2rem .4rem; border-radius: 6px; }
}
@media (max-width: 40rem) {
  .stacked :is(table, tbody, tr, td) { display: block; }
  .stacked thead { display: none; }
  .stacked tr { border-top: 1px solid var(--line); padding: .4rem 0; }
  .stacked td { border: 0; padding: .1rem 0; }
}
`;

const NONE = ["default-src", "frame-ancestors", "base-uri", "form-action"].map((what) => `${what} 'none'`);

/** The source of a text that stands in the page itself. */
export const inlineSource = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

/** The policy of a page that loads nothing, with the given exceptions. */
export function pageHeaders(...exceptions: string[]): Record<string, string> {
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": [...NONE, ...exceptions].join("; "),
  };
}

/** The script that the hosted pages load for their license keys. Here it stands in the page. */
const COPY = readFileSync(new URL("../../web/static/copy.js", import.meta.url), "utf8");

/** The pages may have this one style sheet, this one script and our own images, and no other resource. */
export const PAGE_HEADERS = pageHeaders(
  `script-src ${inlineSource(COPY)}`,
  `style-src ${inlineSource(STYLE)}`,
  "img-src 'self'",
);

/**
 * The relative link from one path to another. PUBLIC_ORIGIN may lead to a directory of a site, and a visitor may come
 * by another name of the server. Relative links hold in both cases.
 */
export function linkFrom(from: string, to: string): string {
  return `${"../".repeat(from.split("/").length - 2)}${to.slice(1)}`;
}

const SECTIONS = [
  ["Documentation", "/docs"],
  ["Guides", "/docs/guides"],
  ["API", "/docs/api"],
  ["Reference", "/docs/reference/public"],
  ["Events", "/docs/events"],
  ["Errors", "/docs/errors"],
  ["Rules", "/docs/rules"],
  ["Operation", "/docs/operating"],
] as const;

function isWithin(path: string, section: string): boolean {
  const folder = section === "/docs" ? section : section.replace(/\/public$/, "");
  return path === section || (folder !== "/docs" && path.startsWith(`${folder}/`));
}

/** The links to the sections of the documentation. */
export function siteHeader(path: string, more: Html | "" = ""): Html {
  const item = ([name, to]: (typeof SECTIONS)[number]) => {
    const current = isWithin(path, to) ? raw(` aria-current="${path === to ? "page" : "true"}"`) : "";
    return html`<li><a href="${linkFrom(path, to)}"${current}>${name}</a></li>`;
  };
  const sections = html`<ul>${SECTIONS.map(item)}</ul>`;
  return html`<header class="site"><nav aria-label="Documentation">${sections}${more}</nav></header>`;
}

/** The sign of Billow in the tab of a browser. */
export const ICON_PATH = "/docs/icon.svg";

export function htmlPage(path: string, title: string, style: string, body: Html): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${linkFrom(path, ICON_PATH)}">
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`);
}

export type TextPage = { path: string; title: string; content: Html; aside?: Html | "" };

/** A page of text in the look of the documentation. */
export function textPage({ path, title, content, aside = "" }: TextPage): string {
  const body = html`<a class="skip" href="#content">Skip to the text</a>
${siteHeader(path)}
<div class="columns">
<main id="content">
${content}
</main>
${aside}
</div>
<script type="module">${raw(COPY)}</script>`;
  return htmlPage(path, title === "Billow" ? title : `${title} · Billow`, STYLE, body);
}

/** Plain text, except code in backticks. */
export function prose(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
