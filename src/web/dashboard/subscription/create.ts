import { html } from "hono/html";
import { createSubscription } from "../../../actions/subscription/create.ts";
import { previewSubscription } from "../../../actions/subscription/preview-creation.ts";
import type { SubscriptionView } from "../../../actions/views.ts";
import { formatInstant } from "../../../domain/calendar.ts";
import { defaultCurrency, type Product } from "../../../domain/model/product.ts";
import { isCurrency } from "../../../domain/currency.ts";
import type { CreationFigures, CreationPreview } from "../../../domain/subscription/agreed-creation.ts";
import type { UnitName } from "../../../domain/model/quantity.ts";
import { isId } from "../../../ids.ts";
import { CreateSubscriptionParams } from "../../../resources/subscription.ts";
import { products } from "../../../store/products.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { agreedValues, readAgreed } from "../../components/agreed-fields.ts";
import type { Html } from "../../layout.ts";
import { moneyText, time } from "../components/cells.ts";
import { effectPanel } from "../components/confirm-panel.ts";
import type { Definition } from "../components/definitions.ts";
import { emptyState } from "../components/empty-state.ts";
import { notice } from "../components/notice.ts";
import { askingForm } from "../customer/money/effect.ts";
import { besidePage, CUSTOMER, livingPageDataOf, type CustomerPageData } from "../customer/part.ts";
import { dateField, OPTIONAL, selectField, textField } from "../fields.ts";
import { formPages } from "../form-action.ts";
import { nameOf } from "../lists/customer-cell.ts";
import { originOf, parsed, refusalNotice, refusedField, typed, typedOrNull, type Sent } from "../sent-form.ts";
import { typedAmount, typedDay } from "../typed-values.ts";
import type { DashboardRequest } from "../request.ts";
import { quantityField } from "../quantity-field.ts";
import { typedNumber } from "../form-values.ts";
import { unitsFact } from "./units.ts";
import { effect } from "./effect.ts";
import { currencyOptions, productOption, productsForSale } from "./products.ts";

const FIELDS = ["productId", "quantity", "currency", "amount", "trialEnd", "startedAt", "anchorAt"] as const;
const AGREED = ["amountDue", "price", "cardId"] as const;

/** As the API has it. @throws AppError 422 */
function dayIn(sent: Sent, name: "trialEnd" | "startedAt" | "anchorAt"): string | null {
  const day = typedDay(sent, name);
  return day && formatInstant(day);
}

async function amountIn({ ctx, organization }: DashboardRequest, sent: Sent): Promise<number | null> {
  if (typed(sent, "amount") === "") return null;
  const id = typed(sent, "productId");
  const product = isId("prd", id) ? await products.find(ctx.db.read, organization.id, id) : null;
  const given = typedOrNull(sent, "currency")?.toLowerCase();
  const currency = given ?? (product && defaultCurrency(product, organization.defaultCurrency));
  // The schema refuses the currency.
  if (given !== undefined && !isCurrency(given)) return null;
  if (!currency) throw refusedField("currency", "currency_required", "Choose the currency of the amount.");
  return typedAmount(sent, currency);
}

/** An empty field leaves the quantity to the Product. */
function quantityIn(sent: Sent): { quantity?: number | string } {
  const quantity = typedNumber(sent, "quantity");
  return quantity === null ? {} : { quantity };
}

/** The body of the request. @throws AppError 422 */
async function read({ request, customer }: CustomerPageData, sent: Sent) {
  return {
    customerId: customer.id,
    productId: typedOrNull(sent, "productId"),
    ...quantityIn(sent),
    currency: typedOrNull(sent, "currency"),
    amount: await amountIn(request, sent),
    trialEnd: dayIn(sent, "trialEnd"),
    startedAt: dayIn(sent, "startedAt"),
    anchorAt: dayIn(sent, "anchorAt"),
  };
}

function factsOf({ subscription }: CreationPreview, unitName: UnitName | null, zone: string): Definition[] {
  const { amount, currency, trialEnd, currentPeriodEnd, startedAt, createdAt } = subscription;
  return [
    ["Price", html`${moneyText(amount, currency)}, ${rhythmOf(ENGLISH, subscription)}`],
    ...unitsFact(subscription, unitName),
    ...(trialEnd === null ? [] : [["The trial ends", time(trialEnd, zone)] satisfies Definition]),
    ...(startedAt < createdAt ? [["Started outside of Billow", time(startedAt, zone)] satisfies Definition] : []),
    ["The period ends", time(currentPeriodEnd, zone)],
  ];
}

/** The figures to which the click agrees. */
const figuresOf = ({ subscription, card, preview }: CreationPreview): CreationFigures => ({
  amountDue: preview.chargeAmount,
  price: subscription.amount,
  cardId: card?.id ?? null,
});

function panel({ self, zone, plans }: PageData, sent: Sent, shown: CreationPreview): Html {
  const { subscription, card, preview } = shown;
  const unitName = plans.find(({ id }) => id === subscription.productId)?.unitName ?? null;
  const { currency } = subscription;
  const due = preview.chargeAmount;
  const unpaid =
    due > 0 && card === null
      ? notice("warning", "There is no card. The Subscription will be past due until the first invoice is paid.")
      : "";
  return effectPanel(sent, {
    values: agreedValues({ figures: figuresOf(shown), shownAt: null }),
    effect: html`${unpaid}${effect(preview, { card, currency, zone }, factsOf(shown, unitName, zone))}`,
    label: due > 0 && card !== null ? `Create and charge ${moneyText(due, currency)}` : "Create the Subscription",
    back: self,
  });
}

const HINTS = {
  amount:
    "The total of a period for all units, such as 20.00. Leave the field empty for the price of the Product. " +
    "0 is a complimentary Subscription.",
  trialEnd: "The trial ends when this day begins. The first invoice is created then.",
  startedAt: "For a Subscription from another system. The present period counts as paid there.",
  anchorAt: "Only for a start outside of Billow. The periods are counted from this day.",
};

type PageData = CustomerPageData & { plans: readonly Product[] };

function fields({ plans }: PageData, sent: Sent): Html {
  if (plans.length === 0) return emptyState("There is no plan for sale. Create a recurring Product first.");
  const day = (name: keyof typeof HINTS, label: string) =>
    dateField(sent, name, { label, mark: OPTIONAL, hint: HINTS[name] });
  return askingForm(
    sent,
    html`${selectField(sent, "productId", { label: "Plan", options: plans.map(productOption) })}
${quantityField(sent)}
${selectField(sent, "currency", {
  label: "Currency",
  mark: OPTIONAL,
  none: "As the plan",
  options: currencyOptions(plans),
})}
${textField(sent, "amount", { label: "Custom price", mark: OPTIONAL, maxlength: 20, hint: HINTS.amount })}
${day("trialEnd", "End of the trial")}
${day("startedAt", "Start outside of Billow")}
${day("anchorAt", "Billing anchor")}`,
  );
}

/** `…/customers/{customerId}/subscriptions/new`: a Subscription without a Checkout. */
export const createSubscriptionPage = formPages<PageData, Awaited<ReturnType<typeof read>>, CreationPreview>({
  path: `${CUSTOMER}/subscriptions/new`,
  permission: "subscriptions",
  async load(c, request) {
    const [pageData, all] = await Promise.all([livingPageDataOf(c, request), productsForSale(request)]);
    return { ...pageData, plans: all.filter(({ interval }) => interval !== null) };
  },
  read,
  preview({ ctx, customer }, body) {
    const params = { ...parsed(CreateSubscriptionParams, body), customerId: customer.id };
    return previewSubscription(ctx, customer.organizationId, params);
  },
  page(data, sent, shown) {
    const body = html`${refusalNotice(sent, FIELDS)}
<p class="back">A Subscription without a Checkout is complimentary, sold by hand, or comes from another system. The
first period is invoiced, and charged to the card on file. The preview shows the exact effect.</p>
${shown === null ? fields(data, sent) : panel(data, sent, shown)}`;
    return besidePage(data, `New Subscription of ${nameOf(data.customer)}`, body);
  },
  async act({ ctx, customer, self }, body, sent) {
    const about = { operation: "createSubscription", customerId: customer.id, body };
    const origin = originOf<SubscriptionView>(sent, about);
    const params = parsed(CreateSubscriptionParams, body);
    const { subscription } = await createSubscription(ctx, origin, params, readAgreed(sent.fields, AGREED));
    return `${self}?done=subscribed#${subscription.id}`;
  },
  after: ({ self }) => `${self}?done=subscribed`,
});
