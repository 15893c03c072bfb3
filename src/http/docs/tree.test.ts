import { expect, test } from "vitest";
import { surfacesOf } from "../surfaces.ts";
import { openLibrary } from "./library.ts";
import { positionOf, treeOf } from "./tree.ts";

const surfaces = surfacesOf({ publicBasePaths: ["/public/v2"] });

/** The tree of a folder with the given documents. Each one has its name as its title. */
function treeWith(files: Record<string, string>) {
  const names = Object.keys(files);
  const library = openLibrary(new Map(), { names, read: (file) => Buffer.from(files[file] ?? `# ${file}\n`) });
  return treeOf(library, surfaces);
}

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `# ${name}\n`]));

test.each([
  ["guides/brew-coffee.md", "Sell"],
  ["guides/add-a-kettle.md", "Contribute"],
  ["api-guide/kettles.md", "API"],
  ["operating/kettles.md", "Operate"],
  ["decisions/0999-kettles.md", "Decisions"],
  ["architecture/kettles.md", "Contribute"],
  ["benchmarks/kettles.md", "Contribute"],
  ["kettles.md", "Contribute"],
])("a new file %s comes last in “%s”", (file, title) => {
  const others = ["api.md", "operating.md", "rules.md", "events.md", "decisions/README.md", "guides/own-products.md"];
  const tree = treeWith(named([...others, file]));
  expect(tree.map((group) => group.title)).toEqual([
    "Start",
    "Sell",
    "API",
    "Operate",
    "Rules",
    "Decisions",
    "Contribute",
  ]);
  const group = tree.find(({ pages }) => pages.some((page) => page.title === file))!;
  expect([group.title, group.pages.at(-1)!.title]).toEqual([title, file]);
});

test("a page of the API or of operation stands where its list names the page", () => {
  const tree = treeWith({
    ...named(["api-guide/a.md", "api-guide/b.md", "api-guide/c.md", "operating/x.md", "operating/y.md"]),
    "api.md": "# The APIs\n\n[c](api-guide/c.md) and [b](api-guide/b.md#heading), then [c](api-guide/c.md) again\n",
    "operating.md": "# Operation\n\n- [y](operating/y.md)\n",
  });
  const titles = (title: string) => tree.find((group) => group.title === title)!.pages.map((page) => page.title);
  expect(titles("API").filter((title) => title.startsWith("api-guide/"))).toEqual([
    "api-guide/c.md",
    "api-guide/b.md",
    "api-guide/a.md",
  ]);
  expect(titles("Operate")).toEqual(["Operation", "operating/y.md", "operating/x.md"]);
});

test("every document of the project has one place", () => {
  const library = openLibrary(new Map());
  const paths = treeOf(library, surfaces).flatMap(({ pages }) => pages.map(({ path }) => path));
  expect(paths.length).toBe(new Set(paths).size);
  expect(library.documents.map(({ path }) => path).filter((path) => !paths.includes(path))).toEqual([]);
});

test("the first and the last page have one neighbour", () => {
  const tree = treeWith(named(["rules.md", "zebra.md"]));
  expect(positionOf(tree, "/docs")).toMatchObject({ previous: undefined, next: { path: "/docs/errors" } });
  expect(positionOf(tree, "/docs/zebra")).toMatchObject({ previous: { path: "/docs/rules" }, next: undefined });
  expect(positionOf(tree, "/docs/nowhere")).toEqual({ group: undefined, previous: undefined, next: undefined });
});
