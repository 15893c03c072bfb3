import { taxOn } from "../../domain/invoice/order.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { newTotalOf } from "../../domain/model/price-change.ts";
import { lacksConsent } from "../../domain/model/scheduled-price.ts";
import { priceBeginsAt } from "../../domain/model/scheduled-price.ts";
import type { PriceChangeFacts } from "../../mail/price-change.ts";
import { products } from "../../store/products.ts";
import { rhythmOf, taxedPrice, unitsAtTotal } from "../../texts/phrases.ts";
import { portalPriceUrl, portalUrl } from "../links.ts";
import type { EmailContext, LoadedFacts, Skip } from "./email-context.ts";

/** The facts of a new price that waits for its first day (rules N4, E4i). */
export async function loadPriceChange(context: EmailContext): Promise<LoadedFacts<PriceChangeFacts> | Skip> {
  const { ctx, email, organization, customer, words } = context;
  const subscription = context.subscription!;
  const { id, status, productId, priceChange, currency, billing } = subscription;
  if (status === "canceled") return { skip: "subscription_ended" };
  if (priceChange === null || priceChange.effectiveAt !== email.announcedAt) return { skip: "changed_meanwhile" };
  const product = await products.find(ctx.db.read, organization.id, productId);
  const tax = taxOn({ organization, customer }, billing);
  const priceOf = (amount: number) =>
    words.portal.priceEvery({ price: taxedPrice(words, amount, currency, tax), rhythm: rhythmOf(words, subscription) });
  const unitsOf = (amount: number, quantity: number) =>
    unitsAtTotal(words, { amount, quantity, unitName: product?.unitName ?? null }, currency);
  const after = newTotalOf(subscription, priceChange);
  const facts = {
    product: product?.name ?? "",
    day: words.day(priceBeginsAt(subscription, priceChange), organization.timeZone),
    before: priceOf(subscription.amount),
    unitsBefore: unitsOf(subscription.amount, subscription.quantity),
    price: priceOf(after.amount),
    units: unitsOf(after.amount, after.quantity),
    seller: displayName(organization),
    consentUrl: lacksConsent(priceChange) ? portalPriceUrl(ctx, organization.id, id) : null,
    portal: portalAllows(organization, "cancel") ? portalUrl(ctx, organization.id) : null,
  };
  return { facts };
}

/** As `loadPriceChange`, while the consent of the Customer is missing and the Subscription would go on (rule N7). */
export async function loadPriceReminder(context: EmailContext): Promise<LoadedFacts<PriceChangeFacts> | Skip> {
  const { priceChange, cancelAtPeriodEnd, pause } = context.subscription!;
  if (cancelAtPeriodEnd || (pause !== null && pause.resumesAt === null)) return { skip: "changed_meanwhile" };
  if (priceChange !== null && !lacksConsent(priceChange)) return { skip: "no_longer_asked" };
  return loadPriceChange(context);
}
