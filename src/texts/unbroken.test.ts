import { expect, test } from "vitest";
import { unbrokenParts } from "./unbroken.ts";

test.each([
  ["ends on 10 February 2026.", ["10 February 2026"]],
  ["ends on February 10, 2026.", ["February 10, 2026"]],
  ["Cancel on 22 December", ["22 December"]],
  ["Cancel on December 22", ["December 22"]],
  ["endet am 10. März 2026.", ["10. März 2026"]],
  ["prend fin le 1er mars 2026.", ["1er mars 2026"]],
  ["Pro (del 10 de febrero de 2026 al 10 de marzo de 2026)", ["10 de febrero de 2026", "10 de marzo de 2026"]],
  ["トライアルは2026年3月10日に終了します", ["2026年3月10日"]],
  ["Invoice INV-H5S4NZC3-0001 is attached.", ["INV-H5S4NZC3-0001"]],
  // Too long for a column of a document on a phone. The portal keeps such a number whole, where there is room.
  ["Credit note INV-H5S4NZC3-CN0001", []],
  ["An Ihre E-Mail-Adresse und per e-mail.", ["E-Mail", "e-mail"]],
  ["For up to 3 devices", ["3 devices"]],
  // A line does not break after the minus.
  ["Discount −$10.00 and −US$1,000.50", ["−$10.00", "−US$1,000.50"]],
  ["Rabatt −10,00\u00a0€, remise −10,00\u202f$US", ["−10,00\u00a0€", "−10,00\u202f$US"]],
  ["US$30.00 per month, or 30,00 $ of 2026 and more", []],
])("%s", (text, parts) => {
  expect(unbrokenParts(text).filter((_, n) => n % 2 === 1)).toEqual(parts);
  expect(unbrokenParts(text).join("")).toBe(text);
});
