import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";

const FOLDER = new URL("../../../docs/", import.meta.url);

/** `file`: seen from `docs/`. `path`: of the page that shows the file. `title`: the first line of a document. */
export type Entry = { file: string; path: string; title: string };

/** The document of each client stands beside `docs/`, because the package holds the document. */
const CLIENTS = new Map([
  ["../client/README.md", "/docs/client"],
  ["../clients/python/README.md", "/docs/client/python"],
]);

export type Library = {
  documents: readonly Entry[];
  images: readonly Entry[];
  read(file: string): Buffer<ArrayBuffer>;
  /** The documents of a folder, in the order in which another document links to them. The others come last. */
  inFolder(folder: string, index: string | null): readonly Entry[];
  /** The path that a link of a document leads to, or null if the target is not served. The anchor stays. */
  resolve(file: string, href: string): string | null;
};

/** The pages of the API guide stand below the page that lists them: `api.md` and `api-guide/`. */
function pathOf(file: string): string {
  return `/docs/${file
    .replace(/\.md$/, "")
    .replace(/(^|\/)README$/, "")
    .replace(/^api-guide\//, "api/")}`.replace(/\/$/, "");
}

/** The targets of the links in a document, in their order. */
const linksOf = (markdown: string) => [...markdown.matchAll(/\]\(([^()\s]+)\)/g)].map(([, href]) => href!);

type Files = { names: readonly string[]; read(file: string): Buffer<ArrayBuffer> };

const projectFiles = (): Files => ({
  names: [
    ...readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/")),
    ...CLIENTS.keys(),
  ],
  read: (file) => readFileSync(new URL(file, FOLDER)),
});

/** `others`: paths of further files below `docs/`, such as the OpenAPI documents, by file. */
export function openLibrary(others: ReadonlyMap<string, string>, { names, read }: Files = projectFiles()): Library {
  const titleOf = (file: string) => read(file).toString().split("\n", 1)[0]!.replace(/^# /, "").replaceAll("`", "");
  const ending = (wanted: string) => names.filter((file) => file.endsWith(wanted)).sort();
  const documents = ending(".md").map((file): Entry => {
    return { file, path: CLIENTS.get(file) ?? pathOf(file), title: titleOf(file) };
  });
  const images = ending(".svg").map((file): Entry => ({ file, path: pathOf(file), title: file }));
  const paths = new Map([...[...documents, ...images].map(({ file, path }) => [file, path] as const), ...others]);
  const resolve = (from: string, href: string) => {
    const [relative = "", anchor] = href.split("#");
    const path = paths.get(posix.join(posix.dirname(from), relative).replace(/^\.\.\/docs\//, ""));
    return path === undefined ? null : path + (anchor === undefined ? "" : `#${anchor}`);
  };
  return {
    documents,
    images,
    read,
    resolve,
    inFolder(folder, index) {
      const linked =
        index === null ? [] : linksOf(read(index).toString()).map((href) => resolve(index, href.split("#")[0]!));
      const rank = ({ path }: Entry) => (linked.includes(path) ? linked.indexOf(path) : linked.length);
      const own = documents.filter(({ file }) => posix.dirname(file) === folder);
      return own.toSorted((one, other) => rank(one) - rank(other));
    },
  };
}
