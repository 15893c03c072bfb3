import { isId, type IdPrefix } from "../ids.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Surface } from "./surfaces.ts";

/** All operations of one path. */
export type Route = {
  surface: Surface;
  /** The preferred path with its beginning and names in braces: `/manage/v1/customers/{customerId}`. */
  template: string;
  operations: Map<string, Endpoint>;
  /** The value of the `Allow` header. */
  allow: string;
  /** The ids in the path, from left to right. */
  ids: { name: string; prefix: IdPrefix }[];
};

/** `path`: the path after the base path. `segments`: the values in the path for the route's ids. */
export type RouteMatch = { route: Route; path: string; segments: string[] };

/** A path as the documents show it, with names in braces. `base` is its beginning, up to the operation's own path. */
export type KnownPath = { path: string; base: string; route: Route };

type Node = { next: Map<string, Node>; any: Node | null; route: Route | null; base: number };

const createNode = (): Node => ({ next: new Map(), any: null, route: null, base: 0 });

function descend(from: Node, path: string): Node {
  let node = from;
  for (const segment of path.split("/").slice(1)) {
    let next = segment.startsWith("{") ? node.any : node.next.get(segment);
    if (!next) {
      next = createNode();
      if (segment.startsWith("{")) node.any = next;
      else node.next.set(segment, next);
    }
    node = next;
  }
  return node;
}

function idsOf({ path, params }: Endpoint): Route["ids"] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => {
    const prefix = params[name];
    if (!prefix) throw new Error(`${path} has no kind of id for ${name}`);
    return { name, prefix };
  });
}

function add(node: Node, surface: Surface, endpoint: Endpoint): Route {
  const template = `${surface.basePaths[0]}${endpoint.path}`;
  node.route ??= { surface, template, operations: new Map(), allow: "", ids: idsOf(endpoint) };
  const { operations } = node.route;
  if (operations.has(endpoint.method)) throw new Error(`${endpoint.method} ${endpoint.path} is there twice`);
  operations.set(endpoint.method, endpoint);
  if (endpoint.method === "GET") operations.set("HEAD", endpoint);
  node.route.allow = [...operations.keys(), "OPTIONS"].join(", ");
  return node.route;
}

/** The operations of all surfaces by path, under each of their base paths. */
export class Routes {
  readonly #root = createNode();
  /** All paths, in the order of the surfaces. */
  readonly known: readonly KnownPath[];

  constructor(surfaces: readonly Surface[]) {
    const known = new Map<string, KnownPath>();
    for (const surface of surfaces) {
      for (const base of surface.basePaths) {
        for (const endpoint of surface.endpoints) {
          const path = base + endpoint.path;
          const node = descend(this.#root, path);
          node.base = base.length;
          known.set(path, { path, base, route: add(node, surface, endpoint) });
        }
      }
    }
    this.known = [...known.values()];
  }

  /** Each path has one spelling: a slash at the end or an encoded letter makes another path. */
  find(path: string): RouteMatch | null {
    const segments: string[] = [];
    let node = this.#root;
    for (let from = 1; from <= path.length;) {
      const slash = path.indexOf("/", from);
      const to = slash === -1 ? path.length : slash;
      const segment = path.slice(from, to);
      const next = node.next.get(segment) ?? node.any;
      if (!next) return null;
      if (next === node.any) segments.push(segment);
      node = next;
      from = to + 1;
    }
    return node.route && { route: node.route, path: path.slice(node.base), segments };
  }
}

/**
 * The ids of a path by their names. Null if a segment has not the form of its kind of id: no such resource can exist.
 */
export function readIds({ route, segments }: RouteMatch): Record<string, string> | null {
  const ids: Record<string, string> = {};
  for (const [index, { name, prefix }] of route.ids.entries()) {
    const segment = segments[index] ?? "";
    if (!isId(prefix, segment)) return null;
    ids[name] = segment;
  }
  return ids;
}
