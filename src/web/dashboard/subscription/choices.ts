import { html } from "hono/html";
import { priceIn, type Product } from "../../../domain/model/product.ts";
import { unitAmountOf } from "../../../domain/model/quantity.ts";
import type { ProrationBehavior } from "../../../domain/model/proration.ts";
import { isId } from "../../../ids.ts";
import { presentPage } from "../../../resources/page.ts";
import { findBenefits } from "../../../store/benefits.ts";
import { listProducts } from "../../../store/products.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { isSoldByQuantity, rangeInWords } from "../quantity-range.ts";
import { badge } from "../components/badge.ts";
import { moneyText } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { pager } from "../components/pager.ts";
import { table } from "../table.ts";
import type { Held } from "./page-data.ts";

/** The prorations in words, in the order in which a page offers them. */
export const PRORATIONS: Record<ProrationBehavior, string> = {
  invoice_now: "Now, charged now",
  next_invoice: "Now, charged with the next invoice",
  none: "Now, without proration",
  next_period: "At the end of the period",
};

/** The address of the preview of a change. */
export const previewPath = (
  { path }: Held,
  change: { productId: string; quantity?: string; prorationBehavior?: ProrationBehavior },
): string => `${path}/change?${new URLSearchParams(change)}`;

type Choice = { product: Product; amount: number; benefits: string };

function stateOf(held: Held, { product, amount }: Choice): Html {
  const { subscription, path } = held;
  const { productId, pendingChange } = subscription;
  const named = html`<span class="hidden"> of the change to ${product.name}</span>`;
  const isScheduled = pendingChange?.productId === product.id;
  if (productId !== product.id)
    return isScheduled
      ? html`${badge("busy", "Scheduled")}`
      : html`<a href="${previewPath(held, { productId: product.id })}">Preview${named}</a>`;
  const keep = pendingChange === null ? "" : html` <a href="${path}/keep-plan">Keep this plan</a>`;
  const isOtherPrice = amount !== unitAmountOf(subscription);
  const reprice = html` <a href="${previewPath(held, { productId: product.id })}">Preview the new price</a>`;
  const scheduled = isScheduled ? html` ${badge("busy", "New price scheduled")}` : "";
  return html`${badge("good", "Current plan")}${scheduled}${keep}
${isOtherPrice && !isScheduled ? reprice : ""}`;
}

/** The rhythm of a plan, and the quantities in which the plan is sold: `every month, 2 to 50 seats`. */
const offeredAs = (product: Product): string =>
  [rhythmOf(ENGLISH, product), ...(isSoldByQuantity(product) ? [rangeInWords(product)] : [])].join(", ");

function row(held: Held, choice: Choice): Html {
  const { product, amount, benefits } = choice;
  return html`<tr>
<th scope="row"><bdi>${product.name}</bdi></th>
<td class="number">${moneyText(amount, held.subscription.currency)}
<span class="note">${offeredAs(product)}</span></td>
<td class="wide"><bdi>${benefits}</bdi></td>
<td>${stateOf(held, choice)}</td>
</tr>`;
}

const HEADINGS = ["Plan", { label: "Price", isNumber: true }, { label: "Benefits", isWide: true }, "Change"];
const PER_PAGE = 100;

/** The plans of one page of the catalogue. `cursor`: of this page; `nextCursor`: of the next one. */
export type Offered = { choices: readonly Choice[]; cursor: string | null; nextCursor: string | null };

/** The Products of the catalogue to which the Subscription may change, those of its group first. */
export async function readOffered({ ctx, subscription }: Held, cursor: string | null): Promise<Offered> {
  const { organizationId } = subscription;
  const from = cursor !== null && isId("prd", cursor) ? { cursor } : {};
  const listed = await listProducts(ctx.db.read, organizationId, { ...from, archived: "false", limit: PER_PAGE });
  const { data, nextCursor } = presentPage(listed, PER_PAGE, (product) => product);
  const offered = data.flatMap((product) => {
    const amount = product.interval === null ? null : priceIn(product, subscription.currency);
    return amount === null ? [] : [{ product, amount }];
  });
  const ids = [...new Set(offered.flatMap(({ product }) => product.benefitIds))];
  const benefits = new Map((await findBenefits(ctx.db.read, organizationId, ids)).map(({ id, name }) => [id, name]));
  const rank = ({ groupKey }: Product) => Number(groupKey === null || groupKey !== subscription.groupKey);
  const sorted = offered
    .map((each) => ({ ...each, benefits: each.product.benefitIds.flatMap((id) => benefits.get(id) ?? []).join(", ") }))
    .sort((one, other) => rank(one.product) - rank(other.product) || one.amount - other.amount);
  return { choices: sorted, cursor, nextCursor };
}

/** The table of the offered plans. */
export function choices(held: Held, { choices: all, cursor, nextCursor }: Offered): Html {
  const { path, subscription } = held;
  const currency = subscription.currency.toUpperCase();
  const shown =
    all.length === 0
      ? emptyState(`No plan of the catalogue has a price in ${currency}. Add a price to a Product first.`)
      : table(
          "Plans",
          HEADINGS,
          all.map((choice) => row(held, choice)),
        );
  const first = cursor === null ? null : `${path}/change`;
  const next = nextCursor === null ? null : `${path}/change?cursor=${nextCursor}`;
  return html`${shown}${pager({ previous: first, next }, { previous: "First page", next: "Further plans" })}`;
}
