import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { AppError } from "../errors.ts";

export const MOST_BYTES = 64 * 1024;

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
