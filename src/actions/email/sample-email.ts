import type { Context } from "../../context.ts";
import { addCalendar, type Instant } from "../../domain/calendar.ts";
import { exponentOf } from "../../domain/currency.ts";
import type { BuyerEmailKind } from "../../domain/model/email.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Message } from "../../mail/email-content.ts";
import { emailContent } from "../../mail/email-contents.ts";
import { sampleFacts } from "../../mail/samples.ts";
import type { Language } from "../../domain/locale.ts";
import { wordsFor } from "../../texts/words.ts";
import { portalCardUrl, portalUrl } from "../links.ts";

/** The Product of all previews. */
export const SAMPLE_PRODUCT = "Atlas Pro";

/** The price of the Product in minor units: 29.00, or 2900 in a currency without decimals. */
export const samplePrice = (currency: string): number => 29 * 10 ** (exponentOf(currency) || 2);

/** A buyer's e-mail with sample data, as of billing time `now`. As in e-mails without a locale, English is British. */
export function sampleEmail(
  ctx: Context,
  organization: Organization,
  kind: BuyerEmailKind,
  language: Language,
  now: Instant,
): Message {
  const words = wordsFor(language === "en" ? null : language);
  const { id, defaultCurrency: currency, timeZone } = organization;
  const facts = sampleFacts({
    organization,
    words,
    product: SAMPLE_PRODUCT,
    currency,
    price: samplePrice(currency),
    now,
    next: addCalendar(now, timeZone, "P1M"),
    portal: portalUrl(ctx, id),
    portalCard: portalCardUrl(ctx, id),
    // The pages of one recipient have secret links, so the portal stands for them.
    page: portalUrl(ctx, id),
  });
  return emailContent(kind, facts[kind], organization, words);
}
