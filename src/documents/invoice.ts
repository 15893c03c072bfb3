import type { InvoiceResource } from "../resources/invoice.ts";
import type { PaymentResource } from "../resources/payment.ts";
import { documentLine, partyBlock, totalRows, Wording } from "./billing-document.ts";
import type { BillingDocument, DocumentTotal, Movement } from "./billing-document.ts";

/** What was given back, and the credit note that says so. */
export type RefundOnInvoice = { amount: number; to: "card" | "balance"; date: string; creditNoteNumber: string };

/** An invoice with what became of it. */
export type InvoiceToShow = {
  invoice: InvoiceResource;
  /** Whether it was paid without a payment provider. */
  paidOutside: boolean;
  /** The charge that paid it; null: there was none. */
  charge: Pick<PaymentResource, "amount" | "method" | "settledAt"> | null;
  refunds: readonly RefundOnInvoice[];
  timeZone: string;
  sandbox: boolean;
};

const BRANDS: Record<string, string> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" };

export function cardName({ brand, last4 }: { brand: string; last4: string }): string {
  return `${BRANDS[brand] ?? brand} •••• ${last4}`;
}

function statusOf(invoice: InvoiceResource, wording: Wording): BillingDocument["status"] {
  switch (invoice.status) {
    case "open":
      return { tone: "due", text: `${wording.money(invoice.amountDue)} due` };
    case "paid":
      return { tone: "done", text: `Paid on ${wording.day(invoice.paidAt!)}` };
    case "void":
      return { tone: "void", text: `Void since ${wording.day(invoice.voidedAt!)}` };
  }
}

/** What the balance did, named by its direction: it paid, was fed, or held a debt that is settled here. */
function balanceRow({ totalAmount, balanceApplied }: InvoiceResource, wording: Wording): DocumentTotal[] {
  if (balanceApplied === 0) return [];
  const name = balanceApplied > 0 ? "From the account balance" : totalAmount < 0 ? "To the account balance" : "Owed from before";
  return [{ name, value: wording.money(-balanceApplied), strong: false }];
}

function settlementRows(invoice: InvoiceResource, wording: Wording): DocumentTotal[] {
  const { status, amountDue, amountPaid, refundedAmount } = invoice;
  const row = (name: string, amount: number, strong: boolean) => ({ name, value: wording.money(amount), strong });
  return [
    ...balanceRow(invoice, wording),
    ...(status === "paid" ? [row("Amount paid", amountPaid, true)] : [row("Amount due", status === "void" ? 0 : amountDue, true)]),
    ...(refundedAmount === 0 ? [] : [row("Refunded", -refundedAmount, false)]),
  ];
}

function movementsOf({ invoice, paidOutside, charge, refunds }: InvoiceToShow, wording: Wording): Movement[] {
  const { balanceApplied, amountPaid, createdAt, paidAt, status } = invoice;
  const paidBy = charge ? cardName(charge.method) : paidOutside ? "Paid by other means" : null;
  const card = charge ? cardName(charge.method) : "card";
  return [
    ...(balanceApplied > 0 && status !== "void"
      ? [{ date: wording.day(createdAt), how: "Account balance", amount: wording.money(balanceApplied) }]
      : []),
    ...(paidBy === null || amountPaid === 0
      ? []
      : [{ date: wording.day(charge?.settledAt ?? paidAt!), how: paidBy, amount: wording.money(amountPaid) }]),
    ...refunds.map(({ amount, to, date, creditNoteNumber }) => ({
      date: wording.day(date),
      how: `Refund to ${to === "card" ? card : "the account balance"}, credit note ${creditNoteNumber}`,
      amount: wording.money(-amount),
    })),
  ];
}

function notesOf({ invoice }: InvoiceToShow, wording: Wording): string[] {
  const { status, nextAttemptAt, taxNote } = invoice;
  return [
    ...(status === "void" ? ["This invoice is void: nothing is due."] : []),
    ...(status === "open" && nextAttemptAt !== null ? [`The next attempt to charge it is on ${wording.day(nextAttemptAt)}.`] : []),
    ...(taxNote === null ? [] : [taxNote]),
  ];
}

/** An invoice in words, as it stands. Its totals are those of the resource, and its dates those of the Organization's time zone. */
export function invoiceDocument(shown: InvoiceToShow): BillingDocument {
  const { invoice, timeZone, sandbox } = shown;
  const wording = new Wording(invoice.currency, timeZone);
  return {
    kind: "Invoice",
    number: invoice.number,
    issuedAt: invoice.createdAt,
    sandbox,
    status: statusOf(invoice, wording),
    facts: [
      { name: "Invoice number", value: invoice.number },
      { name: "Date of issue", value: wording.day(invoice.createdAt) },
      ...wording.span(invoice.periodStart, invoice.periodEnd).map((value) => ({ name: "Billing period", value })),
    ],
    seller: partyBlock("From", invoice.seller),
    buyer: partyBlock("Bill to", invoice.buyer),
    lines: invoice.lines.map((line) => documentLine(line, invoice.taxes, wording)),
    totals: [...totalRows(invoice, wording), ...settlementRows(invoice, wording)],
    movements: movementsOf(shown, wording),
    notes: notesOf(shown, wording),
  };
}
