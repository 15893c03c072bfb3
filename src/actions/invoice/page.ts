import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import {
  agreeOnPage as agree,
  payOnPage as decidePayment,
  type AgreedOnPage,
} from "../../domain/collection/page-payment.ts";
import type { ShownRestart } from "../../domain/collection/restart.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { isRefusal, Refusal } from "../../domain/refusal.ts";
import type { CardFault, CardInput } from "../../payments/provider.ts";
import { organizations } from "../../store/organizations.ts";
import { inBilling } from "../customer-billing.ts";
import type { PageRef } from "../links.ts";
import { sendPayment } from "../payment/carry-out.ts";
import { requireNoChallenge, withoutChallenge } from "../payment/challenge.ts";
import { enterCard } from "../payment/enter-card.ts";

/**
 * The reason why no charge was made. `stale`: the page is out of date, for example because the invoice is paid, void
 * or being paid.
 */
export type PageRefusal = { refused: "stale" | "too_many_attempts" } | { refused: "card"; fault: CardFault };

function staleOf(error: unknown) {
  if (isRefusal(error, "invoice_not_open", "payment_in_progress")) return { refused: "stale" as const };
  throw error;
}

/**
 * Charges an open invoice to a card that the buyer gives on the invoice's page, or on a page of the provider to which
 * the answered payment's `actionUrl` leads. The charge
 * does not count as one of the scheduled retries, and a card that pays is kept for later charges (rule D3q).
 * A challenge that the page showed is abandoned, because the buyer gives another card. The invoice is not charged while
 * another attempt is under way, so a second click makes no second charge.
 * @throws Refusal 404 `not_found`, 409 `payment_provider_missing`
 */
export async function payOnPage(
  ctx: Context,
  { organizationId, id }: PageRef,
  given: CardInput,
  shown: AgreedOnPage,
): Promise<{ payment: Payment } | PageRefusal> {
  const organization = await organizations.find(ctx.db.read, organizationId);
  if (!organization) throw new Refusal("not_found");
  const entered = await enterCard(ctx, organization, given);
  if ("fault" in entered) return { refused: "card", fault: entered.fault };
  const { card } = entered;
  if (!card) return { refused: "stale" };
  const key = { by: "invoice", organizationId, id } as const;
  const decide = (billing: CustomerBilling) => requireNoChallenge(decidePayment(billing, id, card, shown));
  const record = () => ctx.db.tx((tx) => inBilling(ctx, tx, key, decide, { deleted: true }));
  const recorded = await withoutChallenge(ctx, record).catch(staleOf);
  if ("refused" in recorded) return recorded;
  return { payment: await sendPayment(ctx, organizationId, recorded.attempt.id) };
}

/**
 * The consent of a buyer to the price of the new period that the invoice's page showed (rule N6). A page that is out of
 * date has no effect.
 * @throws Refusal 404
 */
export async function agreeOnPage(ctx: Context, { organizationId, id }: PageRef, shown: ShownRestart): Promise<void> {
  const key = { by: "invoice", organizationId, id } as const;
  await ctx.db.tx((tx) => inBilling(ctx, tx, key, (billing) => agree(billing, id, shown))).catch(staleOf);
}
