import { html } from "hono/html";
import type { InvoiceLine } from "../../../domain/model/invoice.ts";
import { soldBack, type CreditNote, type Refund } from "../../../domain/model/refund.ts";
import { valueInWords } from "../../../domain/words.ts";
import type { Html } from "../../layout.ts";
import { id as shownId, money, moneyText, time } from "../components/cells.ts";
import { statusBadge } from "../components/status.ts";
import { creditNotePath } from "../invoice/paths.ts";
import type { CustomerPageData } from "./part.ts";

/** The amount of a refund by lines, with the tax of each line, and the part that came off the balance. */
function explanation(
  self: string,
  refund: Refund,
  lines: readonly InvoiceLine[],
  note: CreditNote | undefined,
): Html[] {
  const { amount, currency, fromBalance, to } = refund;
  const said = (each: number) => moneyText(each, currency);
  const parts = refund.lines
    .filter((part) => part.amount > 0)
    .map((part) => {
      const line = lines.find(({ id }) => id === part.invoiceLineId);
      const tax = part.taxAmount === 0 ? "" : `, of which ${said(part.taxAmount)} is tax`;
      return html`${said(part.amount)} of <bdi>“${line?.description ?? part.invoiceLineId}”</bdi>${tax}`;
    });
  const taken =
    fromBalance === 0 ? [] : [html`${said(fromBalance)} was credit of this payment, and was deducted from the balance`];
  const shared =
    soldBack(refund) === 0
      ? "The whole amount was credit on the balance."
      : "The refund is shared out over the lines, in proportion to the amount that was left of each line.";
  const document = note && html` Credit note <a href="${creditNotePath(self, note.id)}">${note.number}</a>.`;
  return [
    html`<p>${said(amount)} ${to === "card" ? "to the card" : "to the balance"}:</p>`,
    html`<ul>${[...parts, ...taken].map((part) => html`<li>${part}</li>`)}</ul>`,
    html`<p class="note">${shared} Rule I3.${document ?? ""}</p>`,
  ];
}

/** A refund of an invoice, which unfolds its explanation. `note`: the credit note, if there is one. */
export function refundEntry(
  { zone, request }: CustomerPageData,
  refund: Refund,
  lines: readonly InvoiceLine[],
  note: CreditNote | undefined,
): Html {
  const { id, amount, currency, to, status, reason, failureCode, createdAt } = refund;
  const why = failureCode === null ? "" : ` (${valueInWords(failureCode)})`;
  return html`<li id="${id}">Refund of ${money(amount, currency)} to the ${to}, ${time(createdAt, zone)}:
${statusBadge("refund", status)}${why}${reason === null ? "" : html` <bdi>${reason}</bdi>`} ${shownId(id)}
<details class="how"><summary>Why ${moneyText(amount, currency)}?</summary>
${explanation(request.self, refund, lines, note)}</details></li>`;
}
