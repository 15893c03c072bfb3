import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { SANDBOX, type EnteredCard } from "../../domain/model/payment-outcome.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CardFault, CardInput } from "../../payments/provider.ts";
import { accountOf, providerOf } from "../provider.ts";

/**
 * Gives typed details to the provider of the Organization, with no transaction open. With a hosted entry, the buyer
 * gives the card on the provider's page instead. Tools of a sandbox have no browser, so the built-in provider accepts
 * their cards with either entry. `card` null: the buyer wants a page of the provider, but the provider has no page.
 * @throws Refusal 409 `payment_provider_missing`
 */
export async function enterCard(
  ctx: Context,
  organization: Organization,
  input: CardInput,
): Promise<{ card: EnteredCard | null } | { fault: CardFault }> {
  const provider = await providerOf(ctx, organization);
  if (!provider) throw new Refusal("payment_provider_missing");
  const hosted = { ...accountOf(provider), hosted: true } as const;
  if (input === "hosted") return { card: provider.entry.kind === "hosted" ? hosted : null };
  const entry = provider.name === SANDBOX ? ctx.payments.sandbox.entry : provider.entry;
  if (entry.kind === "hosted") return { card: hosted };
  const accepted = await entry.accept(organization.id, input);
  return "fault" in accepted ? accepted : { card: { ...accepted.card, ...accountOf(provider) } };
}
