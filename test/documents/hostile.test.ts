import fc from "fast-check";
import { expect, test } from "vitest";
import type { BillingDocument } from "../../src/documents/billing-document.ts";
import { drawPdf } from "../../src/documents/pdf.ts";
import { infoOf, textOf } from "../support/pdf.ts";

function documentOf(text: string, other: string): BillingDocument {
  return {
    locale: "en-GB",
    kind: "Invoice",
    number: "INV-00000000-0001",
    issuedAt: "2026-03-01T09:00:00.000Z",
    sandbox: false,
    brand: { name: text, ground: "#ffd400", text: "#7a6500" },
    status: { tone: "done", text: "Paid" },
    facts: [{ name: "Invoice number", value: text }],
    seller: { heading: "From", name: text, lines: [other, text + other] },
    buyer: { heading: "Bill to", name: other, lines: [text] },
    lines: [{ description: text, notes: [other, text], quantity: "1", unitPrice: other, tax: text, amount: "€1.00" }],
    totals: [{ name: other, value: "€1.00", strong: true }],
    movements: {
      heading: "Payment",
      rows: [{ date: "1 March 2026", how: text, brand: null, note: other, document: null, amount: "€1.00" }],
    },
    notes: [text],
    contacts: [text, other],
  };
}

const LETTERS = "Ada żółć ị ﬁ محمد لا شركة (ش.م.م) שלום क्षि สมชาย น้ำ 김한 日本語 張伟 ١٢٣ 123 €¥ «» [a]";
const UNSEEN = "\u202e \u2067 \u200d \u0301 \ufe0f 😀 👨‍👩‍👧 🇵🇱";
const mixed = fc.string({ unit: fc.constantFrom(...LETTERS, ...UNSEEN), maxLength: 120 });
const anything = fc.oneof(
  mixed,
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);

test("any text gives a PDF that can be read", async () => {
  const property = fc.asyncProperty(anything, anything, async (text, other) => {
    const pdf = await drawPdf(documentOf(text, other));
    expect(infoOf(pdf)).toMatchObject({ Pages: "1", Title: "Invoice INV-00000000-0001" });
    expect(textOf(pdf)).toContain("Page 1 of 1");
  });
  await fc.assert(property, { numRuns: 30 });
});

test.each([
  ["one word", "W".repeat(256)],
  ["one word in Arabic", "محمد".repeat(64)],
  ["no spaces", "株式会社山田製作所".repeat(28)],
  ["many words", "Lorem ipsum dolor ".repeat(14)],
])("a long name is broken: %s", async (_, name) => {
  const text = textOf(await drawPdf(documentOf(name, ""))).replace(/\s+/g, "");
  expect(text).toContain(name.replace(/\s+/g, ""));
});
