import type { Surface } from "../surfaces.ts";
import type { Library } from "./library.ts";
import type { Group } from "./tree.ts";

/** The documentation as one kind of reader gets it: from a server, or as files of a static site. */
export type Edition = {
  library: Library;
  surfaces: readonly Surface[];
  tree: readonly Group[];
  /** The server that the guides name in their commands. */
  origin: string;
  /** The name of the search index. The name changes with the documents, so a browser may keep the file for good. */
  searchPath: string;
  /** A static site has no search without a script, no console, and no headers of its own. */
  isStatic: boolean;
  /** The link from one page to another path, both as the server has them. */
  link(from: string, to: string): string;
};

/**
 * The relative link from one path to another. PUBLIC_ORIGIN may lead to a directory of a site, and a visitor may come
 * by another name of the server. Relative links hold in both cases.
 */
export function linkFrom(from: string, to: string): string {
  return `${"../".repeat(from.split("/").length - 2)}${to.slice(1)}`;
}

/** The OpenAPI document of a surface, as the server has its path. */
export const openApiPath = ({ basePaths }: Surface) => `${basePaths[0]!}/openapi.json`;

/** The file of a static site for a path of the server: `/docs/api/errors` is `/api/errors.html`. */
export function fileOf(path: string, surfaces: readonly Surface[]): string {
  const described = surfaces.find((surface) => path === openApiPath(surface));
  if (described) return `/${described.name}.openapi.json`;
  if (path === "/docs") return "/index.html";
  const own = path.replace(/^\/docs\//, "/");
  return /\.[a-z0-9]+$/.test(own) ? own : `${own}.html`;
}

/** How links are written in the edition of a static site, which works below any path of any host. */
export function staticLink(surfaces: readonly Surface[]): Edition["link"] {
  return (from, to) => {
    const [path = "", anchor] = to.split("#");
    return linkFrom(fileOf(from, surfaces), fileOf(path, surfaces)) + (anchor === undefined ? "" : `#${anchor}`);
  };
}
