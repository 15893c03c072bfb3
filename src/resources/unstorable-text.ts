import type { Fault } from "../errors.ts";
import { MOST_FAULTS, pointerOf } from "./faults.ts";

const DEEPEST = 32;
const NO_TEXT = /[\0\p{Cs}]/u;

/** The code and the message for a value that no field may hold, else null. */
function faultOf(value: unknown): [code: string, message: string] | null {
  if (typeof value === "string" && NO_TEXT.test(value))
    return ["invalid_text", "NUL and lone surrogates are not text."];
  if (typeof value !== "number") return null;
  if (!Number.isFinite(value)) return ["number_out_of_range", "The number is too large."];
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return isExact ? null : ["number_out_of_range", "A whole number beyond 2^53 - 1 is not exact. Send text."];
}

/**
 * Finds values that JSON allows but the rest of the server can't hold: text with NUL or half a surrogate pair,
 * numbers that are not finite or not exact, members named `__proto__`, and nesting beyond 32 levels. The check comes
 * before any schema and stops at 50 faults.
 */
export function findUnstorable(body: unknown, where: Fault["in"]): Fault[] {
  const faults: Fault[] = [];
  const path: string[] = [];
  const add = ([code, message]: [string, string]) =>
    faults.push({ in: where, pointer: pointerOf(path, where), code, message });
  const visit = (value: unknown) => {
    const fault = faultOf(value);
    if (fault) add(fault);
    if (typeof value !== "object" || value === null) return;
    if (path.length === DEEPEST) return void add(["too_deep", `At most ${DEEPEST} levels are allowed.`]);
    for (const name of Object.keys(value)) {
      if (faults.length >= MOST_FAULTS) return;
      path.push(name);
      if (name === "__proto__" || NO_TEXT.test(name)) add(["invalid_key", "This can't be the name of a field."]);
      visit((value as Record<string, unknown>)[name]);
      path.pop();
    }
  };
  visit(body);
  return faults;
}
