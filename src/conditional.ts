import { AppError } from "./errors.ts";

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

function tagsOf(header: string): string[] {
  return header.match(ENTITY_TAG) ?? [];
}

/**
 * Strong comparison, so a weak tag never matches; `*` matches whatever is there (RFC 9110, 13.1.1).
 * @throws AppError `precondition_failed`
 */
export function checkIfMatch(header: string | undefined, etag: string): void {
  if (header === undefined || header.trim() === "*" || tagsOf(header).includes(etag)) return;
  throw new AppError("precondition_failed");
}

/** Whether the reader has this very representation: weak comparison (RFC 9110, 13.1.2). */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header === etag || header.trim() === "*" || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}
