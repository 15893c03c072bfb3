import { html } from "hono/html";
import { unbrokenCardName } from "../../../../domain/model/card-name.ts";
import { soldBack, type CreditNote, type Refund } from "../../../../domain/model/refund.ts";
import { isId } from "../../../../ids.ts";
import { creditNotes } from "../../../../store/credit-notes.ts";
import { payments } from "../../../../store/payments.ts";
import { listRefunds } from "../../../../store/refunds.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { notice } from "../../components/notice.ts";
import type { Scene } from "../part.ts";

/** The page of the Customer after a refund of this invoice. */
export const afterRefund = ({ self }: Pick<Scene, "self">, invoiceId: string): string =>
  `${self}?refunded=${invoiceId}`;

async function placeOf({ ctx, visit }: Scene, { to, paymentId }: Refund): Promise<string> {
  if (to === "balance") return "the balance";
  const payment = paymentId === null ? null : await payments.find(ctx.db.read, visit.organization.id, paymentId);
  return payment?.method ? unbrokenCardName(payment.method) : "the card that paid";
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

/** The line about the refund of an invoice of the Customer that was just made: amount, place and credit note. */
export async function refundedNotice(scene: Scene, invoiceId: string | undefined): Promise<Html | ""> {
  const { ctx, visit, customer, self } = scene;
  if (invoiceId === undefined || !isId("inv", invoiceId)) return "";
  const { id } = visit.organization;
  const [refund] = await listRefunds(ctx.db.read, id, { invoiceId, customerId: customer.id, limit: 1 });
  if (refund === undefined) return "";
  const { creditNoteId, amount, currency } = refund;
  const note = creditNoteId === null ? null : await creditNotes.find(ctx.db.read, id, creditNoteId);
  const made = `Refund of ${moneyText(amount, currency)} to ${await placeOf(scene, refund)}.`;
  return notice(
    "done",
    html`${made} ${stateOf(refund)}${noteOf(refund, note)}
<a href="${self}?at=${invoiceId}#${refund.id}">See the refund</a>`,
  );
}
