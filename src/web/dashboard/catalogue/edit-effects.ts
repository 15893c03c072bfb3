import { html } from "hono/html";
import type { Benefit } from "../../../domain/model/benefit.ts";
import type { Price, Product } from "../../../domain/model/product.ts";
import { priceIn } from "../../../domain/model/product.ts";
import type { QuantityRange } from "../../../domain/model/quantity.ts";
import type { Discount } from "../../../domain/model/discount.ts";
import type { Instant } from "../../../domain/calendar.ts";
import { counted } from "../../../domain/words.ts";
import type { UpdateDiscountParams } from "../../../resources/discount.ts";
import type { UpdateProductParams } from "../../../resources/product.ts";
import type { Holders } from "../../../store/catalogue-counts.ts";
import type { Html } from "../../layout.ts";
import { numberRange } from "../quantity-range.ts";
import { moneyText, time } from "../components/cells.ts";

/** `1 open Checkout keeps`, `3 open Checkouts keep`. */
const does = (n: number, noun: string, verb: string): string => `${counted(n, noun)} ${n === 1 ? `${verb}s` : verb}`;

const list = (sentences: readonly (Html | string)[]): Html =>
  html`<ul class="effects">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

const named = ({ name }: Pick<Benefit, "name">): Html => html`“<bdi>${name}</bdi>”`;

/** The prices that appear, change and go. */
function priceChanges(before: Product, prices: readonly Price[]): string[] {
  const changed = prices.flatMap(({ currency, amount }) => {
    const old = priceIn(before, currency);
    if (old === amount) return [];
    const now = moneyText(amount, currency);
    return [
      old === null ? `The new price is ${now}.` : `The price changes from ${moneyText(old, currency)} to ${now}.`,
    ];
  });
  const gone = before.prices.filter(({ currency }) => !prices.some((each) => each.currency === currency));
  return [...changed, ...gone.map(({ currency, amount }) => `The price ${moneyText(amount, currency)} is removed.`)];
}

/** The live Subscriptions of a Product, and its open Checkouts. */
export type Sales = { live: number; open: number };

/** The persons and sales that an edit of a Product touches, in exact numbers. */
export type ProductTouched = Sales & {
  /** The present Benefits and the chosen ones. */
  benefits: readonly Benefit[];
  /** The Customers with a live Subscription that grants Benefits; 0 for a one-time Product. */
  subscribers: number;
  /** The purchases of a one-time Product that gain each added Benefit, by the id of the Benefit. */
  gaining: ReadonlyMap<string, number>;
};

/** New prices (rule C3a). */
function priceEffect(product: Product, prices: readonly Price[], { live, open }: Sales): string[] {
  return [
    ...priceChanges(product, prices),
    ...(product.interval === null ? [] : [`${does(live, "live Subscription", "keep")} the present price.`]),
    `${does(open, "open Checkout", "keep")} the present price.`,
  ];
}

/** New limits of the quantity (rule Q1). */
function quantityEffect(product: Product, limits: QuantityRange, { live, open }: Sales): string[] {
  return [
    `From now on, the Product is sold in these quantities: ${numberRange(limits)}.`,
    ...(product.interval === null ? [] : [`${does(live, "live Subscription", "keep")} the present quantity.`]),
    `${does(open, "open Checkout", "keep")} the present quantity.`,
  ];
}

/** Benefits that are added and removed (rule B1). */
function benefitEffect(
  product: Product,
  ids: readonly string[],
  { open, benefits, subscribers, gaining }: ProductTouched,
): (Html | string)[] {
  const added = benefits.filter((each) => ids.includes(each.id) && !product.benefitIds.includes(each.id));
  const removed = benefits.filter((each) => product.benefitIds.includes(each.id) && !ids.includes(each.id));
  const checkouts = `${does(open, "open Checkout", "get")} the new list of Benefits.`;
  if (product.interval === null) {
    return [
      ...added.map((each) => html`${does(gaining.get(each.id)!, "purchase", "gain")} ${named(each)}.`),
      ...removed.map((each) => html`Earlier purchases keep ${named(each)}.`),
      checkouts,
    ];
  }
  return [
    ...removed.map((each) => html`${does(subscribers, "Customer", "lose")} ${named(each)} of this Product.`),
    ...added.map((each) => html`${does(subscribers, "Customer", "gain")} ${named(each)}.`),
    checkouts,
  ];
}

/** The effect of an edit of a Product. */
export function productEffect(product: Product, changes: UpdateProductParams, touched: ProductTouched): Html {
  const { name, description, prices, quantity, unitName, benefitIds, metadata } = changes;
  return list([
    ...(name === undefined
      ? []
      : [html`The new name is “<bdi>${name}</bdi>”, on later invoices and in the portal too.`]),
    ...(description === undefined ? [] : ["The new description appears on open Checkouts too."]),
    ...(prices === undefined ? [] : priceEffect(product, prices, touched)),
    ...(quantity === undefined ? [] : quantityEffect(product, quantity, touched)),
    ...(unitName === undefined ? [] : ["The new nouns of a unit appear on later invoices and on the buyer's pages."]),
    ...(benefitIds === undefined ? [] : benefitEffect(product, benefitIds, touched)),
    ...(metadata === undefined ? [] : ["The metadata changes. No Customer sees the metadata."]),
  ]);
}

/** The effect of archiving a Product, or of putting the Product on sale again. */
export function archiveEffect(product: Product, { live, open }: Sales): Html {
  if (product.archived)
    return list(["Buyers can buy the Product again.", `${does(open, "open Checkout", "become")} payable again.`]);
  return list([
    "Buyers can't buy the Product any more, and Customers can't change to this Product.",
    `${counted(open, "open Checkout")} can't be paid any more.`,
    ...(product.interval === null
      ? []
      : [`${counted(live, "live Subscription")} ${live === 1 ? "goes" : "go"} on at the same price.`]),
    "You can unarchive the Product later.",
  ]);
}

/** The effect of deleting a Benefit (rule B1). */
export function deletionEffect(benefit: Benefit, products: readonly Product[], { losing, keeping }: Holders): Html {
  return list([
    `${does(losing, "Customer", "lose")} the Benefit, because the Benefit is part of a Subscription.`,
    `${does(keeping, "Customer", "keep")} the Benefit of a one-time purchase.`,
    ...products.map(({ name }) => html`The Product “<bdi>${name}</bdi>” no longer includes the Benefit.`),
    benefit.key === null
      ? "The deletion can't be undone."
      : `The deletion can't be undone, and no other Benefit can have the key ${benefit.key}.`,
  ]);
}

/** The effect of an edit of a Benefit: all of its grants show the new content at once (rule B1). */
export function benefitEditEffect(grants: number): Html {
  return list([
    `${does(grants, "active grant", "show")} the new content immediately.`,
    "Each of these grants creates an event benefit_grant.updated soon after, if the grant shows the change.",
  ]);
}

/** New limits of a Discount. Sales with the Discount keep it (rule C3a). */
export function discountEditEffect(
  discount: Discount,
  changes: UpdateDiscountParams,
  open: number,
  zone: string,
): Html {
  const { code, maxRedemptions, startsAt, endsAt } = changes;
  const { redemptions } = discount;
  const isUsedUp = typeof maxRedemptions === "number" && redemptions >= maxRedemptions;
  const uses = counted(redemptions, "purchase");
  const ends = (at: Instant | null) =>
    at === null ? "The Discount no longer has an end." : html`The Discount ends on ${time(at, zone)}.`;
  const starts = (at: Instant | null) =>
    at === null ? "Buyers can use the Discount now." : html`The Discount can be used from ${time(at, zone)} on.`;
  return list([
    ...(code === undefined
      ? []
      : [html`Buyers type <bdi>${code}</bdi>. The code <bdi>${discount.code}</bdi> stops working.`]),
    ...(maxRedemptions === undefined
      ? []
      : [
          maxRedemptions === null
            ? "The number of uses no longer has a limit."
            : `At most ${counted(maxRedemptions, "purchase")} can use it.`,
        ]),
    ...(isUsedUp ? [`The Discount has reached its limit already, after ${uses}.`] : []),
    ...(startsAt === undefined ? [] : [starts(startsAt)]),
    ...(endsAt === undefined ? [] : [ends(endsAt)]),
    `${counted(open, "open Checkout")} ${open === 1 ? "has and keeps" : "have and keep"} the Discount.`,
    `The ${uses} before keep the Discount.`,
  ]);
}

/** The effect of deleting a Discount (rules C3a, C3j). */
export function discountDeletionEffect({ code, redemptions }: Discount, open: number): Html {
  return list([
    html`No buyer can use the code <bdi>${code}</bdi> any more. Another Discount can have this code.`,
    `${does(open, "open Checkout", "lose")} the Discount.`,
    `The ${counted(redemptions, "purchase")} before keep the Discount.`,
    "The deletion can't be undone.",
  ]);
}
