import { html } from "hono/html";
import { AppError } from "../../errors.ts";
import { didYouMean, nearest } from "../../suggestion.ts";
import type { Edition } from "./edition.ts";
import { PAGE_HEADERS, textPage } from "./shell.ts";

const MOST_NAMED = 3;
/** The folders for contributors. */
const INNER = ["/docs/decisions/", "/docs/architecture/"];
/** In UTF-16 units. A longer path is no typing error. */
const LONGEST = 200;

const lastOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/**
 * The pages that a reader may have meant by a path below `/docs`: the pages of this folder, or else
 * pages with a similar last part, those of the same folder first. Three at most, or an empty list.
 */
export function pagesLike(given: string, pages: readonly string[]): string[] {
  if (given.length > LONGEST) return [];
  const path = given.replace(/\/+$/, "").replace(/\.(md|html?)$/, "");
  // A reader from outside does not look for a decision. A few letters resemble some word of a long title there.
  const meant = pages.filter((page) => INNER.every((inner) => !page.startsWith(inner) || path.startsWith(inner)));
  const names = nearest(lastOf(path), new Set(meant.map(lastOf)));
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const near = names.flatMap((name) => meant.filter((page) => lastOf(page) === name));
  const below = pages.filter((page) => page.startsWith(`${path}/`));
  const found = below.length > 0 ? below : near;
  return found
    .toSorted((one, other) => Number(other.startsWith(folder)) - Number(one.startsWith(folder)))
    .slice(0, MOST_NAMED);
}

/** 404 for a path below `/docs`, with the titles of pages that may have been meant: a page for a browser, or a problem. */
export function answerUnknown(
  edition: Edition,
  path: string,
  pages: ReadonlyMap<string, string>,
  isBrowser: boolean,
): Response {
  const near = pagesLike(path, [...pages.keys()]);
  if (!isBrowser) throw new AppError("not_found", { detail: `There is no such page.${didYouMean(near)}` });
  const link = (to: string) => html`<li><a href="${edition.link(path, to)}">${pages.get(to)}</a></li>\n`;
  const content = html`<h1>There is no such page</h1>
${near.length === 0 ? "" : html`<p>Did you mean one of these pages?</p>\n<ul>${near.map(link)}</ul>`}
<p><a href="${edition.link(path, "/docs")}">All pages of the documentation</a></p>`;
  return new Response(textPage(edition, { path, title: "There is no such page", content }), {
    status: 404,
    headers: PAGE_HEADERS,
  });
}
