import { describe, expect, it } from "vitest";
import { creditNoteWords } from "./credit-note.ts";
import { wordsFor } from "./words.ts";

const sellerIn = (country: string) => ({
  address: { country, state: null, city: null, postalCode: null, line1: null, line2: null },
});

describe("a credit note", () => {
  it.each([
    ["es", "ES", "Factura rectificativa"],
    ["es-ES", "ES", "Factura rectificativa"],
    ["es", "MX", "Nota de crédito"],
    ["en", "ES", "Credit note"],
    ["de", "ES", "Rechnungskorrektur"],
  ] as const)("in %s of a seller in %s is a %s", (locale, country, title) => {
    const named = creditNoteWords(wordsFor(locale), sellerIn(country));
    expect([named.title, named.named({ number: "N-1" })]).toEqual([title, `${title} N-1`]);
  });

  it("of a seller without an address has the general title", () => {
    expect(creditNoteWords(wordsFor("es"), { address: null }).number).toBe("Número de nota de crédito");
  });
});
