import { leastOf, stepOf } from "./amounts.ts";
import { nextBoundary, type Period } from "./billing-periods.ts";
import type { Book } from "./book.ts";
import type { JsonObject } from "./json.ts";
import type { Discount, Invoice, InvoiceItem, Subscription, SubscriptionItem, TaxRate } from "./objects.ts";

/** A line while its invoice is computed: `rest` is the amount less the discounts so far. */
type Line = { amount: number; rest: number; discounts: { amount: number; discount: string }[] } & {
  period: Period;
  rates: readonly TaxRate[];
  fields: JsonObject;
};

/** The current period. The items of a subscription have one period here. */
export function periodOf({ items, billing_cycle_anchor: anchor }: Subscription): Period {
  const [first] = items.data;
  if (first === undefined) return { start: anchor, end: anchor };
  return { start: first.current_period_start, end: first.current_period_end };
}

/** The period after the current one. A trial ends where the first paid period begins. */
export function periodAfter(subscription: Subscription): Period {
  const { end: start } = periodOf(subscription);
  const recurring = subscription.items.data[0]?.price.recurring ?? null;
  return { start, end: nextBoundary(subscription.billing_cycle_anchor, recurring, start) };
}

/** Half a step goes away from zero. Amounts of a few currencies are multiples of ten or a hundred. */
const rounded = (value: number, currency: string): number => {
  const step = stepOf(currency);
  return Math.sign(value) * Math.round(Math.abs(value) / step + 1e-9) * step;
};

/** The price of a period. Usage and tiers count as 0 here: an import leaves such subscriptions. */
function amountOf({ price, quantity = 0 }: SubscriptionItem): number {
  if (price.recurring?.usage_type === "metered") return 0;
  return Math.round(Number(price.unit_amount_decimal ?? 0) * quantity);
}

/** A last period that a planned end cuts short is charged by its seconds. */
function linesOf(subscription: Subscription, period: Period, automatic: TaxRate | null): Line[] {
  const end = Math.min(period.end, subscription.cancel_at ?? Infinity);
  const share = (end - period.start) / (period.end - period.start);
  return subscription.items.data.map((item) => {
    const whole = amountOf(item);
    const amount = share === 1 ? whole : rounded(whole * share, subscription.currency);
    const own = item.tax_rates.length > 0 ? item.tax_rates : subscription.default_tax_rates;
    const rates = subscription.automatic_tax.enabled ? (automatic === null ? [] : [automatic]) : own;
    const details = { invoice_item: null, proration: false, proration_details: null, subscription: subscription.id };
    const parent = {
      type: "subscription_item_details",
      invoice_item_details: null,
      subscription_item_details: { ...details, subscription_item: item.id },
    };
    const { id: price, product, unit_amount_decimal } = item.price;
    const pricing = { type: "price_details", price_details: { price, product }, unit_amount_decimal };
    const fields = { description: null, parent, pricing, quantity: item.quantity ?? null };
    return { amount, rest: amount, discounts: [], period: { start: period.start, end }, rates, fields };
  });
}

function lineOfPending(item: InvoiceItem): Line {
  const { id, amount, proration, quantity, description } = item;
  const details = { invoice_item: id, proration, proration_details: null, subscription: null };
  const parent = { type: "invoice_item_details", invoice_item_details: details, subscription_item_details: null };
  const fields = { description, parent, pricing: null, quantity };
  return { amount, rest: amount, discounts: [], period: item["period"] as Period, rates: [], fields };
}

/** The items that wait for the next invoice of a subscription: its own, and those of the Customer alone. */
export const pendingItems = (book: Book, { id, customer }: Subscription): InvoiceItem[] =>
  [...book.invoiceItems.values()].filter((item) => {
    if (item.invoice !== null || item.customer !== customer) return false;
    const of = item.parent?.subscription_details?.subscription ?? null;
    return of === null || of === id;
  });

const discountsBy = (book: Book, ids: readonly string[], at: number): Discount[] =>
  ids.map((id) => book.discounts.get(id)!).filter(({ end }) => end === null || end > at);

/** The discount of a Customer counts only for a subscription without discounts of its own. */
function discountsOf(book: Book, subscription: Subscription, at: number): Discount[] {
  if (subscription.discounts.length > 0) return discountsBy(book, subscription.discounts, at);
  const ofCustomer = book.customers.get(subscription.customer)?.["discount"] as Discount | null | undefined;
  return ofCustomer && (ofCustomer.end === null || ofCustomer.end > at) ? [ofCustomer] : [];
}

/** A coupon that was deleted goes on to take off its amount, so its terms are kept apart from the list. */
function takeOff(book: Book, lines: readonly Line[], { id, source }: Discount, currency: string): void {
  const terms = book.coupons.get(source.coupon) ?? book.hidden.deletedCoupons.get(source.coupon);
  if (terms === undefined) return;
  const { percent_off: percent, amount_off: off } = terms;
  const sum = lines.reduce((before, { rest }) => before + rest, 0);
  let left = Math.min(off ?? 0, sum);
  lines.forEach((line, n) => {
    const isLast = n === lines.length - 1;
    const ofAmount = isLast ? left : rounded(sum === 0 ? 0 : ((off ?? 0) * line.rest) / sum, currency);
    const amount = percent !== null ? rounded((line.rest * percent) / 100, currency) : Math.min(ofAmount, line.rest);
    left -= amount;
    line.rest -= amount;
    if (amount !== 0) line.discounts.push({ amount, discount: id });
  });
}

function taxesOf({ rest, rates }: Line, currency: string) {
  return rates.map(({ id, percentage, inclusive }) => ({
    amount: rounded(inclusive ? rest - rest / (1 + percentage / 100) : (rest * percentage) / 100, currency),
    tax_behavior: inclusive ? "inclusive" : "exclusive",
    tax_rate_details: { tax_rate: id },
    taxability_reason: "standard_rated",
    taxable_amount: rest,
    type: "tax_rate_details",
  }));
}

/** Sums of the same discount or tax over all lines. */
function summed<T extends { amount: number }>(each: readonly T[], keyOf: (one: T) => string): T[] {
  const by = new Map<string, T>();
  for (const one of each) {
    const before = by.get(keyOf(one));
    if (before === undefined) by.set(keyOf(one), { ...one });
    else before.amount += one.amount;
  }
  return [...by.values()];
}

/** `amount_due` after the Customer's balance. An amount below the least charge waits on the balance. */
export function settled(book: Book, customer: string, total: number, currency: string) {
  const owner = book.customers.get(customer);
  const counts = owner !== undefined && (owner.currency ?? currency) === currency;
  const starting = counts ? owner.balance : 0;
  const sum = total + starting;
  const isTooSmall = sum > 0 && sum < leastOf(currency);
  const due = isTooSmall ? 0 : Math.max(sum, 0);
  return { starting, due, ending: counts ? sum - due : 0 };
}

/** The amounts and lines of the invoice of a subscription for a period. `prefix`: of the ids of the lines. */
export function invoiceFor(book: Book, subscription: Subscription, period: Period) {
  const { currency, customer } = subscription;
  const pending = pendingItems(book, subscription).filter((item) => item.currency === currency);
  const own = linesOf(subscription, period, book.hidden.automaticTax);
  subscription.items.data.forEach(({ discounts }, n) => {
    for (const each of discountsBy(book, discounts, period.start)) takeOff(book, [own[n]!], each, currency);
  });
  const lines = [...own, ...pending.map(lineOfPending)];
  const discountable = [...own, ...lines.slice(own.length).filter(({ amount }) => amount > 0)];
  const running = discountsOf(book, subscription, period.start);
  for (const each of running) takeOff(book, discountable, each, currency);
  const taxes = lines.map((line) => taxesOf(line, currency));
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const rest = lines.reduce((sum, line) => sum + line.rest, 0);
  const isExclusive = ({ tax_behavior }: { tax_behavior: string }) => tax_behavior === "exclusive";
  const allTaxes = taxes.flat();
  const total = rest + allTaxes.filter(isExclusive).reduce((sum, { amount }) => sum + amount, 0);
  const { starting, due } = settled(book, customer, total, currency);
  const data = lines.map((line, n) => ({
    id: book.newId("il"),
    object: "line_item",
    amount: line.amount,
    currency,
    ...line.fields,
    discount_amounts: line.discounts,
    discountable: true,
    discounts: line.discounts.map(({ discount }) => discount),
    livemode: book.livemode,
    metadata: {},
    period: line.period,
    pretax_credit_amounts: [],
    quantity_decimal: line.fields["quantity"] === null ? null : String(line.fields["quantity"]),
    subscription: subscription.id,
    subtotal: line.amount,
    taxes: taxes[n]!,
  }));
  return {
    pending,
    running,
    fields: {
      amount_due: due,
      currency,
      discounts: running.map(({ id }) => id),
      lines: { object: "list", data, has_more: false, url: "/v1/invoices/upcoming/lines" },
      starting_balance: starting,
      subtotal,
      subtotal_excluding_tax: subtotal,
      total,
      total_discount_amounts: summed(
        lines.flatMap((line) => line.discounts),
        ({ discount }) => discount,
      ),
      total_excluding_tax: total - allTaxes.reduce((sum, { amount }) => sum + amount, 0),
      total_pretax_credit_amounts: [],
      total_taxes: summed(allTaxes, ({ tax_rate_details: { tax_rate } }) => tax_rate),
    } satisfies Partial<Invoice> & JsonObject,
  };
}
