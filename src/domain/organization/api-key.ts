import { crc32 } from "node:zlib";
import type { Instant } from "../calendar.ts";
import type { Organization } from "../model/organization.ts";

/** The part of the API that a key can call. */
export type ApiKeyScope = "public" | "manage";

/** The credential of an Organization's backend. Its times are real time (rule T1). */
export type ApiKey = {
  organizationId: string;
  id: string;
  name: string;
  scopes: ApiKeyScope[];
  /**
   * SHA-256 of the secret; the secret itself is not kept. 190 random bits can't be guessed, so no slow hash is
   * needed.
   */
  digest: Uint8Array;
  last4: string;
  /** The key that replaced this one in a rotation. */
  replacedBy: string | null;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  /** Exact to the minute. */
  lastUsedAt: Instant | null;
  createdAt: Instant;
};

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** The largest multiple of 62 that a byte holds. Bytes from 248 on would favour the first characters. */
const FAIR_BYTES = 248;
const SECRET = /^blw_(?:live|test)_[0-9A-Za-z]{38}$/;

/** CRC-32 of the text, in base 62, padded with zeros. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let n = 0; n < CHECKSUM_CHARACTERS; n += 1) {
    digits = BASE_62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * Makes `blw_live_…` or `blw_test_…` from random bytes. 64 bytes are too few only once in 10^32 times.
 * @throws RangeError for too few bytes
 */
export function formatSecret(mode: Organization["mode"], randomBytes: Uint8Array): string {
  const characters = Array.from(
    randomBytes.filter((byte) => byte < FAIR_BYTES),
    (byte) => BASE_62.charAt(byte % 62),
  );
  if (characters.length < RANDOM_CHARACTERS) throw new RangeError("too few random bytes");
  const secret = `blw_${mode === "live" ? "live" : "test"}_${characters.slice(0, RANDOM_CHARACTERS).join("")}`;
  return secret + checksum(secret);
}

/** Whether format and checksum are right. The checksum tells a typing error from an unknown key without a look-up. */
export function isSecret(text: string): boolean {
  return SECRET.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/** The reason why a key is not valid any more; null: it is valid (rule T1b). */
export function refusalOf(
  key: Pick<ApiKey, "expiresAt" | "revokedAt">,
  now: number,
): "api_key_revoked" | "api_key_expired" | null {
  if (key.revokedAt !== null) return "api_key_revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "api_key_expired" : null;
}

/** The end of a key that is replaced now: in `overlap` milliseconds, but never after the key's own expiry. */
export function endOfOverlap(key: Pick<ApiKey, "expiresAt">, now: number, overlap: number): number {
  return Math.min(now + overlap, key.expiresAt ?? Infinity);
}

/** The expiry of a key's successor, which gets the full lifetime of its predecessor. */
export function successorExpiry(key: Pick<ApiKey, "expiresAt" | "createdAt">, now: number): number | null {
  return key.expiresAt === null ? null : now + (key.expiresAt - key.createdAt);
}
