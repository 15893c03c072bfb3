import { crc32 } from "node:zlib";
import type { Instant } from "../calendar.ts";
import type { Organization } from "./organization.ts";

/** Which surface a key opens. */
export type ApiKeyScope = "public" | "manage";

/** What an Organization's backend identifies itself with. Its times are real time (rule T1). */
export type ApiKey = {
  organizationId: string;
  id: string;
  name: string;
  scopes: ApiKeyScope[];
  /** SHA-256 of the secret, which itself is not kept. 190 random bits can't be guessed, so no slow hash is needed. */
  digest: Uint8Array;
  last4: string;
  /** The key that a rotation made for it. */
  replacedBy: string | null;
  expiresAt: Instant | null;
  revokedAt: Instant | null;
  /** To the minute. */
  lastUsedAt: Instant | null;
  createdAt: Instant;
};

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** The largest multiple of 62 that a byte holds: what lies above it would favour the first characters. */
const FAIR_BYTES = 248;
const SECRET = /^blw_(?:live|test)_[0-9A-Za-z]{38}$/;

/** CRC-32 of what stands before it, in base 62, padded with zeros. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let n = 0; n < CHECKSUM_CHARACTERS; n += 1) {
    digits = BASE_62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** `blw_live_…` or `blw_test_…`, of random bytes: 64 of them are enough but once in 10^32 times. @throws RangeError if they are not. */
export function formatSecret(mode: Organization["mode"], randomBytes: Uint8Array): string {
  const characters = Array.from(
    randomBytes.filter((byte) => byte < FAIR_BYTES),
    (byte) => BASE_62.charAt(byte % 62),
  );
  if (characters.length < RANDOM_CHARACTERS) throw new RangeError("too few random bytes");
  const secret = `blw_${mode === "live" ? "live" : "test"}_${characters.slice(0, RANDOM_CHARACTERS).join("")}`;
  return secret + checksum(secret);
}

/** Whether the checksum is right, so that a typing error is told from an unknown key without a look-up. */
export function isSecret(text: string): boolean {
  return SECRET.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/** Why a key is of no use any more, if so. */
export function refusalOf(key: Pick<ApiKey, "expiresAt" | "revokedAt">, now: number): "api_key_revoked" | "api_key_expired" | null {
  if (key.revokedAt !== null) return "api_key_revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "api_key_expired" : null;
}

/** Until when a key lives that is replaced now: `overlap` milliseconds, but never longer than it would have. */
export function endOfOverlap(key: Pick<ApiKey, "expiresAt">, now: number, overlap: number): number {
  return Math.min(now + overlap, key.expiresAt ?? Infinity);
}

/** When the successor expires: it lives for as long as its predecessor was made for. */
export function successorExpiry(key: Pick<ApiKey, "expiresAt" | "createdAt">, now: number): number | null {
  return key.expiresAt === null ? null : now + (key.expiresAt - key.createdAt);
}
