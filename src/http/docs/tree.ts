import type { Surface } from "../surfaces.ts";
import type { Library } from "./library.ts";

export type Page = { path: string; title: string };
/** `isLong`: the other pages of the group appear in the navigation only on pages of the group. */
export type Group = { title: string; pages: readonly Page[]; isLong: boolean };

export const START = "/docs";
export const ERRORS_PATH = "/docs/errors";

/** The guides in the order in which they are read, by group. */
const FIRST_GUIDES = ["express", "fastify", "next", "python", "curl"].map((name) => `quickstart-${name}`);
const LATER_GUIDES = [
  "own-products",
  "sell-without-code",
  "testing",
  "receive-webhooks",
  "license-a-program",
  "troubleshooting",
  "going-live",
];
/** The name of a guide for contributors begins with this word. */
const CONTRIBUTING = "add-";
/** These documents of `docs/` itself are for every reader. The others are for contributors. */
const SHOWN = ["/docs/api", "/docs/events", "/docs/rules", "/docs/operating"];

/** The page of a reference is an application with a navigation of its own, so no page leads on to it. */
const REFERENCES = "/docs/reference/";
export const referencePath = ({ name }: Surface) => `${REFERENCES}${name}`;

/**
 * Every page in its group and its order, from the files alone. A new file appears without a change here: a guide at
 * the end of "Sell", or of "Contribute" if its name begins with `add-`; a page of the API or of operation where its
 * list names the page; any other file at the end of "Contribute".
 */
export function treeOf(library: Library, surfaces: readonly Surface[]): Group[] {
  const guides = library.inFolder("guides", null);
  const guide = (name: string) => guides.filter(({ file }) => file === `guides/${name}.md`);
  const isContributing = ({ file }: { file: string }) => file.startsWith(`guides/${CONTRIBUTING}`);
  const listed = new Set([...FIRST_GUIDES, ...LATER_GUIDES].map((name) => `guides/${name}.md`));
  const otherGuides = guides.filter((entry) => !listed.has(entry.file) && !isContributing(entry));
  const at = (path: string) => library.documents.filter((entry) => entry.path === path);
  const named = (groups: readonly Group[]) => new Set(groups.flatMap(({ pages }) => pages.map(({ path }) => path)));
  const groups: Group[] = [
    group("Start", [{ path: START, title: "Overview" }, ...FIRST_GUIDES.flatMap(guide)]),
    group("Sell", [...LATER_GUIDES.flatMap(guide), ...otherGuides]),
    group("API", [
      ...at("/docs/api"),
      ...surfaces.map((surface) => ({ path: referencePath(surface), title: `Reference: ${surface.name}` })),
      ...at("/docs/client"),
      ...at("/docs/client/python"),
      ...at("/docs/events"),
      { path: ERRORS_PATH, title: "Errors" },
      ...library.inFolder("api-guide", "api.md"),
    ]),
    group("Operate", [...at("/docs/operating"), ...library.inFolder("operating", "operating.md")]),
    group("Rules", at("/docs/rules")),
    {
      ...group("Decisions", [...at("/docs/decisions"), ...library.inFolder("decisions", "decisions/README.md")]),
      isLong: true,
    },
  ];
  const listedPages = named(groups);
  const rest = library.documents.filter(({ path }) => !listedPages.has(path) && !SHOWN.includes(path));
  const order = ["guides/", "architecture/"];
  const rank = ({ file }: { file: string }) => (order.findIndex((each) => file.startsWith(each)) + 3) % 3;
  return [
    ...groups,
    group(
      "Contribute",
      rest.toSorted((one, other) => rank(one) - rank(other)),
    ),
  ];
}

function group(title: string, pages: readonly Page[]): Group {
  const unique = new Map(pages.map(({ path, title: name }) => [path, { path, title: name }]));
  return { title, pages: [...unique.values()], isLong: false };
}

/** The group of a page, and the pages before and after the page in the order of the tree. */
export function positionOf(tree: readonly Group[], path: string) {
  const pages = tree.flatMap(({ pages: own }) => own).filter((page) => !page.path.startsWith(REFERENCES));
  const at = pages.findIndex((page) => page.path === path);
  return {
    group: tree.find(({ pages: own }) => own.some((page) => page.path === path)),
    previous: at > 0 ? pages[at - 1] : undefined,
    next: at < 0 ? undefined : pages[at + 1],
  };
}
