import { html } from "hono/html";
import { previewRefund } from "../../../../actions/refund/preview.ts";
import { refundInvoice } from "../../../../actions/refund/request.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { sumOf } from "../../../../domain/money.ts";
import { unbrokenCardName } from "../../../../domain/model/card-name.ts";
import type { RefundPreview } from "../../../../domain/refund/preview.ts";
import { soldBack, type Refund } from "../../../../domain/model/refund.ts";
import type { Html } from "../../../layout.ts";
import type { CreateRefundParams } from "../../../../resources/refund.ts";
import { moneyText } from "../../components/cells.ts";
import { effectPanel } from "../../components/confirm-panel.ts";
import { formPages } from "../../form-action.ts";
import { originOf, refusalNotice, type Sent } from "../../sent-form.ts";
import { besidePage, effects } from "../part.ts";
import { sameVersion, versionField } from "./by-hand.ts";
import { effectItems, reasonItem, withNames, type NamedEffect } from "./effect.ts";
import { inWords } from "./in-major-units.ts";
import { INVOICE, invoicePageDataOf } from "./invoice-scene.ts";
import { afterRefund } from "./refunded-notice.ts";
import { askedOf, refundForm, refundPageDataOf, type RefundPageData } from "./refund-form.ts";

/** The name of the place that gets the money. */
const placeOf = ({ refund, card }: RefundPreview): string =>
  refund.to === "balance" ? "the balance" : card === null ? "the card that paid" : unbrokenCardName(card);

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
      ? html`${said(amount)} goes to ${placeOf(preview)}.`
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

function effectOf(scene: RefundPageData, sent: Sent, { preview, named }: Refunding): Html {
  const { refund } = preview;
  const { currency } = scene.invoice;
  const items = [
    ...moneyItems(scene, preview),
    ...effectItems(scene, named, currency),
    ...restItems(scene, preview),
    ...reasonItem(refund.reason ?? ""),
  ];
  return effectPanel(sent, {
    values: { to: refund.to, amount: majorUnits(refund.amount, currency) },
    hidden: versionField(scene.invoice, scene.back),
    effect: effects(items),
    label: `Refund ${moneyText(refund.amount, currency)} to ${placeOf(preview)}`,
    isDangerous: refund.to === "card",
    back: scene.self,
  });
}

/** `…/customers/{customerId}/invoices/{invoiceId}/refund`: gives back a paid invoice, or a part of it. */
export const refundPages = formPages<RefundPageData, CreateRefundParams, Refunding>({
  path: `${INVOICE}/refund`,
  permission: "refunds",
  asksAgain: true,
  load: async (c, visit) => refundPageDataOf(await invoicePageDataOf(c, visit)),
  read: askedOf,
  proposes: true,
  async preview({ ctx, visit, invoice }, params) {
    const asked = { ...params, by: { role: visit.role } };
    const run = () => previewRefund(ctx, visit.organization.id, invoice.id, asked);
    const preview = await inWords(invoice.currency, run);
    return { preview, named: await withNames(visit, preview.effect) };
  },
  page(scene, sent, shown) {
    const step =
      shown !== null && sent.isSent
        ? effectOf(scene, sent, shown)
        : refundForm(scene, sent, shown?.preview.refund.amount ?? null);
    const body = html`${refusalNotice(sent, ["to", "amount", "reason"])}
${step}`;
    return besidePage(scene, `Refund of invoice ${scene.invoice.number}`, body);
  },
  async act({ ctx, visit, invoice }, body, sent) {
    const about = { operation: "refundInvoice", resourceId: invoice.id, customerId: invoice.customerId, body };
    const origin = originOf<Refund>(sent, about);
    const asked = { ...body, by: { role: visit.role, check: sameVersion(sent) } };
    await inWords(invoice.currency, () => refundInvoice(ctx, origin, invoice.id, asked));
  },
  after: (scene) => afterRefund(scene, scene.invoice.id),
});
