import { html, raw } from "hono/html";
import { VERSION } from "../../version.ts";
import { ASSETS, ICON_PATH } from "./assets.ts";
import type { Edition } from "./edition.ts";
import { positionOf, START, type Group, type Page } from "./tree.ts";

export type Html = ReturnType<typeof html>;

export const SEARCH_PATH = "/docs/search";

const FORBIDDEN = ["default-src 'none'", "base-uri 'none'"];
const OWN = ["script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"];

/** The policy of a page: files of the same server only. The one form leads to the search. */
export const PAGE_POLICY = [...FORBIDDEN, "frame-ancestors 'none'", "form-action 'self'", ...OWN].join("; ");
/** A page of a static site carries its policy in itself, where frame-ancestors has no effect. */
const STATIC_POLICY = [...FORBIDDEN, "form-action 'none'", ...OWN].join("; ");

export const HTML_TYPE = "text/html; charset=utf-8";
export const PAGE_HEADERS = { "Content-Type": HTML_TYPE, "Content-Security-Policy": PAGE_POLICY };

type Frame = {
  path: string;
  title: string;
  body: Html;
  /** Further style sheets and scripts by their paths. */
  styles?: readonly string[];
  scripts?: readonly string[];
  /** The policy in the page itself. */
  staticPolicy?: string;
  bodyClass?: string;
};

/** A page of the documentation with the header of all pages. */
export function htmlPage(edition: Edition, frame: Frame): string {
  const { path, title, body, styles = [], scripts = [], staticPolicy = STATIC_POLICY, bodyClass = "text" } = frame;
  const link = (to: string) => edition.link(path, to);
  const script = (to: string) => html`<script type="module" src="${link(to)}"></script>\n`;
  const policy = edition.isStatic
    ? html`<meta http-equiv="Content-Security-Policy" content="${raw(staticPolicy)}">\n`
    : "";
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${link(ICON_PATH)}">
${[ASSETS.style().path, ...styles].map((to) => html`<link rel="stylesheet" href="${link(to)}">\n`)}</head>
<body class="${bodyClass}">
<a class="skip" href="#content">Skip to the text</a>
${siteHeader(edition, path)}
${body}
${[ASSETS.script().path, ASSETS.searchScript().path, ...scripts].map(script)}</body>
</html>
`);
}

/** The search works without a script on a server. search.js shows its results while a reader types. */
function searchForm({ link, isStatic, searchPath }: Edition, path: string): Html {
  const hidden = isStatic ? raw(" hidden") : "";
  const action = isStatic ? "" : raw(` action="${link(path, SEARCH_PATH)}"`);
  return html`<form class="search" role="search"${action}${hidden} data-index="${link(path, searchPath)}"
data-library="${link(path, ASSETS.searchLibrary().path)}">
<input id="q" name="q" type="search" maxlength="100" placeholder="Search" aria-label="Search the documentation"
autocomplete="off" spellcheck="false"><kbd aria-hidden="true" hidden>/</kbd>
<div class="found" hidden></div>
</form>`;
}

function siteHeader(edition: Edition, path: string): Html {
  const current = path === START ? raw(' aria-current="page"') : "";
  return html`<header class="site">
<button class="menu" type="button" popovertarget="tree">Menu</button>
<a class="home" href="${edition.link(path, START)}"${current}><span class="sign" aria-hidden="true"></span>Billow
<span class="version">${VERSION}</span></a>
${searchForm(edition, path)}
</header>
${tree(edition, path)}`;
}

/** The pages in their groups. Each group is folded, but the group of the page. Narrow screens show the tree on top. */
function tree(edition: Edition, path: string): Html {
  const current = positionOf(edition.tree, path).group;
  const item = (page: Page) => {
    const mark = page.path === path ? raw(' aria-current="page"') : "";
    return html`<li><a href="${edition.link(path, page.path)}"${mark}>${page.title}</a></li>\n`;
  };
  const group = (each: Group) => {
    const open = each === current || (current === undefined && each.title === "Start");
    const pages = each.isLong && each !== current ? each.pages.slice(0, 1) : each.pages;
    return html`<details${open ? raw(" open") : ""}><summary>${each.title}</summary>
<ul>${pages.map(item)}</ul></details>\n`;
  };
  return html`<nav id="tree" popover aria-label="Documentation">
<button class="close" type="button" popovertarget="tree" popovertargetaction="hide">Close</button>
${edition.tree.map(group)}</nav>`;
}

export type TextPage = { path: string; title: string; content: Html; contents?: Html | "" };

/** A page of text: the tree at the left, the text, the contents of the page at the right. */
export function textPage(edition: Edition, { path, title, content, contents = "" }: TextPage): string {
  const { previous, next } = positionOf(edition.tree, path);
  const onward = (page: Page | undefined, relation: string, word: string) =>
    page &&
    html`<a rel="${relation}" class="${relation}" href="${edition.link(path, page.path)}"><span>${word}</span>
${page.title}</a>`;
  const steps =
    previous || next
      ? html`<nav class="steps" aria-label="Previous and next page">${onward(previous, "prev", "Previous") ?? ""}
${onward(next, "next", "Next") ?? ""}</nav>`
      : "";
  const body = html`<div class="columns">
<main id="content">
${content}
${steps}
</main>
${contents}
</div>`;
  return htmlPage(edition, { path, title: title === "Billow" ? title : `${title} · Billow`, body });
}

/** Plain text, except code in backticks. */
export function prose(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
