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

/** Everything a schema found wrong. What is missing is told from what is wrong only if it parsed with `reportInput`. */
export function faultsOf(error: z.ZodError, where: Fault["in"]): Fault[] {
  const at = (path: readonly PropertyKey[]) => (where === "body" ? pointer(path) : path.map(String).join("."));
  const kind = where === "query" ? "parameter" : "field";
  const unknown = { code: `unknown_${kind}`, message: `There is no such ${kind}.` };
  return error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ in: where, pointer: at(issue.path), code: codeOf(issue), message: issue.message }];
    return issue.keys.map((key) => ({ in: where, pointer: at([...issue.path, key]), ...unknown }));
  });
}
