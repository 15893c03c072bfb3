import { cardName } from "../domain/payment/card-name.ts";
import type { CreditNoteResource } from "../resources/credit-note.ts";
import type { PaymentResource } from "../resources/payment.ts";
import type { RefundResource } from "../resources/refund.ts";
import { documentLine, failureOf, partyBlock, totalRows, Wording, type BillingDocument } from "./billing-document.ts";

/** A credit note and the charge that it refunds. */
export type CreditNoteToShow = {
  creditNote: CreditNoteResource;
  /** The refunded charge; null if the money went to the balance. */
  charge: Pick<PaymentResource, "method"> | null;
  /** The failure of a refund to the card that failed late: its money is on the balance (rule I8). */
  failedAt: RefundResource["failedAt"];
  timeZone: string;
  sandbox: boolean;
};

/** A credit note in words. The amounts given back are above zero, as in the resource. */
export function creditNoteDocument({
  creditNote,
  charge,
  failedAt,
  timeZone,
  sandbox,
}: CreditNoteToShow): BillingDocument {
  const { number, invoiceNumber, createdAt, totalAmount, taxNote } = creditNote;
  const wording = new Wording(creditNote.currency, timeZone);
  const card = charge?.method ? cardName(charge.method) : null;
  const how = card === null || failedAt !== null ? "Account balance" : card;
  const note = failedAt === null ? null : failureOf(card ?? "the card", failedAt, wording);
  return {
    kind: "Credit note",
    number,
    issuedAt: createdAt,
    sandbox,
    status: { tone: "done", text: `${wording.money(totalAmount)} given back` },
    facts: [
      { name: "Credit note number", value: number },
      { name: "Date of issue", value: wording.day(createdAt) },
      { name: "For invoice", value: invoiceNumber },
    ],
    seller: partyBlock("From", creditNote.seller),
    buyer: partyBlock("To", creditNote.buyer),
    lines: creditNote.lines.map((line) => documentLine({ ...line, discountAmount: 0, discountedPart: null }, wording)),
    totals: totalRows({ ...creditNote, discountAmount: 0 }, wording),
    movements: {
      heading: "Given back to",
      rows: [{ date: wording.day(createdAt), how, note, amount: wording.money(totalAmount) }],
    },
    notes: taxNote === null ? [] : [taxNote],
  };
}
