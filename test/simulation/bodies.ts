import type { Settings } from "./history.ts";

// The bodies of requests about settings and prices.

/** The Organization's settings as its PATCH takes them. */
export function settingsBody({
  zone,
  behavior,
  rise,
  fall,
  retryDays,
  graceDays,
  taxRates,
  country,
}: Partial<Settings>): object {
  return {
    ...(zone && { timeZone: zone }),
    ...(behavior && { defaultProration: behavior }),
    ...(rise && { quantityRise: rise }),
    ...(fall && { quantityFall: fall }),
    ...(retryDays && { dunning: { retryDays, graceDays } }),
    ...(taxRates && { taxRates: taxRates.map((rate) => ({ ...rate, name: "Tax" })) }),
    ...(country !== undefined && { address: country === null ? null : { country } }),
  };
}

export const pricesBody = (prices: Record<string, number>) =>
  Object.entries(prices).map(([currency, amount]) => ({ currency, amount }));
