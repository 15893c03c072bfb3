import { hash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** The SHA-256 of a secret. Only this digest is stored, and a secret is looked up by its digest. */
export function digestOf(secret: string): Uint8Array {
  return hash("sha256", secret, "buffer");
}

/** A secret that can't be guessed, and its digest. */
export function newSecret(): { secret: string; digest: Uint8Array } {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { secret, digest: digestOf(secret) };
}
