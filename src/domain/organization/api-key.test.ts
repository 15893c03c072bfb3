import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endOfOverlap, formatSecret, isSecret, refusalOf, successorExpiry } from "./api-key.ts";
import { instant } from "../calendar.ts";

const secret = formatSecret("sandbox", Buffer.alloc(64));

describe("secrets", () => {
  test("say their mode and end in a checksum", () => {
    expect(secret).toBe("blw_test_000000000000000000000000000000000GTofC");
    expect(formatSecret("live", randomBytes(64))).toMatch(/^blw_live_[0-9A-Za-z]{38}$/);
  });

  test("are known by their checksum", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 200, maxLength: 200 }), fc.boolean(), (bytes, live) => {
        fc.pre(bytes.filter((byte) => byte < 248).length >= 32);
        expect(isSecret(formatSecret(live ? "live" : "sandbox", bytes))).toBe(true);
      }),
    );
  });

  test("with one wrong character are refused", () => {
    fc.assert(
      fc.property(fc.nat(secret.length - 1), fc.constantFrom(..."0123456789abcXYZ_ é"), (at, character) => {
        fc.pre(secret[at] !== character);
        expect(isSecret(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
      }),
    );
  });

  test("need enough random bytes", () => {
    expect(() => formatSecret("live", Buffer.alloc(64, 255))).toThrow(RangeError);
  });
});

test.each([
  // expiresAt  revokedAt  now  refusal
  [null, null, 100, null],
  [101, null, 100, null],
  [100, null, 100, "api_key_expired"],
  [null, 50, 100, "api_key_revoked"],
  [50, 50, 100, "api_key_revoked"],
])("a key that expires at %s and was revoked at %s is at %s: %s", (expiresAt, revokedAt, now, refusal) => {
  const at = (value: number | null) => (value === null ? null : instant(value));
  expect(refusalOf({ expiresAt: at(expiresAt), revokedAt: at(revokedAt) }, now)).toBe(refusal);
});

test("an overlap never lengthens a key's life", () => {
  expect(endOfOverlap({ expiresAt: null }, 1000, 500)).toBe(1500);
  expect(endOfOverlap({ expiresAt: instant(1200) }, 1000, 500)).toBe(1200);
  expect(endOfOverlap({ expiresAt: null }, 1000, 0)).toBe(1000);
});

test("a successor lives as long as its predecessor was made for", () => {
  expect(successorExpiry({ createdAt: instant(100), expiresAt: instant(400) }, 350)).toBe(650);
  expect(successorExpiry({ createdAt: instant(100), expiresAt: null }, 350)).toBe(null);
});
