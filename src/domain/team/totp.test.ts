import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { bytesOfStep, codeOf, fromBase32, stepAt, toBase32, typedCode } from "./totp.ts";

describe("codes", () => {
  // RFC 6238, appendix B, for SHA-1; the last six of its eight digits.
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("of the second %d", (seconds, code) => {
    const hmac = createHmac("sha1", "12345678901234567890")
      .update(bytesOfStep(stepAt(seconds * 1000)))
      .digest();
    expect(codeOf(hmac)).toBe(code);
  });

  test.each([
    [" 123 456", "123456"],
    ["123-456", "123456"],
    ["１２３４５６", "123456"],
    ["12345", null],
    ["1234567", null],
    ["12a456", null],
    ["", null],
  ])("typed as %j", (text, code) => expect(typedCode(text)).toBe(code));
});

test("a key in base32 has its bytes", () => {
  const bytes = Uint8Array.from("12345678901234567890", (letter) => letter.charCodeAt(0));
  expect(toBase32(bytes)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  expect(fromBase32("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")).toEqual(bytes);
  for (const wrong of ["", "GEZD", "gezdgnbvgy3tqojqgezdgnbvgy3tqojq", "1".repeat(32)])
    expect(fromBase32(wrong)).toBeNull();
});
