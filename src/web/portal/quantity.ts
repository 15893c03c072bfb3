import { html } from "hono/html";
import type { Context } from "../../context.ts";
import type { Product } from "../../domain/model/product.ts";
import { unitsOf } from "../../texts/phrases.ts";
import { formNotice } from "../components/notice.ts";
import { layout, merchantName, type Html } from "../layout.ts";
import { planPath, plansPath, quantityPath, type PlanRequest } from "./plan-change.ts";
import { planStyles } from "./plans.ts";
import { quantityField } from "./quantity-field.ts";
import { soldName } from "../components/sold-name.ts";

/** A typed quantity that was refused, and its fault. */
export type RejectedQuantity = { typed: string; fault: string };

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

/** The page of a quantity. `present`: the Product that the Customer has. `wanted`: the Product whose quantity is asked. */
type Asking = {
  present: Product;
  wanted: Product;
  heading: string;
  headed: Html | string;
  action: string;
  value: string;
  fault?: string;
};

function askingPage(ctx: Context, request: PlanRequest, { present, wanted, heading, fault, ...page }: Asking): Html {
  const { words, organization, self, subscription } = request;
  const { plan } = words;
  const isOther = wanted.id !== present.id;
  const faults = fault === undefined ? {} : { quantity: fault };
  const has = soldName(words, { ...subscription, productName: present.name, unitName: present.unitName });
  const body = html`<main class="message portal plan-change">
<div class="panel">
${merchantName(organization)}
<h1>${page.headed}</h1>
<p class="later">${plan.youHave.markup({ product: has })}</p>
${isOther ? "" : planned(request, present)}
<form method="post" action="${page.action}" novalidate>
${formNotice(words, ["quantity"], { faults, problem: null })}
${quantityField(words, wanted, { value: page.value, fault })}
<button class="button" type="submit">${plan.showPrice}</button>
</form>
${isOther ? html`<p class="aside"><a href="${plansPath(request)}">${plan.otherPlans}</a></p>` : ""}
<p class="aside"><a href="${self}">${plan.back}</a></p>
</div>
</main>`;
  const title = fault === undefined ? heading : words.frame.errorTitle({ title: heading });
  return layout(ctx, { words, organization, title, head: planStyles(ctx), body });
}

/** Asks for another quantity of the current Product. The answer shows the figures of the change (rule Q9). */
export function quantityPage(
  ctx: Context,
  request: PlanRequest,
  product: Product,
  rejected: RejectedQuantity | null = null,
): Html {
  const { words, subscription } = request;
  return askingPage(ctx, request, {
    present: product,
    wanted: product,
    heading: words.plan.changeQuantity,
    headed: words.plan.changeQuantity,
    action: `${quantityPath(request)}/figures`,
    value: rejected?.typed ?? String(subscription.quantity),
    ...(rejected !== null && { fault: rejected.fault }),
  });
}

/**
 * Asks again for the quantity of another Product after a refused one. The page has no figures and no button that makes
 * the change, because the typed quantity has none (rule Q9e).
 */
export function planQuantityPage(
  ctx: Context,
  request: PlanRequest,
  { present, wanted }: Pick<Asking, "present" | "wanted">,
  { typed, fault }: RejectedQuantity,
): Html {
  const { changeTo } = request.words.checkout;
  return askingPage(ctx, request, {
    present,
    wanted,
    heading: changeTo({ product: wanted.name }),
    headed: changeTo.markup({ product: html`<bdi>${wanted.name}</bdi>` }),
    action: `${planPath(request, wanted.id)}/figures`,
    value: typed,
    fault,
  });
}
