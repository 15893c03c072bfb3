import type { Context } from "../../context.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { Refusal } from "../../domain/refusal.ts";
import { giveUpChallenge } from "./give-up.ts";

/** Ends the transaction of `withoutChallenge`, because a challenge waits for the buyer. */
class ChallengeWaits extends Error {
  readonly challenge: Payment;
  constructor(challenge: Payment) {
    super("a challenge waits");
    this.challenge = challenge;
  }
}

/**
 * Returns the decided value.
 * @throws ChallengeWaits if the decision waits for a challenge; the caller must then undo the transaction
 */
export function requireNoChallenge<T extends object>(decided: T | { challenge: Payment }): T {
  if ("challenge" in decided) throw new ChallengeWaits(decided.challenge);
  return decided;
}

/**
 * Runs a transaction that calls `requireNoChallenge`. If a challenge waits for the buyer, the payment is canceled at
 * the provider and the transaction runs again. So the buyer can't pass the challenge afterwards.
 * @throws Refusal 409 `payment_in_progress` while the provider does not know the outcome
 */
export async function withoutChallenge<T>(ctx: Context, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ChallengeWaits)) throw error;
    await giveUpChallenge(ctx, error.challenge);
  }
  return run().catch((error: unknown) => {
    throw error instanceof ChallengeWaits ? new Refusal("payment_in_progress") : error;
  });
}
