import { cardName } from "../domain/payment/card-name.ts";
import type { CreditNoteResource } from "../resources/credit-note.ts";
import type { InvoiceResource } from "../resources/invoice.ts";
import type { PaymentResource } from "../resources/payment.ts";
import type { RefundResource } from "../resources/refund.ts";
import { documentLine, failureOf, partyBlock, totalRows, Wording } from "./billing-document.ts";
import type { BillingDocument, DocumentTotal, Movement } from "./billing-document.ts";

/** An invoice, its charge and its refunds. */
export type InvoiceToShow = {
  invoice: InvoiceResource;
  /** The charge that paid the invoice, or null. */
  charge: Pick<PaymentResource, "method" | "settledAt"> | null;
  /** The refunds of the invoice, with their credit notes. */
  refunds: readonly {
    to: RefundResource["to"];
    /** The failure of a refund to the card that failed late: its money is on the balance (rule I8). */
    failedAt: RefundResource["failedAt"];
    creditNote: Pick<CreditNoteResource, "number" | "totalAmount" | "createdAt">;
  }[];
  timeZone: string;
  sandbox: boolean;
};

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

/**
 * The balance's part in the invoice. The name of the row gives the direction: the balance paid, received money, or held
 * a debt that this invoice settles. If the invoice has credit lines, the debt may also be credit that can't be spent
 * and that went to the balance (rule D7). The row then has the neutral name `Account balance`.
 */
function balanceRow({ totalAmount, balanceApplied, lines }: InvoiceResource, wording: Wording): DocumentTotal[] {
  if (balanceApplied === 0) return [];
  const owed = lines.some(({ amount }) => amount < 0) ? "Account balance" : "Owed from before";
  const name = balanceApplied > 0 ? "From the account balance" : totalAmount < 0 ? "To the account balance" : owed;
  return [{ name, value: wording.money(-balanceApplied), strong: false }];
}

function settlementRows(invoice: InvoiceResource, wording: Wording): DocumentTotal[] {
  const { status, amountDue, amountPaid, refundedAmount } = invoice;
  const row = (name: string, amount: number, strong: boolean) => ({ name, value: wording.money(amount), strong });
  return [
    ...balanceRow(invoice, wording),
    status === "paid"
      ? row("Amount paid", amountPaid, true)
      : row("Amount due", status === "void" ? 0 : amountDue, true),
    ...(refundedAmount === 0 ? [] : [row("Refunded", -refundedAmount, false)]),
  ];
}

function movementsOf({ invoice, charge, refunds }: InvoiceToShow, wording: Wording): Movement[] {
  const { balanceApplied, amountPaid, createdAt, paidAt, status } = invoice;
  const card = charge?.method ? cardName(charge.method) : null;
  const move = (at: string, how: string, amount: number, note: string | null = null): Movement => {
    return { date: wording.day(at), how, note, amount: wording.money(amount) };
  };
  return [
    ...(balanceApplied > 0 && status !== "void" ? [move(createdAt, "Account balance", balanceApplied)] : []),
    ...(amountPaid > 0 ? [move(charge?.settledAt ?? paidAt!, card ?? "Paid by other means", amountPaid)] : []),
    ...refunds.map(({ to, failedAt, creditNote }) => {
      const target = to === "card" ? (card ?? "the card") : "the account balance";
      const note = `Credit note ${creditNote.number}`;
      if (failedAt === null) return move(creditNote.createdAt, `Refund to ${target}`, -creditNote.totalAmount, note);
      const failure = failureOf(target, failedAt, wording);
      return move(
        creditNote.createdAt,
        "Refund to the account balance",
        -creditNote.totalAmount,
        `${note}. ${failure}`,
      );
    }),
  ];
}

function notesOf({ status, nextAttemptAt, taxNote }: InvoiceResource, wording: Wording): string[] {
  return [
    ...(status === "void" ? ["This invoice is void: no payment is due."] : []),
    ...(status === "open" && nextAttemptAt !== null
      ? [`The next attempt to charge it is on ${wording.day(nextAttemptAt)}.`]
      : []),
    ...(taxNote === null ? [] : [taxNote]),
  ];
}

/** An invoice in words, as it stands: the amounts of the resource, and dates in the Organization's time zone. */
export function invoiceDocument(toShow: InvoiceToShow): BillingDocument {
  const { invoice, timeZone, sandbox } = toShow;
  const { number, createdAt, periodStart, periodEnd } = invoice;
  const wording = new Wording(invoice.currency, timeZone);
  return {
    kind: "Invoice",
    number,
    issuedAt: createdAt,
    sandbox,
    status: statusOf(invoice, wording),
    facts: [
      { name: "Invoice number", value: number },
      { name: "Date of issue", value: wording.day(createdAt) },
      ...wording.span(periodStart, periodEnd).map((value) => ({ name: "Billing period", value })),
    ],
    seller: partyBlock("From", invoice.seller),
    buyer: partyBlock("Bill to", invoice.buyer),
    lines: invoice.lines.map((line) => documentLine(line, wording)),
    totals: [...totalRows(invoice, wording), ...settlementRows(invoice, wording)],
    movements: { heading: "Payment", rows: movementsOf(toShow, wording) },
    notes: notesOf(invoice, wording),
  };
}
