import type { Account } from "../account/account.ts";
import { availableCredit } from "../balance/quote.ts";
import { minimumCharge } from "../currency.ts";
import type { Amount } from "../money.ts";
import { checkoutTotals, type Checkout, type Settlement } from "./checkout.ts";

/**
 * The balance's part of a total (rule C7): as much of the `available` credit as the total takes. If a card could not be
 * charged with the rest, the balance leaves the minimum charge to the card. All amounts are 0 or more.
 */
export function settlementOf(total: Amount, available: Amount, minimum: Amount): Settlement {
  const most = Math.min(available, total);
  const rest = total - most;
  // A total is 0 or at least the minimum charge (rule M5). A smaller total would use no balance.
  const balanceApplied = rest > 0 && rest < minimum ? Math.max(total - minimum, 0) : most;
  return { balanceApplied, basis: { balance: available, minimum } };
}

/** Whether the Customer's balance pays for what this Checkout sells, now or without its trial. */
export function mayUseBalance({ usesBalance, change, amount }: Checkout): boolean {
  return usesBalance && change === null && amount > 0;
}

/** The Checkout as this credit would pay for it. No part is settled while the tax is unknown, or if the total is 0. */
export function settledWith<Some extends Checkout>(checkout: Some, available: Amount): Some {
  const { totalAmount } = checkoutTotals({ ...checkout, settlement: null });
  if (!mayUseBalance(checkout) || !totalAmount) return { ...checkout, settlement: null };
  return { ...checkout, settlement: settlementOf(totalAmount, available, minimumCharge(checkout.currency)) };
}

/** The credit that a Checkout can use now, in minor units (rule C7): 0 for a debt, and without the part of others. */
export function creditFor(account: Account, { currency, id }: Pick<Checkout, "currency" | "id">): Amount {
  return availableCredit(account, currency, id);
}

/** The Checkout as the Customer's balance pays for it now. */
export function settledNow(account: Account, checkout: Checkout): Checkout {
  const mayPay = mayUseBalance(checkout) && checkout.trialDays === null;
  return settledWith(checkout, mayPay ? creditFor(account, checkout) : 0);
}

/** The Checkout as answers and events show it. While it is open, the figures are those of the present balance. */
export function shownNow(account: Account, checkout: Checkout): Checkout {
  return checkout.status === "open" ? settledNow(account, checkout) : checkout;
}
