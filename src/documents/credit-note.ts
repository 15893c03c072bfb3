import { formatInstant } from "../domain/calendar.ts";
import { taxesOf, type InvoiceLine } from "../domain/model/invoice.ts";
import { cardName } from "../domain/model/card-name.ts";
import type { Payment } from "../domain/model/payment.ts";
import type { CreditNote, CreditNoteLine, Refund } from "../domain/model/refund.ts";
import { creditNoteWords } from "../texts/credit-note.ts";
import type { Words } from "../texts/words.ts";
import {
  buyerBlock,
  documentLine,
  failureOf,
  issuedBy,
  sellerBlock,
  taxNotes,
  totalRows,
  Wording,
} from "./billing-document.ts";
import type { BillingDocument, Issuer } from "./billing-document.ts";

/** A credit note and the charge that it refunds. */
export type CreditNoteToShow = {
  creditNote: CreditNote;
  /** The page of the invoice. */
  invoiceUrl: string;
  /** The lines of the invoice. */
  lines: readonly InvoiceLine[];
  /** The refunded charge; null if the money went to the balance. */
  charge: Pick<Payment, "method"> | null;
  /** The failure of a refund to the card that failed late: its money is on the balance (rule I8). */
  failedAt: Refund["failedAt"];
  issuer: Issuer;
  words: Words;
};

/** A line of the invoice with the amounts that were given back. The line was billed, so the invoice has it. */
function shownLine(noted: CreditNoteLine, lines: readonly InvoiceLine[]): InvoiceLine {
  return { ...lines.find(({ id }) => id === noted.invoiceLineId)!, ...noted, discountAmount: 0 };
}

/** A credit note in words. The amounts given back are above zero, as in the resource. */
export function creditNoteDocument(toShow: CreditNoteToShow): BillingDocument {
  const { creditNote, charge, failedAt, issuer, words } = toShow;
  const { number, invoiceNumber, createdAt, totalAmount } = creditNote;
  const wording = new Wording(creditNote.currency, issuer.timeZone, words);
  const { document } = words;
  const named = creditNoteWords(words, creditNote.seller);
  const lines = creditNote.lines.map((line) => shownLine(line, toShow.lines));
  const method = charge?.method ?? null;
  const card = method && cardName(method);
  const date = wording.day(createdAt);
  const amount = wording.money(totalAmount);
  const isToCard = method !== null && failedAt === null;
  const means = isToCard ? { how: cardName(method), brand: method.brand } : { how: document.balance, brand: null };
  const note = failedAt === null ? null : failureOf(card, failedAt, wording);
  return {
    locale: words.locale,
    kind: named.title,
    number,
    issuedAt: formatInstant(createdAt),
    ...issuedBy(issuer),
    status: { tone: "done", text: document.givenBack({ amount }) },
    facts: [
      { name: named.number, value: number },
      { name: document.issued, value: date },
      { name: document.forInvoice, value: invoiceNumber, url: toShow.invoiceUrl },
    ],
    seller: sellerBlock(words, document.from, creditNote.seller),
    buyer: buyerBlock(words, document.to, creditNote.buyer),
    lines: lines.map((line) => documentLine(line, wording)),
    totals: totalRows({ ...creditNote, discountAmount: 0, taxes: taxesOf(lines) }, wording),
    movements: { heading: document.refundedTo, rows: [{ date, ...means, note, document: null, amount }] },
    notes: taxNotes(words, lines),
  };
}
