import type { Account } from "../../domain/billing/customer-billing.ts";
import type { Instant } from "../../domain/calendar.ts";
import { brandName } from "../../domain/model/card-name.ts";
import { expiresAt, goingOnWith } from "../../domain/collection/expiry.ts";
import type { ExpiringFacts } from "../../mail/card.ts";
import { products } from "../../store/products.ts";
import { readAccount } from "../customer-billing.ts";
import { portalCardUrl } from "../links.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

/** The cards of going Subscriptions that expire at this instant, each with the ids of the Products. */
function expiring(account: Account, at: Instant) {
  const { timeZone } = account.organization;
  const found = [...goingOnWith(account)].map(([id, subscriptions]) => {
    const { expMonth, expYear, brand, last4 } = account.cards.get(id)!;
    return { expMonth, expYear, brand, last4, subscriptions: subscriptions.map((each) => [each.id, each.productId]) };
  });
  return found.filter((card) => expiresAt(card, timeZone) === at);
}

/**
 * The facts of a card that expires at the announced instant, if a Subscription still goes on with the card (rule E4g).
 */
export async function loadExpiring(occasion: EmailContext): Promise<LoadedFacts<ExpiringFacts> | Skip> {
  const { ctx, email, organization, customer, now } = occasion;
  if (email.announcedAt! <= now) return { skip: "past" };
  const key = { organizationId: organization.id, id: customer.id };
  const cards = await readAccount(ctx, key, (account) => expiring(account, email.announcedAt!));
  const card = cards.find((each) => each.subscriptions.some(([id]) => id === email.subscriptionId)) ?? cards[0];
  if (!card) return { skip: "changed_meanwhile" };
  const ids = card.subscriptions.map(([, productId]) => productId!);
  const sold = await products.findAll(ctx.db.read, organization.id, ids);
  const { brand, last4, expMonth, expYear } = card;
  const names = [...new Set(ids)].map((id) => sold.get(id)!.name);
  const url = portalCardUrl(ctx, organization.id);
  return { facts: { brand: brandName(brand), last4, expMonth, expYear, products: names, url } };
}
