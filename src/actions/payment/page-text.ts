import type { Context } from "../../context.ts";
import type { PageText } from "../../payments/provider.ts";
import { findPaidThing } from "../../store/payment-pages.ts";
import type { ChargeablePayment } from "../../store/payments.ts";
import { firstSpoken } from "../../texts/language.ts";
import { wordsFor } from "../../texts/words.ts";

/**
 * The buyer's words on the provider's page, in the language of the Checkout, else of the Customer. Null: the card is
 * known, so there is no such page.
 */
export async function pageTextOf(ctx: Context, payment: ChargeablePayment): Promise<PageText | null> {
  const { organizationId, id, seller, card } = payment;
  if (card !== null) return null;
  const thing = await findPaidThing(ctx.db.read, organizationId, id);
  if (!thing) return { article: seller, locale: null };
  const { productName, invoiceNumber: number, checkoutLocale, customerLocale } = thing;
  const locales = [checkoutLocale, customerLocale];
  const invoice = number && wordsFor(firstSpoken(locales)).goods.invoice({ number });
  return { article: invoice || productName || seller, locale: checkoutLocale ?? customerLocale };
}
