import { StripeFault, type Api } from "./client.ts";
import type { Intent } from "./objects.ts";
import { listOf } from "./pages.ts";
import { isPage, type StripeRequests } from "./requests.ts";
import { keyIn, type Settings } from "./settings.ts";
import { readUse, type KnownCustomer } from "./use.ts";

/**
 * The cards that buyers gave on Billow's pages at Stripe. A card of an import was there before, so other software may
 * charge this card.
 */
async function cardsOf(api: Api, settings: Settings, requests: StripeRequests, known: KnownCustomer) {
  const cards = new Map<string, string>();
  for (const path of ["/v1/payment_intents", "/v1/setup_intents"]) {
    for await (const intent of listOf<Intent>(api, path, { customer: known.ref })) {
      const key = keyIn(settings, known.organizationId, intent.metadata);
      if (key !== null && typeof intent.payment_method === "string") cards.set(key, intent.payment_method);
    }
  }
  const rows = await requests.findAll(known.organizationId, [...cards.keys()]);
  return new Set([...rows.values()].filter(isPage).map(({ key }) => cards.get(key)!));
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

/** A Customer that another request has deleted meanwhile is no error. */
async function deleteCustomer(api: Api, ref: string): Promise<void> {
  try {
    await api.delete(`/v1/customers/${ref}`);
  } catch (error) {
    if (!(error instanceof StripeFault) || error.status !== 404) throw error;
  }
}

/**
 * Forgets a Customer at Stripe (rule I5n). A deletion at Stripe ends the subscriptions of Stripe Billing and takes away
 * the cards of other software. So only a Customer that Billow has made is deleted, and only if Stripe lists no
 * subscription of this Customer. Otherwise the Customer stays as it is. Only the cards are detached that buyers gave on
 * Billow's pages, unless other software charges them. A repetition has no effect.
 * @throws StripeFault, Unanswered; also if the key can't read subscriptions, or if a card stays: the deletion is tried
 *   again later
 */
export async function forgetAtStripe(
  api: Api,
  settings: Settings,
  requests: StripeRequests,
  known: KnownCustomer,
): Promise<void> {
  const use = await readUse(api, settings, known);
  if (use === null) return;
  if (use.isOwn) return deleteCustomer(api, known.ref);
  const refusals = [];
  for (const card of await cardsOf(api, settings, requests, known))
    if (!use.cards.has(card)) refusals.push(await detach(api, card));
  const refusal = refusals.find((each) => each !== null);
  if (refusal) throw refusal;
  settings.warn("a Customer at Stripe was kept: other software uses this Customer", { ...known });
}
