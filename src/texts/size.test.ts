import { describe, expect, it } from "vitest";
import { fileSize } from "./size.ts";
import { wordsFor } from "./words.ts";

describe("the size of a file", () => {
  it.each([
    ["en-GB", 0, "0 bytes"],
    ["en-GB", 1, "1 byte"],
    ["en-GB", 999, "999 bytes"],
    ["en-GB", 1000, "1 kB"],
    ["en-GB", 1_400_000, "1.4 MB"],
    ["en-GB", 2_147_483_648, "2.15 GB"],
    ["de", 1_400_000, "1,4 MB"],
    ["fr", 1_400_000, "1,4\u202fMo"],
    ["ja", 52_000_000, "52 MB"],
  ] as const)("in %s: %i", (locale, bytes, said) => {
    expect(fileSize(wordsFor(locale), bytes)).toBe(said);
  });
});
