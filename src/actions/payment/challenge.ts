import type { Context } from "../../context.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import { paymentInProgress } from "../../domain/payment/attempt.ts";
import { giveUpChallenge } from "./give-up.ts";

/** Ends the transaction of `withoutChallenge` where a challenge waits for the buyer. */
class ChallengeWaits extends Error {
  readonly challenge: Payment;
  constructor(challenge: Payment) {
    super("a challenge waits");
    this.challenge = challenge;
  }
}

/** The decided value. @throws ChallengeWaits where the decision waits for a challenge: then no change of the decision may be kept */
export function requireNoChallenge<T extends object>(decided: T | { challenge: Payment }): T {
  if ("challenge" in decided) throw new ChallengeWaits(decided.challenge);
  return decided;
}

/**
 * Runs a transaction that calls `requireNoChallenge`. A challenge that waits for the buyer is given up at the provider, and then it is run
 * again: so the buyer can't pay beside what is done now. @throws AppError 409 `payment_in_progress` while the provider does not say
 */
export async function withoutChallenge<T>(ctx: Context, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ChallengeWaits)) throw error;
    await giveUpChallenge(ctx, error.challenge);
  }
  return run().catch((error: unknown) => {
    throw error instanceof ChallengeWaits ? paymentInProgress() : error;
  });
}
