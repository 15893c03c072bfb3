import { html } from "hono/html";
import { cardName } from "../../../../domain/model/card-name.ts";
import type { Payment } from "../../../../domain/model/payment.ts";
import { soldBack, type CreditNote, type Refund } from "../../../../domain/model/refund.ts";
import { isId } from "../../../../ids.ts";
import { creditNotes } from "../../../../store/credit-notes.ts";
import { payments } from "../../../../store/payments.ts";
import { listRefunds } from "../../../../store/refunds.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { notice } from "../../components/notice.ts";
import type { CustomerPageData } from "../part.ts";

/** The page of the Customer after a refund of this invoice. */
export const afterRefund = ({ self }: Pick<CustomerPageData, "self">, invoiceId: string): string =>
  `${self}?refunded=${invoiceId}`;

/** A refund that was just made. `payment` null: the refund is to the balance. */
type Refunded = { refund: Refund; note: CreditNote | null; payment: Payment | null };

function destinationOf({ refund: { to }, payment }: Refunded): string {
  if (to === "balance") return "the balance";
  return payment?.method ? cardName(payment.method) : "the card that paid";
}

/** The state of the refund, as long as a person may have to wait for the payment provider. */
function stateOf({ status, to }: Refund): string {
  if (to === "balance") return "The credit is on the balance now.";
  if (status === "succeeded") return "The refund has succeeded.";
  if (status === "failed") return "The refund has failed.";
  return "The refund is pending until the payment provider has answered.";
}

function noteOf(refund: Refund, note: CreditNote | null): string {
  if (note !== null) return ` Credit note ${note.number} was created.`;
  return soldBack(refund) === 0 || refund.status === "failed" ? "" : " Then the credit note is created.";
}

/** The newest refund of an invoice of the Customer; null: there is none. */
export async function readRefunded(
  pageData: CustomerPageData,
  invoiceId: string | undefined,
): Promise<Refunded | null> {
  const { ctx, request, customer } = pageData;
  if (invoiceId === undefined || !isId("inv", invoiceId)) return null;
  const { id } = request.organization;
  const [refund] = await listRefunds(ctx.db.read, id, { invoiceId, customerId: customer.id, limit: 1 });
  if (refund === undefined) return null;
  const { creditNoteId, to, paymentId } = refund;
  const [note, payment] = await Promise.all([
    creditNoteId === null ? null : creditNotes.find(ctx.db.read, id, creditNoteId),
    to === "balance" || paymentId === null ? null : payments.find(ctx.db.read, id, paymentId),
  ]);
  return { refund, note, payment };
}

/** The line about a refund that was just made: amount, place and credit note. */
export function refundedNotice({ self }: CustomerPageData, refunded: Refunded): Html {
  const { refund, note } = refunded;
  const { amount, currency, invoiceId } = refund;
  const made = `Refund of ${moneyText(amount, currency)} to ${destinationOf(refunded)}.`;
  return notice(
    "done",
    html`${made} ${stateOf(refund)}${noteOf(refund, note)}
<a href="${self}?at=${invoiceId}#${refund.id}">See the refund</a>`,
  );
}
