import {
  DAY,
  iso,
  isoOrNull,
  priceText,
  type ActionOf,
  type CardName,
  type CustomerSeen,
  type History,
  type InvoiceSeen,
  type PlannedProduct,
  type Step,
  type SubscriptionSeen,
} from "./history.ts";
import {
  cardOf,
  fullLine,
  isTaken,
  issue,
  Life,
  live,
  NOBODY,
  openInvoices,
  quote,
  restLine,
  type Customer,
  type Invoice,
  type Line,
  type Shop,
  type Sub,
  type Terms,
} from "./reference-life.ts";
import { addWall, periodFrom, sameEvery } from "./reference-math.ts";

/** What a change would do: what it bills, and how the Subscription is afterwards. */
type Change = { lines: Line[]; bill: "now" | "wait" | "none"; apply(): void };
/** A change as its preview tells it: amounts of the lines, what is charged, what the balance gains, the next invoice. */
export type PreviewSeen = { lines: number[]; charge: number; balance: number; next: { date: string; total: number } | null };

/**
 * The reference calculator: what must come of a history, recomputed by docs/rules.md in the plainest way there is, without a database,
 * crashes or a clock. It shares nothing with the code it is held against.
 */
export class Reference {
  readonly #shop: Shop;
  readonly #life: Life;
  readonly #customers: Customer[];
  #now: number;

  constructor({ settings, products, customers, start }: History) {
    this.#shop = { settings: { ...settings }, products: products.map((product) => ({ ...product, archived: false })) };
    this.#life = new Life(this.#shop);
    this.#customers = Array.from({ length: customers }, NOBODY);
    this.#now = start;
  }

  /** Time goes on to `to`. */
  advance(to: number): void {
    if (to === this.#now) return;
    for (const customer of this.#customers) this.#life.advance(customer, this.#now, to);
    this.#now = to;
  }

  /** The answer that the deed of a step gets, which is done now. */
  perform(step: Step): string {
    const customer = this.#customers[step.customer]!;
    const answer = this.#act(customer, step);
    if (step.do === "bank" && !step.heard) return answer;
    for (const each of this.#customers) {
      this.#life.settle(each);
      this.#life.hear(each, this.#now);
    }
    return answer;
  }

  #act(customer: Customer, step: Step): string {
    switch (step.do) {
      case "buy":
        return this.#buy(customer, step);
      case "change":
        return this.#change(customer, step);
      case "cancel":
      case "undo":
      case "cancelNow":
        return this.#cancel(customer, step);
      case "card":
        return this.#card(customer, step);
      case "bank":
        return this.#bank(customer, step);
      case "price":
        this.#shop.products[step.product]!.prices = step.prices;
        return "200";
      case "archive":
        this.#shop.products[step.product]!.archived = step.archived;
        return "200";
      case "settings":
        Object.assign(this.#shop.settings, step.settings);
        return "200";
    }
  }

  #buy(customer: Customer, { product: number, currency, card, typed }: ActionOf<"buy">): string {
    const product = this.#shop.products[number]!;
    const amount = product.prices[currency];
    if (product.archived || amount === undefined) return "422 validation_failed";
    if (!typed && isTaken(customer, product.group)) return this.#named(customer, "409 already_subscribed");
    const usedUp = product.group !== null && customer.trials.has(product.group);
    const trialDays = usedUp ? null : product.trialDays;
    const needsCard = amount > 0 && (trialDays === null || product.trialCard === "required");
    const offered = amount > 0 ? card : null;
    if (typed && customer.known && isTaken(customer, product.group)) return "409 already_subscribed";
    if (needsCard && offered === null) return typed ? "422 validation_failed" : this.#named(customer, "422 validation_failed");
    customer.known = true;
    if (offered === "declined") return "open";
    const sale = { number, product, currency, amount, trialDays, card: offered, typed };
    if (offered !== "asksBuyer") {
      this.#complete(customer, sale);
      return "completed";
    }
    const complete = () => this.#complete(customer, sale);
    customer.challenges.push({ answer: null, purchase: { group: product.group, expiresAt: this.#now + DAY, complete } });
    return "processing";
  }

  /** A Checkout that names a Customer makes them, whatever becomes of it; one that is refused doesn't. */
  #named(customer: Customer, answer: string): string {
    if (!answer.startsWith("409")) customer.known = true;
    return answer;
  }

  #complete(
    customer: Customer,
    sale: {
      number: number;
      product: PlannedProduct;
      currency: string;
      amount: number;
      trialDays: number | null;
      card: CardName | null;
      typed: boolean;
    },
  ): void {
    const { number, product, currency, amount, trialDays, card, typed } = sale;
    if (card !== null && (!typed || customer.card === null)) customer.card = card;
    const { every, group } = product;
    const [now, { zone }] = [this.#now, this.#shop.settings];
    if (every === null) {
      customer.purchased.push(number);
      issue(customer, { reason: "checkout", currency, sub: null, lines: [fullLine({ product: number, amount }, null)] }, now).status = "paid";
      return;
    }
    const trialEnd = trialDays === null ? null : addWall(now, zone, "day", trialDays);
    const period = trialEnd === null ? periodFrom(now, { anchor: now, zone, n: 1 }, every) : null;
    const sub: Sub = {
      product: number,
      group,
      amount,
      every,
      status: trialEnd === null ? "active" : "trialing",
      currency,
      ...(period ?? { from: now, to: trialEnd!, count: { anchor: trialEnd!, zone, n: 0 } }),
      rate: period ? amount : 0,
      trialEnd,
      cancelAt: null,
      endedAt: null,
      pending: null,
      waiting: [],
      named: !typed,
      card: typed ? card : null,
      dunning: null,
      suspended: false,
    };
    customer.subs.push(sub);
    if (trialEnd !== null && group !== null) customer.trials.add(group);
    if (period) issue(customer, { reason: "checkout", currency, sub, lines: [fullLine(sub, sub)] }, now).status = "paid";
  }

  /** A live Subscription by its number, counted around; where none is left, the newest one. */
  #sub(customer: Customer, number: number): Sub | null {
    const alive = live(customer);
    return alive[number % alive.length] ?? customer.subs.at(-1) ?? null;
  }

  #cancel(customer: Customer, { do: name, sub: number }: ActionOf<"cancel" | "undo" | "cancelNow">): string {
    const sub = this.#sub(customer, number);
    if (!sub) return "nobody";
    if (sub.status === "canceled") return "409 subscription_canceled";
    if (name === "cancel") sub.cancelAt = sub.to;
    else if (name === "undo") sub.cancelAt = null;
    else this.#life.end(customer, sub, "planned", this.#now);
    return "200";
  }

  #card(customer: Customer, { card }: ActionOf<"card">): string {
    if (!customer.known) return "nobody";
    if (card === "declined") return "402 payment_failed";
    customer.card = card;
    for (const sub of live(customer).filter(({ status }) => status === "past_due")) {
      sub.card = sub.named ? null : card;
      this.#life.retry(customer, sub, "new_card", this.#now);
    }
    return "200";
  }

  #bank({ challenges: [oldest] }: Customer, { pass }: ActionOf<"bank">): string {
    if (!oldest) return "nobody";
    oldest.answer ??= pass ? "pass" : "fail";
    return "answered";
  }

  #change(customer: Customer, step: ActionOf<"change">): string {
    const sub = this.#sub(customer, step.sub);
    if (!sub) return "nobody";
    const change = this.#decide(customer, sub, step);
    if (typeof change === "string") return change;
    const { due } = quote(customer, sub.currency, change.bill === "now" ? [...sub.waiting, ...change.lines] : []);
    const card = cardOf(customer, sub);
    if (due > 0 && card === null) return "402 payment_method_required";
    if (due > 0 && card === "failsLater") return "402 payment_failed";
    if (due > 0 && card === "asksBuyer") return "402 payment_action_required";
    this.#carryOut(customer, sub, change);
    return "200";
  }

  #carryOut(customer: Customer, sub: Sub, { lines, bill, apply }: Change): void {
    const waiting = sub.waiting;
    apply();
    if (bill === "wait") sub.waiting = [...waiting, ...lines];
    if (bill !== "now" || waiting.length + lines.length === 0) return;
    sub.waiting = [];
    const order = { reason: "product_change", currency: sub.currency, sub, lines: [...waiting, ...lines] } as const;
    issue(customer, order, this.#now).status = "paid";
  }

  /** What a change would do, or the answer that says why it can't be done (rules P1 to P9). */
  #decide(customer: Customer, sub: Sub, step: ActionOf<"change">): Change | string {
    const target = this.#shop.products[step.product]!;
    const present = step.product === sub.product;
    const amount = present && target.archived ? sub.amount : target.prices[sub.currency];
    if ((target.archived && !present) || target.every === null || amount === undefined) return "422 validation_failed";
    const terms: Terms = { product: step.product, group: target.group, amount, every: target.every };
    const later = (step.behavior ?? this.#shop.settings.behavior) === "next_period";
    if (sub.status === "canceled") return "409 subscription_canceled";
    if (sub.cancelAt !== null && !step.undo) return "409 subscription_cancellation_scheduled";
    const set = (changed: Partial<Sub>) => () => void Object.assign(sub, step.undo ? { cancelAt: null } : {}, changed);
    const silent = (changed: Partial<Sub>): Change => ({ lines: [], bill: "none", apply: set(changed) });
    const { pending } = sub;
    const isPending = pending?.product === terms.product && pending.amount === amount && sameEvery(pending.every, terms.every);
    if (later && isPending) return silent({});
    if (present && pending) return silent({ pending: null });
    if (present && amount === sub.amount) return silent({});
    if (!later && sub.status === "past_due") return "409 subscription_past_due";
    if (!later && openInvoices(customer, sub).length > 0) return "409 invoice_open";
    if (amount > 0 && cardOf(customer, sub) === null) return "402 payment_method_required";
    if (terms.group !== sub.group && isTaken(customer, terms.group)) return "409 already_subscribed";
    if (later) return silent({ pending: terms });
    if (sub.status === "trialing") return silent({ ...terms, pending: null });
    return this.#immediate(sub, terms, step.behavior ?? this.#shop.settings.behavior, set);
  }

  #immediate(sub: Sub, terms: Terms, behavior: string, set: (changed: Partial<Sub>) => () => void): Change {
    const now = this.#now;
    const credit = restLine(sub.product, -sub.rate, sub, now);
    if (sub.amount > 0 && sameEvery(sub.every, terms.every)) {
      if (behavior === "none") return { lines: [], bill: "none", apply: set({ ...terms, pending: null }) };
      const lines = [...credit, ...restLine(terms.product, terms.amount, sub, now)];
      return { lines, bill: behavior === "invoice_now" ? "now" : "wait", apply: set({ ...terms, pending: null, rate: terms.amount }) };
    }
    const period = periodFrom(now, { anchor: now, zone: this.#shop.settings.zone, n: 1 }, terms.every);
    const lines = [...(behavior === "none" && sub.amount > 0 ? [] : credit), fullLine(terms, period)];
    return { lines, bill: "now", apply: set({ ...terms, ...period, pending: null, rate: terms.amount }) };
  }

  /** What a change's preview shows, or how it is refused. Nothing is changed. */
  preview(step: Step & ActionOf<"change">): PreviewSeen | string {
    const customer = this.#customers[step.customer]!;
    const sub = this.#sub(customer, step.sub);
    if (!sub) return "nobody";
    const change = this.#decide(customer, sub, step);
    if (typeof change === "string") return change;
    const now = change.bill === "now" ? [...sub.waiting, ...change.lines] : [];
    const { applied, due } = quote(customer, sub.currency, now);
    const before = { ...sub };
    change.apply();
    const after = { ...sub };
    Object.assign(sub, before);
    const waiting = change.bill === "now" ? [] : [...sub.waiting, ...change.lines];
    const renewal = after.cancelAt === null ? [fullLine(after.pending ?? after, null)] : [];
    const next = [...waiting, ...renewal];
    return {
      lines: (change.bill === "now" ? now : change.lines).map(({ amount }) => amount),
      charge: due,
      balance: 0 - applied,
      next: next.length === 0 ? null : { date: iso(after.to), total: next.reduce((sum, line) => sum + line.amount, 0) },
    };
  }

  /** What must be seen of a Customer now. */
  seen(number: number): CustomerSeen {
    const customer = this.#customers[number]!;
    const granted = live(customer).filter(({ suspended }) => !suspended);
    const products = [...granted.map(({ product }) => product), ...customer.purchased];
    return {
      subscriptions: customer.subs.map(seenSubscription),
      invoices: customer.invoices.map(seenInvoice),
      balances: Object.fromEntries([...customer.balances].filter(([, amount]) => amount !== 0)),
      access: products.flatMap((product) => this.#shop.products[product]!.benefits).toSorted((one, other) => one - other),
    };
  }

  /**
   * By currency: what the periods and Products are worth that were paid, unrounded, for how many lines a cent may be off, and what
   * Customers have in their favour, with what they settled of invoices that are still open.
   */
  worth(): Map<string, { value: number; roundings: number; balance: number }> {
    const found = new Map<string, { value: number; roundings: number; balance: number }>();
    const of = (currency: string) => found.get(currency) ?? { value: 0, roundings: 0, balance: 0 };
    for (const { invoices, balances } of this.#customers) {
      for (const { currency, lines } of invoices.filter(({ status }) => status === "paid")) {
        const { value, roundings, balance } = of(currency);
        const more = lines.reduce((sum, { worth }) => sum + worth, 0);
        found.set(currency, { value: value + more, roundings: roundings + lines.filter(({ proration }) => proration).length, balance });
      }
      for (const { currency, applied, status } of invoices) {
        if (status === "open") found.set(currency, { ...of(currency), balance: of(currency).balance + applied });
      }
      for (const [currency, amount] of balances) found.set(currency, { ...of(currency), balance: of(currency).balance + amount });
    }
    return found;
  }
}

function seenInvoice({ reason, status, at, currency, lines, total, applied, due }: Invoice): InvoiceSeen {
  return {
    reason,
    status,
    at: iso(at),
    currency,
    lines: lines.map(({ product, amount, discount, tax, proration, from, to }) => {
      return { product, amount, discount, tax, proration, from: isoOrNull(from), to: isoOrNull(to) };
    }),
    total,
    balance: applied,
    due,
    paid: status === "paid" ? due : 0,
  };
}

function seenSubscription(sub: Sub): SubscriptionSeen {
  const { product, status, amount, currency, every, from, to, trialEnd, cancelAt, endedAt, pending } = sub;
  return {
    product,
    status,
    price: priceText(amount, currency, every),
    from: iso(from),
    to: iso(to),
    trialEnd: isoOrNull(trialEnd),
    cancelAt: isoOrNull(cancelAt),
    endedAt: isoOrNull(endedAt),
    pending: pending && `${pending.product}: ${priceText(pending.amount, currency, pending.every)}`,
  };
}
