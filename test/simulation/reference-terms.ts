import { MINIMUM, ONE_UNIT, type ActionOf, type Behavior, type Limits, type Settings } from "./history.ts";
import type { Shop, Sub, Terms } from "./reference-model.ts";

// The Product, quantity and price that a change asks for (docs/rules.md: P6, P7, Q).

/**
 * The change that a PATCH or a page asks for. `product` null: the current one. `quantity` null: the present one.
 * `behavior` null: the Organization's default. `reprice`: at the catalogue's price, also for the current Product.
 */
export type Asked = {
  product: number | null;
  quantity: number | null;
  behavior: Behavior | null;
  reprice: boolean;
  undo: boolean;
};
/** A step that a PATCH carries out. */
export type Patched = ActionOf<"change"> | ActionOf<"units">;

export function askedBy(step: Patched): Asked {
  if (step.do === "units") return { ...step, product: null, reprice: false };
  return { ...step, quantity: step.quantity ?? null };
}

const isOffered = ({ minimum, maximum }: Limits, quantity: number) => quantity >= minimum && quantity <= maximum;
/** The largest amount in minor units (rule M1). */
const MOST = 999_999_999_999;

/** The Product, the quantity and the price that the request is about; null: there is no such offer (rules Q1, Q6). */
export function termsOf({ products }: Shop, sub: Sub, asked: Asked): Terms | null {
  const { product = null, reprice } = asked;
  const quantity = asked.quantity ?? sub.quantity;
  const number = product ?? sub.product;
  const { archived, every, group, prices, quantity: limits = ONE_UNIT } = products[number]!;
  const isCurrent = number === sub.product;
  const offered = (isCurrent && quantity === sub.quantity) || isOffered(limits, quantity);
  if (isCurrent && !reprice) {
    const amount = (sub.amount / sub.quantity) * quantity;
    const isTooSmall = quantity !== sub.quantity && amount > 0 && amount < MINIMUM[sub.currency]!;
    const isTooLarge = amount > MOST || (quantity !== sub.quantity && (sub.newPrice?.unit ?? 0) * quantity > MOST);
    if (!offered || isTooSmall || isTooLarge) return null;
    return { product: number, group: sub.group, quantity, amount, every: sub.every };
  }
  const price = prices[sub.currency];
  if (archived || every === null || price === undefined || !offered || price * quantity > MOST) return null;
  return { product: number, group, quantity, amount: price * quantity, every };
}

/** The Organization's default: of a rise or a fall of the quantity alone, or of any other change (rule Q7). */
export function defaultBehavior(
  { behavior, rise = "invoice_now", fall = "invoice_now" }: Settings,
  sub: Sub,
  { product, quantity }: Terms,
): Behavior {
  if (product !== sub.product || quantity === sub.quantity) return behavior;
  return quantity > sub.quantity ? rise : fall;
}
