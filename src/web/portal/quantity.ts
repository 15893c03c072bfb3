import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { limitsOf, type Product } from "../../domain/model/product.ts";
import { unitWord } from "../../domain/model/quantity.ts";
import { languageOf } from "../../texts/language.ts";
import { unitsOf } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import { field } from "../components/field.ts";
import { formNotice } from "../components/notice.ts";
import { layout, merchantName, type Html } from "../layout.ts";
import { quantityPath, type PlanRequest } from "./plan-change.ts";
import { planStyles, rangeWords } from "./plans.ts";
import { soldName } from "../components/sold-name.ts";

/** The longest text of a quantity: 100000, and spaces around it. */
const LONGEST = 12;

/** A typed quantity that was refused, and its fault. */
export type RejectedQuantity = { typed: string; fault: string };

/** The fault of a quantity beyond the limits of the Product (rule Q1). */
export const limitsFault = (words: Words, product: Product): string =>
  words.fault.quantityWrong(rangeWords(words, limitsOf(product), product.unitName));

/** The change or the end that is planned already, and the way to keep the present quantity (rule Q9c). */
function planned(request: PlanRequest, { unitName }: Product): Html | "" {
  const { words, organization, subscription } = request;
  const { plan, day } = words;
  const { cancelAtPeriodEnd, cancelAt, pendingChange, currency } = subscription;
  const on = (at: Parameters<typeof day>[0]) => day(at, organization.timeZone);
  if (cancelAtPeriodEnd && cancelAt !== null)
    return html`<p class="planned">${plan.quantityEnding({ day: on(cancelAt) })}</p>`;
  if (pendingChange === null) return "";
  const to = soldName(words, { ...pendingChange, currency });
  const keep = plan.keep({ product: unitsOf(words, { ...subscription, unitName }) });
  return html`<form class="planned" method="post" action="${quantityPath(request)}/keep" data-once>
<p>${plan.pending.markup({ product: to, day: on(pendingChange.effectiveAt) })}</p>
<button class="button other small" type="submit">${keep}</button>
</form>`;
}

/** Asks for another quantity of the current Product. The answer shows the figures of the change (rule Q9). */
export function quantityPage(
  ctx: Context,
  request: PlanRequest,
  product: Product,
  rejected: RejectedQuantity | null = null,
): Html {
  const { words, organization, self, subscription } = request;
  const { plan, checkout } = words;
  const limits = limitsOf(product);
  const unit = unitWord(product.unitName, limits.maximum, languageOf(words.locale));
  const input = field({
    name: "quantity",
    label: unit === null ? checkout.quantity : checkout.quantityIn({ unit }),
    inputmode: "numeric",
    autocomplete: "off",
    required: true,
    maxlength: LONGEST,
    value: rejected?.typed ?? String(subscription.quantity),
    hint: checkout.quantityLimits(rangeWords(words, limits, product.unitName)),
    fault: rejected?.fault,
  });
  const faults = rejected ? { quantity: rejected.fault } : {};
  const present = soldName(words, { ...subscription, productName: product.name, unitName: product.unitName });
  const body = html`<main class="message portal plan-change">
<div class="panel">
${merchantName(organization)}
<h1>${plan.changeQuantity}</h1>
<p class="later">${plan.youHave.markup({ product: present })}</p>
${planned(request, product)}
<form method="post" action="${quantityPath(request)}/figures" novalidate>
${formNotice(words, ["quantity"], { faults, problem: null })}
${input}
<button class="button" type="submit">${plan.showPrice}</button>
</form>
<p class="aside"><a href="${self}">${plan.back}</a></p>
</div>
</main>`;
  const title = rejected === null ? plan.changeQuantity : words.frame.errorTitle({ title: plan.changeQuantity });
  return layout(ctx, { words, organization, title, head: planStyles(ctx), body });
}
