import type { Context } from "../context.ts";
import type { Payment } from "../domain/payment.ts";
import { AppError } from "../errors.ts";
import type { CardDetails, CardFault } from "../payments/provider.ts";
import type { Tx } from "../store/db.ts";
import { organizations } from "../store/organizations.ts";
import { failedOnPage } from "../store/payments.ts";
import { collectOnPage } from "./collect-invoice.ts";
import { keepMethod, type GivenCard } from "./given-card.ts";
import { paymentInProgress, requireNoChallenge, withoutChallenge, workOnOpenInvoice } from "./invoice-work.ts";
import type { PageRef } from "./links.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { MAX_FAILED_ATTEMPTS } from "./submission.ts";
import { providerOf } from "./work.ts";

/** Why nothing was charged. `stale`: the page has something else to show by now, such as that the invoice is paid, void or being paid. */
export type PageRefusal = { refused: "stale" | "too_many_attempts" } | { refused: "card"; fault: CardFault };

/**
 * Charges an open invoice to a card that its buyer gives on its page, in their presence. It does not use up the schedule of retries, and
 * a card that pays is kept for what follows (rule D3). `instead`: the challenge that the page showed, which is given up for this card;
 * beside any other attempt, and a second click, nothing is charged. @throws AppError 404 `not_found`, 409 `payment_provider_missing`
 */
export async function payOnPage(
  ctx: Context,
  invoice: PageRef,
  details: CardDetails,
  instead: string | null,
): Promise<{ payment: Payment } | PageRefusal> {
  const { organizationId } = invoice;
  const organization = await organizations.find(ctx.db.read, organizationId);
  if (!organization) throw new AppError("not_found");
  const provider = providerOf(ctx, organization);
  if (!provider) throw new AppError("payment_provider_missing");
  const accepted = await provider.acceptCard(organizationId, details);
  if ("fault" in accepted) return { refused: "card", fault: accepted.fault };
  const card = { ...accepted.card, provider: provider.name };
  const attempt = () => ctx.db.tx((tx) => recordOnPage(ctx, tx, invoice, card, instead));
  const recorded = await withoutChallenge(ctx, attempt).catch((error: unknown) => {
    const isStale = error instanceof AppError && (error.code === "invoice_not_open" || error.code === "payment_in_progress");
    if (isStale) return "stale" as const;
    throw error;
  });
  if (typeof recorded === "string") return { refused: recorded };
  return { payment: await carryOutPayment(ctx, organizationId, recorded.id) };
}

async function recordOnPage(
  ctx: Context,
  tx: Tx,
  { organizationId, id }: PageRef,
  card: GivenCard,
  instead: string | null,
): Promise<Payment | "too_many_attempts"> {
  const work = await workOnOpenInvoice(ctx, tx, organizationId, id);
  if (work.subscription.status === "canceled") throw new AppError("invoice_not_open");
  // Before the first charge has failed, that one is under way or about to be.
  if (work.subscription.status !== "past_due") throw paymentInProgress();
  if (work.challenge && work.challenge.id !== instead) throw paymentInProgress();
  if ((await failedOnPage(tx, organizationId, id)) >= MAX_FAILED_ATTEMPTS) return "too_many_attempts";
  requireNoChallenge(work);
  return collectOnPage(work, work.bill.invoice, keepMethod(work, card));
}
