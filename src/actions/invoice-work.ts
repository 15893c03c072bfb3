import type { Context } from "../context.ts";
import type { Invoice } from "../domain/invoice.ts";
import type { Payment } from "../domain/payment.ts";
import type { Subscription } from "../domain/subscription.ts";
import { AppError } from "../errors.ts";
import type { Tx } from "../store/db.ts";
import { linesOf } from "../store/invoice-lines.ts";
import { invoices } from "../store/invoices.ts";
import { liveAttempt } from "../store/payments.ts";
import { subscriptions } from "../store/subscriptions.ts";
import { giveUpChallenge } from "./give-up-payment.ts";
import type { Bill } from "./issue-invoice.ts";
import type { Match } from "./origin.ts";
import { runDue } from "./run-due.ts";
import { workOnAnyone, type Work } from "./work.ts";

/** An open invoice and its Subscription, locked; `challenge`: the attempt that waits for the buyer to authenticate. */
export type InvoiceWork = Work & { bill: Bill; subscription: Subscription; challenge: Payment | null };

class ChallengeWaits extends Error {
  readonly challenge: Payment;
  constructor(challenge: Payment) {
    super("a challenge waits");
    this.challenge = challenge;
  }
}

export function paymentInProgress(): AppError {
  return new AppError("payment_in_progress", { headers: { "Retry-After": "1" } });
}

/**
 * Locks an open invoice by way of its Customer and Subscription, carries out what is due (rule T3), and then holds it against `match`.
 * @throws AppError 404, 409 `invoice_not_open`, `payment_in_progress`, 412
 */
export async function workOnOpenInvoice(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  id: string,
  match?: Match<Invoice>,
): Promise<InvoiceWork> {
  const seen = await invoices.find(tx, organizationId, id);
  const work = seen && (await workOnAnyone(ctx, tx, organizationId, seen.customerId));
  if (!work) throw new AppError("not_found");
  await runDue(work);
  const subscription = seen.subscriptionId === null ? null : await subscriptions.lock(tx, organizationId, seen.subscriptionId);
  const invoice = await invoices.lock(tx, organizationId, id);
  if (!invoice) throw new AppError("not_found");
  match?.(invoice);
  if (invoice.status !== "open") throw new AppError("invoice_not_open");
  // What is bought once is paid when it is invoiced.
  if (!subscription) throw new Error(`the open invoice ${id} is of no subscription`);
  const challenge = await liveAttempt(tx, organizationId, id);
  if (challenge && challenge.status !== "requires_action") throw paymentInProgress();
  return { ...work, bill: { invoice, lines: await linesOf(tx, organizationId, id) }, subscription, challenge };
}

/** Ends the transaction of `withoutChallenge` where one waits. */
export function requireNoChallenge({ challenge }: Pick<InvoiceWork, "challenge">): void {
  if (challenge) throw new ChallengeWaits(challenge);
}

/**
 * Runs what calls `requireNoChallenge` before it writes. A challenge that waits for the buyer is given up at the provider, and then it is
 * run again: so the buyer can't pay beside what is done now. @throws AppError 409 `payment_in_progress` while the provider does not say
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
