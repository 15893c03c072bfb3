import {
  grantText,
  iso,
  isPerUnit,
  newPriceText,
  isoOrNull,
  priceText,
  valueOf,
  type BalanceSeen,
  type CustomerSeen,
  type EntrySeen,
  type InvoiceSeen,
  type SubscriptionSeen,
} from "./history.ts";
import { availableOf, balanceOf, chargeOf, currenciesOf, heldOf } from "./reference-balance.ts";
import { refundable } from "./reference-funds.ts";
import { live, type Customer, type Entry, type Invoice, type Line, type Shop, type Sub } from "./reference-model.ts";
import { termsAt } from "./reference-price.ts";
import { refundedOf } from "./reference-refunds.ts";

// The visible part of the reference's state.

/** The expected state of a Customer. */
export function seenCustomer({ products, discounts }: Shop, customer: Customer): CustomerSeen {
  const granted = live(customer).filter(({ suspended }) => !suspended);
  const benefits = granted.flatMap(({ product, quantity }) => grantsOf(products[product]!.benefits, quantity));
  const bought = customer.purchases.flatMap((purchase) =>
    grantsOf([...purchase.benefits], purchase.invoice.lines[0]!.units),
  );
  return {
    subscriptions: customer.subs.map((sub) => seenSubscription(sub, discounts)),
    invoices: customer.invoices.map((invoice) => seenInvoice(customer, invoice)),
    balances: seenBalances(customer),
    entries: customer.entries.map((entry) => seenEntry(customer, entry)).reverse(),
    access: [...benefits, ...bought].toSorted(),
  };
}

/** The grants of a Subscription or a purchase, with their quantity (rule B5). */
const grantsOf = (benefits: readonly number[], quantity: number): string[] =>
  benefits.map((each) => grantText(each, quantity, valueOf(each) * (isPerUnit(each) ? quantity : 1)));

function seenBalances(customer: Customer): Record<string, BalanceSeen> {
  const found = currenciesOf(customer).map((currency): [string, BalanceSeen] => {
    const [amount, held] = [balanceOf(customer, currency), heldOf(customer, currency)];
    return [currency, { amount, held, available: availableOf(customer, currency) }];
  });
  return Object.fromEntries(found.filter(([, { amount, held }]) => amount !== 0 || held !== 0));
}

/** The line by its invoice's number and its own. A line stays on a void invoice when it is billed again. */
function lineName({ invoices }: Customer, line: Line | null): string | null {
  const found = line ? invoices.findLastIndex(({ lines }) => lines.includes(line)) : -1;
  return line && found >= 0 ? `${found}.${invoices[found]!.lines.indexOf(line)}` : null;
}

function sourceName(origin: Entry["origin"]): string | null {
  if (origin === null || typeof origin === "string") return origin;
  return "charge" in origin ? "refund_failed" : "payment";
}

function seenEntry(customer: Customer, { currency, amount, reason, origin, line, remaining }: Entry): EntrySeen {
  const charge = chargeOf(origin);
  return {
    currency,
    amount,
    reason,
    source: sourceName(origin),
    payment: charge && customer.invoices.indexOf(charge.invoice!),
    line: lineName(customer, line),
    remaining,
  };
}

function seenInvoice(customer: Customer, invoice: Invoice): InvoiceSeen {
  const { reason, status, at, currency, sub, lines, total, applied, due } = invoice;
  const { toCard, toBalance } = refundable(customer, invoice);
  return {
    reason,
    status,
    at: iso(at),
    currency,
    lines: lines.map(({ product, units, amount, discount, tax, proration, from, to }) => {
      return { product, units, amount, discount, tax, proration, from: isoOrNull(from), to: isoOrNull(to) };
    }),
    total,
    balance: applied,
    due,
    paid: status === "paid" ? due : 0,
    refunded: refundedOf(invoice),
    refundableToCard: toCard,
    refundableToBalance: toBalance,
    nextAttemptAt: isoOrNull((status === "open" && sub?.dunning?.retryAt) || null),
  };
}

function seenSubscription(sub: Sub, discounts: Shop["discounts"]): SubscriptionSeen {
  const { product, status, quantity: units, amount, currency, every } = sub;
  const { from, to, trialEnd, cancelAt, endedAt, pending, pause, newPrice } = sub;
  // A new price may begin before the pending change, or with it (rule N5).
  const planned = termsAt(sub, pause?.until ?? to, pending);
  return {
    product,
    status,
    units,
    price: priceText(amount, currency, every),
    from: iso(from),
    to: iso(to),
    trialEnd: isoOrNull(trialEnd),
    cancelAt: isoOrNull(cancelAt),
    endedAt: isoOrNull(endedAt),
    pending:
      pending && `${pending.product}: ${pending.quantity} for ${priceText(planned.amount, currency, planned.every)}`,
    pause: pause && `${pause.access} until ${isoOrNull(pause.until)}`,
    newPrice:
      newPrice &&
      newPriceText(newPrice.unit, newPrice.unit * units, iso(newPrice.at!), isoOrNull(newPrice.consentedAt)),
    nextDiscount: sub.nextDiscount && `${discounts.findIndex(({ terms }) => terms === sub.nextDiscount?.held?.terms)}`,
    unaccepted: sub.unaccepted,
  };
}
