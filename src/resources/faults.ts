import type * as z from "zod";
import type { Fault } from "../errors.ts";

type Issue = z.core.$ZodIssue;

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

const TOO_MUCH: Record<string, string> = { string: "too_long", array: "too_many" };
const TOO_LITTLE: Record<string, string> = { string: "too_short", array: "too_few" };

/** Our codes, which are a promise, for the library's, which are not. */
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

/** What kinds of value a union takes, each once. */
function kindsOf(errors: readonly (readonly Issue[])[]): string[] {
  const wanted = errors.flatMap((branch) => branch.flatMap((issue) => (issue.code === "invalid_type" ? [kind(issue.expected)] : [])));
  return [...new Set(wanted)];
}

function limitOf(issue: { origin: string }, limit: number | bigint, least: boolean): string {
  const bound = `at ${least ? "least" : "most"} ${limit}`;
  if (issue.origin === "string") return least && limit === 1 ? "Send some text, or leave it out." : `Send ${bound} characters.`;
  if (issue.origin === "array") return `Send ${bound} of them.`;
  return `Send ${bound}.`;
}

/** What to send instead, in our words; a message that a schema gives by itself stays. */
function messageOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? `This is missing: send ${kind(issue.expected)}.` : `Send ${kind(issue.expected)}.`;
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

/** Everything a schema found wrong. What is missing is told from what is wrong only if it parsed with `reportInput`. */
export function faultsOf(error: z.ZodError, where: Fault["in"]): Fault[] {
  const at = (path: readonly PropertyKey[]) => (where === "body" ? pointer(path) : path.map(String).join("."));
  const member = where === "query" ? "parameter" : "field";
  const unknown = { code: `unknown_${member}`, message: `There is no such ${member}.` };
  return error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ in: where, pointer: at(issue.path), code: codeOf(issue), message: messageOf(issue) }];
    return issue.keys.map((key) => ({ in: where, pointer: at([...issue.path, key]), ...unknown }));
  });
}
