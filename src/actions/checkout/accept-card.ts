import type { Context } from "../../context.ts";
import { cardNeed, type Checkout } from "../../domain/checkout/checkout.ts";
import { takesPayments } from "../../domain/organization/organization.ts";
import type { EnteredCard } from "../../domain/payment/outcome.ts";
import { AppError } from "../../errors.ts";
import type { CardFault, CardInput } from "../../payments/provider.ts";
import { readOrganization } from "../../store/organizations.ts";
import { enterCard } from "../payment/enter-card.ts";

/**
 * The buyer's way to pay, with no transaction open: a card as the provider has accepted it, or the provider's page.
 * Null if no card is needed or given.
 */
export async function acceptCard(
  ctx: Context,
  checkout: Checkout,
  given: CardInput | null,
): Promise<{ card: EnteredCard | null } | { fault: CardFault }> {
  const { organization } = await readOrganization(ctx.db.read, checkout.organizationId);
  const canPay = takesPayments(organization);
  if (cardNeed(checkout) !== "none" && !canPay) throw new AppError("payment_provider_missing");
  // The amount of a change is calculated again when the Checkout is submitted, and the new amount may need a card.
  const wanted = cardNeed(checkout) === "none" && !checkout.change ? null : given;
  return wanted && canPay ? enterCard(ctx, organization, wanted) : { card: null };
}
