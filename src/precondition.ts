import { Refusal } from "./domain/refusal.ts";

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g;

function tagsOf(header: string): string[] {
  return header.match(ENTITY_TAG) ?? [];
}

/**
 * The comparison is strong, so a weak tag never matches; `*` matches any representation (RFC 9110, 13.1.1).
 * @throws Refusal `precondition_failed`
 */
export function checkIfMatch(header: string | undefined, etag: string): void {
  if (header === undefined || header.trim() === "*" || tagsOf(header).includes(etag)) return;
  throw new Refusal("precondition_failed");
}

/** Whether the reader already has this representation. The comparison is weak (RFC 9110, 13.1.2). */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header === etag || header.trim() === "*" || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}
