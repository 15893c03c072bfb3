import { html } from "hono/html";
import { chargeByHand } from "../../../../actions/invoice/charge-by-hand.ts";
import { previewCharge } from "../../../../actions/invoice/preview.ts";
import type { Context } from "../../../../context.ts";
import type { Bill } from "../../../../domain/invoice/bills.ts";
import type { Invoice } from "../../../../domain/model/invoice.ts";
import type { ChargePreview } from "../../../../domain/settlement/preview-by-hand.ts";
import { unbrokenCardName } from "../../../../domain/model/card-name.ts";
import { valueInWords } from "../../../../domain/words.ts";
import { AppError, isUnavailable } from "../../../../errors.ts";
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
import { inWords } from "./in-major-units.ts";
import { INVOICE, invoicePageDataOf, type InvoicePageData } from "./invoice-scene.ts";

const NO_CARD = "The Customer has no card that can be charged. The buyer can pay on the page of the invoice.";
const HELD_BACK =
  "A dispute holds the card back, so the charge would fail. The buyer can pay on the page of the invoice.";

const CHANGED = "The invoice or the card has changed since this page was shown. Check the effect again.";

type Charging = { preview: ChargePreview; named: NamedEffect };

function confirmation(scene: InvoicePageData, sent: Sent, { preview, named }: Charging): Html {
  const { invoice, self } = scene;
  const { card, cardId, isHeldBack, givesUpChallenge } = preview;
  if (card === null) return notice("warning", NO_CARD);
  if (isHeldBack) return notice("warning", HELD_BACK);
  const due = moneyText(invoice.amountDue, invoice.currency);
  const name = unbrokenCardName(card);
  const items = [
    ...(givesUpChallenge ? [CHALLENGE] : []),
    html`${due} is charged to ${name} now. If the charge succeeds, the invoice is paid.`,
    ...effectItems(scene, named, invoice.currency),
    html`If the charge fails, the invoice stays open, and the scheduled retries stay as they are.`,
  ];
  return confirmPanel(sent, {
    hidden: html`${versionField(invoice)}${hiddenValues({ cardId: cardId ?? "" })}`,
    effect: effects(items),
    label: `Charge ${due} to ${name}`,
    back: self,
  });
}

/** The refusal of a declined charge, with the provider's reason. */
function declined(error: unknown): unknown {
  if (!(error instanceof AppError) || (error.code !== "payment_failed" && error.code !== "payment_refused"))
    return error;
  const { declineCode } = error.parts.extra ?? {};
  const why = typeof declineCode === "string" ? ` (${valueInWords(declineCode)})` : "";
  const detail =
    error.code === "payment_failed"
      ? `The charge failed${why}. The invoice stays open.`
      : `The payment provider refused the charge${why}, and the buyer is not at fault. The invoice stays open.`;
  return new AppError(error.code, { ...error.parts, detail });
}

/** Whether the newest charge of the invoice has no outcome yet. The worker asks the provider for the outcome. */
async function isUnderWay(ctx: Context, { organizationId, id: invoiceId }: Invoice): Promise<boolean> {
  const [newest] = await listPayments(ctx.db.read, organizationId, { invoiceId, limit: 1 });
  return newest?.status === "pending" || newest?.status === "unknown";
}

/** `…/customers/{customerId}/invoices/{invoiceId}/charge`: charges an open invoice at once. */
export const chargePages = formPages<InvoicePageData, undefined, Charging>({
  path: `${INVOICE}/charge`,
  permission: "money",
  load: invoicePageDataOf,
  async effect({ ctx, visit, invoice }) {
    const run = () => previewCharge(ctx, visit.organization.id, invoice.id);
    const preview = await inWords(invoice.currency, run);
    return { preview, named: await withNames(visit, preview.effect) };
  },
  page(scene, sent, shown) {
    const body = html`${refusalNotice(sent)}${shown === null ? "" : confirmation(scene, sent, shown)}`;
    return besidePage(scene, `Charge invoice ${scene.invoice.number} now`, body);
  },
  async act({ ctx, self, invoice }, _, sent) {
    const { id: resourceId, customerId, currency } = invoice;
    const origin = originOf<Bill>(sent, { operation: "payInvoice", resourceId, customerId });
    try {
      await inWords(currency, () => chargeByHand(ctx, origin, resourceId, sameVersion(sent), typed(sent, "cardId")));
      return `${self}?done=charged`;
    } catch (error) {
      if (isUnavailable(error) && (await isUnderWay(ctx, invoice))) return `${self}?done=charge-sent`;
      throw declined(error);
    }
  },
  // A form that was sent twice: the first charge may have failed.
  after: ({ self }) => `${self}?done=charge-sent`,
  words: { precondition_failed: CHANGED },
});
