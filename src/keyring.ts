import { createHmac, createSecretKey, hash, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";

/** A key of AES-256-GCM. `id`: 16 hexadecimal digits of the key's digest, stored beside each text under this key. */
export type SealingKey = { id: string; key: KeyObject };

/**
 * The keys of this installation, made from its secrets: BILLOW_SECRET first, then BILLOW_SECRET_PREVIOUS. The first
 * key of each list signs or encrypts, and every key of the list verifies or decrypts.
 */
export type Keyring = {
  links: readonly KeyObject[];
  sealing: readonly SealingKey[];
  /** The current secret itself. Only values that people have copied into other programs are made from the secret. */
  plain: KeyObject;
};

const KEY_BYTES = 32;
const ID_DIGITS = 16;

/** HKDF-SHA256 (RFC 5869) without a salt: the secrets are random, and every process must derive the same key. */
function derive(secret: string, info: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", info, KEY_BYTES));
}

function sealingKey(secret: string): SealingKey {
  const bytes = derive(secret, "billow encryption 1");
  return { id: hash("sha256", bytes, "hex").slice(0, ID_DIGITS), key: createSecretKey(bytes) };
}

/**
 * Derives the keys of all secrets. Earlier releases signed links with the secret itself, so each secret also verifies
 * links directly ([0038](../docs/decisions/0038-derived-keys.md)). A `KeyObject` shows no byte of its key when it is
 * printed.
 */
export function createKeyring(current: string, previous: readonly string[] = []): Keyring {
  const secrets = [...new Set([current, ...previous])];
  const plain = secrets.map((secret) => createSecretKey(secret, "utf8"));
  const derived = secrets.map((secret) => createSecretKey(derive(secret, "billow links 1")));
  return { links: [...derived, ...plain], sealing: secrets.map(sealingKey), plain: plain[0]! };
}

/** HMAC-SHA-256 of `purpose`. */
const digest = (key: KeyObject, purpose: string) => createHmac("sha256", key).update(purpose).digest();

/** The signature of a link or a digest with the current secret: 43 characters of base64url. */
export function sign({ links }: Keyring, purpose: string): string {
  return digest(links[0]!, purpose).toString("base64url");
}

/** Whether the current secret or a previous one made this signature for `purpose`. */
export function isSigned({ links }: Keyring, purpose: string, signature: string): boolean {
  const given = Buffer.from(signature);
  return links.some((key) => {
    const wanted = Buffer.from(digest(key, purpose).toString("base64url"));
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
}

/**
 * The signature of `purpose` by the current secret itself, in base64. For values of which programs of others hold a
 * copy, so that a release does not change these values.
 */
export function lastingDigest({ plain }: Keyring, purpose: string): string {
  return digest(plain, purpose).toString("base64");
}
