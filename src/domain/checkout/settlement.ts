import type { CustomerBilling } from "../billing/customer-billing.ts";
import { limitsIn } from "../billing/limits.ts";
import { availableCredit } from "../balance/quote.ts";
import { basisOf } from "../model/invoice.ts";
import type { Amount } from "../money.ts";
import { roundedDown, type ChargeLimits } from "../model/charge-limits.ts";
import { checkoutTotals, type Checkout, type Settlement } from "../model/checkout.ts";

/**
 * The balance's part of a total (rule C7): as much of the `available` credit as the total takes. If the rest is too
 * small for a charge, the balance leaves the minimum charge to the card. If the rest lies between two steps, the card
 * pays the lower one, and the balance has the part above it, as a debt where there is no credit (rules C7b, M5e). All
 * amounts are 0 or more.
 */
export function settlementOf(total: Amount, available: Amount, limits: ChargeLimits): Settlement {
  const rest = total - Math.min(available, total);
  const basis = basisOf(available, limits);
  if (rest === 0) return { balanceApplied: total, basis };
  // A total is 0 or at least the minimum charge (rule M5). A smaller total would use no balance.
  const charged = roundedDown(Math.max(rest, Math.min(limits.least, total)), limits.step);
  return { balanceApplied: total - charged, basis };
}

/** Whether the Customer's balance pays for what this Checkout sells, now or without its trial (rules C7a, C7j). */
export function mayUseBalance({ usesBalance, change, amount }: Checkout): boolean {
  return usesBalance && change === null && amount > 0;
}

/**
 * The Checkout as this credit would pay for it. No part is settled while the tax is unknown, or if the total is 0. If
 * the balance may not pay, the settlement is null, or has only the part of the total between two steps (rules C7i, M5).
 */
export function settledWith<Some extends Checkout>(checkout: Some, available: Amount, limits: ChargeLimits): Some {
  const { totalAmount } = checkoutTotals({ ...checkout, settlement: null });
  if (checkout.change !== null || !totalAmount) return { ...checkout, settlement: null };
  const mayUse = mayUseBalance(checkout);
  const settlement = settlementOf(totalAmount, mayUse ? available : 0, limits);
  return { ...checkout, settlement: mayUse || settlement.balanceApplied > 0 ? settlement : null };
}

/**
 * The credit that a Checkout can use now, in minor units (rules C7c, C7d): 0 for a debt, and without the part of
 * others.
 */
export function creditFor(billing: CustomerBilling, { currency, id }: Pick<Checkout, "currency" | "id">): Amount {
  return availableCredit(billing, currency, id);
}

/** The Checkout as the Customer's balance pays for it now. */
export function settledNow(billing: CustomerBilling, checkout: Checkout): Checkout {
  const mayPay = mayUseBalance(checkout) && checkout.trialDays === null;
  return settledWith(checkout, mayPay ? creditFor(billing, checkout) : 0, limitsIn(billing, checkout.currency));
}

/**
 * The Checkout as answers and events show it. While it is open, the figures are those of the present balance
 * (rule C7e).
 */
export function shownNow(billing: CustomerBilling, checkout: Checkout): Checkout {
  return checkout.status === "open" ? settledNow(billing, checkout) : checkout;
}
