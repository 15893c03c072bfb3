import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at } from "../../../test/support/subscription.ts";
import { activationRefusal, formatLicenseKey, isGranted, LICENSE_KEY_BYTES, readLicenseKey } from "./license-key.ts";

const bytes = fc.uint8Array({ minLength: LICENSE_KEY_BYTES, maxLength: LICENSE_KEY_BYTES });
const prefix = fc.option(fc.stringMatching(/^[A-Z0-9]{1,16}$/));

describe("a license key", () => {
  it("is four groups of five behind its prefix, without look-alikes", () => {
    fc.assert(
      fc.property(prefix, bytes, (before, random) => {
        const key = formatLicenseKey(before, random);
        const own = before === null ? key : key.slice(before.length + 1);
        expect(key.startsWith(before ?? "")).toBe(true);
        expect(own).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){3}$/);
      }),
    );
  });

  it("is read however it is typed", () => {
    const separator = fc.constantFrom("", " ", "-", " - ", "\u2013", "_", "\t");
    const zero = fc.constantFrom("0", "O", "o");
    const one = fc.constantFrom("1", "I", "i", "L", "l");
    fc.assert(
      fc.property(
        prefix,
        bytes,
        separator,
        zero,
        one,
        fc.boolean(),
        (before, random, between, asZero, asOne, lower) => {
          const key = formatLicenseKey(before, random);
          const own = key.slice(before === null ? 0 : before.length + 1);
          const groups = own.replaceAll("0", asZero).replaceAll("1", asOne).split("-");
          const typed = [...(before === null ? [] : [before]), ...groups].join(between);
          expect(readLicenseKey(lower ? typed.toLowerCase() : typed)).toBe(key);
        },
      ),
    );
  });

  it("keeps the letters of its prefix apart", () => {
    const [one, other] = ["OIL", "011"].map((each) => readLicenseKey(`${each}-00000-00000-00000-00000`));
    expect([one, other]).toEqual(["OIL-00000-00000-00000-00000", "011-00000-00000-00000-00000"]);
  });
});

describe("a grant counts only while it is active and its access has not ended", () => {
  const now = at("2025-06-15");
  test.each([
    // status    access ends          granted
    ["active", null, true],
    ["active", at("2025-06-16"), true],
    ["active", now, false],
    ["active", at("2025-06-14"), false],
    ["revoked", null, false],
    ["revoked", at("2025-06-16"), false],
  ] as const)("%s, until %s: %s", (status, until, granted) => expect(isGranted({ status }, until, now)).toBe(granted));
});

test.each([
  // granted  activations  limit  refusal
  [true, 0, 1, null],
  [true, 1, 1, "activation_limit_reached"],
  [true, 3, 2, "activation_limit_reached"],
  [true, 1_000_000, null, null],
  [false, 0, 1, "license_not_active"],
  [false, 1, 1, "license_not_active"],
])("an activation where granted is %s, after %s of %s: %s", (granted, activations, limit, refusal) => {
  expect(activationRefusal(granted, activations, limit)).toBe(refusal);
});
