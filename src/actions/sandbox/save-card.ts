import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { DECLINE_MESSAGES, SANDBOX, type GivenCard } from "../../domain/model/payment-outcome.ts";
import { AppError, invalid } from "../../errors.ts";
import { chargeRefused } from "../payment/refusal.ts";
import { cardOfNumber } from "./card-of-number.ts";

/**
 * Saves a Customer's test card at the built-in provider, under the key `key`.
 * @throws AppError 402 `payment_failed`, `payment_refused`, 422 for another card
 */
export async function saveCard(ctx: Context, customer: Customer, key: string, number: string): Promise<GivenCard> {
  const { organizationId, id: description } = customer;
  const { sandbox } = ctx.payments;
  const accepted = await sandbox.entry.accept(organizationId, cardOfNumber(number));
  if ("fault" in accepted) throw invalid("/card", accepted.fault.code, accepted.fault.message);
  const { ref: card } = accepted.card;
  const returnUrl = ctx.config.publicOrigin;
  const saved = await sandbox.saveCard({ organizationId, key, card, customer, description, page: null, returnUrl });
  if (saved.status === "declined") {
    const extra = { declineCode: saved.code, checkoutId: null, url: null };
    throw new AppError("payment_failed", { detail: DECLINE_MESSAGES[saved.code], extra });
  }
  if (saved.status === "refused") throw chargeRefused("provider_refused");
  return { ...accepted.card, provider: SANDBOX, providerAccount: SANDBOX };
}
