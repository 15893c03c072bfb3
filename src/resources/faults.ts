import type * as z from "zod";
import type { Fault } from "../errors.ts";

type Issue = z.core.$ZodIssue;

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function codeOf(issue: Issue): string {
  if (issue.code === "custom") return String(issue.params?.["code"] ?? "invalid");
  return issue.code === "invalid_type" && issue.input === undefined ? "required" : issue.code;
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
