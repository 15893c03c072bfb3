import type * as z from "zod";
import type { Fault } from "../errors.ts";
import { AppError } from "../errors.ts";
import { MOST_FAULTS, parse, pointerOf } from "../resources/faults.ts";
import { findUnstorable } from "../resources/unstorable-text.ts";

type Checked = { value: unknown; faults: Fault[] };

const NONE: Fault[] = [];

/** The value as its schema parses it, or its faults. */
export function check(schema: z.ZodType, input: unknown, where: "body" | "query"): Checked {
  const unstorable = findUnstorable(input, where);
  if (unstorable.length > 0) return { value: undefined, faults: unstorable };
  const { value, faults } = parse(schema, input, where);
  return faults === null ? { value, faults: NONE } : { value: undefined, faults };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/** The query string as its schema parses it. Each parameter may occur once. `search`: the text after the `?`. */
export function checkQuery(schema: z.ZodType | null, search: string): Checked {
  const faults: Fault[] = [];
  const fault = (name: string, code: string, message: string) =>
    faults.push({ in: "query", pointer: pointerOf([name], "query"), code, message });
  const input: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of search.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? "" : pair.slice(equals + 1));
    if (name === null || value === null) fault(name ?? "", "invalid_encoding", "This is not percent-encoded UTF-8.");
    else if (!schema) fault(name, "unknown_parameter", "This is not a parameter of this request.");
    else if (name in input) fault(name, "repeated", "Send the parameter only once.");
    else input[name] = value;
  }
  if (!schema || faults.length > 0) return { value: undefined, faults };
  return check(schema, input, "query");
}

const KEY = /^[\x20-\x7e]{1,255}$/;

/** The Idempotency-Key, sent with or without quotes; null if none was sent. @throws AppError `validation_failed` */
export function readIdempotencyKey(values: string[] | undefined): string | null {
  if (values === undefined) return null;
  const key = values[0]?.replace(/^"(.*)"$/, "$1") ?? "";
  if (values.length === 1 && KEY.test(key)) return key;
  const message = "Send one key of 1 to 255 printable ASCII characters.";
  const errors: Fault[] = [{ in: "header", pointer: "Idempotency-Key", code: "invalid_idempotency_key", message }];
  throw new AppError("validation_failed", { errors });
}

/** Throws one 422 for all faults, or for the first 50. @throws AppError `validation_failed` */
export function refuse(faults: Fault[]): never {
  throw new AppError("validation_failed", { errors: faults.slice(0, MOST_FAULTS) });
}
