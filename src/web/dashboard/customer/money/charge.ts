import { html } from "hono/html";
import { chargeByHand } from "../../../../actions/invoice/charge-by-hand.ts";
import { previewCharge } from "../../../../actions/invoice/preview.ts";
import type { Context } from "../../../../context.ts";
import type { Bill } from "../../../../domain/invoice/bills.ts";
import type { Invoice } from "../../../../domain/model/invoice.ts";
import type { ChargePreview } from "../../../../domain/settlement/preview-by-hand.ts";
import { cardName } from "../../../../domain/model/card-name.ts";
import { isUnavailable } from "../../../../errors.ts";
import { listPayments } from "../../../../store/payments.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { confirmPanel } from "../../components/confirm-panel.ts";
import { notice } from "../../components/notice.ts";
import { formPages } from "../../form-action.ts";
import { hiddenValues, originOf, refusalNotice, typed, type Sent } from "../../sent-form.ts";
import { besidePage, effects } from "../part.ts";
import { CHALLENGE, sameVersion, versionField } from "./by-hand.ts";
import { effectItems, withNames, type NamedEffect } from "./effect.ts";
import { INVOICE, invoicePageDataOf, type InvoicePageData } from "./invoice-page-data.ts";

const NO_CARD = "The Customer has no card that can be charged. The buyer can pay on the page of the invoice.";
const HELD_BACK =
  "A dispute holds the card back, so the charge would fail. The buyer can pay on the page of the invoice.";

type Charging = { preview: ChargePreview; named: NamedEffect };

function confirmation(pageData: InvoicePageData, sent: Sent, { preview, named }: Charging): Html {
  const { invoice, self } = pageData;
  const { card, cardId, isHeldBack, givesUpChallenge } = preview;
  if (card === null) return notice("warning", NO_CARD);
  if (isHeldBack) return notice("warning", HELD_BACK);
  const due = moneyText(invoice.amountDue, invoice.currency);
  const name = cardName(card);
  const items = [
    ...(givesUpChallenge ? [CHALLENGE] : []),
    html`${due} is charged to ${name} now. If the charge succeeds, the invoice is paid.`,
    ...effectItems(pageData, named, invoice.currency),
    html`If the charge fails, the invoice stays open, and the scheduled retries stay as they are.`,
  ];
  return confirmPanel(sent, {
    hidden: html`${versionField(invoice)}${hiddenValues({ cardId: cardId ?? "" })}`,
    effect: effects(items),
    label: `Charge ${due} to ${name}`,
    back: self,
  });
}

/** Whether the newest charge of the invoice has no outcome yet. The worker asks the provider for the outcome. */
async function isUnderWay(ctx: Context, { organizationId, id: invoiceId }: Invoice): Promise<boolean> {
  const [newest] = await listPayments(ctx.db.read, organizationId, { invoiceId, limit: 1 });
  return newest?.status === "pending" || newest?.status === "unknown";
}

const REFUSED =
  "The payment provider refused the charge, and the buyer is not at fault. The invoice stays open. " +
  "An operator has to remove the cause. The list of payments shows the reason.";

/** `…/customers/{customerId}/invoices/{invoiceId}/charge`: charges an open invoice at once. */
export const chargePages = formPages<InvoicePageData, undefined, Charging>({
  path: `${INVOICE}/charge`,
  permission: "money",
  words: { payment_refused: REFUSED },
  load: invoicePageDataOf,
  async effect({ ctx, request, invoice }) {
    const run = () => previewCharge(ctx, request.organization.id, invoice.id);
    const preview = await run();
    return { preview, named: await withNames(request, preview.effect) };
  },
  page(pageData, sent, shown) {
    const body = html`${refusalNotice(sent)}${shown === null ? "" : confirmation(pageData, sent, shown)}`;
    return besidePage(pageData, `Charge invoice ${pageData.invoice.number} now`, body);
  },
  async act({ ctx, self, invoice }, _, sent) {
    const { id: resourceId, customerId } = invoice;
    const origin = originOf<Bill>(sent, { operation: "payInvoice", resourceId, customerId });
    try {
      await chargeByHand(ctx, origin, resourceId, sameVersion(sent), typed(sent, "cardId"));
      return `${self}?done=charged`;
    } catch (error) {
      if (isUnavailable(error) && (await isUnderWay(ctx, invoice))) return `${self}?done=charge-sent`;
      throw error;
    }
  },
  // A form that was sent twice: the first charge may have failed.
  after: ({ self }) => `${self}?done=charge-sent`,
});
