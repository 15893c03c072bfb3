import { malformed } from "./errors.ts";

/** A form as sent: `a[b][0]=c` is `{ a: { b: ["c"] } }`. */
export type Param = string | Param[] | { [name: string]: Param };
export type Params = { [name: string]: Param };

/** An unset parameter is `undefined`; one that is unset on purpose, with an empty value, is `null` for a `text`. */
type Scalars = {
  string: string;
  /** A string that may be unset by an empty value. */
  text: string | null;
  integer: number;
  boolean: boolean;
  strings: string[];
  metadata: Record<string, string>;
  range: Range;
};
type Kind = keyof Scalars;
export type Range = { gt?: number; gte?: number; lt?: number; lte?: number };
export type Rule = Kind | `${Kind}!` | Shape | readonly [Shape] | readonly ["unset", Shape];
/**
 * The parameters of an endpoint. `!`: required. `["unset", …]`: a group that an empty value unsets, and then null.
 */
export type Shape = { readonly [name: string]: Rule };

type Value<R> = R extends `${infer K extends Kind}!`
  ? Scalars[K]
  : R extends Kind
    ? Scalars[R] | undefined
    : R extends readonly [infer S]
      ? Values<S>[] | undefined
      : R extends readonly ["unset", infer S]
        ? Values<S> | null | undefined
        : Values<R> | undefined;
export type Values<S> = { [K in keyof S]: Value<S[K]> };

type Tree = Map<string, string | Tree>;

/** Reads a body or a query. Throws for a name that has no balanced brackets. */
export function parseForm(text: string): Params {
  const root: Tree = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
    if (path === null) throw malformed(`Invalid parameter name: ${name}`, { param: name });
    const names = [path[1]!, ...[...path[2]!.matchAll(/\[([^[\]]*)\]/g)].map(([, inner]) => inner!)];
    let tree = root;
    names.forEach((part, n) => {
      const key = part === "" ? String(tree.size) : part;
      if (n === names.length - 1) {
        tree.set(key, value);
        return;
      }
      const below = tree.get(key);
      const next: Tree = below instanceof Map ? below : new Map();
      tree.set(key, next);
      tree = next;
    });
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, planted(value)]));
}

function planted(tree: string | Tree): Param {
  if (typeof tree === "string") return tree;
  const names = [...tree.keys()];
  if (names.every((name) => /^\d+$/.test(name))) return [...tree.values()].map(planted);
  return Object.fromEntries([...tree].map(([name, value]) => [name, planted(value)]));
}

/** The typed parameters of a request. Throws Stripe's 400 for one that is unknown, missing or of the wrong type. */
export function readParams<S extends Shape>(shape: S, params: Params, within = ""): Values<S> {
  const nameOf = (name: string) => (within === "" ? name : `${within}[${name}]`);
  for (const name of Object.keys(params)) {
    if (Object.hasOwn(shape, name)) continue;
    const param = nameOf(name);
    throw malformed(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  }
  const read: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(shape)) read[name] = readParam(rule, params[name], nameOf(name));
  return read as Values<S>;
}

function readParam(rule: Rule, value: Param | undefined, param: string): unknown {
  if (value === undefined) {
    if (typeof rule !== "string" || !rule.endsWith("!")) return undefined;
    throw malformed(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  }
  if (typeof rule === "string") return readScalar(rule.replace("!", "") as Kind, value, param);
  if (isUnsettable(rule)) return value === "" ? null : readParams(rule[1], groupOf(value, param), param);
  if (isList(rule)) {
    if (!Array.isArray(value)) throw malformed("Invalid array", { param });
    return value.map((each, n) => readParams(rule[0], groupOf(each, `${param}[${n}]`), `${param}[${n}]`));
  }
  return readParams(rule, groupOf(value, param), param);
}

const isUnsettable = (rule: Rule): rule is readonly ["unset", Shape] => Array.isArray(rule) && rule.length === 2;
const isList = (rule: Rule): rule is readonly [Shape] => Array.isArray(rule);

function groupOf(value: Param, param: string): Params {
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw malformed("Invalid object", { param });
}

function readScalar(kind: Kind, value: Param, param: string): unknown {
  if (kind === "metadata") return readMetadata(value, param);
  if (kind === "range") return readRange(value, param);
  if (kind === "strings") {
    if (Array.isArray(value)) return value.map((each, n) => readScalar("string", each, `${param}[${n}]`));
    throw malformed("Invalid array", { param });
  }
  if (typeof value !== "string") throw malformed(`Invalid string: ${JSON.stringify(value)}`, { param });
  if (value === "" && kind === "text") return null;
  if (value === "") {
    const message =
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; ` +
      `however '${param}' cannot be unset.`;
    throw malformed(message, { code: "parameter_invalid_empty", param });
  }
  if (kind === "integer") return readInteger(value, param);
  if (kind !== "boolean") return value;
  if (value !== "true" && value !== "false") throw malformed(`Invalid boolean: ${value}`, { param });
  return value === "true";
}

function readInteger(value: string, param: string): number {
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  throw malformed(`Invalid integer: ${value}`, { code: "parameter_invalid_integer", param });
}

function readRange(value: Param, param: string): Range {
  if (typeof value === "string") return { gte: readInteger(value, param), lte: readInteger(value, param) };
  return readParams(
    { gt: "integer", gte: "integer", lt: "integer", lte: "integer" },
    groupOf(value, param),
    param,
  ) as Range;
}

/** At most 50 entries, with names of 40 characters and values of 500. */
function readMetadata(value: Param, param: string): Record<string, string> {
  if (value === "") return {};
  const entries = Object.entries(groupOf(value, param));
  if (entries.length > 50) throw malformed("Metadata can have at most 50 keys.", { param });
  for (const [name, each] of entries) {
    if (typeof each !== "string") throw malformed("Metadata values must be strings.", { param: `${param}[${name}]` });
    if (name.length > 40) throw malformed("Metadata keys can be at most 40 characters long.", { param });
    if (each.length > 500)
      throw malformed("Metadata values can be at most 500 characters long.", { param: `${param}[${name}]` });
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

export const isWithin = (range: Range | undefined, at: number): boolean =>
  at > (range?.gt ?? -Infinity) &&
  at >= (range?.gte ?? -Infinity) &&
  at < (range?.lt ?? Infinity) &&
  at <= (range?.lte ?? Infinity);
