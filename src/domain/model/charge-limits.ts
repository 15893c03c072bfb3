import { minimumCharge } from "../currency.ts";
import type { Amount } from "../money.ts";

/** The amounts that a provider charges in a currency: multiples of `step`, and at least `least` (minor units). */
export type ChargeLimits = { least: Amount; step: Amount };

/** The limits of a provider in a currency (rule M5). */
export type LimitsAt = (provider: string, currency: string) => ChargeLimits;

/**
 * The limits of a provider with this step. `least` is the currency's minimum charge, or the provider's own one if that
 * is higher, rounded up to the step (rule M5c).
 */
export function limitsWith(currency: string, step: Amount, ownLeast: Amount = 0): ChargeLimits {
  const minimum = Math.max(minimumCharge(currency), ownLeast);
  return { least: minimum + ((step - (minimum % step)) % step), step };
}

/** The largest multiple of a step up to an amount of 0 or more. */
export const roundedDown = (amount: Amount, step: Amount): Amount => amount - (amount % step);

/** The part of an amount to pay that is charged; the rest moves to the balance as a debt (rules M5b, M5d). */
export const chargedPart = (amount: Amount, { least, step }: ChargeLimits): Amount =>
  amount < least ? 0 : roundedDown(amount, step);
