import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import type { EnteredCard } from "../../domain/payment/outcome.ts";
import { AppError } from "../../errors.ts";
import type { CardDetails, CardFault } from "../../payments/provider.ts";
import { accountOf, providerOf } from "../provider.ts";

/**
 * Gives typed details to the provider of the Organization, with no transaction open. With a hosted entry, the buyer
 * gives the card on the provider's page instead.
 * @throws AppError 409 `payment_provider_missing`
 */
export async function enterCard(
  ctx: Context,
  organization: Organization,
  typed: CardDetails,
): Promise<{ card: EnteredCard } | { fault: CardFault }> {
  const provider = await providerOf(ctx, organization);
  if (!provider) throw new AppError("payment_provider_missing");
  if (provider.entry.kind === "hosted") return { card: { ...accountOf(provider), hosted: true } };
  const accepted = await provider.entry.accept(organization.id, typed);
  return "fault" in accepted ? accepted : { card: { ...accepted.card, ...accountOf(provider) } };
}
