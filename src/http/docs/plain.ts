import { openApiPath, type Edition } from "./edition.ts";
import type { Entry } from "./library.ts";
import { ERRORS_PATH, referencePath, START } from "./tree.ts";

/** The address of a server that was started as the README says. */
const EXAMPLE = "http://127.0.0.1:4000";
/** These guides speak of other machines than the one that serves the page. */
const ELSEWHERE = new Set(["guides/going-live.md"]);

/** A guide with the address of the server that serves it, so that its commands work as they are copied. */
export function textOf({ library, origin }: Edition, { file }: Entry): string {
  const text = library.read(file).toString();
  return file.startsWith("guides/") && !ELSEWHERE.has(file) ? text.replaceAll(EXAMPLE, origin) : text;
}

/** The Markdown of a page stands beside the page: `/docs/rules.md`. */
export const markdownPath = (path: string) => `${path}.md`;

/** A document as Markdown. Its links lead to Markdown and keep their anchors. A file that is not served has no link. */
export function plainDocument(edition: Edition, entry: Entry): string {
  const { library, link } = edition;
  const documents = new Set(library.documents.map(({ path }) => path));
  const from = markdownPath(entry.path);
  return textOf(edition, entry).replace(/\[([^\]]+)\]\(([^()\s]+)\)/g, (whole, text: string, href: string) => {
    if (/^(https?:|#)/.test(href)) return whole;
    const target = library.resolve(entry.file, href);
    if (target === null) return text;
    const [path = "", anchor] = target.split("#");
    const plain = documents.has(path) ? markdownPath(path) : path;
    return `[${text}](${link(from, anchor === undefined ? plain : `${plain}#${anchor}`)})`;
  });
}

/** The groups for contributors. By the convention, a reader with little space leaves out the section "Optional". */
const INNER = new Set(["Decisions", "Contribute"]);

/** The pages in their groups, by the convention of llmstxt.org. `path`: of this list, from which its links lead. */
export function renderLlms({ tree, surfaces, library, link }: Edition, path: string): string {
  const references = new Map(surfaces.map((surface) => [referencePath(surface), surface]));
  const documents = new Set(library.documents.map((entry) => entry.path));
  const line = (page: { path: string; title: string }) => {
    const surface = references.get(page.path);
    if (surface) return `- [${surface.title}](${link(path, openApiPath(surface))}): OpenAPI 3.1`;
    const target = documents.has(page.path) ? markdownPath(page.path) : page.path;
    return `- [${page.title}](${link(path, target)})${page.path === ERRORS_PATH ? ": every error code" : ""}`;
  };
  const lines = (groups: Edition["tree"]) =>
    groups
      .flatMap(({ pages }) => pages)
      .filter((page) => page.path !== START)
      .map(line)
      .join("\n");
  const isInner = ({ title }: Edition["tree"][number]) => INNER.has(title);
  const sections = tree.filter((group) => !isInner(group)).map((group) => `## ${group.title}\n\n${lines([group])}\n`);
  return `# Billow

> A billing service that a company runs itself: Checkout, Subscriptions, invoices, dunning, webhooks and access.

Each page is Markdown. The OpenAPI documents describe every operation.

${sections.join("\n")}
## Optional

${lines(tree.filter(isInner))}
`;
}
