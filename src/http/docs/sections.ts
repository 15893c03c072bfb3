import { hash } from "node:crypto";
import GithubSlugger from "github-slugger";
import { Marked, type Token, type Tokens } from "marked";
import { ERRORS } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { openApi } from "../openapi.ts";
import type { Edition } from "./edition.ts";
import { wordsOf } from "./markdown.ts";
import { ERRORS_PATH, positionOf, referencePath } from "./tree.ts";

/** A target of the search: a heading of a page with the text below it. `href`: as seen from a page below `/docs`. */
export type Section = { href: string; group: string; title: string; heading: string; text: string };

/** Pages below `/docs/` see the index where the search looks for it. */
const BESIDE = "/docs/search.json";

/** The words of a block: of a table its cells, of a list its items. */
function textOfToken(token: Token): string {
  if (token.type === "html" || token.type === "space") return "";
  if (token.type === "code") return String((token as Tokens.Code).text);
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((row) => row.map((cell) => wordsOf(cell.tokens))).join(" ");
  }
  if (token.type === "list") return (token as Tokens.List).items.map((item) => wordsOf(item.tokens)).join(" ");
  return wordsOf([token as Tokens.Generic]);
}

/** The sections of a document by its headings. The first one has the text under the title. */
function sectionsOf(markdown: string): { heading: string; anchor: string; text: string }[] {
  const slugger = new GithubSlugger();
  const sections: { heading: string; anchor: string; text: string }[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === "heading") {
      const heading = wordsOf((token as Tokens.Heading).tokens);
      sections.push({ heading, anchor: slugger.slug(heading), text: "" });
    } else {
      const section = sections.at(-1);
      if (section) section.text = `${section.text} ${textOfToken(token)}`.replaceAll(/\s+/g, " ").trim();
    }
  }
  return sections;
}

/** The operations of a reference, with the addresses that openapi-explorer gives them. */
function operationsOf(edition: Edition): Section[] {
  return edition.surfaces.flatMap((surface) => {
    const page = edition.link(BESIDE, referencePath(surface));
    return Object.entries(openApi(surface, edition.origin).paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        if (typeof operation !== "object" || !("summary" in operation)) return [];
        const { summary, description } = operation as { summary: string; description?: string };
        return {
          href: `${page}#?route=${method}-${path.replaceAll(/[{}]/g, "-")}`,
          group: "Reference",
          title: surface.title,
          heading: `${summary.replaceAll("`", "")} (${method.toUpperCase()} ${path})`,
          text: description ?? "",
        };
      }),
    );
  });
}

function errorsOf({ link }: Edition): Section[] {
  return Object.entries(ERRORS).map(([code, [status, title, advice]]) => ({
    href: link(BESIDE, `${ERRORS_PATH}#${code}`),
    group: "Errors",
    title: "Errors",
    heading: code,
    text: `${status} ${title} ${advice}`,
  }));
}

/**
 * All targets of the search. Lexing all documents takes a quarter of a second, so `rest` is awaited after each one: the
 * server answers other requests meanwhile.
 */
export async function allSections(edition: Edition, rest: () => Promise<void>): Promise<Section[]> {
  const { library, tree, link } = edition;
  const found: Section[] = [...operationsOf(edition), ...errorsOf(edition)];
  for (const { file, path, title } of library.documents) {
    await rest();
    const group = positionOf(tree, path).group?.title ?? "";
    for (const [at, { heading, anchor, text }] of sectionsOf(library.read(file).toString()).entries())
      found.push({
        href: link(BESIDE, at === 0 ? path : `${path}#${anchor}`),
        group,
        title,
        heading: at === 0 ? "" : heading,
        text,
      });
  }
  return found;
}

/** The path of the index. Its name follows from the documents and the version, without the work of making the index. */
export function searchPathOf({ library }: Pick<Edition, "library">): string {
  const all = library.documents.map(({ file }) => library.read(file)).join("\0");
  return `/docs/search-${hash("sha256", VERSION + all).slice(0, 16)}.json`;
}
