import type { Context } from "../../context.ts";
import { cardNeed, type Checkout } from "../../domain/checkout/checkout.ts";
import type { GivenCard } from "../../domain/payment/outcome.ts";
import { AppError } from "../../errors.ts";
import type { CardDetails, CardFault } from "../../payments/provider.ts";
import { readOrganization } from "../../store/organizations.ts";
import { providerOf } from "../provider.ts";

/**
 * The card of a submission as the provider has accepted it, with no transaction open; null if no card is needed or
 * given.
 */
export async function acceptCard(
  ctx: Context,
  checkout: Checkout,
  given: CardDetails | null,
): Promise<{ card: GivenCard | null } | { fault: CardFault }> {
  const { organization } = await readOrganization(ctx.db.read, checkout.organizationId);
  const provider = providerOf(ctx, organization);
  if (cardNeed(checkout) !== "none" && !provider) throw new AppError("payment_provider_missing");
  // The amount of a change is calculated again when the Checkout is submitted, and the new amount may need a card.
  const wanted = cardNeed(checkout) === "none" && !checkout.change ? null : given;
  if (!wanted || !provider) return { card: null };
  const accepted = await provider.acceptCard(checkout.organizationId, wanted);
  return "fault" in accepted ? accepted : { card: { ...accepted.card, provider: provider.name } };
}
