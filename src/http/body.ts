import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { AppError, type Fault } from "../errors.ts";
import { MOST_FAULTS, placeOf } from "../resources/faults.ts";

export const MOST_BYTES = 64 * 1024;
const DEEPEST = 32;

/** Whether the request has a body at all (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/**
 * Reads the body. If the body is too large, the rest is still read and dropped, until the time limit of the request. If
 * the connection were reset instead, a client that is still sending would lose the answer.
 * @throws AppError `body_too_large`
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) reject(new AppError("body_too_large"));
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
      else reject(new AppError("body_too_large"));
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", () => reject(new AppError("malformed_request")));
  });
}

/** RFC 8259: UTF-8 without a byte order mark, exactly one value. @throws AppError `malformed_json` */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError("malformed_json");
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    throw new AppError("malformed_json");
  }
}

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
    faults.push({ in: where, pointer: placeOf(path, where), code, message });
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
