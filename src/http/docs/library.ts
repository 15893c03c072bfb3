import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { linkFrom } from "./shell.ts";

const FOLDER = new URL("../../../docs/", import.meta.url);

/** `file`: seen from `docs/`. `path`: of the page that shows the file. */
export type Entry = { file: string; path: string };

/** The document of each client stands beside `docs/`, because the package holds the document. */
const CLIENT: Entry = { file: "../client/README.md", path: "/docs/client" };
const PYTHON: Entry = { file: "../clients/python/README.md", path: "/docs/client/python" };

export type Library = {
  documents: readonly Entry[];
  images: readonly Entry[];
  /** The documents of a folder, in the order of their file names. */
  inFolder(folder: string): readonly Entry[];
  /** The target of a link in a document, or null if the target is not served. */
  resolve(from: Entry, href: string): string | null;
};

/** The pages of the API guide stand below the page that lists them: `api.md` and `api-guide/`. */
function pathOf(file: string): string {
  return `/docs/${file.replace(/\.md$/, "").replace(/^api-guide\//, "api/")}`;
}

export function readDocument({ file }: Entry): Buffer<ArrayBuffer> {
  return readFileSync(new URL(file, FOLDER));
}

/** The first line of a document is its title. */
export function titleOf(entry: Entry): string {
  return readDocument(entry).toString().split("\n", 1)[0]!.replace(/^# /, "").replaceAll("`", "");
}

/** `others`: paths of further files below `docs/`, such as the OpenAPI documents, by file. */
export function openLibrary(others: ReadonlyMap<string, string>): Library {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const ending = (wanted: string) =>
    files
      .filter((file) => file.endsWith(wanted))
      .sort()
      .map((file): Entry => ({ file, path: pathOf(file) }));
  const [documents, images] = [[...ending(".md"), CLIENT, PYTHON], ending(".svg")];
  const paths = new Map([...[...documents, ...images].map(({ file, path }) => [file, path] as const), ...others]);
  return {
    documents,
    images,
    inFolder: (folder) => documents.filter(({ file }) => posix.dirname(file) === folder),
    resolve(from, href) {
      if (/^(https?:|#)/.test(href)) return href;
      const [relative = "", anchor] = href.split("#");
      const path = paths.get(posix.join(posix.dirname(from.file), relative).replace(/^\.\.\/docs\//, ""));
      return path === undefined ? null : linkFrom(from.path, path) + (anchor === undefined ? "" : `#${anchor}`);
    },
  };
}
