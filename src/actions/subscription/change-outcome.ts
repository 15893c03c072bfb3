import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { changes } from "../../store/changes.ts";
import { lastAttempt } from "../../store/payments.ts";
import { readSubscription } from "../../store/subscriptions.ts";
import { changeRefusal, outcomeUnknown } from "../payment/refusal.ts";
import type { ShownSubscription } from "../shown.ts";

/** The Subscription after a change that was charged. @throws AppError 402 when it was dropped, 503 while its charge is unknown */
export async function changeOutcome(ctx: Context, organizationId: string, changeId: string): Promise<ShownSubscription> {
  const { read } = ctx.db;
  const change = await changes.find(read, organizationId, changeId);
  if (!change || change.status === "pending") throw outcomeUnknown();
  const payment = await lastAttempt(read, organizationId, changeId);
  if (change.status === "dropped" && payment) throw changeRefusal(ctx, payment, change);
  const shown = await readSubscription(read, organizationId, change.subscriptionId);
  if (!shown) throw new AppError("not_found");
  const { externalCustomerId, ...subscription } = shown;
  return { subscription, externalCustomerId };
}
