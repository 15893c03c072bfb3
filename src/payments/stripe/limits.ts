import type { ProviderLimits } from "../limits.ts";

/** Stripe's API for accounts of all modes. */
export const STRIPE_ORIGIN = "https://api.stripe.com";

/**
 * Stripe takes 25 requests a second for one endpoint, in live mode too, and 25 for all endpoints in test mode. An
 * off-session charge is one request to each of three endpoints, so in test mode a third as many charges fit.
 */
export const LIMITS: Record<"live" | "test", ProviderLimits> = {
  live: { inFlight: 40, perSecond: 20 },
  test: { inFlight: 20, perSecond: 8 },
};
