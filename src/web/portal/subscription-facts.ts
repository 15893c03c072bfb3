import { html } from "hono/html";
import { sumOf } from "../../domain/money.ts";
import { cardName } from "../../domain/model/card-name.ts";
import type { HeldDiscount } from "../../domain/model/discount.ts";
import { plannedDiscountOf } from "../../domain/model/discount-change.ts";
import { owedOf, type Outlook } from "../../domain/subscription/outlook.ts";
import { newTotalOf, withNewPrice } from "../../domain/model/price-change.ts";
import { priceBeginsAt } from "../../domain/model/scheduled-price.ts";
import type { PendingChange, Subscription } from "../../domain/model/subscription.ts";
import type { LineTax } from "../../domain/tax/tax.ts";
import { chargeOfPeriodEnd } from "../../texts/charge.ts";
import { amountOff, discountOff, rhythmOf, taxedPrice, unitsAtTotal } from "../../texts/phrases.ts";
import { accessInWords } from "../../texts/unpaid-notice.ts";
import type { Words } from "../../texts/words.ts";
import { fact } from "../components/fact.ts";
import type { Html } from "../layout.ts";
import type { Holding } from "./account.ts";
import { soldName } from "../components/sold-name.ts";

type Sold = Pick<Subscription, "amount" | "interval" | "intervalCount">;

/** `tax`: the rate of the buyer's place now (rule X3j). */
export function priceOf(words: Words, sold: Sold, currency: string, tax: LineTax | null): string {
  const price = taxedPrice(words, sold.amount, currency, tax);
  return words.portal.priceEvery({ price, rhythm: rhythmOf(words, sold) });
}

/** The discount of the coming invoices, also one that begins with the next period; empty if there is none. */
function discountFact(words: Words, zone: string, subscription: Subscription): Html[] {
  const { pendingDiscount, productId, cancelAtPeriodEnd } = subscription;
  if (cancelAtPeriodEnd) return [];
  const discount = plannedDiscountOf(subscription);
  const isCovered = discount?.productIds === null || discount?.productIds.includes(productId);
  if (!discount || !isCovered) return [];
  const said = pendingDiscount === null ? discountInWords(words, zone, discount) : discountOff(words, discount, true);
  return [fact(words.portal.discount, said)];
}

function discountInWords(words: Words, zone: string, discount: HeldDiscount): string {
  const { portal, day } = words;
  const off = amountOff(words, discount);
  if (discount.duration === "once") return portal.onceOff({ off });
  return discount.endsAt === null ? off : portal.untilDay({ off, day: day(discount.endsAt, zone) });
}

function changeFact(
  words: Words,
  zone: string,
  subscription: Subscription,
  planned: PendingChange,
  tax: LineTax | null,
) {
  const { portal, day } = words;
  const { grantsSuspended, pause, currency } = subscription;
  // A change of the quantity alone has the new price from its first day on (rule N5).
  const priced = withNewPrice({ ...subscription, pendingChange: planned }, planned.effectiveAt);
  const change = priced.pendingChange ?? planned;
  const product = soldName(words, { ...change, currency });
  return fact(
    grantsSuspended || pause !== null ? portal.fromNext : portal.fromDay({ day: day(change.effectiveAt, zone) }),
    portal.changeTo.markup({ product, price: priceOf(words, change, currency, tax) }),
  );
}

/** The new price that waits, as the total of a period (rule N5). A planned end leaves none. */
export function newPriceFact(
  words: Words,
  zone: string,
  { subscription, unitName }: Pick<Holding, "subscription" | "unitName">,
  tax: LineTax | null,
): Html[] {
  const { priceChange, cancelAtPeriodEnd, currency } = subscription;
  if (priceChange === null || cancelAtPeriodEnd) return [];
  const { portal, mailPrice, day } = words;
  const total = newTotalOf(subscription, priceChange);
  const price = priceOf(words, { ...subscription, ...total }, currency, tax);
  const units = unitsAtTotal(words, { ...total, unitName }, currency);
  const on = portal.fromDay({ day: day(priceBeginsAt(subscription, priceChange), zone) });
  return [fact(on, units === null ? price : mailPrice.inUnits({ price, units }))];
}

function endFact(words: Words, zone: string, subscription: Subscription, outlook: Outlook): Html[] {
  const charge = chargeOfPeriodEnd(words, zone, subscription, outlook);
  return charge === null ? [] : [fact(charge.name, charge.value)];
}

/** The open invoices: what the buyer owes, and the next attempt to charge it. */
function openFacts(words: Words, zone: string, subscription: Subscription, outlook: Outlook): Html[] {
  const { portal, money, day } = words;
  const { currency, nextRetryAt, status } = subscription;
  const { owed, held } = owedOf(outlook);
  const [oldest] = owed;
  const sum = money(sumOf(owed.map(({ invoice }) => invoice.amountDue)), currency);
  const isLate = status === "past_due";
  const since = oldest && { amount: sum, day: day(oldest.invoice.createdAt, zone) };
  const retry = isLate && oldest && oldest.attempt === null && nextRetryAt !== null && outlook.retryCard;
  const next = retry && { day: day(nextRetryAt, zone), card: cardName(retry) };
  return [
    ...(since ? [isLate ? fact(portal.owedNow, portal.owedSince(since)) : fact(portal.charging, sum)] : []),
    ...held.map(({ invoice: { amountDue, createdAt } }) => {
      const open = { amount: money(amountDue, currency), day: day(createdAt, zone) };
      return fact(portal.openInvoice, portal.openHeld(open));
    }),
    ...(next ? [fact(portal.nextAttempt, portal.attemptOn(next))] : []),
    ...restartFact(words, zone, currency, outlook),
  ];
}

function restartFact(words: Words, zone: string, currency: string, { restart }: Outlook): Html[] {
  if (!restart) return [];
  const { portal, money, day } = words;
  const value = portal.comeBack.markup({
    total: money(restart.owed + restart.amountDue, currency),
    owed: money(restart.owed, currency),
    fresh: money(restart.amountDue, currency),
    product: html`<bdi>${restart.productName}</bdi>`,
    day: day(restart.next.currentPeriodEnd, zone),
  });
  return [fact(portal.toContinue, value)];
}

/** The access while invoices are unpaid (rule D4). */
function accessFact(words: Words, zone: string, subscription: Subscription): Html[] {
  if (subscription.status !== "past_due") return [];
  const access = accessInWords(words, subscription, zone);
  return access === null ? [] : [fact(words.portal.accessName, access)];
}

/** The price of a Subscription, and all that is to be paid. Empty after the end. `tax`: as in `priceOf`. */
export function holdingFacts(
  words: Words,
  zone: string,
  { subscription, unitName, outlook }: Holding,
  tax: LineTax | null,
): Html[] {
  const { terms, portal, day } = words;
  const { status, currency, currentPeriodEnd, cancelAtPeriodEnd, grantsSuspended } = subscription;
  if (!outlook) return [];
  const units = unitsAtTotal(words, { ...subscription, unitName }, currency);
  const isNeverPaid = cancelAtPeriodEnd && status === "trialing";
  const priceName = cancelAtPeriodEnd ? portal.priceUntilEnd : terms.price;
  return [
    ...(isNeverPaid ? [] : [fact(priceName, priceOf(words, subscription, currency, tax))]),
    ...(units === null ? [] : [fact(words.checkout.quantity, units)]),
    ...discountFact(words, zone, subscription),
    ...(status === "trialing" ? [fact(portal.freeUntil, day(currentPeriodEnd, zone))] : []),
    ...newPriceFact(words, zone, { subscription, unitName }, tax),
    ...(outlook.change ? [changeFact(words, zone, subscription, outlook.change, tax)] : []),
    ...openFacts(words, zone, subscription, outlook),
    // Dunning lets no period begin (rule D8), so the next charge would read as a second debt.
    ...(grantsSuspended && subscription.pause === null ? [] : endFact(words, zone, subscription, outlook)),
    ...accessFact(words, zone, subscription),
  ];
}
