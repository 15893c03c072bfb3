import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { realNow } from "./clock.ts";
import { isId, newId } from "./ids.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function uuidOf(id: string): string {
  const number = Array.from(id.slice(-26)).reduce(
    (value, character) => value * 32n + BigInt(ALPHABET.indexOf(character)),
    0n,
  );
  return number.toString(16).padStart(32, "0");
}

describe("newId", () => {
  it("is the prefix and a UUIDv7 that carries the time", () => {
    const before = realNow();
    const id = newId("cus");
    const uuid = uuidOf(id);
    expect(id).toMatch(/^cus_[0-9a-z]{26}$/);
    expect(uuid).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(Number.parseInt(uuid.slice(0, 12), 16)).toBeGreaterThanOrEqual(before);
  });

  it("sorts by creation and never repeats, however many fall into one millisecond", () => {
    const ids = Array.from({ length: 20_000 }, () => newId("evt"));
    expect(ids).toEqual([...new Set(ids)].toSorted());
    expect(ids.every((id) => isId("evt", id) && /^.{12}7.{3}[89ab]/.test(uuidOf(id)))).toBe(true);
  });

  it("sorts across prefixes too", () => {
    const suffixes = [newId("whk"), newId("bal"), newId("pm")].map((id) => id.slice(-26));
    expect(suffixes).toEqual(suffixes.toSorted());
  });
});

describe("isId", () => {
  const suffix = "01h455vb4pex5vsknk084sn02q"; // of the TypeID specification's examples

  test.each([`cus_${suffix}`, `cus_${"0".repeat(26)}`, `cus_7${"z".repeat(25)}`])("%s is one", (text) => {
    expect(isId("cus", text)).toBe(true);
  });

  test.each([
    ["another prefix", `sub_${suffix}`],
    ["a longer prefix", `xcus_${suffix}`],
    ["no prefix", suffix],
    ["no underscore", `cus${suffix}`],
    ["too short", `cus_${suffix.slice(1)}`],
    ["too long", `cus_${suffix}0`],
    ["more than 128 bits", `cus_8${suffix.slice(1)}`],
    ["upper case", `cus_${suffix.toUpperCase()}`],
    ["a letter outside the alphabet", `cus_${suffix.slice(1)}u`],
    ["a line break after it", `cus_${suffix}\n`],
    ["nothing", ""],
  ])("%s is not one", (_, text) => {
    expect(isId("cus", text)).toBe(false);
  });

  it("takes no character outside the alphabet", () => {
    fc.assert(
      fc.property(fc.nat(127), fc.nat(25), (code, position) => {
        const character = String.fromCharCode(code);
        const text = suffix.slice(0, position) + character + suffix.slice(position + 1);
        expect(isId("cus", `cus_${text}`)).toBe((position === 0 ? "01234567" : ALPHABET).includes(character));
      }),
    );
  });
});
