import type { Hono } from "hono";
import { html } from "hono/html";
import { updateSubscription } from "../../../actions/subscription/change.ts";
import { previewForPage } from "../../../actions/subscription/preview.ts";
import type { Context } from "../../../context.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { ShownChange } from "../../../domain/change/shown-change.ts";
import { PRORATION_BEHAVIORS, type ProrationBehavior } from "../../../domain/model/proration.ts";
import { AppError, isUnavailable } from "../../../errors.ts";
import { isId } from "../../../ids.ts";
import { UpdateSubscriptionParams } from "../../../resources/subscription.ts";
import { findBenefits } from "../../../store/benefits.ts";
import { products } from "../../../store/products.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { moneyText, time } from "../components/cells.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import type { Definition } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { tabs } from "../components/tabs.ts";
import { deedPage } from "../customer/money/deed-page.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { hiddenFields, originOf, parsed, refusalNotice, refusalOf, typed, type Sent } from "../sent.ts";
import { agreedFields, readAgreed } from "./agreed.ts";
import { choices, previewPath, PRORATIONS } from "./choices.ts";
import { effect } from "./effect.ts";
import { outcomePath } from "./outcome.ts";
import { afterDeed, heldOf, SUBSCRIPTION, WORDS, type Held } from "./scene.ts";

const isProductId = (value: string) => isId("prd", value);

type Wanted = { product: Product; behavior: ProrationBehavior };

async function wantedOf({ ctx, visit }: Held, sent: Sent): Promise<Wanted | null> {
  const { organization } = visit;
  const id = typed(sent, "productId");
  const product = isId("prd", id) ? await products.find(ctx.db.read, organization.id, id) : null;
  const asked = PRORATION_BEHAVIORS.find((each) => each === typed(sent, "prorationBehavior"));
  return product && { product, behavior: asked ?? organization.defaultProration };
}

/**
 * The body of the PATCH. The page shows the catalogue's price, also of the present plan (rule P7). `undoes`: the page
 * said that the change undoes the scheduled cancellation.
 */
function bodyOf(productId: string, prorationBehavior: ProrationBehavior, undoes: boolean) {
  return { productId, price: "catalogue", prorationBehavior, ...(undoes && { cancelAtPeriodEnd: false }) };
}

/** The preview of the PATCH, or the reason why the change is not possible now. */
async function showChange({ ctx, subscription }: Held, { product, behavior }: Wanted): Promise<ShownChange | string> {
  const { organizationId, id, cancelAtPeriodEnd } = subscription;
  const body = bodyOf(product.id, behavior, cancelAtPeriodEnd);
  try {
    return await previewForPage(ctx, organizationId, id, parsed(UpdateSubscriptionParams, body));
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    const { text, faults } = refusalOf(error, WORDS);
    return text ?? faults.map(({ message }) => message).join(" ");
  }
}

async function benefitFacts({ ctx, product: present }: Held, { product }: Wanted): Promise<Definition[]> {
  const ids = [...new Set([...present.benefitIds, ...product.benefitIds])];
  const found = new Map(
    (await findBenefits(ctx.db.read, product.organizationId, ids)).map(({ id, name }) => [id, name]),
  );
  const names = (own: Product, other: Product) =>
    own.benefitIds.filter((id) => !other.benefitIds.includes(id)).flatMap((id) => found.get(id) ?? []);
  const fact = (term: string, list: readonly string[]): Definition[] =>
    list.length === 0 ? [] : [[term, html`<ul>${list.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`]];
  return [...fact("Added Benefits", names(product, present)), ...fact("Removed Benefits", names(present, product))];
}

async function factsOf(held: Held, wanted: Wanted, { figures }: ShownChange): Promise<Definition[]> {
  const { subscription, zone } = held;
  const { price, effectiveAt, endsAt } = figures;
  return [
    ["New price", html`${moneyText(price, subscription.currency)}, ${rhythmOf(ENGLISH, wanted.product)}`],
    ["The plan changes", effectiveAt === null ? "Now" : time(effectiveAt, zone)],
    ...(endsAt === null
      ? []
      : [["Cancellation", html`The end on ${time(endsAt, zone)} is undone`] satisfies Definition]),
    ...(await benefitFacts(held, wanted)),
  ];
}

const NO_CARD =
  "There is no card that can be charged, so the figures can't be calculated. The button creates a page on which the " +
  "buyer sees the figures, enters a card and confirms the change.";

function labelOf({ currency }: Held["subscription"], { product }: Wanted, { preview, figures }: ShownChange): string {
  if (preview === null) return "Create a page for the buyer";
  if (figures.amountDue > 0) return `Charge ${moneyText(figures.amountDue, currency)} and change to ${product.name}`;
  return figures.effectiveAt === null ? `Change to ${product.name} now` : `Schedule the change to ${product.name}`;
}

async function panel(held: Held, sent: Sent, wanted: Wanted, shown: ShownChange): Promise<Html> {
  const { subscription, path, zone } = held;
  const { currency } = subscription;
  if (!shown.hasEffect) return notice("hint", "The Subscription has this plan at this price already.");
  const { preview, card } = shown;
  const facts = await factsOf(held, wanted, shown);
  return confirmPanel({
    hidden: html`${hiddenFields(sent)}
<input type="hidden" name="productId" value="${wanted.product.id}">
<input type="hidden" name="prorationBehavior" value="${wanted.behavior}">
${agreedFields(shown)}`,
    effect: preview === null ? html`<p>${NO_CARD}</p>` : effect(preview, { card, currency, zone }, facts),
    label: labelOf(subscription, wanted, shown),
    back: `${path}/change`,
  });
}

async function changePage(held: Held, sent: Sent): Promise<Html> {
  const { product: present, subscription } = held;
  const wanted = await wantedOf(held, sent);
  const title = `Change the plan: ${present.name}`;
  const lead = html`<p class="back">The Customer pays ${moneyText(subscription.amount, subscription.currency)},
${rhythmOf(ENGLISH, subscription)}. A preview shows the exact effect before a plan changes.</p>`;
  if (wanted === null)
    return deedPage(held, title, html`${refusalNotice(sent)}${lead}${await choices(held, sent.fields.get("cursor"))}`);
  const shown = await showChange(held, wanted);
  const ways = (Object.keys(PRORATIONS) as ProrationBehavior[]).map((behavior) => ({
    href: previewPath(held, wanted.product.id, behavior),
    label: PRORATIONS[behavior],
    isCurrent: behavior === wanted.behavior,
  }));
  const body = html`${refusalNotice(sent)}
${tabs("When the plan changes", ways)}
${typeof shown === "string" ? notice("warning", shown) : await panel(held, sent, wanted, shown)}
<p class="aside"><a href="${held.path}/change">Other plans</a></p>`;
  return deedPage(held, `Change ${present.name} to ${wanted.product.name}`, body);
}

/** The buyer has to go on, or the outcome is not known yet: the next page shows the present state. */
const isLeftOpen = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof AppError && typeof error.parts.extra?.["url"] === "string");

async function change(ctx: Context, held: Held, sent: Sent): Promise<string> {
  const { id, customerId } = held.subscription;
  const agreed = readAgreed(sent);
  const behavior = PRORATION_BEHAVIORS.find((each) => each === typed(sent, "prorationBehavior")) ?? "invoice_now";
  const body = bodyOf(typed(sent, "productId"), behavior, agreed.figures.endsAt !== null);
  const origin = originOf<Awaited<ReturnType<typeof updateSubscription>>>(sent, {
    operation: "updateSubscription",
    resourceId: id,
    customerId,
    body,
  });
  try {
    const params = parsed(UpdateSubscriptionParams, body);
    const { subscription } = await updateSubscription(ctx, origin, id, params, undefined, agreed);
    return afterDeed(held, subscription.pendingChange === null ? "plan" : "planned");
  } catch (error) {
    if (isLeftOpen(error)) return outcomePath(held);
    throw error;
  }
}

/** `…/subscriptions/{id}/change`: another plan, with the exact figures before the click. */
export function changePages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Held>(app, door, {
    path: `${SUBSCRIPTION}/change`,
    permission: "subscriptions",
    scene: (c, visit) => heldOf(ctx, c, visit),
    takes: {
      productId: isProductId,
      cursor: isProductId,
      prorationBehavior: (value) => PRORATION_BEHAVIORS.some((each) => each === value),
    },
    page: changePage,
    act: (held, sent) => change(ctx, held, sent),
    after: outcomePath,
    words: WORDS,
  });
}
