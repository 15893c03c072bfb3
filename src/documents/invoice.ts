import { formatInstant, type Instant } from "../domain/calendar.ts";
import { taxesOf, type Invoice, type InvoiceLine } from "../domain/model/invoice.ts";
import { cardName } from "../domain/model/card-name.ts";
import type { Payment } from "../domain/model/payment.ts";
import type { CreditNote, Refund } from "../domain/model/refund.ts";
import { creditNoteWords } from "../texts/credit-note.ts";
import { answerLine } from "../texts/own-field.ts";
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
import type { BillingDocument, DocumentTotal, Issuer, Movement } from "./billing-document.ts";

/** An invoice, its charge and its refunds. */
export type InvoiceToShow = {
  invoice: Invoice;
  lines: readonly InvoiceLine[];
  /** The charge that paid the invoice, or null. */
  charge: Pick<Payment, "method" | "settledAt"> | null;
  /**
   * The refunds of the invoice, with their credit notes and the pages of these. `failedAt`: the failure of a refund to
   * the card that failed late: its money is on the balance (rule I8).
   */
  refunds: readonly (Pick<Refund, "to" | "failedAt"> & {
    creditNote: Pick<CreditNote, "number" | "seller" | "totalAmount" | "createdAt">;
    url: string;
  })[];
  issuer: Issuer;
  words: Words;
  /** True while a charge is under way: no next attempt is named, because this charge may pay. */
  isBeingPaid?: boolean;
};

/** A total below zero goes to the balance (rule M4), so no amount is paid. */
const isCredit = ({ totalAmount }: Invoice) => totalAmount < 0;

function statusOf(invoice: Invoice, wording: Wording): BillingDocument["status"] {
  const { due, paidOn, creditedOn, voidSince } = wording.words.document;
  switch (invoice.status) {
    case "open":
      return { tone: "due", text: due({ amount: wording.money(invoice.amountDue) }) };
    case "paid":
      return { tone: "done", text: (isCredit(invoice) ? creditedOn : paidOn)({ day: wording.day(invoice.paidAt!) }) };
    case "void":
      return { tone: "void", text: voidSince({ day: wording.day(invoice.voidedAt!) }) };
  }
}

/**
 * The balance's part in the invoice. The name of the row gives the direction: the balance paid, received money, or held
 * a debt that this invoice settles. If the invoice has credit lines, the debt may also be credit that can't be spent
 * and that went to the balance (rule D7). The row then has the neutral name `Account balance`.
 */
function balanceRow({ invoice, lines, words: { document } }: InvoiceToShow, wording: Wording): DocumentTotal[] {
  const { balanceApplied, totalAmount } = invoice;
  if (balanceApplied === 0) return [];
  const owed = lines.some(({ amount }) => amount < 0) ? document.balance : document.owed;
  const name = balanceApplied > 0 ? document.fromBalance : totalAmount < 0 ? document.toBalance : owed;
  return [{ name, value: wording.money(-balanceApplied), strong: false }];
}

function settlementRows(toShow: InvoiceToShow, wording: Wording): DocumentTotal[] {
  const { status, amountDue, amountPaid, refundedAmount } = toShow.invoice;
  const { document } = toShow.words;
  const row = (name: string, amount: number, strong: boolean) => ({ name, value: wording.money(amount), strong });
  const settled =
    status === "paid"
      ? row(document.amountPaid, amountPaid, true)
      : row(document.amountDue, status === "void" ? 0 : amountDue, true);
  return [
    ...balanceRow(toShow, wording),
    ...(isCredit(toShow.invoice) ? [] : [settled]),
    ...(refundedAmount === 0 ? [] : [row(document.refunded, -refundedAmount, false)]),
  ];
}

function refundMovement(
  { to, failedAt, creditNote, url }: InvoiceToShow["refunds"][number],
  method: Payment["method"],
  wording: Wording,
): Movement {
  const { document } = wording.words;
  const card = method && cardName(method);
  const isToCard = to === "card" && failedAt === null;
  const { number, totalAmount, createdAt } = creditNote;
  const toCard = card === null ? document.refundToTheCard : document.refundToCard({ card });
  return {
    date: wording.day(createdAt),
    how: isToCard ? toCard : document.refundToBalance,
    brand: isToCard ? (method?.brand ?? null) : null,
    note: failedAt === null ? null : failureOf(card, failedAt, wording),
    document: { title: `${creditNoteWords(wording.words, creditNote.seller).title} ${number}`, url },
    amount: wording.money(-totalAmount),
  };
}

function movementsOf({ invoice, charge, refunds, words }: InvoiceToShow, wording: Wording): Movement[] {
  const { balanceApplied, amountPaid, createdAt, paidAt, status } = invoice;
  const { balance, otherMeans } = words.document;
  const method = charge?.method ?? null;
  const how = method ? cardName(method) : otherMeans;
  const payment = (at: Instant, means: Pick<Movement, "how" | "brand">, amount: number): Movement => {
    return { date: wording.day(at), ...means, note: null, document: null, amount: wording.money(amount) };
  };
  const byBalance = { how: balance, brand: null };
  const byCard = { how, brand: method?.brand ?? null };
  return [
    ...(balanceApplied > 0 && status !== "void" ? [payment(createdAt, byBalance, balanceApplied)] : []),
    ...(amountPaid > 0 ? [payment(charge?.settledAt ?? paidAt!, byCard, amountPaid)] : []),
    ...refunds.map((refund) => refundMovement(refund, method, wording)),
  ];
}

function notesOf({ invoice, lines, words, isBeingPaid = false }: InvoiceToShow, wording: Wording): string[] {
  const { status, nextAttemptAt } = invoice;
  const { isVoid, nextAttempt } = words.document;
  const isTriedLater = status === "open" && nextAttemptAt !== null && !isBeingPaid;
  return [
    ...(status === "void" ? [isVoid] : []),
    ...(isTriedLater ? [nextAttempt({ day: wording.day(nextAttemptAt) })] : []),
    ...taxNotes(words, lines),
    ...(invoice.fieldAnswers ?? []).map((answer) => answerLine(words, answer)),
  ];
}

/** An invoice in words, as it stands. Its dates are in the Organization's time zone. */
export function invoiceDocument(toShow: InvoiceToShow): BillingDocument {
  const { invoice, lines, issuer, words } = toShow;
  const { number, createdAt, periodStart, periodEnd } = invoice;
  const wording = new Wording(invoice.currency, issuer.timeZone, words);
  const { document } = words;
  return {
    locale: words.locale,
    kind: document.invoice,
    number,
    issuedAt: formatInstant(createdAt),
    ...issuedBy(issuer),
    status: statusOf(invoice, wording),
    facts: [
      { name: document.invoiceNumber, value: number },
      { name: document.issued, value: wording.day(createdAt) },
      ...wording.span(periodStart, periodEnd).map((value) => ({ name: document.period, value })),
    ],
    seller: sellerBlock(words, document.from, invoice.seller),
    buyer: buyerBlock(words, document.billTo, invoice.buyer),
    lines: lines.map((line) => documentLine(line, wording)),
    totals: [...totalRows({ ...invoice, taxes: taxesOf(lines) }, wording), ...settlementRows(toShow, wording)],
    movements: { heading: document.payment, rows: movementsOf(toShow, wording) },
    notes: notesOf(toShow, wording),
  };
}
