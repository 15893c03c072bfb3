import type { Fact } from "../../../src/payments/provider.ts";
import type { StripeProvider } from "../../../src/payments/stripe/stripe.ts";
import type { Site } from "./site.ts";

/** The adapter asks for the cards on file only after more than 30 days. */
const noCards = () => Promise.reject(new Error("no cards are asked for"));

/**
 * A deed at Stripe that no request of Billow begins, and the facts that the adapter learns of it: the adapter lists the
 * new events, and reads the object with this id.
 */
export async function learn<Made extends { id: string }>(
  site: Site,
  { notices }: StripeProvider,
  organizationId: string,
  deed: () => Made,
): Promise<Fact[]> {
  const { cursor } = await notices.since(organizationId, null, noCards);
  const { id } = deed();
  // The adapter reads the events of a second once the second is over.
  site.wait(2_000);
  const { hints } = await notices.since(organizationId, cursor, noCards);
  const facts: Fact[] = [];
  for (const hint of hints.filter(({ object }) => object === id)) {
    const found = await notices.look(organizationId, hint);
    if (found === "stranger") throw new Error(`the adapter takes ${id} for a stranger`);
    facts.push(...found);
  }
  return facts;
}
