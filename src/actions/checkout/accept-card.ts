import type { Context } from "../../context.ts";
import { cardNeed, type Checkout } from "../../domain/model/checkout.ts";
import { takesPayments } from "../../domain/model/organization.ts";
import type { ChangeCard } from "../../domain/change/change-card.ts";
import { AppError } from "../../errors.ts";
import type { CardFault } from "../../payments/provider.ts";
import { readOrganization } from "../../store/organizations.ts";
import { challengedCards } from "../../store/payments.ts";
import { enterCard } from "../payment/enter-card.ts";
import type { Submission } from "./submission.ts";

/**
 * The buyer's way to pay, with no transaction open: a card as the provider has accepted it, the provider's page, or the
 * card on file for a change. Null if no card is needed or given.
 */
export async function acceptCard(
  ctx: Context,
  checkout: Checkout,
  given: Submission["card"],
): Promise<{ card: ChangeCard | null } | { fault: CardFault }> {
  const { organization } = await readOrganization(ctx.db.read, checkout.organizationId);
  const canPay = takesPayments(organization);
  if (cardNeed(checkout) !== "none" && !canPay) throw new AppError("payment_provider_missing");
  if (given === "on_file") {
    const challenged = await challengedCards(ctx.db.read, checkout.organizationId, checkout.id);
    return { card: checkout.change && canPay ? { challenged } : null };
  }
  // The amount of a change is calculated again when the Checkout is submitted, and the new amount may need a card.
  const wanted = cardNeed(checkout) === "none" && !checkout.change ? null : given;
  return wanted && canPay ? enterCard(ctx, organization, wanted) : { card: null };
}
