import type { Hono } from "hono";
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
import type { PageEnvironment } from "../../../environment.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { confirmPanel } from "../../components/confirm-panel.ts";
import { notice } from "../../components/notice.ts";
import { deed } from "../../deed.ts";
import type { DashboardDoor } from "../../door.ts";
import { hiddenFields, originOf, refusalNotice, typed, type Sent } from "../../sent.ts";
import { CHALLENGE, sameVersion, versionField } from "./by-hand.ts";
import { deedPage, effects, hiddenValues, previewed } from "./deed-page.ts";
import { effectItems } from "./effect.ts";
import { inWords } from "./in-major-units.ts";
import { INVOICE, invoiceSceneOf, type InvoiceScene } from "./invoice-scene.ts";

const NO_CARD = "The Customer has no card that can be charged. The buyer can pay on the page of the invoice.";
const HELD_BACK =
  "A dispute holds the card back, so the charge would fail. The buyer can pay on the page of the invoice.";

const CHANGED = "The invoice or the card has changed since this page was shown. Check the effect again.";

async function confirmation(scene: InvoiceScene, sent: Sent, preview: ChargePreview): Promise<Html> {
  const { invoice, self } = scene;
  const { card, cardId, isHeldBack, givesUpChallenge, effect } = preview;
  if (card === null) return notice("warning", NO_CARD);
  if (isHeldBack) return notice("warning", HELD_BACK);
  const due = moneyText(invoice.amountDue, invoice.currency);
  const name = unbrokenCardName(card);
  const items = [
    ...(givesUpChallenge ? [CHALLENGE] : []),
    html`${due} is charged to ${name} now. If the charge succeeds, the invoice is paid.`,
    ...(await effectItems(scene, effect, invoice.currency)),
    html`If the charge fails, the invoice stays open, and the scheduled retries stay as they are.`,
  ];
  return confirmPanel({
    hidden: html`${hiddenFields(sent)}${versionField(invoice)}${hiddenValues({ cardId: cardId ?? "" })}`,
    effect: effects(items),
    label: `Charge ${due} to ${name}`,
    back: self,
  });
}

async function page(scene: InvoiceScene, given: Sent): Promise<Html> {
  const { ctx, visit, invoice } = scene;
  const { sent, preview } = await previewed(given, () =>
    inWords(invoice.currency, () => previewCharge(ctx, visit.organization.id, invoice.id)),
  );
  const body = html`${refusalNotice(sent)}${preview === null ? "" : await confirmation(scene, sent, preview)}`;
  return deedPage(scene, `Charge invoice ${invoice.number} now`, body);
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
export function chargePages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<InvoiceScene>(app, door, {
    path: `${INVOICE}/charge`,
    permission: "money",
    scene: (c, visit) => invoiceSceneOf(ctx, c, visit),
    page,
    async act({ self, invoice }, sent) {
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
}
