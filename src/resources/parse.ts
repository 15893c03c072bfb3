import type * as z from "zod";
import { AppError, type Fault } from "../errors.ts";

type Issue = z.core.$ZodIssue;

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function codeOf(issue: Issue): string {
  if (issue.code === "custom") return String(issue.params?.["code"] ?? "invalid");
  return issue.code === "invalid_type" && issue.input === undefined ? "required" : issue.code;
}

function faultsOf(issue: Issue, where: Fault["in"]): Fault[] {
  const at = (path: readonly PropertyKey[]) => (where === "body" ? pointer(path) : path.map(String).join("."));
  if (issue.code !== "unrecognized_keys") return [{ in: where, pointer: at(issue.path), code: codeOf(issue), message: issue.message }];
  const message = where === "query" ? "There is no such parameter." : "There is no such field.";
  return issue.keys.map((key) => ({ in: where, pointer: at([...issue.path, key]), code: "unknown_field", message }));
}

/** Reads a value by its schema. @throws AppError `validation_failed` that names everything that is wrong with it. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, where: Fault["in"]): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) => faultsOf(issue, where));
  throw new AppError("validation_failed", { errors });
}
