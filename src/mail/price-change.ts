import { plainSentences } from "../texts/phrases.ts";
import type { Words } from "../texts/words.ts";
import type { Block, EmailContent } from "./email-content.ts";

/**
 * A new price of a Subscription, in words. `before`, `price`: totals of a period, with the rhythm. `units`,
 * `unitsBefore`: the units at the price of one; null for one unit without a noun. `consentUrl`: the page on which the
 * Customer agrees; null: no consent is missing. `portal` null: the seller allows no cancellation there (rule I10).
 */
export type PriceChangeFacts = {
  product: string;
  /** The first day of the new price. */
  day: string;
  before: string;
  unitsBefore: string | null;
  price: string;
  units: string | null;
  seller: string;
  consentUrl: string | null;
  portal: string | null;
};

/** Both prices, each as the total of a period. */
function prices(facts: PriceChangeFacts, { mailPrice: said, portal }: Words): Block {
  const { day, before, unitsBefore, price, units } = facts;
  const total = (amount: string, counted: string | null) =>
    counted === null ? amount : said.inUnits({ price: amount, units: counted });
  return {
    rows: [
      { name: said.before, value: total(before, unitsBefore) },
      { name: portal.fromDay({ day }), value: total(price, units), strong: true },
    ],
  };
}

/** The effect without a step of the Customer, the page of the consent, and the way to cancel. */
function ways({ day, consentUrl, portal, seller }: PriceChangeFacts, words: Words): Block[] {
  const { mailPrice: said, mailSubscription } = words;
  const cancel = portal === null ? words.seller.cancelBySeller({ seller }) : mailSubscription.cancel({ day });
  const account: Block[] = portal === null ? [] : [{ label: mailSubscription.account, url: portal }];
  if (consentUrl === null) return [{ text: plainSentences(words, said.goesOn, cancel) }, ...account];
  return [{ text: said.consent({ day }) }, { label: said.agree, url: consentUrl }, { text: cancel }, ...account];
}

export function priceChange(facts: PriceChangeFacts, words: Words): EmailContent {
  const { product, day } = facts;
  const said = words.mailPrice;
  return {
    subject: said.subject({ product, day }),
    heading: said.title,
    blocks: [{ text: said.notice({ product, day }) }, prices(facts, words), ...ways(facts, words)],
  };
}

/** The reminder of a consent that is missing (rule N7). */
export function priceChangeReminder(facts: PriceChangeFacts, words: Words): EmailContent {
  const { product, day } = facts;
  const said = words.mailPrice;
  return {
    subject: said.reminderSubject({ product, day }),
    heading: said.reminderTitle({ day }),
    blocks: [{ text: said.reminder({ product, day }) }, prices(facts, words), ...ways(facts, words)],
  };
}
