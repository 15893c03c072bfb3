import { html } from "hono/html";
import { changeSubscriptionDiscount, previewDiscount } from "../../../actions/subscription/discount.ts";
import type { SubscriptionView } from "../../../actions/views.ts";
import { holdDiscount, type Discount, type HeldDiscount } from "../../../domain/model/discount.ts";
import { lastingDiscountOf, plannedDiscountOf } from "../../../domain/model/discount-change.ts";
import { changesAt, type Subscription } from "../../../domain/model/subscription.ts";
import type { NextInvoicePreview } from "../../../domain/subscription/preview-next-invoice.ts";
import { ChangeDiscountParams } from "../../../resources/subscription.ts";
import { listDiscounts } from "../../../store/discounts.ts";
import { discountOff } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { effectPanel } from "../components/confirm-panel.ts";
import type { Definition } from "../components/definitions.ts";
import { askingForm } from "../customer/money/effect.ts";
import { besidePage } from "../customer/part.ts";
import { OPTIONAL, selectField } from "../fields.ts";
import { formPages } from "../form-action.ts";
import { originOf, parsed, refusalNotice, requireSeen, typedOrNull, type Sent } from "../sent-form.ts";
import { nextInvoiceEffect } from "./effect.ts";
import { afterOperation, heldOf, SUBSCRIPTION, type Held } from "./page-data.ts";

/** The most Discounts that a choice offers, the newest ones. */
const MOST = 1000;

type PageData = Held & { discounts: readonly Discount[] };

const inWords = (held: HeldDiscount): string => `${held.code}: ${discountOff(ENGLISH, held, true)}`;
const valueOf = (held: HeldDiscount | null) => (held === null ? "None" : html`<bdi>${inWords(held)}</bdi>`);

/** The present discount, and the one from the next period on if it is another one. */
function presentFacts(subscription: Subscription, zone: string): Definition[] {
  const { pendingDiscount } = subscription;
  const from = time(changesAt(subscription), zone);
  return [
    ["Present discount", valueOf(lastingDiscountOf(subscription))],
    ...(pendingDiscount === null
      ? []
      : [["Planned", html`${valueOf(pendingDiscount.discount)} from ${from} on`] satisfies Definition]),
  ];
}

/** The Discounts for the Product of the next period, each by its present code. */
function optionsOf({ discounts, subscription }: PageData): HeldDiscount[] {
  const { pendingChange, productId, currency } = subscription;
  const next = pendingChange?.productId ?? productId;
  return discounts
    .filter((each) => each.productIds === null || each.productIds.includes(next))
    .filter((each) => each.currency === null || each.currency === currency)
    .map(holdDiscount);
}

/** The planned discount may have a new code since, or may be no choice any more, for instance as a deleted Discount. */
function fields(data: PageData, sent: Sent): Html {
  const planned = plannedDiscountOf(data.subscription);
  const choices = optionsOf(data);
  const same = choices.find(({ id }) => id === planned?.id);
  const own = planned === null || same !== undefined ? [] : [planned];
  return askingForm(
    sent,
    selectField(sent, "discountCode", {
      label: "Discount from the next period on",
      mark: OPTIONAL,
      none: "No discount",
      options: [...own, ...choices].map((each) => [each.code, inWords(each)] as const),
      known: (same ?? planned)?.code ?? null,
    }),
  );
}

const bodyOf = (sent: Sent): ChangeDiscountParams =>
  parsed(ChangeDiscountParams, { discountCode: typedOrNull(sent, "discountCode") });

function page(data: PageData, sent: Sent, shown: NextInvoicePreview | null): Html {
  const { product, subscription, zone, self } = data;
  const { currency, version } = subscription;
  const chosen = typedOrNull(sent, "discountCode");
  const begins: Definition = ["Begins", html`${time(changesAt(subscription), zone)}, with the next period`];
  const body =
    shown === null
      ? fields(data, sent)
      : effectPanel(sent, {
          values: { version: String(version) },
          effect: nextInvoiceEffect(shown, { currency, zone }, [...presentFacts(subscription, zone), begins]),
          label: chosen === null ? "Take the discount off" : `Give ${chosen}`,
          back: self,
        });
  return besidePage(
    data,
    `Discount: ${product.name}`,
    html`${refusalNotice(sent, ["discountCode"])}
<p class="back">The period in progress and open invoices stay as they were billed.</p>
${body}`,
  );
}

/** `…/subscriptions/{id}/discount`: another discount from the next period on, or none (rule X4). */
export const discountPages = formPages<PageData, ChangeDiscountParams, NextInvoicePreview>({
  path: `${SUBSCRIPTION}/discount`,
  permission: "subscriptions",
  async load(c, request) {
    const held = await heldOf(c, request);
    const rows = await listDiscounts(held.ctx.db.read, request.organization.id, { limit: MOST });
    return { ...held, discounts: rows.slice(0, MOST) };
  },
  read: (_, sent) => bodyOf(sent),
  preview: ({ ctx, subscription: { organizationId, id } }, params) => previewDiscount(ctx, organizationId, id, params),
  page,
  async act({ ctx, subscription: { id, customerId } }, params, sent) {
    const about = { operation: "changeSubscriptionDiscount", resourceId: id, customerId, body: params };
    const origin = originOf<SubscriptionView>(sent, about);
    await changeSubscriptionDiscount(ctx, origin, id, params, ({ subscription }) => requireSeen(subscription, sent));
  },
  after: (held) => afterOperation(held, "discounted"),
});
