import { startStripe, type StripeServer } from "../../payments/stripe/server.ts";
import type { Behavior } from "../../../src/payments/sandbox-cards.ts";

/** The account of one Organization at the local Stripe server. */
export type Site = {
  stripe: StripeServer;
  /** The time of the server and of its adapters in epoch milliseconds. */
  now(): number;
  /** Moves that time on. */
  wait(milliseconds: number): void;
  /** The behaviour of each typed card, by its PaymentMethod. */
  cards: Map<string, Behavior>;
  /** The keys of charges that the account refused because of their card. */
  refused: Set<string>;
  /** Ends the refusal of the account. */
  accept(): void;
};

/** The accounts of this process. The processes of a test are Contexts that share them. */
const sites = new Map<string, Promise<Site>>();

async function open(): Promise<Site> {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  return {
    stripe: await startStripe({ now }),
    now,
    wait: (milliseconds) => void (ahead += milliseconds),
    cards: new Map(),
    refused: new Set(),
    accept: () => undefined,
  };
}

/** The account of an Organization, opened at the first call. */
export const siteOf = (organizationId: string): Promise<Site> =>
  sites.getOrInsertComputed(organizationId, () => open());

/** The account of an Organization; null: none was opened. */
export const openedSite = async (organizationId: string): Promise<Site | null> =>
  (await sites.get(organizationId)) ?? null;

/** Closes the accounts of these Organizations. */
export async function closeSites(organizationIds: Iterable<string>): Promise<void> {
  for (const id of organizationIds) {
    const site = await openedSite(id);
    sites.delete(id);
    await site?.stripe.close();
  }
}
