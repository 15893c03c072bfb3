import { expect, test } from "vitest";
import { unbroken } from "./unbroken.ts";

/** The parts that stay on one line. */
const whole = (text: string) =>
  [
    ...unbroken(text)
      .join("")
      .matchAll(/<span style="white-space: nowrap">(.*?)<\/span>/g),
  ].map(([, part]) => part);

test.each([
  ["ends on 10 February 2026.", ["10 February 2026"]],
  ["ends on February 10, 2026.", ["February 10, 2026"]],
  ["endet am 10. März 2026.", ["10. März 2026"]],
  ["prend fin le 1er mars 2026.", ["1er mars 2026"]],
  ["Pro (del 10 de febrero de 2026 al 10 de marzo de 2026)", ["10 de febrero de 2026", "10 de marzo de 2026"]],
  ["トライアルは2026年3月10日に終了します", ["2026年3月10日"]],
  ["Invoice INV-H5S4NZC3-0001 is attached.", ["INV-H5S4NZC3-0001"]],
  ["An Ihre E-Mail-Adresse und per e-mail.", ["E-Mail", "e-mail"]],
  ["For up to 3 devices", []],
])("%s", (text, parts) => {
  expect(whole(text)).toEqual(parts);
});

test("markup in a text stays text", () => {
  expect(String(unbroken("<b>10 March 2026</b>")[1])).toContain(">10 March 2026<");
  expect(unbroken("<b>")).toEqual(["<b>"]);
});
