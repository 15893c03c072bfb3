import { encode } from "uqr";
import { expect, test } from "vitest";
import { qrCode } from "./qr-code.ts";

/** The dark modules that the rectangles of the path cover. */
function drawnBy(svg: string, size: number): boolean[][] {
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, length, back] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    expect(back).toBe(length);
    drawn[Number(y)]!.fill(true, Number(x), Number(x) + Number(length));
  }
  return drawn;
}

test.each(["otpauth://totp/Billow%3Aada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Billow", "a"])(
  "%s is drawn module by module, with a quiet frame",
  async (text) => {
    const svg = String(await qrCode(text, "QR code"));
    const { data, size } = encode(text, { ecc: "M", border: 4 });
    expect(svg).toContain(`viewBox="0 0 ${size} ${size}"`);
    expect(drawnBy(svg, size)).toEqual(data);
    expect(data.slice(0, 4).flat().includes(true)).toBe(false);
  },
);

test("the label is the name of the picture", async () => {
  expect(String(await qrCode("a", 'A "code"'))).toContain('role="img" aria-label="A &quot;code&quot;"');
});
