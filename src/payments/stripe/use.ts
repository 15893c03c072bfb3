import { StripeFault, type Api } from "./client.ts";
import type { Customer, Subscription } from "./objects.ts";
import { listOf } from "./pages.ts";
import { keyIn, type Settings } from "./settings.ts";

/** A Customer of ours, and `ref`, the Customer at Stripe. */
export type KnownCustomer = { organizationId: string; id: string; ref: string };

/**
 * `isOwn`: Billow has made the Customer at Stripe, and Stripe Billing has no subscription of this Customer that has
 * not ended. Only then may Billow change or delete the Customer. `cards`: other software charges these cards, because a
 * subscription names them, or the Customer does by default.
 */
export type Use = { isOwn: boolean; cards: ReadonlySet<string> };

const idOf = (object: string | { id: string }): string => (typeof object === "string" ? object : object.id);

/**
 * Asks Stripe for the other uses of a Customer; null: the Customer does not exist any more.
 * @throws StripeFault, also if the key can't read Customers or subscriptions; Unanswered, ProviderBusy
 */
export async function readUse(api: Api, settings: Settings, known: KnownCustomer): Promise<Use | null> {
  const customer = await readCustomer(api, known.ref);
  if (customer === null) return null;
  const isMade = keyIn(settings, known.organizationId, customer.metadata ?? null) === known.id;
  const named = [customer.invoice_settings?.default_payment_method, customer.default_source];
  let isSubscribed = false;
  // Without a status, Stripe lists all subscriptions that are not canceled, those that never began, too.
  for await (const each of listOf<Subscription>(api, "/v1/subscriptions", { customer: known.ref })) {
    if (each.status === "incomplete_expired") continue;
    isSubscribed = true;
    named.push(each.default_payment_method, each.default_source);
  }
  const cards = new Set(named.flatMap((card) => (card ? [idOf(card)] : [])));
  return { isOwn: isMade && !isSubscribed, cards };
}

async function readCustomer(api: Api, ref: string): Promise<Customer | null> {
  try {
    const customer = await api.get<Customer>(`/v1/customers/${ref}`);
    return customer.deleted === true ? null : customer;
  } catch (error) {
    if (error instanceof StripeFault && error.status === 404) return null;
    throw error;
  }
}
