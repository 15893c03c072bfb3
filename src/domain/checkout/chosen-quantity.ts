import type { ChargeLimits } from "../model/charge-limits.ts";
import type { Checkout } from "../model/checkout.ts";
import { requireOffered, requireTotal } from "../model/checkout-sale.ts";
import { discountOn } from "../model/discount.ts";
import { unitAmountOf } from "../model/quantity.ts";
import { Refusal } from "../refusal.ts";

/** The columns of an open Checkout that another quantity sets. The tax follows when the page is shown (rule X3). */
export type ChosenQuantity = Pick<Checkout, "quantity" | "amount">;

/**
 * An open purchase at another quantity, which its buyer chose on the page: the price of a unit stays (rule Q3). The
 * discount is taken off the new total, which it may not leave below `least` (rule M5a).
 * @throws Refusal `quantity_not_offered`, `quantity_too_expensive`, `discount_refused`
 */
export function atQuantity(checkout: Checkout, quantity: number, { least }: ChargeLimits): ChosenQuantity {
  const { quantityChange, currency, productId, discount, unitName } = checkout;
  const limits = quantityChange ?? { minimum: checkout.quantity, maximum: checkout.quantity };
  requireOffered({ ...limits, unitName }, quantity);
  const amount = requireTotal(unitAmountOf(checkout), quantity, currency);
  const left = amount - discountOn(discount, { productId, price: amount }, null);
  if (left > 0 && left < least)
    throw new Refusal("discount_refused", { field: "/discountCode", reason: "discount_below_minimum" });
  return { quantity, amount };
}
