import type { Party } from "../domain/model/invoice.ts";
import type { Words } from "./words.ts";

/**
 * The words for a credit note by its seller. In Spain, the law calls the document a "factura rectificativa" (Real
 * Decreto 1619/2012, article 15). Other countries that speak Spanish call it a "nota de crédito".
 */
export function creditNoteWords({ document, portal }: Words, { address }: Pick<Party, "address">) {
  return address?.country === "ES"
    ? { title: document.creditNoteOfSpain, number: document.creditNoteNumberOfSpain, named: portal.creditNoteOfSpain }
    : { title: document.creditNote, number: document.creditNoteNumber, named: portal.creditNote };
}
