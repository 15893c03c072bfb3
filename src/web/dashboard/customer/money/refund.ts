import { html } from "hono/html";
import { previewRefund } from "../../../../actions/refund/preview.ts";
import { refundInvoice } from "../../../../actions/refund/request.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { sumOf } from "../../../../domain/money.ts";
import { cardName } from "../../../../domain/model/card-name.ts";
import type { RefundPreview } from "../../../../domain/refund/preview.ts";
import { soldBack, type Refund } from "../../../../domain/model/refund.ts";
import type { Html } from "../../../layout.ts";
import { invoiceETag } from "../../../../resources/invoice.ts";
import type { CreateRefundParams } from "../../../../resources/refund.ts";
import { moneyText } from "../../components/cells.ts";
import { effectPanel } from "../../components/confirm-panel.ts";
import { formPages } from "../../form-action.ts";
import { originOf, refusalNotice, type Sent } from "../../sent-form.ts";
import { besidePage, effects } from "../part.ts";
import { sameVersion } from "./by-hand.ts";
import { effectItems, reasonItem, withNames, type NamedEffect } from "./effect.ts";
import { INVOICE, invoicePageDataOf } from "./invoice-page-data.ts";
import { afterRefund } from "./refunded-notice.ts";
import { askedOf, refundForm, refundPageDataOf, type RefundPageData } from "./refund-form.ts";

/** The name of the place that gets the money. */
const destinationOf = ({ refund, card }: RefundPreview): string =>
  refund.to === "balance" ? "the balance" : card === null ? "the card that paid" : cardName(card);

function moneyItems({ invoice }: RefundPageData, preview: RefundPreview): Html[] {
  const { refund } = preview;
  const said = (amount: number) => moneyText(amount, invoice.currency);
  const { amount, fromBalance, taxAmount, freed } = refund;
  const note = soldBack(refund);
  const tax = taxAmount === 0 ? "" : `, of which ${said(taxAmount)} is tax,`;
  const when = refund.to === "card" ? "once the refund has succeeded" : "now";
  const freedAmount = sumOf(freed.map((part) => part.amount));
  return [
    refund.to === "card"
      ? html`${said(amount)} goes to ${destinationOf(preview)}.`
      : html`${said(amount)} is added to the balance as credit now. No money leaves.`,
    ...(fromBalance === 0
      ? []
      : [html`Of this, ${said(fromBalance)} is earlier credit of this invoice, and is deducted from the balance.`]),
    ...(note === 0 ? [] : [html`A credit note of ${said(note)}${tax} is created ${when}.`]),
    ...(freedAmount === 0
      ? []
      : [html`This invoice credits an earlier invoice. ${said(freedAmount)} of that one can then be refunded again.`]),
  ];
}

/** The access after the refund, and the amount that can still be refunded. */
function restItems({ invoice }: RefundPageData, { refund, effect, left }: RefundPreview): Html[] {
  const said = (amount: number) => moneyText(amount, invoice.currency);
  const rest =
    left.toCard > 0
      ? `${said(left.toCard)} to the card`
      : left.toBalance > 0
        ? `${said(left.toBalance)} to the balance`
        : null;
  const stays =
    invoice.subscriptionId === null ? "The purchased access stays." : "The Subscription and its access continue.";
  return [
    ...(effect.grants.length === 0 ? [html`${stays}`] : []),
    ...(refund.rateLowered === 0
      ? []
      : [html`A later change or cancellation in this period does not credit the refunded part a second time.`]),
    rest === null
      ? html`No amount of this invoice can be refunded after that.`
      : html`After that, ${rest} can still be refunded.`,
  ];
}

type Refunding = { preview: RefundPreview; named: NamedEffect };

function effectOf(pageData: RefundPageData, sent: Sent, { preview, named }: Refunding): Html {
  const { refund } = preview;
  const { currency } = pageData.invoice;
  const items = [
    ...moneyItems(pageData, preview),
    ...effectItems(pageData, named, currency),
    ...restItems(pageData, preview),
    ...reasonItem(refund.reason ?? ""),
  ];
  return effectPanel(sent, {
    values: {
      to: refund.to,
      amount: majorUnits(refund.amount, currency),
      version: invoiceETag(pageData.invoice, pageData.back),
    },
    effect: effects(items),
    label: `Refund ${moneyText(refund.amount, currency)} to ${destinationOf(preview)}`,
    isDangerous: refund.to === "card",
    back: pageData.self,
  });
}

/** `…/customers/{customerId}/invoices/{invoiceId}/refund`: gives back a paid invoice, or a part of it. */
export const refundPages = formPages<RefundPageData, CreateRefundParams, Refunding>({
  path: `${INVOICE}/refund`,
  permission: "refunds",
  asksAgain: true,
  load: async (c, request) => refundPageDataOf(await invoicePageDataOf(c, request)),
  read: askedOf,
  proposes: true,
  async preview({ ctx, request, invoice }, params) {
    const asked = { ...params, by: { role: request.role } };
    const run = () => previewRefund(ctx, request.organization.id, invoice.id, asked);
    const preview = await run();
    return { preview, named: await withNames(request, preview.effect) };
  },
  page(pageData, sent, shown) {
    const step =
      shown !== null && sent.isSent
        ? effectOf(pageData, sent, shown)
        : refundForm(pageData, sent, shown?.preview.refund.amount ?? null);
    const body = html`${refusalNotice(sent, ["to", "amount", "reason"])}
${step}`;
    return besidePage(pageData, `Refund of invoice ${pageData.invoice.number}`, body);
  },
  async act({ ctx, request, invoice }, body, sent) {
    const about = { operation: "refundInvoice", resourceId: invoice.id, customerId: invoice.customerId, body };
    const origin = originOf<Refund>(sent, about);
    const asked = { ...body, by: { role: request.role, check: sameVersion(sent) } };
    await refundInvoice(ctx, origin, invoice.id, asked);
  },
  after: (pageData) => afterRefund(pageData, pageData.invoice.id),
});
