import type * as z from "zod";
import type { Fault } from "../errors.ts";
import { alternatives, didYouMean, nearest } from "../suggestion.ts";
import { fieldsLike } from "./known-fields.ts";

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
export function pointerOf(path: readonly PropertyKey[], where: Fault["in"]): string {
  let pointer = "";
  for (const part of path) {
    const name = String(part).toWellFormed();
    const step = where === "body" ? `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` : name;
    if (pointer.length + step.length > LONGEST_POINTER) break;
    pointer += step;
  }
  return pointer;
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
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
  null: "null",
};

/** A message lists at most so many possible values. */
const MOST_LISTED = 12;

const kind = (name: string) => KINDS[name] ?? `a value of the type ${name}`;

/** The kinds of value that a union takes, each once, such as "a string, true or false". */
function kindsOf(errors: readonly (readonly Issue[])[]): string {
  const wanted = errors.flatMap((branch) =>
    branch.flatMap((issue) => (issue.code === "invalid_type" ? kind(issue.expected).split(" or ") : [])),
  );
  return alternatives([...new Set(wanted)]);
}

function limitOf(origin: string, limit: number, side: "least" | "most"): string {
  const bound = `at ${side} ${limit}`;
  if (origin === "array") return `must have ${bound} ${limit === 1 ? "entry" : "entries"}.`;
  if (origin !== "string") return `must be ${bound}.`;
  if (side === "least" && limit === 1) return "must not be empty.";
  return `must be ${bound} ${limit === 1 ? "character" : "characters"} long.`;
}

const similar = (input: unknown, values: readonly unknown[]) =>
  typeof input === "string" ? didYouMean(nearest(input, values.map(String))) : "";

/** The possible values, or those that the caller may have meant by `input`. */
function choiceOf(values: readonly unknown[], input: unknown): string {
  const near = similar(input, values);
  if (values.length > MOST_LISTED)
    return `is not one of the ${values.length} possible values.${near || " The reference at /docs lists them."}`;
  return `must be ${alternatives(values.map((value) => JSON.stringify(value)))}.${near}`;
}

/** The demand that a value does not meet: a predicate, of which the value is the subject. */
function demandOf(issue: Issue): string | null {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kind(issue.expected)}.`;
    case "invalid_value":
      return choiceOf(issue.values, issue.input);
    case "invalid_union": {
      const { options } = issue as { options?: readonly unknown[] };
      if (options) return choiceOf(options, discriminatorOf(issue));
      const kinds = kindsOf(issue.errors);
      return kinds === "" ? null : `must be ${kinds}.`;
    }
    case "too_big":
      return limitOf(issue.origin, Number(issue.maximum), "most");
    case "too_small":
      return limitOf(issue.origin, Number(issue.minimum), "least");
    default:
      return null;
  }
}

function discriminatorOf({ input, discriminator }: { input?: unknown; discriminator?: string | undefined }): unknown {
  return (input as Record<string, unknown> | undefined)?.[discriminator ?? ""];
}

/** Stands for a message of the library. Billow's own messages are made for the first 50 faults alone. */
const OF_THE_LIBRARY = "";

/**
 * Billow's own message, in which "This" is the faulty part. If a schema has its own message, that message stays.
 */
function messageOf(issue: Issue): string {
  if (issue.code === "custom") return issue.message + similar(issue.input, issue.params?.["among"] ?? []);
  if (issue.message !== OF_THE_LIBRARY) return issue.message;
  if (issue.code === "invalid_key") return "A key has 1 to 40 characters, none of them a control character.";
  const demand = demandOf(issue) ?? "is not valid.";
  const given = issue.code === "invalid_union" && issue.discriminator ? discriminatorOf(issue) : issue.input;
  return given === undefined ? `This is missing: it ${demand}` : `This ${demand}`;
}

/** The faults of members that an object must not have. */
function unknownMembers(keys: readonly string[], path: readonly PropertyKey[], where: Fault["in"], checked: Checked) {
  const member = where === "query" ? "parameter" : "field";
  return keys.slice(0, MOST_FAULTS).map((key): Fault => {
    const pointer = pointerOf([...path, key], where);
    const code = `unknown_${member}`;
    if (pointer === pointerOf(path, where))
      return { in: where, pointer, code, message: `This has an unknown ${member} with a long name.` };
    const near = didYouMean(fieldsLike(checked.schema, checked.input, path, key));
    return { in: where, pointer, code, message: `This is not a ${member} of this request.${near}` };
  });
}

type Checked = { schema: z.ZodType; input: unknown };

/** The first 50 faults that a schema found. */
function faultsOf(error: z.ZodError, where: Fault["in"], checked: Checked): Fault[] {
  const faults = error.issues.slice(0, MOST_FAULTS).flatMap((issue): Fault[] => {
    const { code, path } = issue;
    if (code === "unrecognized_keys") return unknownMembers(issue.keys, path, where, checked);
    return [{ in: where, pointer: pointerOf(path, where), code: codeOf(issue), message: messageOf(issue) }];
  });
  return faults.slice(0, MOST_FAULTS);
}

/** The value as its schema parses it, or its first 50 faults. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  where: Fault["in"],
): { value: z.output<Schema>; faults: null } | { value: null; faults: Fault[] } {
  // Only a parse with `reportInput` distinguishes missing from wrong values.
  const parsed = schema.safeParse(input, { reportInput: true, error: () => OF_THE_LIBRARY });
  return parsed.success
    ? { value: parsed.data, faults: null }
    : { value: null, faults: faultsOf(parsed.error, where, { schema, input }) };
}
