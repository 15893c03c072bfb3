import type { Context } from "../../context.ts";
import { open, seal } from "../../encryption.ts";
import type { PageRef } from "../links.ts";

/**
 * `input`: the values that were typed on the page. `purchase`: the attempt that was submitted, as a proof of it.
 * `order`: the last Checkout that this browser left for a bank or a provider's page, for all Checkouts of the
 * Organization.
 */
export type MemoryKind = "input" | "purchase" | "order";

/** A browser remembers a Checkout for this long, in real time (rules C9b, C10). */
export const MEMORY_SECONDS = 24 * 3_600;

const sealedFieldOf = ({ organizationId, id }: PageRef, kind: MemoryKind) => ({
  organizationId,
  field: `checkout ${id} ${kind}`,
});

/**
 * Encrypts a text that only this browser is to bring back, for this Checkout and kind alone. The text ends 24 hours
 * after `now` (epoch milliseconds of real time).
 */
export function sealMemory(
  { keyring }: Pick<Context, "keyring">,
  checkout: PageRef,
  kind: MemoryKind,
  text: string,
  now: number,
): string {
  return seal(keyring, sealedFieldOf(checkout, kind), `${now + MEMORY_SECONDS * 1000} ${text}`);
}

/** The text again; null if it has ended, was changed, or was sealed for another Checkout or kind. */
export function openMemory(
  { keyring }: Pick<Context, "keyring">,
  checkout: PageRef,
  kind: MemoryKind,
  sealed: string,
  now: number,
): string | null {
  const opened = open(keyring, sealedFieldOf(checkout, kind), sealed);
  if ("fault" in opened) return null;
  const end = opened.value.indexOf(" ");
  return Number(opened.value.slice(0, end)) > now ? opened.value.slice(end + 1) : null;
}
