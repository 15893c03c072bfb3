import type { ProviderReport } from "../../../src/payments/provider.ts";
import type { StripeProvider } from "../../../src/payments/stripe/stripe.ts";
import type { Site } from "./site.ts";

/** The adapter asks for the cards on file only after more than 30 days. */
const noCards = () => Promise.reject(new Error("no cards are asked for"));

/**
 * An operation at Stripe that no request of Billow begins, and the facts that the adapter learns of it: the adapter
 * lists the new events, and reads the object with this id.
 */
export async function learn<Made extends { id: string }>(
  site: Site,
  { notices }: StripeProvider,
  organizationId: string,
  operation: () => Made,
): Promise<ProviderReport[]> {
  const { cursor } = await notices.since(organizationId, null, noCards);
  const { id } = operation();
  // The adapter reads the events of a second once the second is over.
  site.wait(2_000);
  const { refs } = await notices.since(organizationId, cursor, noCards);
  const facts: ProviderReport[] = [];
  for (const ref of refs.filter(({ object }) => object === id)) {
    const found = await notices.look(organizationId, ref);
    if (found === "unmatched") throw new Error(`the adapter does not match ${id}`);
    facts.push(...found);
  }
  return facts;
}
