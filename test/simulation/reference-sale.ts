import { MINIMUM, ONE_UNIT, type ActionOf, type PlannedBuyer, type PlannedProduct } from "./history.ts";
import { appliedTo } from "./reference-checkout.ts";
import { beginPromised, isFree, promise, takenOff } from "./reference-discount.ts";
import { clearCard } from "./reference-disputes.ts";
import { issue } from "./reference-invoice.ts";
import type { Life } from "./reference-life.ts";
import { fullLine, totalOf } from "./reference-lines.ts";
import { addWall, periodAround, periodFrom, type Span } from "./reference-math.ts";
import {
  attempt,
  capture,
  give,
  isTaken,
  without,
  type Card,
  type Customer,
  type Held,
  type Payment,
  type Sub,
  type Tax,
} from "./reference-model.ts";
import { challengeEnd } from "./reference-provider.ts";
import { quote } from "./reference-quote.ts";
import { billed, taxAt, taxOfSub } from "./reference-tax.ts";

type Sale = {
  number: number;
  product: PlannedProduct;
  currency: string;
  quantity: number;
  amount: number;
  trialDays: number | null;
  card: Card | null;
  payment: Payment | null;
  typed: boolean;
  held: Held | null;
  tax: Tax;
  buyer: PlannedBuyer;
  /** The part that the balance settles, and the rest. */
  applied: number;
  due: number;
};

/** The largest amount in minor units (rule M1). */
const MOST = 999_999_999_999;

/** The quantity of a sale, by default the smallest one that is offered; null: it is not offered (rules Q1, Q3). */
function unitsOf(asked: number | null | undefined, { quantity: limits = ONE_UNIT }: PlannedProduct): number | null {
  const quantity = asked ?? limits.minimum;
  return quantity >= limits.minimum && quantity <= limits.maximum ? quantity : null;
}

/** The start of Subscriptions, and one-time purchases (docs/rules.md: C, X). */
export class Sales {
  readonly #life: Life;
  constructor(life: Life) {
    this.#life = life;
  }

  /** A Checkout that is created and paid at once. */
  buy(customer: Customer, step: ActionOf<"buy">, buyer: PlannedBuyer): string {
    const { product: number, currency, typed } = step;
    const { settings, products } = this.#life.shop;
    const product = products[number]!;
    const price = product.prices[currency];
    const quantity = unitsOf(step.quantity, product);
    if (product.archived || price === undefined || quantity === null) return "422 validation_failed";
    const amount = price * quantity;
    if (amount > MOST) return "422 validation_failed";
    if (!typed && isTaken(customer, product.group, { exceptTyped: true })) return "409 already_subscribed";
    const discount = this.#hold(step, product, amount);
    if (discount === "refused") return "422 validation_failed";
    if (!typed) this.#meet(customer, buyer.atPage ? null : buyer.location);
    const location = typed || customer.location === null ? buyer.location : customer.location;
    const isTaxable = amount > 0 || product.every !== null;
    if (settings.taxRates.length > 0 && isTaxable && location === null) return "422 validation_failed";
    const held = discount && promise(discount.terms, product.every, this.#life.shop.now, settings.zone);
    const { trialDays } = product;
    const tax = this.#taxOf({ product: number, amount, currency, held }, location);
    const payment = null;
    const asked = { number, product, currency, quantity, amount, trialDays, typed, held, tax, buyer, payment };
    const offer = this.#settled(customer, asked);
    // A missing card is refused first, because later refusals tell something about the Customer, and the buyer may be
    // somebody else.
    const lacks = (needs: string) => step.card === null && (needs === "charge" || needs === "save");
    if (lacks(this.#asks(offer))) return "422 validation_failed";
    if (!typed) this.#displace(customer, product.group);
    if (isTaken(customer, product.group)) return "409 already_subscribed";
    const usedUp = product.group !== null && customer.trials.has(product.group);
    const sale = usedUp ? this.#settled(customer, { ...offer, trialDays: null }) : offer;
    const needs = this.#asks(sale);
    if (lacks(needs)) return "422 validation_failed";
    const card = needs === "none" || step.card === null ? null : give(this.#life.shop, step.card);
    this.#meet(customer, location);
    if (!typed && customer.location === null) customer.location = buyer.location;
    if (card?.does === "declined") return "open";
    if (discount) discount.used += 1;
    const { applied, due } = sale;
    const paid = { ...sale, card, payment: card && needs === "charge" ? attempt(this.#life.shop, card) : null };
    const reserved = { currency, applied };
    customer.reserved.push(reserved);
    const complete = () => {
      this.#complete(customer, paid);
      without(customer.reserved, reserved);
    };
    if (card?.does !== "asksBuyer") {
      this.#life.hearBefore(customer, card);
      complete();
      return `completed ${applied} ${due}`;
    }
    const drop = () => {
      without(customer.reserved, reserved);
      if (discount) discount.used -= 1;
    };
    customer.challenges.push({
      answer: null,
      complete,
      page: {
        group: product.group,
        typed,
        until: challengeEnd(this.#life.shop.provider, this.#life.shop.now, 24),
        drop,
      },
    });
    return `processing ${applied} ${due}`;
  }

  /** A purchase by a typed e-mail that waits at the bank yields to one of the named Customer (rule C4). */
  #displace(customer: Customer, group: string | null): void {
    if (group === null) return;
    for (const rival of customer.challenges.filter(({ page }) => page?.typed && page.group === group)) {
      without(customer.challenges, rival);
      if (rival.answer === "pass") rival.complete();
      else rival.page!.drop();
    }
  }

  /** The sale with the part that the balance settles now: none for a buyer that typed an e-mail (rule C7). */
  #settled<Some extends Omit<Sale, "card" | "applied" | "due">>(customer: Customer, sale: Some) {
    const { number, quantity, amount, currency, trialDays, typed, held, tax } = sale;
    const total =
      trialDays === null ? totalOf([fullLine({ product: number, quantity, amount }, null, { held, tax })]) : 0;
    const applied = typed ? 0 : appliedTo(customer, currency, total);
    return { ...sale, applied, due: total - applied };
  }

  /** The tax of a sale on a page. A net price below the minimum charge is charged with its tax (rule M5). */
  #taxOf(
    sale: Pick<Sale, "amount" | "currency" | "held"> & { product: number },
    location: PlannedBuyer["location"],
  ): Tax {
    const { settings } = this.#life.shop;
    const tax = taxAt(settings, location);
    const left = billed(sale.amount - takenOff(sale.held, sale, null), tax);
    const isTooSmall = tax && tax.out > 0 && left > 0 && left < MINIMUM[sale.currency]!;
    return isTooSmall ? taxAt(settings, location && { ...location, taxId: null }) : tax;
  }

  /** A new Customer gets the given location. A known Customer stays unchanged. */
  #meet(customer: Customer, location: PlannedBuyer["location"]): void {
    if (!customer.known) customer.location = location;
    customer.known = true;
  }

  /** The discount of a code, or its refusal for this sale (rules X1, M5). */
  #hold({ discount: number, product, currency }: ActionOf<"buy">, { every }: PlannedProduct, amount: number) {
    const { now, discounts, settings } = this.#life.shop;
    if (number === null) return null;
    const discount = discounts[number]!;
    const { off, from, until, most, products } = discount.terms;
    const isOpen =
      (from === null || now >= from) && (until === null || now < until) && (most === null || discount.used < most);
    const covers = products === null || products.includes(product);
    if (!isOpen || !covers || ("currency" in off && off.currency !== currency)) return "refused";
    const left = amount - takenOff(promise(discount.terms, every, now, settings.zone), { product, amount }, null);
    return left > 0 && left < MINIMUM[currency]! ? "refused" : discount;
  }

  /** The use of a card for a sale (rule C2): charged now, only saved, saved if the buyer likes, or not asked for. */
  #asks({
    number,
    product,
    amount,
    trialDays,
    held,
    due,
  }: Omit<Sale, "card" | "payment">): "charge" | "save" | "optional" | "none" {
    if (isFree(held, { product: number, amount })) return "none";
    if (trialDays !== null) return product.trialCard === "required" ? "save" : "optional";
    return due > 0 ? "charge" : product.every === null ? "none" : "save";
  }

  #complete(customer: Customer, sale: Sale): void {
    const {
      number,
      product,
      currency,
      quantity,
      amount,
      trialDays,
      card,
      payment,
      typed,
      held,
      tax,
      buyer,
      applied,
      due,
    } = sale;
    const quoted = { applied, due, held: 0, given: [] };
    const { now, settings } = this.#life.shop;
    if (payment) clearCard(customer, payment.card);
    const isDefault = card !== null && this.#life.makeDefault(customer, card, !typed);
    if (isDefault && !typed) this.#life.tryCard(customer);
    const terms = { product: number, group: product.group, quantity, amount };
    if (product.every === null) {
      const lines = [fullLine(terms, null, { held, tax })];
      const invoice = issue(customer, { reason: "checkout", currency, sub: null, lines }, quoted, now);
      invoice.status = "paid";
      if (payment) capture(invoice, payment);
      customer.purchases.push({ product: number, invoice, benefits: new Set(product.benefits) });
      return;
    }
    const trialEnd = trialDays === null ? null : addWall(now, settings.zone, "day", trialDays);
    const count = { anchor: now, zone: settings.zone, n: 1 };
    const span = trialEnd === null ? periodFrom(now, count, product.every) : { from: now, to: trialEnd, count };
    const began = trialEnd === null ? beginPromised(held, span, settings.zone) : held;
    const own = { claimed: !typed, card: typed ? card : null, location: typed ? buyer.location : null };
    const sub = this.#start(
      customer,
      { ...terms, every: product.every, currency, trialEnd, discount: began, tax, ...own },
      span,
    );
    if (trialEnd !== null) return;
    const full = fullLine(sub, sub, { held: began, tax });
    sub.billed = issue(customer, { reason: "checkout", currency, sub, lines: [full] }, quoted, now);
    sub.billed.status = "paid";
    if (payment) capture(sub.billed, payment);
    Object.assign(sub, { rate: full.amount - full.discount, rateLine: full });
  }

  #start(
    customer: Customer,
    known: Pick<
      Sub,
      | "product"
      | "group"
      | "quantity"
      | "amount"
      | "every"
      | "currency"
      | "trialEnd"
      | "discount"
      | "tax"
      | "claimed"
      | "card"
      | "location"
    >,
    span: Span,
  ): Sub {
    const { trialEnd, group, amount } = known;
    const sub: Sub = {
      ...known,
      ...span,
      status: trialEnd === null ? "active" : "trialing",
      rate: trialEnd === null ? amount : 0,
      rateLine: null,
      billed: null,
      cancelAt: null,
      imported: false,
      endedAt: null,
      pending: null,
      nextDiscount: null,
      gifts: new Set(),
      pause: null,
      newPrice: null,
      own: null,
      news: [],
      began: span.from,
      unaccepted: false,
      waiting: [],
      dunning: null,
      suspended: false,
      changing: null,
    };
    customer.subs.push(sub);
    if (trialEnd !== null && group !== null) customer.trials.add(group);
    return sub;
  }

  /** A Subscription that no Checkout sold: complimentary, by hand, or begun elsewhere. */
  enroll(
    customer: Customer,
    { product: number, currency, ...step }: ActionOf<"enroll">,
    { location, atPage }: PlannedBuyer,
  ): string {
    const { now, settings, products } = this.#life.shop;
    this.#meet(customer, atPage ? null : location);
    const product = products[number]!;
    const price = product.prices[currency];
    const quantity = unitsOf(step.quantity, product);
    if (product.archived || price === undefined || product.every === null || quantity === null)
      return "422 validation_failed";
    if (price * quantity > MOST) return "422 validation_failed";
    if (isTaken(customer, product.group)) return "409 already_subscribed";
    const { every } = product;
    const amount = (step.amount ?? price) * quantity;
    const began = step.begun === null ? null : now - step.begun;
    const trialEnd = step.trial === null ? null : now + step.trial;
    const anchor = step.anchor === null ? began : now - step.anchor;
    const from = began ?? now;
    const count = { anchor: anchor ?? now, zone: settings.zone, n: 1 };
    const span =
      trialEnd !== null
        ? { from, to: trialEnd, count }
        : anchor === null
          ? periodFrom(now, count, every)
          : periodAround(now, count, every);
    const known = {
      product: number,
      group: product.group,
      quantity,
      amount,
      every,
      currency,
      trialEnd,
      discount: null,
      tax: null,
    };
    const sub = this.#start(customer, { ...known, claimed: true, card: null, location: null }, span);
    sub.imported = began !== null && began < now;
    sub.began = from;
    if (step.amount !== null) sub.own = { product: number, unit: step.amount };
    sub.tax = trialEnd === null ? taxOfSub(this.#life.shop, customer, sub) : null;
    sub.rate = billed(sub.rate, sub.tax);
    if (trialEnd !== null || began !== null) return "201";
    const lines = [fullLine(sub, sub, { held: null, tax: sub.tax })];
    sub.billed = issue(customer, { reason: "renewal", currency, sub, lines }, quote(customer, currency, lines), now);
    sub.rateLine = lines[0]!;
    this.#life.collectFirst(customer, sub, sub.billed);
    return "201";
  }
}
