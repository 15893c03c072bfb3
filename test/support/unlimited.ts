import { LIMITS } from "../../src/payments/stripe/limits.ts";

/*
 * Billow sends 8 requests a second to an account in test mode. The local server takes any number, and 300 subscriptions
 * need some thousands. `node --import` loads this file into the processes of commands.
 */

const before = { ...LIMITS.test };

/** Takes the limits of Stripe's test mode away. Returns the way back. */
export function liftLimits(): () => void {
  Object.assign(LIMITS.test, { inFlight: 50, perSecond: 5000 });
  return () => void Object.assign(LIMITS.test, before);
}

if (process.env["TEST_STRIPE_UNLIMITED"] === "yes") liftLimits();
