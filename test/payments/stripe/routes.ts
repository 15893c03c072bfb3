import type { Book } from "./book.ts";
import { malformed } from "./errors.ts";
import { readParams, type Params, type Shape, type Values } from "./form.ts";
import type { Json, JsonObject } from "./json.ts";

export type Call<S> = { book: Book; id: string; params: Values<S> };

/**
 * An endpoint. `permission`: of a restricted key; null: each key may. An endpoint works without waiting, so that no
 * other request is carried out in between.
 */
export type Route = {
  endpoint: string;
  method: "GET" | "POST" | "DELETE";
  path: RegExp;
  permission: string | null;
  run(book: Book, id: string, params: Params): Json;
};

const PAGING = { limit: "integer", starting_after: "string", ending_before: "string" } as const;

/** `:id` in a path stands for the id of an object. Each list takes a page. */
export function route<const S extends Shape>(
  endpoint: string,
  permission: string | null,
  shape: S,
  run: (call: Call<S>) => Json,
): Route {
  const [method, path] = endpoint.split(" ") as [Route["method"], string];
  return {
    endpoint,
    method,
    path: new RegExp(`^${path.replace(":id", "([^/]+)")}$`),
    permission,
    run: (book, id, params) => run({ book, id, params: readParams(shape, params) }),
  };
}

type Item = { id: string; created?: number } & JsonObject;

/** An endpoint that lists objects, newest first. */
export function listRoute<const S extends Shape>(
  path: string,
  permission: string,
  shape: S,
  items: (call: Call<S>) => Iterable<Item>,
): Route {
  const all = { ...shape, ...PAGING } as S & typeof PAGING;
  return route(`GET ${path}`, permission, all, ({ book, id, params }) => {
    const { limit = 10, starting_after: after, ending_before: before } = params as Values<typeof PAGING>;
    if (limit < 1 || limit > 100) throw malformed("Limit must be between 1 and 100.", { param: "limit" });
    if (after !== undefined && before !== undefined) {
      throw malformed("You may only specify one of these parameters: ending_before, starting_after.", {
        code: "parameters_exclusive",
      });
    }
    const newestFirst = [...items({ book, id, params: params as Values<S> })].reverse();
    const page = pageOf(newestFirst, { limit, after, before });
    return { object: "list", data: page.data, has_more: page.hasMore, url: path.replace(":id", id) };
  });
}

function pageOf(
  items: Item[],
  { limit, after, before }: { limit: number; after: string | undefined; before: string | undefined },
): { data: Item[]; hasMore: boolean } {
  const indexOf = (id: string, param: string) => {
    const index = items.findIndex((item) => item.id === id);
    if (index === -1) throw malformed(`No such object: '${id}'`, { code: "resource_missing", param });
    return index;
  };
  if (before !== undefined) {
    const end = indexOf(before, "ending_before");
    return { data: items.slice(Math.max(end - limit, 0), end), hasMore: end > limit };
  }
  const start = after === undefined ? 0 : indexOf(after, "starting_after") + 1;
  return { data: items.slice(start, start + limit), hasMore: items.length > start + limit };
}
