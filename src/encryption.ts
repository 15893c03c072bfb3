import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keyring } from "./keyring.ts";

/** The place of a secret value. A text that was sealed for one place can't be opened as the value of another place. */
export type SealedField = { organizationId: string; field: string };

/**
 * `unknown_key`: no secret of this process made the key of the text. `damaged`: the text was changed, or was sealed for
 * another place.
 */
export type Opened = { value: string } | { fault: "unknown_key" | "damaged" };

const ALGORITHM = "aes-256-gcm";
const VERSION = "v1";
// With random nonces, one key may seal about four billion values (NIST SP 800-38D, 8.3).
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = /^v1\.([\da-f]{16})\.([\w-]{16})\.([\w-]{22,})$/;

/** The lengths keep two different places from having the same bytes. */
const associatedData = (keyId: string, { organizationId, field }: SealedField) =>
  Buffer.from([VERSION, keyId, organizationId.length, organizationId, field.length, field].join(":"));

/**
 * Encrypts a text with AES-256-GCM under the current secret: `v1.<key id>.<nonce>.<ciphertext and tag>`. The
 * Organization and the field are associated data. Two calls answer two different texts.
 */
export function seal({ sealing }: Keyring, field: SealedField, value: string): string {
  const { id, key } = sealing[0]!;
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(id, field));
  const bytes = Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, id, nonce.toString("base64url"), bytes.toString("base64url")].join(".");
}

/** Decrypts a text of `seal` under the current secret or a previous one. */
export function open({ sealing }: Keyring, field: SealedField, sealed: string): Opened {
  const [, id = "", nonce = "", text = ""] = FORM.exec(sealed) ?? [];
  if (id === "") return { fault: "damaged" };
  const found = sealing.find((each) => each.id === id);
  if (!found) return { fault: "unknown_key" };
  const bytes = Buffer.from(text, "base64url");
  // Several texts in base64url stand for the same bytes. Only the text that `seal` wrote is taken.
  if (bytes.length < TAG_BYTES || bytes.toString("base64url") !== text) return { fault: "damaged" };
  const decipher = createDecipheriv(ALGORITHM, found.key, Buffer.from(nonce, "base64url"), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(id, field));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const opened = [decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()];
    return { value: Buffer.concat(opened).toString("utf8") };
  } catch {
    return { fault: "damaged" };
  }
}

/** Whether the current secret sealed this text. The text is not opened. */
export function isUnderCurrentSecret({ sealing }: Keyring, sealed: string): boolean {
  return FORM.exec(sealed)?.[1] === sealing[0]!.id;
}
