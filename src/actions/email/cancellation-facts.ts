import { lostWith } from "../../domain/benefit/loss.ts";
import { displayName } from "../../domain/model/organization.ts";
import type { Outlook } from "../../domain/subscription/outlook.ts";
import type { CancellationFacts, ContinuedFacts, DroppedFacts } from "../../mail/cancellation.ts";
import { readActiveGrants } from "../../store/benefit-grants.ts";
import { products } from "../../store/products.ts";
import { benefitName } from "../../texts/phrases.ts";
import { portalUrl } from "../links.ts";
import { readProspects } from "../subscription/outlook.ts";
import { effectInWords, goingOn } from "./next-charge-facts.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

/** A letter lists the Benefits among this many grants of the Customer. */
const MOST_GRANTS = 100;

async function productName({ ctx, subscription }: EmailContext): Promise<string> {
  const { organizationId, productId } = subscription!;
  return (await products.find(ctx.db.read, organizationId, productId))?.name ?? "";
}

async function readOutlook({ ctx, organization, customer, subscription }: EmailContext): Promise<Outlook | null> {
  const { id } = subscription!;
  return (await readProspects(ctx, organization.id, customer.id, [id])).outlooks.get(id) ?? null;
}

/** The facts of a scheduled cancellation, as its page in the portal shows them (rules S7a, S7c). */
export async function loadScheduled(context: EmailContext): Promise<LoadedFacts<CancellationFacts> | Skip> {
  const { ctx, email, organization, customer, words } = context;
  const subscription = context.subscription!;
  const { status, cancelAt, canceledAt, id } = subscription;
  if (status === "canceled") return { skip: "subscription_ended" };
  if (!subscription.cancelAtPeriodEnd || cancelAt === null) return { skip: "changed_meanwhile" };
  if (canceledAt! > email.createdAt) return { skip: "superseded" };
  const [product, outlook, grants] = await Promise.all([
    productName(context),
    readOutlook(context),
    readActiveGrants(ctx.db.read, organization.id, customer.id, MOST_GRANTS),
  ]);
  const facts = {
    product,
    day: words.day(cancelAt, organization.timeZone),
    effect: effectInWords(context, outlook, product),
    lost: lostWith(id, grants.reverse()).map(({ benefit }) => benefitName(words, benefit)),
    portal: portalUrl(ctx, organization.id),
  };
  return { facts };
}

/** The facts of a Subscription whose scheduled cancellation was undone (rules S7b, S7c). */
export async function loadUndone(context: EmailContext): Promise<LoadedFacts<ContinuedFacts> | Skip> {
  const { ctx, organization } = context;
  const { status, cancelAtPeriodEnd } = context.subscription!;
  if (status === "canceled") return { skip: "subscription_ended" };
  if (cancelAtPeriodEnd) return { skip: "changed_meanwhile" };
  const [product, outlook] = await Promise.all([productName(context), readOutlook(context)]);
  const facts = {
    product,
    seller: displayName(organization),
    ...goingOn(context, outlook),
    portal: portalUrl(ctx, organization.id),
  };
  return { facts };
}

/** The facts of a Subscription whose pending change was dropped, because the change is not possible (rules E4e, P6). */
export async function loadDropped(context: EmailContext): Promise<LoadedFacts<DroppedFacts> | Skip> {
  const { email, organization, words } = context;
  if (context.subscription!.pendingChange !== null) return { skip: "changed_meanwhile" };
  const continued = await loadUndone(context);
  if ("skip" in continued) return continued;
  return { facts: { ...continued.facts, day: words.day(email.announcedAt!, organization.timeZone) } };
}
