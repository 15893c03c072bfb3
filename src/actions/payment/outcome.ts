import type { Context } from "../../context.ts";
import type { FailureCode, Outcome } from "../../domain/model/payment-outcome.ts";
import { isCharge, isOffSession } from "../../domain/model/payment.ts";
import { AppError } from "../../errors.ts";
import type { Charge, SaveCard, PageText } from "../../payments/provider.ts";
import type { ChargeablePayment } from "../../store/payments.ts";
import { returnUrl } from "../links.ts";
import { providerAt } from "../provider.ts";
import { pausably, type Calling } from "./pause.ts";
import { findPaidThing } from "../../store/payment-pages.ts";
import { firstSpoken } from "../../texts/language.ts";
import { wordsFor } from "../../texts/words.ts";

/**
 * The buyer's words on the provider's page, in the language of the Checkout, else of the Customer. Null: the card is
 * known, so there is no such page.
 */
async function pageTextOf(ctx: Context, payment: ChargeablePayment): Promise<PageText | null> {
  const { organizationId, id, seller, card } = payment;
  if (card !== null) return null;
  const thing = await findPaidThing(ctx.db.read, organizationId, id);
  if (!thing) return { article: seller, locale: null };
  const { productName, invoiceNumber: number, checkoutLocale, customerLocale } = thing;
  const locales = [checkoutLocale, customerLocale];
  const invoice = number && wordsFor(firstSpoken(locales)).deliverables.invoice({ number });
  return { article: invoice || productName || seller, locale: checkoutLocale ?? customerLocale };
}

/**
 * Asks the provider for the outcome of a payment now. Charging twice with one key makes one charge, so a pending
 * payment is simply sent, even if it was sent before.
 */
async function ask(ctx: Context, payment: ChargeablePayment): Promise<Outcome> {
  const { organizationId, providerKey: key, card, customerId: id } = payment;
  const provider = await providerAt(ctx, organizationId, payment);
  if (!provider) return { status: "refused", scope: "account", reason: "disconnected" };
  const customer = { id, email: payment.payerEmail, name: payment.payerName };
  const description = `${payment.seller}: ${payment.invoiceId ?? payment.sourceId}`;
  const page = await pageTextOf(ctx, payment);
  const save: SaveCard = { organizationId, key, card, customer, description, page, returnUrl: returnUrl(ctx, payment) };
  const presence = isOffSession(payment) ? "off_session" : "buyer";
  const charge: Charge | null = isCharge(payment)
    ? { ...save, amount: payment.amount, currency: payment.currency, presence, statement: payment.seller }
    : null;
  if (payment.abandoned) return provider.cancel(charge ?? save);
  if (payment.status !== "pending") {
    const outcome = await provider.read(organizationId, key);
    if (outcome.status !== "absent") return outcome;
  }
  return charge ? provider.charge(charge) : provider.saveCard(save);
}

/** As `ask`, but a failing provider or database leaves the outcome unknown. */
async function askSafely(ctx: Context, payment: ChargeablePayment): Promise<Outcome> {
  try {
    return await ask(ctx, payment);
  } catch (error) {
    if (!(error instanceof AppError))
      ctx.log.error({ err: error, paymentId: payment.id }, "the payment provider failed");
    return { status: "unknown" };
  }
}

/**
 * The outcome of a payment. A payment that was recorded as failed is not sent at all (rule D6). Null: the provider
 * refuses all charges of the account, so the payment stays as it is and waits for the end of the pause (rule D9). The
 * refusal of a first call is final, because no earlier call can have charged.
 */
export async function outcomeOf(
  ctx: Context,
  payment: ChargeablePayment,
  calling: Calling,
): Promise<Outcome<FailureCode> | null> {
  if (payment.failureCode !== null) return { status: "declined", code: payment.failureCode as FailureCode };
  const outcome = await pausably(ctx, payment, calling, () => askSafely(ctx, payment));
  const isRefused = outcome.status === "refused" && outcome.scope === "account";
  return isRefused && calling !== "first" ? null : outcome;
}
