import { html } from "hono/html";
import { updateSubscription } from "../../../actions/subscription/change.ts";
import { previewForPage } from "../../../actions/subscription/preview.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { ChangeView } from "../../../domain/change/change-view.ts";
import { PRORATION_BEHAVIORS, type ProrationBehavior } from "../../../domain/model/proration.ts";
import { isUnavailable } from "../../../errors.ts";
import { isRefusal } from "../../../domain/refusal.ts";
import { isId } from "../../../ids.ts";
import { UpdateSubscriptionParams } from "../../../resources/subscription.ts";
import { findBenefits } from "../../../store/benefits.ts";
import { products } from "../../../store/products.ts";
import { rhythmOf, unitsAtTotal } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { agreedFields, readAgreed } from "../../components/agreed-fields.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { moneyText, time } from "../components/cells.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import type { Definition } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { tabs } from "../components/tabs.ts";
import { besidePage } from "../customer/part.ts";
import { typedNumber } from "../form-values.ts";
import { formPages } from "../form-action.ts";
import { hiddenValues, originOf, parsed, refusalNotice, typed, type Sent } from "../sent-form.ts";
import {
  addressOf,
  bodyOf,
  isQuantityAlone,
  isQuantity,
  nameOf,
  quantityForm,
  quantityOf,
  usualBehavior,
  type AskedOnPage,
} from "./asked-quantity.ts";
import { unitsFact } from "./units.ts";
import { choices, previewPath, PRORATIONS, readOffered, type Offered } from "./choices.ts";
import { effect } from "./effect.ts";
import { outcomePath } from "./outcome.ts";
import type { DashboardRequest } from "../request.ts";
import { afterOperation, heldOf, SUBSCRIPTION, type Held } from "./page-data.ts";

const isProductId = (value: string) => isId("prd", value);

/** `benefits`: the names of those of both plans, by their ids. */
type Wanted = AskedOnPage & { behavior: ProrationBehavior; benefits: ReadonlyMap<string, string> };
/** `wanted` null: the page offers the plans. */
type PageData = Held & { wanted: Wanted | null; offered: Offered | null };

async function load(c: PageContext, request: DashboardRequest, fields: URLSearchParams): Promise<PageData> {
  const { ctx, organization } = request;
  const id = fields.get("productId") ?? "";
  const [held, product] = await Promise.all([
    heldOf(c, request),
    isId("prd", id) ? products.find(ctx.db.read, organization.id, id) : null,
  ]);
  if (product === null) return { ...held, wanted: null, offered: await readOffered(held, fields.get("cursor")) };
  const ids = [...new Set([...held.product.benefitIds, ...product.benefitIds])];
  const found = await findBenefits(ctx.db.read, organization.id, ids);
  const behavior = PRORATION_BEHAVIORS.find((each) => each === fields.get("prorationBehavior"));
  const benefits = new Map(found.map((each) => [each.id, each.name]));
  const asked = { product, quantity: typedNumber({ fields }, "quantity") };
  const usual = usualBehavior(organization, held.subscription, asked);
  return { ...held, wanted: { ...asked, behavior: behavior ?? usual, benefits }, offered: null };
}

function benefitFacts(currentProduct: Product, { product, benefits }: Wanted): Definition[] {
  const names = (own: Product, other: Product) =>
    own.benefitIds.filter((id) => !other.benefitIds.includes(id)).flatMap((id) => benefits.get(id) ?? []);
  const fact = (term: string, list: readonly string[]): Definition[] =>
    list.length === 0 ? [] : [[term, html`<ul>${list.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`]];
  return [
    ...fact("Added Benefits", names(product, currentProduct)),
    ...fact("Removed Benefits", names(currentProduct, product)),
  ];
}

function factsOf({ subscription, product, zone }: Held, wanted: Wanted, { figures }: ChangeView): Definition[] {
  const { price, effectiveAt, endsAt } = figures;
  const { currency } = subscription;
  return [
    ["New price", html`${moneyText(price, subscription.currency)}, ${rhythmOf(ENGLISH, wanted.product)}`],
    ...unitsFact({ amount: price, quantity: quantityOf(subscription, wanted), currency }, wanted.product.unitName),
    [
      isQuantityAlone(subscription, addressOf(wanted)) ? "The quantity changes" : "The plan changes",
      effectiveAt === null ? "Now" : time(effectiveAt, zone),
    ],
    ...(endsAt === null
      ? []
      : [["Cancellation", html`The end on ${time(endsAt, zone)} is undone`] satisfies Definition]),
    ...benefitFacts(product, wanted),
  ];
}

const FIGURES = ["amountDue", "balanceApplied", "price", "effectiveAt", "endsAt", "cardId"] as const;

const NO_CARD =
  "There is no card that can be charged, so the figures can't be calculated. The button creates a page on which the " +
  "buyer sees the figures, enters a card and confirms the change.";

function labelOf(subscription: Held["subscription"], wanted: Wanted, { preview, figures }: ChangeView): string {
  if (preview === null) return "Create a page for the buyer";
  const name = nameOf(subscription, wanted);
  const { amountDue, effectiveAt } = figures;
  if (amountDue > 0) return `Charge ${moneyText(amountDue, subscription.currency)} and change to ${name}`;
  return effectiveAt === null ? `Change to ${name} now` : `Schedule the change to ${name}`;
}

function panel(held: Held, sent: Sent, wanted: Wanted, shown: ChangeView): Html {
  const { subscription, path, zone } = held;
  const { currency } = subscription;
  if (!shown.hasEffect) return notice("hint", "The Subscription has this plan at this price already.");
  const { preview, card } = shown;
  const facts = factsOf(held, wanted, shown);
  return confirmPanel(sent, {
    hidden: html`${hiddenValues({ ...addressOf(wanted), prorationBehavior: wanted.behavior })}
${agreedFields({ figures: shown.figures, shownAt: shown.at })}`,
    effect: preview === null ? html`<p>${NO_CARD}</p>` : effect(preview, { card, currency, zone }, facts),
    label: labelOf(subscription, wanted, shown),
    back: `${path}/change`,
  });
}

function page(data: PageData, sent: Sent, shown: ChangeView | null): Html {
  const { product: currentProduct, subscription, wanted, offered } = data;
  const title = `Change the plan: ${currentProduct.name}`;
  const units = unitsAtTotal(ENGLISH, { ...subscription, unitName: currentProduct.unitName }, subscription.currency);
  const lead = html`<p class="back">The Customer pays ${moneyText(subscription.amount, subscription.currency)},
${rhythmOf(ENGLISH, subscription)}${units === null ? "" : ` (${units})`}. A preview shows the exact effect before a
change is made.</p>`;
  if (wanted === null) {
    const ofCurrent = quantityForm(data, { product: currentProduct, quantity: null });
    return besidePage(data, title, html`${refusalNotice(sent)}${lead}${ofCurrent}${choices(data, offered!)}`);
  }
  const ways = (Object.keys(PRORATIONS) as ProrationBehavior[]).map((behavior) => ({
    href: previewPath(data, { ...addressOf(wanted), prorationBehavior: behavior }),
    label: PRORATIONS[behavior],
    isCurrent: behavior === wanted.behavior,
  }));
  const { text, faults } = sent.refusal ?? { text: null, faults: [] };
  const why = text ?? faults.map(({ message }) => message).join(" ");
  const body = html`${shown === null ? "" : refusalNotice(sent)}
${tabs("When the plan changes", ways)}
${quantityForm(data, wanted)}
${shown === null ? notice("warning", why) : panel(data, sent, wanted, shown)}
<p class="aside"><a href="${data.path}/change">Other plans</a></p>`;
  return besidePage(data, `Change ${currentProduct.name} to ${nameOf(subscription, wanted)}`, body);
}

const hasPage = (error: unknown): boolean =>
  (isRefusal(error, "change_not_paid") && error.values.page !== null) ||
  (isRefusal(error, "change_in_progress", "already_subscribed") && error.values.checkoutId !== null);

/** The buyer has to go on, or the outcome is not known yet: the next page shows the present state. */
const isLeftOpen = (error: unknown): boolean => isUnavailable(error) || hasPage(error);

async function act(held: Held, sent: Sent): Promise<string> {
  const { id, customerId } = held.subscription;
  const agreed = readAgreed(sent.fields, FIGURES);
  const behavior = PRORATION_BEHAVIORS.find((each) => each === typed(sent, "prorationBehavior")) ?? "invoice_now";
  const asked = { productId: typed(sent, "productId"), quantity: typedNumber(sent, "quantity") };
  const body = bodyOf(held.subscription, asked, behavior, agreed.figures.endsAt !== null);
  const about = { operation: "updateSubscription", resourceId: id, customerId, body };
  const origin = originOf<Awaited<ReturnType<typeof updateSubscription>>>(sent, about);
  try {
    const params = parsed(UpdateSubscriptionParams, body);
    const { subscription } = await updateSubscription(held.ctx, origin, id, params, undefined, agreed);
    return afterOperation(held, subscription.pendingChange === null ? "plan" : "planned");
  } catch (error) {
    if (isLeftOpen(error)) return outcomePath(held);
    throw error;
  }
}

/** `…/subscriptions/{id}/change`: another plan or quantity, with the exact figures before the click. */
export const changePages = formPages<PageData, undefined, ChangeView | null>({
  path: `${SUBSCRIPTION}/change`,
  permission: "subscriptions",
  load,
  takes: {
    productId: isProductId,
    quantity: isQuantity,
    cursor: isProductId,
    prorationBehavior: (value) => PRORATION_BEHAVIORS.some((each) => each === value),
  },
  effect({ ctx, subscription, wanted }) {
    if (wanted === null) return null;
    const { organizationId, id, cancelAtPeriodEnd } = subscription;
    const asked = { productId: wanted.product.id, quantity: wanted.quantity };
    const body = bodyOf(subscription, asked, wanted.behavior, cancelAtPeriodEnd);
    return previewForPage(ctx, organizationId, id, parsed(UpdateSubscriptionParams, body));
  },
  page,
  act: (held, _, sent) => act(held, sent),
  after: outcomePath,
});
