import type * as z from "zod";
import type { Fault } from "../errors.ts";

type Issue = z.core.$ZodIssue;

/** The most faults in one answer. A body of 64 KiB can have some 20,000, and callers fix no more than 50 at once. */
export const MOST_FAULTS = 50;
/**
 * In UTF-16 units. The pointers of all existing fields are shorter. A field name that a caller makes up can be as long
 * as the body.
 */
const LONGEST_POINTER = 128;

/**
 * The place of a fault: a JSON Pointer (RFC 6901) in a body, a name elsewhere. If a place has more than 128 characters,
 * the innermost enclosing place of at most 128 is used. Each fault repeats its place, so one long name in a body would
 * cause an answer of megabytes.
 */
export function placeOf(path: readonly PropertyKey[], where: Fault["in"]): string {
  let place = "";
  for (const part of path) {
    const name = String(part).toWellFormed();
    const step = where === "body" ? `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` : name;
    if (place.length + step.length > LONGEST_POINTER) break;
    place += step;
  }
  return place;
}

const TOO_MUCH: Record<string, string> = { string: "too_long", array: "too_many" };
const TOO_LITTLE: Record<string, string> = { string: "too_short", array: "too_few" };

/** Replaces the library's codes, which may change, by our codes, which are stable. */
function codeOf(issue: Issue): string {
  switch (issue.code) {
    case "custom":
      return String(issue.params?.["code"] ?? "invalid");
    case "invalid_type":
      return issue.input === undefined ? "required" : "invalid_type";
    case "invalid_union":
      return issue.discriminator === undefined ? "invalid_type" : "invalid_value";
    case "too_big":
      return TOO_MUCH[issue.origin] ?? "too_large";
    case "too_small":
      return TOO_LITTLE[issue.origin] ?? "too_small";
    default:
      return issue.code;
  }
}

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  null: "null",
};

const kind = (name: string) => KINDS[name] ?? `a value of the kind ${name}`;
const listed = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(", ");

/** The kinds of value that a union takes, each once. */
function kindsOf(errors: readonly (readonly Issue[])[]): string[] {
  const wanted = errors.flatMap((branch) =>
    branch.flatMap((issue) => (issue.code === "invalid_type" ? [kind(issue.expected)] : [])),
  );
  return [...new Set(wanted)];
}

function limitOf(issue: { origin: string }, limit: number | bigint, least: boolean): string {
  const bound = `at ${least ? "least" : "most"} ${limit}`;
  if (issue.origin === "string")
    return least && limit === 1 ? "Send some text, or leave the field out." : `Send ${bound} characters.`;
  if (issue.origin === "array") return `Send ${bound} of them.`;
  return `Send ${bound}.`;
}

/** Billow's own message that says how to correct the value. If a schema has its own message, that message stays. */
function messageOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `This is missing: send ${kind(issue.expected)}.`
        : `Send ${kind(issue.expected)}.`;
    case "invalid_value":
      return issue.values.length === 1 ? `Send ${listed(issue.values)}.` : `Send one of ${listed(issue.values)}.`;
    case "invalid_union": {
      const kinds = kindsOf(issue.errors);
      return kinds.length > 0 ? `Send ${kinds.join(" or ")}.` : issue.message;
    }
    case "invalid_key":
      return "A key has 1 to 40 characters, none of them a control character.";
    case "too_big":
      return limitOf(issue, issue.maximum, false);
    case "too_small":
      return limitOf(issue, issue.minimum, true);
    default:
      return issue.message;
  }
}

/** The first 50 faults that a schema found. Only a parse with `reportInput` distinguishes missing from wrong values. */
export function faultsOf(error: z.ZodError, where: Fault["in"]): Fault[] {
  const member = where === "query" ? "parameter" : "field";
  const unknown = { code: `unknown_${member}`, message: `There is no such ${member}.` };
  const faults = error.issues.slice(0, MOST_FAULTS).flatMap((issue) => {
    const { code, path } = issue;
    if (code !== "unrecognized_keys")
      return [{ in: where, pointer: placeOf(path, where), code: codeOf(issue), message: messageOf(issue) }];
    return issue.keys
      .slice(0, MOST_FAULTS)
      .map((key) => ({ in: where, pointer: placeOf([...path, key], where), ...unknown }));
  });
  return faults.slice(0, MOST_FAULTS);
}
