import { endedWithTrial } from "../../domain/model/email.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { displayName } from "../../domain/model/organization.ts";
import type { EndFacts } from "../../mail/subscription.ts";
import { products } from "../../store/products.ts";
import { liveInGroup } from "../../store/subscriptions.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

function endOf(subscription: Subscription): EndFacts["ended"] {
  if (subscription.cancellationReason === "unrecognized") return "unrecognized";
  return endedWithTrial(subscription) ? "trial" : "paid";
}

/**
 * The facts of a Subscription that has ended. The e-mail is skipped if another Subscription of the same group has
 * replaced it (rule E4f).
 */
export async function loadEnd({
  ctx,
  organization,
  subscription,
  words,
}: EmailContext): Promise<LoadedFacts<EndFacts> | Skip> {
  const db = ctx.db.read;
  const { groupKey, customerId, productId, endedAt } = subscription!;
  const live = groupKey === null ? null : await liveInGroup(db, organization.id, customerId, groupKey);
  if (live) return { skip: "replaced" };
  const product = await products.find(db, organization.id, productId);
  const facts = {
    seller: displayName(organization),
    product: product!.name,
    day: words.day(endedAt!, organization.timeZone),
    ended: endOf(subscription!),
  };
  return { facts };
}
