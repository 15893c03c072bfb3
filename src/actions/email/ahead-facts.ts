import type { Instant } from "../../domain/calendar.ts";
import { cardName } from "../../domain/model/card-name.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import type { Subscription, SubscriptionStatus } from "../../domain/model/subscription.ts";
import type { CardRequestFacts } from "../../mail/card-request.ts";
import type { AheadFacts } from "../../mail/subscription.ts";
import { portalCardUrl, portalUrl } from "../links.ts";
import { readNextCharges } from "../subscription/next-charge.ts";
import type { EmailContext, LoadedFacts, Skip } from "./email-context.ts";

const STILL = {
  trial_ending: ["trialing"],
  renewal_upcoming: ["active"],
  resume_upcoming: ["paused"],
  card_request: ["trialing", "active"],
} as const satisfies Record<string, readonly SubscriptionStatus[]>;
type AheadKind = keyof typeof STILL;

/** Whether the Subscription still goes on by itself at the announced instant (rules S6, S8i). */
function goesOn({ status, currentPeriodEnd, pause, cancelAtPeriodEnd }: Subscription, at: Instant): boolean {
  if (status === "paused") return pause?.resumesAt === at;
  return pause === null && !cancelAtPeriodEnd && currentPeriodEnd === at;
}

/** The facts of a Subscription's next charge: the first one after a trial, a renewal, or a resume (rule E4d). */
export async function loadAhead(context: EmailContext, kind: AheadKind): Promise<LoadedFacts<AheadFacts> | Skip> {
  const { ctx, email, organization, customer, words, now } = context;
  const subscription = context.subscription!;
  if (subscription.status === "canceled") return { skip: "subscription_ended" };
  const states: readonly SubscriptionStatus[] = STILL[kind];
  if (!states.includes(subscription.status) || !goesOn(subscription, email.announcedAt!))
    return { skip: "changed_meanwhile" };
  if (email.announcedAt! <= now) return { skip: "past" };
  const ahead =
    context.ahead ?? (await readNextCharges(ctx, organization.id, customer.id, [subscription])).get(subscription.id);
  if (!ahead) return { skip: "changed_meanwhile" };
  const { next, productName, totalAmount, amountDue, paidBy, card, isCardDisputed } = ahead;
  if (paidBy === "nothing") return { skip: "nothing_due" };
  const onFile = card && ({ means: "card", name: cardName(card) } as const);
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

/** As `loadAhead`, while the next charge has neither a card nor a balance that pays it (rule E4j). */
export async function loadCardRequest(context: EmailContext): Promise<LoadedFacts<CardRequestFacts> | Skip> {
  const loaded = await loadAhead(context, "card_request");
  if ("skip" in loaded) return loaded;
  const { facts } = loaded;
  if (facts.paidBy !== null) return { skip: facts.paidBy.means === "balance" ? "nothing_due" : "no_longer_asked" };
  return { facts: { ...facts, isTrial: context.subscription!.status === "trialing" } };
}
