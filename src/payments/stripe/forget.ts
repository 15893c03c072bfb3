import { StripeFault, type Api } from "./client.ts";
import type { Customer, Intent, List } from "./objects.ts";
import { keyIn, type Settings } from "./settings.ts";

/** Stripe's largest page. */
const PAGE = 100;

/** The Customer at Stripe and the Customer of ours. */
type Forgotten = { organizationId: string; id: string; ref: string };

/** The answer to a request; null: Stripe answered with this status. */
async function unless<T>(status: number, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StripeFault && error.status === status) return null;
    throw error;
  }
}

/** Whether the Customer has subscriptions of Stripe Billing; null: the key can't tell. */
async function hasSubscriptions(api: Api, customer: string): Promise<boolean | null> {
  const list = await unless(403, () => api.get<List<{ id: string }>>("/v1/subscriptions", { customer, limit: 1 }));
  return list && list.data.length > 0;
}

/** The cards that Billow's own intents have used for the Customer. */
async function cardsOf(api: Api, settings: Settings, { organizationId, ref }: Forgotten): Promise<Set<string>> {
  const cards = new Set<string>();
  for (const path of ["/v1/payment_intents", "/v1/setup_intents"]) {
    for (let after: string | undefined, more = true; more;) {
      const form = { customer: ref, limit: PAGE, starting_after: after };
      const page = await api.get<List<Intent>>(path, form);
      for (const { metadata, payment_method: method } of page.data) {
        if (typeof method === "string" && keyIn(settings, organizationId, metadata) !== null) cards.add(method);
      }
      after = page.data.at(-1)?.id;
      more = page.has_more && after !== undefined;
    }
  }
  return cards;
}

/**
 * Detaches a card. A card that is detached already is an error of Stripe, and no error here. Returns Stripe's refusal
 * if the key may not detach cards; null: the card is detached.
 */
async function detach(api: Api, card: string): Promise<StripeFault | null> {
  try {
    await api.post(`/v1/payment_methods/${card}/detach`, {});
  } catch (error) {
    if (!(error instanceof StripeFault) || error.status === 401) throw error;
    if (error.status === 403) return error;
  }
  return null;
}

/**
 * Forgets a Customer at Stripe (rule I5n). A deletion at Stripe ends the subscriptions of Stripe Billing and takes away
 * the cards of other software. So only a Customer that Billow has made is deleted, and only if Stripe lists no
 * subscription of this Customer. Otherwise Billow's own cards are detached. If the key can't read subscriptions, name
 * and e-mail that Billow has written are blanked, too. A repetition has no effect.
 * @throws StripeFault, Unanswered; also if a card stays, so that the deletion is tried again
 */
export async function forgetAtStripe(api: Api, settings: Settings, forgotten: Forgotten): Promise<void> {
  const { organizationId, id, ref } = forgotten;
  const path = `/v1/customers/${ref}`;
  const found = await unless(404, () => api.get<Customer>(path));
  if (!found || found.deleted === true) return;
  const isMade = keyIn(settings, organizationId, found.metadata ?? null) === id;
  const isSubscribed = await hasSubscriptions(api, ref);
  if (isMade && isSubscribed === false) {
    await unless(404, () => api.delete(path));
    return;
  }
  const refusals = [];
  for (const card of await cardsOf(api, settings, forgotten)) refusals.push(await detach(api, card));
  if (isMade && isSubscribed === null) await api.post(path, { email: "", name: "" });
  const refusal = refusals.find((each) => each !== null);
  if (refusal) throw refusal;
  if (!isMade || isSubscribed === true)
    settings.warn("a Customer at Stripe was kept: other software uses this Customer", { organizationId, id, ref });
}
