import type { Hono } from "hono";
import { html } from "hono/html";
import { createSubscription } from "../../../actions/subscription/create.ts";
import { previewSubscription } from "../../../actions/subscription/preview-creation.ts";
import type { ShownSubscription } from "../../../actions/shown.ts";
import type { Context } from "../../../context.ts";
import { beginOfDay, formatInstant, parseDate } from "../../../domain/calendar.ts";
import { defaultCurrency } from "../../../domain/model/product.ts";
import { isCurrency } from "../../../domain/currency.ts";
import type { CreationFigures, CreationPreview } from "../../../domain/subscription/agreed-creation.ts";
import { AppError } from "../../../errors.ts";
import { isId } from "../../../ids.ts";
import { CreateSubscriptionParams } from "../../../resources/subscription.ts";
import { products } from "../../../store/products.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { moneyText, time } from "../components/cells.ts";
import type { Definition } from "../components/definitions.ts";
import { emptyState } from "../components/empty-state.ts";
import { notice } from "../components/notice.ts";
import { askedPanel, askingForm, isAsked } from "../customer/money/asked.ts";
import { deedPage, hiddenValues } from "../customer/money/deed-page.ts";
import { CUSTOMER, livingSceneOf, type Scene } from "../customer/part.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { dateField, selectField, textField } from "../fields.ts";
import { nameOf } from "../lists/customer-cell.ts";
import {
  LOOK,
  originOf,
  parsed,
  refusalNotice,
  refusalOf,
  refusedField,
  typed,
  typedOrNull,
  type Sent,
} from "../sent.ts";
import { readAmount } from "../typed-amount.ts";
import { effect } from "./effect.ts";
import { currencyOptions, productOption, productsForSale } from "./products.ts";
import { WORDS } from "./scene.ts";

const FIELDS = ["productId", "currency", "amount", "trialEnd", "startedAt", "anchorAt"] as const;
/** The hidden fields with the figures to which the click agrees. */
const AGREED = { due: "dueNow", price: "price", cardId: "cardId" } as const;

/** The beginning of a typed day in the Organization's zone, as the API has it. @throws AppError 422 */
function dayIn(sent: Sent, name: "trialEnd" | "startedAt" | "anchorAt"): string | null {
  const text = typedOrNull(sent, name);
  if (text === null) return null;
  const date = parseDate(text);
  if (date === null) throw refusedField(name, "invalid_date", "Enter a date such as 2026-01-31.");
  return formatInstant(beginOfDay(date, sent.visit.organization.timeZone));
}

async function amountIn({ ctx, visit }: Scene, sent: Sent): Promise<number | null> {
  const text = typed(sent, "amount");
  if (text === "") return null;
  const { organization } = visit;
  const id = typed(sent, "productId");
  const product = isId("prd", id) ? await products.find(ctx.db.read, organization.id, id) : null;
  const given = typedOrNull(sent, "currency")?.toLowerCase();
  const currency = given ?? (product && defaultCurrency(product, organization.defaultCurrency));
  // The schema refuses the currency.
  if (given !== undefined && !isCurrency(given)) return null;
  if (!currency) throw refusedField("currency", "currency_required", "Choose the currency of the amount.");
  const read = readAmount(text, currency);
  if ("fault" in read) throw refusedField("amount", "invalid_amount", read.fault);
  return read.amount;
}

/** The body of the request. @throws AppError 422 */
async function bodyOf(scene: Scene, sent: Sent) {
  return {
    customerId: scene.customer.id,
    productId: typedOrNull(sent, "productId"),
    currency: typedOrNull(sent, "currency"),
    amount: await amountIn(scene, sent),
    trialEnd: dayIn(sent, "trialEnd"),
    startedAt: dayIn(sent, "startedAt"),
    anchorAt: dayIn(sent, "anchorAt"),
  };
}

async function previewOf(scene: Scene, sent: Sent): Promise<CreationPreview> {
  const { ctx, customer } = scene;
  const params = parsed(CreateSubscriptionParams, await bodyOf(scene, sent));
  return previewSubscription(ctx, customer.organizationId, { ...params, customerId: customer.id });
}

function factsOf({ subscription }: CreationPreview, zone: string): Definition[] {
  const { amount, currency, trialEnd, currentPeriodEnd, startedAt, createdAt } = subscription;
  return [
    ["Price", html`${moneyText(amount, currency)}, ${rhythmOf(ENGLISH, subscription)}`],
    ...(trialEnd === null ? [] : [["The trial ends", time(trialEnd, zone)] satisfies Definition]),
    ...(startedAt < createdAt ? [["Started outside of Billow", time(startedAt, zone)] satisfies Definition] : []),
    ["The period ends", time(currentPeriodEnd, zone)],
  ];
}

const agreedFields = ({ subscription, card, preview }: CreationPreview): Html =>
  hiddenValues({
    [AGREED.due]: String(preview.chargeAmount),
    [AGREED.price]: String(subscription.amount),
    [AGREED.cardId]: card?.id ?? "",
  });

/** The figures of a sent form. NaN, for a figure that is missing, agrees with no figure. */
function readAgreed(sent: Sent): CreationFigures {
  const whole = (name: string) => (/^\d{1,15}$/.test(typed(sent, name)) ? Number(typed(sent, name)) : Number.NaN);
  return { due: whole(AGREED.due), price: whole(AGREED.price), cardId: typedOrNull(sent, AGREED.cardId) };
}

function panel({ self, zone }: Scene, sent: Sent, shown: CreationPreview): Html {
  const { subscription, card, preview } = shown;
  const { currency } = subscription;
  const due = preview.chargeAmount;
  const unpaid =
    due > 0 && card === null
      ? notice("warning", "There is no card. The Subscription will be past due until the first invoice is paid.")
      : "";
  return askedPanel(sent, {
    values: Object.fromEntries(FIELDS.map((name) => [name, typed(sent, name)])),
    hidden: agreedFields(shown),
    effect: html`${unpaid}${effect(preview, { card, currency, zone }, factsOf(shown, zone))}`,
    label: due > 0 && card !== null ? `Create and charge ${moneyText(due, currency)}` : "Create the Subscription",
    back: self,
  });
}

const HINTS = {
  amount: "Such as 20.00. Leave the field empty for the price of the Product. 0 is a complimentary Subscription.",
  trialEnd: "The trial ends when this day begins. The first invoice is created then.",
  startedAt: "For a Subscription from another system. The present period counts as paid there.",
  anchorAt: "Only for a start outside of Billow. The periods are counted from this day.",
};

async function formOf({ ctx, visit }: Scene, sent: Sent): Promise<Html> {
  const all = await productsForSale(ctx, visit.organization.id);
  const recurring = all.filter(({ interval }) => interval !== null);
  if (recurring.length === 0) return emptyState("There is no plan for sale. Create a recurring Product first.");
  return askingForm(
    sent,
    html`${selectField(sent, "productId", { label: "Plan", options: recurring.map(productOption) })}
${selectField(sent, "currency", { label: "Currency", none: "As the plan", options: currencyOptions(recurring) })}
${textField(sent, "amount", { label: "Custom price", maxlength: 20, hint: HINTS.amount })}
${dateField(sent, "trialEnd", { label: "End of the trial", hint: HINTS.trialEnd })}
${dateField(sent, "startedAt", { label: "Start outside of Billow", hint: HINTS.startedAt })}
${dateField(sent, "anchorAt", { label: "Billing anchor", hint: HINTS.anchorAt })}`,
  );
}

async function page(scene: Scene, sent: Sent): Promise<Html> {
  const title = `New Subscription of ${nameOf(scene.customer)}`;
  let shown: CreationPreview | null = null;
  let seen = sent;
  try {
    shown = isAsked(sent) ? await previewOf(scene, sent) : null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    seen = { ...sent, refusal: refusalOf(error, WORDS) };
  }
  const body = html`${refusalNotice(seen, FIELDS)}
<p class="back">A Subscription without a Checkout is complimentary, sold by hand, or comes from another system. The
first period is invoiced, and charged to the card on file. The preview shows the exact effect.</p>
${shown === null ? await formOf(scene, seen) : panel(scene, sent, shown)}`;
  return deedPage(scene, title, body);
}

async function act(ctx: Context, scene: Scene, sent: Sent): Promise<string> {
  const { customer, self } = scene;
  const body = await bodyOf(scene, sent);
  const params = parsed(CreateSubscriptionParams, body);
  const what = { operation: "createSubscription", customerId: customer.id, body };
  const { subscription } = await createSubscription(
    ctx,
    originOf<ShownSubscription>(sent, what),
    params,
    readAgreed(sent),
  );
  return `${self}?done=subscribed#${subscription.id}`;
}

/** `…/customers/{customerId}/subscriptions/new`: a Subscription without a Checkout. */
export function createSubscriptionPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/subscriptions/new`,
    permission: "subscriptions",
    scene: (c, visit) => livingSceneOf(ctx, c, visit),
    page,
    looks: LOOK,
    act: (scene, sent) => act(ctx, scene, sent),
    after: ({ self }) => `${self}?done=subscribed`,
    words: WORDS,
  });
}
