import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { unbrokenCardName } from "../../domain/model/card-name.ts";
import type { AheadFacts } from "../../mail/subscription.ts";
import { portalCardUrl, portalUrl } from "../links.ts";
import { readNextCharges } from "../subscription/next-charge.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

const STILL = { trial_ending: "trialing", renewal_upcoming: "active" } as const;

/** The facts of a Subscription's next charge: the first charge after its trial, or a renewal (rule E4d). */
export async function loadAhead(
  occasion: EmailContext,
  kind: keyof typeof STILL,
): Promise<LoadedFacts<AheadFacts> | Skip> {
  const { ctx, email, organization, customer, words, now } = occasion;
  const subscription = occasion.subscription!;
  if (subscription.status === "canceled") return { skip: "subscription_ended" };
  const isStill = subscription.status === STILL[kind] && subscription.currentPeriodEnd === email.announcedAt;
  if (!isStill || subscription.cancelAtPeriodEnd) return { skip: "changed_meanwhile" };
  if (email.announcedAt! <= now) return { skip: "past" };
  const ahead =
    occasion.ahead ?? (await readNextCharges(ctx, organization.id, customer.id, [subscription])).get(subscription.id);
  if (!ahead) return { skip: "changed_meanwhile" };
  const { next, productName, totalAmount, amountDue, paidBy, card, isCardDisputed } = ahead;
  if (paidBy === "nothing") return { skip: "nothing_due" };
  const onFile = card && ({ means: "card", name: unbrokenCardName(card) } as const);
  const facts: AheadFacts = {
    product: productName,
    day: words.day(email.announcedAt!, organization.timeZone),
    amount: words.money(paidBy === "charge" ? amountDue : totalAmount, next.currency),
    period: next,
    paidBy: paidBy === "balance" ? { means: "balance" } : onFile,
    isDisputed: paidBy === "charge" && isCardDisputed,
    seller: displayName(organization),
    portal: portalAllows(organization, "cancel") ? portalUrl(ctx, organization.id) : null,
    portalCard: portalCardUrl(ctx, organization.id),
  };
  return { facts };
}
