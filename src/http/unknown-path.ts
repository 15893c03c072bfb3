import { AppError } from "../errors.ts";
import { didYouMean, nearest } from "../suggestion.ts";
import type { KnownPath, Routes } from "./routes.ts";

/** In UTF-16 units. A longer path is no typing error, and its comparison would take time. */
const LONGEST = 200;
const MOST_NAMED = 3;

const isName = (segment: string) => segment.startsWith("{");

/** Whether the segments are the same, but for typing errors and ids. */
function areSimilar(given: readonly string[], known: readonly string[]): boolean {
  return (
    given.length === known.length &&
    known.every((segment, n) => isName(segment) || segment === given[n] || nearest(given[n]!, [segment]).length > 0)
  );
}

/** The known path with the ids of the given path, if the caller may have meant this path; else null. */
function meant(given: readonly string[], { path, base }: KnownPath): string | null {
  const own = path.slice(base.length + 1).split("/");
  // The beginning does not count: callers leave it out, or take the one of another surface or version.
  const end = given.slice(-own.length);
  if (!areSimilar(end, own)) return null;
  return [base, ...own.map((segment, n) => (isName(segment) ? end[n]! : segment))].join("/");
}

/** 2: a path of this surface. 1: a path of another version of this surface, such as /public/v1. 0: any other path. */
function closenessOf(path: string, base: string): number {
  if (path.startsWith(`${base}/`)) return 2;
  return path.startsWith(base.slice(0, base.lastIndexOf("/") + 1)) ? 1 : 0;
}

/** The paths that a caller may have meant: three at most, or an empty list. */
function pathsLike({ known }: Routes, path: string, method: string): string[] {
  if (path.length > LONGEST) return [];
  const given = path.split("/").filter((segment) => segment !== "");
  const found = known.flatMap((each) => {
    const name = meant(given, each);
    return name === null ? [] : [{ name, closeness: closenessOf(path, each.base), ...each.route }];
  });
  const closest = Math.max(...found.map(({ closeness }) => closeness));
  const near = found.filter(({ closeness }) => closeness === closest);
  const callable = near.filter(({ operations }) => operations.has(method));
  return (callable.length > 0 ? callable : near).slice(0, MOST_NAMED).map(({ name }) => name);
}

/** 404 for a path that does not exist, with the paths that the caller may have meant. */
export function unknownPath(routes: Routes, path: string, method: string): AppError {
  const near = didYouMean(pathsLike(routes, path, method));
  return new AppError("not_found", { detail: `There is no such path.${near || " /docs lists the paths."}` });
}
