import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyring } from "./keyring.ts";
import { isUnderCurrentSecret, open, seal, type SealedField } from "./encryption.ts";

const OLD = "an old secret of 32 characters ..";
const NEW = "a new secret of 32 characters ...";
const keyring = createKeyring(NEW);
const place = fc.record<SealedField>({ organizationId: fc.string(), field: fc.string() });
const DAMAGED = { fault: "damaged" };

test("opens to the same text, at its own place", () => {
  fc.assert(
    fc.property(place, fc.string({ unit: "grapheme" }), (at, value) => {
      expect(open(keyring, at, seal(keyring, at, value))).toEqual({ value });
    }),
  );
});

test("does not open at another place, even if both places have the same letters", () => {
  fc.assert(
    fc.property(place, place, fc.string(), (at, other, value) => {
      fc.pre(at.organizationId !== other.organizationId || at.field !== other.field);
      expect(open(keyring, other, seal(keyring, at, value))).toEqual(DAMAGED);
    }),
  );
  const sealed = seal(keyring, { organizationId: "org_1", field: "key" }, "sk");
  for (const other of [
    { organizationId: "org_1k", field: "ey" },
    { organizationId: "org_1:3", field: "key" },
    { organizationId: "org_2", field: "key" },
    { organizationId: "org_1", field: "webhook_secret" },
  ])
    expect(open(keyring, other, sealed)).toEqual(DAMAGED);
});

test("does not open with any character changed, added or taken away", () => {
  const at = { organizationId: "org_1", field: "key" };
  const alphabet = "ABCxyz019-_.=";
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.constantFrom(...alphabet), (value, n, letter) => {
      const sealed = seal(keyring, at, value);
      const i = n % sealed.length;
      for (const changed of [
        `${sealed.slice(0, i)}${letter}${sealed.slice(i + 1)}`,
        `${sealed.slice(0, i)}${letter}${sealed.slice(i)}`,
        sealed.slice(0, i),
      ]) {
        if (changed !== sealed) expect(open(keyring, at, changed)).not.toHaveProperty("value");
      }
    }),
    { numRuns: 1000 },
  );
  expect(open(keyring, at, "")).toEqual(DAMAGED);
});

test("has another nonce each time, and shows no part of the text", () => {
  const at = { organizationId: "org_1", field: "key" };
  const all = Array.from({ length: 1000 }, () => seal(keyring, at, "rk_live_secret"));
  expect(new Set(all.map((sealed) => sealed.split(".")[2])).size).toBe(1000);
  for (const sealed of all) expect(sealed).toMatch(/^v1\.[\da-f]{16}\.[\w-]{16}\.[\w-]+$/);
  expect(all.join()).not.toContain("rk_live");
});

test("a previous secret opens, and the current secret seals", () => {
  const at = { organizationId: "org_1", field: "key" };
  const rotated = createKeyring(NEW, [OLD]);
  const old = seal(createKeyring(OLD), at, "text");
  expect(open(rotated, at, old)).toEqual({ value: "text" });
  expect(isUnderCurrentSecret(rotated, old)).toBe(false);
  const anew = seal(rotated, at, "text");
  expect(isUnderCurrentSecret(rotated, anew)).toBe(true);
  expect(open(createKeyring(NEW), at, anew)).toEqual({ value: "text" });
  expect(open(createKeyring(OLD), at, anew)).toEqual({ fault: "unknown_key" });
  expect(open(createKeyring(NEW), at, old)).toEqual({ fault: "unknown_key" });
});
