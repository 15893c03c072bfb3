import * as fc from "fast-check";
import { expect, test } from "vitest";
import { accentColors, accentUses } from "./accent.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((bits) => bits.toString(16).padStart(6, "0"));

/** WCAG's formula once more, independent of the code, for colours as text. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return red! * 0.2126 + green! * 0.7152 + blue! * 0.0722 + 0.05;
  };
  return Math.max(luminance(one) / luminance(other), luminance(other) / luminance(one));
}

test("text in any colour and text on it can be read", () => {
  fc.assert(
    fc.property(hex, (color) => {
      const { ground, ink, text, darkText } = accentColors(color);
      expect(ground).toBe(`#${color}`);
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(text, "#ffffff")).toBeGreaterThanOrEqual(4.5);
      expect(contrast(text, "#f4f5f8")).toBeGreaterThanOrEqual(4.5);
      expect(contrast(darkText, "#1b1e26")).toBeGreaterThanOrEqual(6);
      expect(contrast(darkText, "#12141a")).toBeGreaterThanOrEqual(6);
    }),
  );
});

test.each([
  // colour   ink on it   as text    on a dark page
  ["1f4fd8", "#ffffff", "#1f4fd8", "#7e99e9"],
  ["000000", "#ffffff", "#000000", "#9c9c9c"],
  ["ffffff", "#000000", "#707070", "#ffffff"],
  ["ffd400", "#000000", "#846e00", "#ffd400"],
])("#%s", (color, ink, text, darkText) => {
  expect(accentColors(color)).toEqual({ ground: `#${color}`, ink, text, darkText });
});

test("a place has another shade if, and only if, the colour itself can't be read there", () => {
  fc.assert(
    fc.property(hex, (color) => {
      for (const { surface, wanted, least, used, isAdapted } of accentUses(color)) {
        expect(isAdapted, surface).toBe(wanted < least);
        expect(used === (surface === "button" ? "#ffffff" : `#${color}`), surface).toBe(!isAdapted);
      }
    }),
  );
});
