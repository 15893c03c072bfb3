import { createHmac } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createKeyring, isSigned, lastingDigest, sign } from "./keyring.ts";

const OLD = "an old secret of 32 characters ..";
const NEW = "a new secret of 32 characters ...";
const PURPOSE = "invoices:org_1:inv_1";

const hmac = (key: string | Buffer, text: string | Buffer) => createHmac("sha256", key).update(text).digest();
/** HKDF by the text of RFC 5869, for a key of one block. Without a salt, the salt is 32 zero bytes. */
const hkdf = (secret: string, info: string) =>
  hmac(hmac(Buffer.alloc(32), Buffer.from(secret)), Buffer.concat([Buffer.from(info), Buffer.from([1])]));

describe("a keyring", () => {
  test("derives each key by HKDF-SHA256 for its own purpose", () => {
    const { links, sealing, plain } = createKeyring(NEW);
    const keys = [links[0]!, sealing[0]!.key].map((key) => key.export());
    expect(keys).toEqual([hkdf(NEW, "billow links 1"), hkdf(NEW, "billow encryption 1")]);
    expect(plain.export().toString()).toBe(NEW);
    expect(sealing[0]!.id).toMatch(/^[\da-f]{16}$/);
  });

  test("signs with the current secret", () => {
    const expected = hmac(hkdf(NEW, "billow links 1"), PURPOSE).toString("base64url");
    expect(sign(createKeyring(NEW), PURPOSE)).toBe(expected);
    expect(sign(createKeyring(NEW, [OLD]), PURPOSE)).toBe(expected);
  });

  test("verifies the links of previous secrets and of earlier releases, which signed with the secret itself", () => {
    const rotated = createKeyring(NEW, [OLD]);
    const byEarlierRelease = (secret: string) => hmac(secret, PURPOSE).toString("base64url");
    for (const signature of [sign(createKeyring(OLD), PURPOSE), byEarlierRelease(OLD), byEarlierRelease(NEW)]) {
      expect(isSigned(rotated, PURPOSE, signature)).toBe(true);
      expect(isSigned(rotated, `${PURPOSE}0`, signature)).toBe(false);
      expect(isSigned(rotated, PURPOSE, signature.slice(1))).toBe(false);
    }
    expect(isSigned(createKeyring(NEW), PURPOSE, sign(createKeyring(OLD), PURPOSE))).toBe(false);
    expect(isSigned(createKeyring(NEW), PURPOSE, byEarlierRelease(OLD))).toBe(false);
  });

  test("takes no encryption key for a link", () => {
    const byEncryptionKey = hmac(hkdf(NEW, "billow encryption 1"), PURPOSE).toString("base64url");
    expect(isSigned(createKeyring(NEW), PURPOSE, byEncryptionKey)).toBe(false);
  });

  test("keeps the digests of which programs of others hold a copy", () => {
    const expected = hmac(NEW, "listener:org_1:http://localhost").toString("base64");
    expect(lastingDigest(createKeyring(NEW, [OLD]), "listener:org_1:http://localhost")).toBe(expected);
  });

  test("holds a secret that is named twice once", () => {
    const { links, sealing } = createKeyring(NEW, [OLD, NEW, OLD]);
    expect([links.length, sealing.length]).toEqual([4, 2]);
  });

  test("shows no byte of a key", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 32, maxLength: 64 }), (secret) => {
        const shown = inspect(createKeyring(secret), { depth: 9 }) + JSON.stringify(createKeyring(secret));
        expect(shown.replaceAll(/[\da-f]{16}/g, "")).not.toContain(secret);
      }),
    );
  });
});
