import { DAY } from "./history.ts";
import { deposit, pretend } from "./reference-balance.ts";
import { turn } from "./reference-discount.ts";
import { clearCard, isHeldBack } from "./reference-disputes.ts";
import { nextDue, ORDER, type Kind } from "./reference-due.ts";
import { givenBack, issue, makeVoid, passedLines, undoBalance } from "./reference-invoice.ts";
import { fullLine } from "./reference-lines.ts";
import { periodFrom, sameEvery } from "./reference-math.ts";
import {
  attempt,
  capture,
  cardOf,
  challengeOf,
  isTaken,
  live,
  openInvoices,
  without,
  type Card,
  type Customer,
  type Invoice,
  type Line,
  type Payment,
  type Shop,
  type Sub,
  type Terms,
} from "./reference-model.ts";
import { isRefused, settlePrice, termsAt } from "./reference-price.ts";
import { gainOf, quote } from "./reference-quote.ts";
import { taxOfSub } from "./reference-tax.ts";

export type Trigger = "renewal" | "retry" | "new_card" | "hand" | "last";
/** The due work on a Customer as time goes on (docs/rules.md: T, S, D). */
export class Life {
  readonly shop: Shop;
  constructor(shop: Shop) {
    this.shop = shop;
  }

  /**
   * Does all that is due up to `until`, each item as of its own instant. Payments are settled before time goes on.
   */
  advance(customer: Customer, until: number): void {
    const began = this.shop.now;
    this.hear(customer);
    for (;;) {
      const ends = customer.challenges.map(({ page }) => page?.until ?? Infinity);
      const at = Math.min(...live(customer).map((sub) => nextDue(sub).at), ...ends);
      if (at > until) break;
      this.shop.now = Math.max(this.shop.now, at);
      for (let next = this.#first(customer, at); next; next = this.#first(customer, at))
        this.#carryOut(customer, next.sub, next.kind);
      this.settle(customer);
      for (const challenge of customer.challenges.filter(({ page }) => page && page.until <= at)) {
        without(customer.challenges, challenge);
        challenge.page!.drop();
      }
    }
    this.shop.now = began;
  }

  settle(customer: Customer): void {
    for (let next = customer.queue.shift(); next; next = customer.queue.shift()) next();
  }

  /** Learns how buyers answered the bank. */
  hear(customer: Customer): void {
    for (const challenge of customer.challenges.filter(({ answer }) => answer !== null)) {
      without(customer.challenges, challenge);
      if (challenge.answer === "pass") challenge.complete();
      else challenge.page?.drop();
    }
    this.settle(customer);
  }

  /**
   * After a lost answer to a charge, the provider is asked for all awaited outcomes, in the order of their attempts.
   * The answers of buyers at the bank therefore come first.
   */
  hearBefore(customer: Customer, card: Card | null): void {
    if (card?.does === "answerLost") this.hear(customer);
  }

  #first(customer: Customer, at: number): { sub: Sub; kind: Kind } | null {
    const due = live(customer).map((sub) => ({ sub, ...nextDue(sub) }));
    const now = due.filter((each) => each.at <= at);
    now.sort((one, other) => one.at - other.at || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
    return now[0] ?? null;
  }

  #carryOut(customer: Customer, sub: Sub, kind: Kind): void {
    if (kind === "end") return this.end(customer, sub, sub.cancelAt!);
    if (kind === "renewal") return this.#renew(customer, sub, sub.to);
    if (kind === "grace") return void (sub.suspended = true);
    if (kind === "pause")
      return void Object.assign(sub, { status: "paused", suspended: sub.pause!.access === "revoke" });
    if (kind === "resume") return this.resume(customer, sub, sub.pause!.until!);
    sub.dunning!.retryAt = null;
    this.retry(customer, sub, "retry");
  }

  /** True if a pending change is still possible: it is to no other Product that is archived, and its group is free. */
  isPossible(customer: Customer, sub: Sub, { product, group }: Terms): boolean {
    const isSold = product === sub.product || !this.shop.products[product]!.archived;
    return isSold && (group === sub.group || !isTaken(customer, group));
  }

  /** True if the period is over and no other one has begun, because of a pause or a suspension. */
  isStalled(sub: Sub): boolean {
    return sub.status === "paused" || (sub.suspended && sub.to < this.shop.now);
  }

  /** The pause ends. Access that it took comes back once the invoice of the new period is paid (rule S8). */
  resume(customer: Customer, sub: Sub, at: number): void {
    this.#renew(customer, sub, at);
  }

  /**
   * The next period begins: pending change, invoice, then its charge. It begins where this one ends, or later if access
   * was suspended then. `given`: the card that the buyer gave to come back.
   */
  #renew(customer: Customer, sub: Sub, at: number, given: Card | null = null): void {
    const { settings } = this.shop;
    const gap = at - sub.to;
    if (isRefused(sub, at)) return this.end(customer, sub, at, { unaccepted: true });
    if (sub.pending && !this.isPossible(customer, sub, sub.pending)) sub.pending = null;
    const terms = termsAt(sub, at, sub.pending);
    const isPaused = sub.status === "paused";
    const restarts = sub.status === "trialing" || isPaused || gap > 0 || !sameEvery(terms.every, sub.every);
    const count = restarts ? { anchor: at, zone: settings.zone, n: 1 } : { ...sub.count, n: sub.count.n + 1 };
    const period = periodFrom(at, count, terms.every);
    const held = turn(sub, at, settings.zone, restarts ? sub.to : null);
    const tax = taxOfSub(this.shop, customer, sub);
    const full = fullLine(terms, period, { held, tax });
    const lines = [...sub.waiting, full];
    const quoted = quote(customer, sub.currency, lines);
    if (sub.status === "trialing" && quoted.due > 0 && cardOf(customer, sub) === null)
      return this.end(customer, sub, at);
    if (sub.newPrice && at >= sub.newPrice.at!) settlePrice(sub, "applied", null, at);
    const { product, group, quantity, amount, every } = terms;
    const billed = {
      rate: full.amount - full.discount,
      rateLine: full,
      tax,
      discount: held,
      nextDiscount: null,
      waiting: [],
    };
    Object.assign(sub, { product, group, quantity, amount, every, ...period, ...billed, pending: null });
    if (isPaused) Object.assign(sub, { pause: null, suspended: sub.suspended && quoted.due > 0 });
    if (sub.status === "trialing" || isPaused) sub.status = "active";
    const restarted = isPaused || gap > 0;
    const order = { reason: "renewal", currency: sub.currency, sub, lines, restarted } as const;
    const invoice = issue(customer, order, quoted, at);
    sub.billed = invoice;
    if (sub.status === "active") this.#collect(customer, sub, invoice, given);
  }

  /** Charges an invoice that was just made, unless an older one is open: one charge at a time, oldest first. */
  #collect(customer: Customer, sub: Sub, invoice: Invoice, given: Card | null = null): void {
    if (openInvoices(customer, sub)[0] !== invoice) return;
    if (given ?? cardOf(customer, sub)) this.charge(customer, invoice, "renewal", given);
    else this.#failed(customer, invoice, "renewal", false);
  }

  /** Collects the first period of a Subscription that was not sold by a Checkout. */
  collectFirst(customer: Customer, sub: Sub, invoice: Invoice): void {
    this.#collect(customer, sub, invoice);
  }

  /**
   * One attempt at an open invoice. A card that asks the buyer counts as failed, but may still pay later. `given`: the
   * card that the buyer gave to pay, which is charged; null: the card on file is charged.
   */
  charge(customer: Customer, invoice: Invoice, trigger: Trigger, given: Card | null = null): void {
    const sub = invoice.sub!;
    const card = given ?? cardOf(customer, sub)!;
    const payment = attempt(this.shop, card);
    // Decided when the charge is made. A later decision on the dispute does not change it.
    const heldBack = isHeldBack(customer, card);
    const paid = (by: Trigger) => {
      capture(invoice, payment);
      this.paid(customer, invoice, by, given);
    };
    customer.queue.push(() => {
      if (!heldBack && (card.does === "pays" || card.does === "answerLost")) return paid(trigger);
      if (sub.status === "canceled") return makeVoid(customer, invoice);
      // The attempt counted when the buyer was asked. A later payment by it is no retry.
      const complete = () => paid(trigger === "hand" ? "hand" : "new_card");
      if (!heldBack && card.does === "asksBuyer")
        customer.challenges.push({ answer: null, complete, invoice, payment, present: false });
      this.#failed(customer, invoice, trigger, heldBack || card.does !== "asksBuyer");
    });
  }

  paid(customer: Customer, invoice: Invoice, trigger: Trigger, given: Card | null = null): void {
    const sub = invoice.sub!;
    invoice.status = "paid";
    const [next] = openInvoices(customer, sub);
    if (sub.status === "active" && sub.suspended && !next) return this.recover(customer, sub, given);
    if (sub.status === "active" && next) this.#collect(customer, sub, next);
    if (sub.status !== "past_due") return;
    if (!next) return this.recover(customer, sub, given);
    const card = cardOf(customer, sub);
    if (trigger === "hand" || !card) return;
    const challenge = challengeOf(customer, next);
    if (!challenge) this.charge(customer, next, trigger, given && card);
    // The challenge of an older card is given up for a later card.
    else if (card.given > challenge.payment!.card.given) this.retry(customer, sub, "new_card");
  }

  /** All is paid. If the period is over, a new one begins now (rule D8). */
  recover(customer: Customer, sub: Sub, given: Card | null = null): void {
    const isStalled = this.isStalled(sub);
    Object.assign(sub, { status: "active", dunning: null, suspended: false });
    if (isStalled) this.#renew(customer, sub, this.shop.now, given);
  }

  /**
   * A failed charge of an invoice. Access is suspended at once if a card was declined and none of the Subscription's
   * invoices was ever settled (rule D4), or at the first failure of a restarted period (rule D8).
   */
  #failed(customer: Customer, invoice: Invoice, trigger: Trigger, declined: boolean): void {
    const sub = invoice.sub!;
    const bills = customer.invoices.filter((each) => each.sub === sub);
    const hasPaid = sub.imported || bills.some(({ status, total }) => status === "paid" && total > 0);
    const suspends = (declined && !hasPaid) || (invoice.restarted && sub.status === "active");
    this.#dun(customer, sub, trigger);
    if (suspends && sub.dunning && !sub.suspended) Object.assign(sub, { suspended: true });
  }

  /** The first failure fixes the schedule; scheduled retries use it up. */
  #dun(customer: Customer, sub: Sub, trigger: Trigger): void {
    const { now, settings } = this.shop;
    const { retryDays, graceDays } = settings;
    if (sub.status === "active") {
      sub.status = "past_due";
      sub.dunning = {
        since: now,
        retryDays,
        done: 0,
        retryAt: now + retryDays[0]! * DAY,
        graceAt: now + graceDays * DAY,
      };
    } else if (trigger === "retry") {
      const dunning = sub.dunning!;
      dunning.done += 1;
      const day = dunning.retryDays[dunning.done];
      if (day === undefined) return this.end(customer, sub, now);
      // After a late retry, the next one keeps its distance.
      const planned = dunning.since + day * DAY;
      dunning.retryAt = planned > now ? planned : now + (day - dunning.retryDays[dunning.done - 1]!) * DAY;
    }
  }

  /** A scheduled retry or a new card charges the oldest open invoice. A waiting challenge is given up before. */
  retry(customer: Customer, sub: Sub, trigger: "retry" | "new_card"): void {
    const [oldest] = openInvoices(customer, sub);
    if (!oldest && !this.isStalled(sub)) return this.recover(customer, sub);
    // Voiding alone restarts no period: the schedule runs out.
    if (!oldest) return trigger === "retry" ? this.#dun(customer, sub, trigger) : undefined;
    if (challengeOf(customer, oldest)) {
      customer.queue.push(() => {
        this.giveUp(customer, oldest);
        this.retry(customer, sub, trigger);
      });
      return;
    }
    const card = cardOf(customer, sub);
    if (card) this.charge(customer, oldest, trigger, trigger === "new_card" ? card : null);
    else if (trigger === "retry") this.#failed(customer, oldest, trigger, false);
  }

  /** Gives up the challenge. If the buyer has passed it already, the invoice is paid. */
  giveUp(customer: Customer, invoice: Invoice): void {
    const challenge = challengeOf(customer, invoice)!;
    without(customer.challenges, challenge);
    if (challenge.answer === "pass") challenge.complete();
  }

  /**
   * Another card paid on the invoice's page. It becomes the card for all open invoices unless a later one was given, or
   * the card of the Subscription alone if that is unclaimed or has a card of its own.
   */
  paidOnPage(customer: Customer, invoice: Invoice, payment: Payment): void {
    const sub = invoice.sub!;
    const { card } = payment;
    capture(invoice, payment);
    clearCard(customer, card);
    const isAlone = !sub.claimed || (sub.card !== null && !sub.card.detached);
    const isDefault = this.makeDefault(customer, card, !isAlone);
    if (isAlone && (sub.card === null || sub.card.given < card.given)) sub.card = card;
    this.paid(customer, invoice, "new_card", card);
    if (isDefault && !isAlone) this.tryCard(customer, sub);
  }

  /**
   * A card of a buyer that acts for the Customer (`acts`) becomes the default unless a later one was given; the
   * order in which the outcomes are known does not matter. Any other card becomes the default only if there is none.
   * Returns true if the card became the default.
   */
  makeDefault(customer: Customer, card: Card, acts: boolean): boolean {
    const before = customer.card;
    const isDefault = before === null || (acts && (before.detached || before.given < card.given));
    if (isDefault) customer.card = card;
    return isDefault;
  }

  /** Tries a new default card on the past-due Subscriptions that are charged to it, but not on `paid`. */
  tryCard(customer: Customer, paid: Sub | null = null): void {
    const owing = live(customer).filter((sub) => sub.status === "past_due" && !sub.changing && sub !== paid);
    for (const sub of owing) if (cardOf(customer, sub) === customer.card) this.retry(customer, sub, "new_card");
  }

  /**
   * Ends a Subscription at once, as `cancel-now` does. Waiting lines count for the part of their span that has
   * passed.
   */
  endNow(customer: Customer, sub: Sub): void {
    this.end(customer, sub, this.shop.now, { passed: true });
  }

  /** The effect of `endNow` on a Subscription: its last lines, the charge, and the gain of the balance. */
  previewEnd(customer: Customer, sub: Sub): { lines: readonly Line[]; charge: number; balance: number } {
    const voids = openInvoices(customer, sub).filter((invoice) => !challengeOf(customer, invoice));
    const lines = passedLines([...sub.waiting, ...voids.flatMap(givenBack)], this.shop.now);
    const back = voids.reduce((sum, { applied }) => sum + applied, 0);
    const quoted = pretend(customer, () => {
      for (const invoice of voids) undoBalance(customer, invoice);
      return quote(customer, sub.currency, lines, true);
    });
    const { due } = quoted;
    if (due > 0 && !this.#mayCharge(customer, sub)) return { lines, charge: 0, balance: back };
    return { lines, charge: due, balance: back + gainOf(customer, quoted) };
  }

  /**
   * Open invoices become void, and waiting lines are billed a last time. With `passed`, the lines count for the part of
   * their span that has passed. `unaccepted`: the Customer has not agreed to the new price.
   */
  end(customer: Customer, sub: Sub, at: number, { charge = true, passed = false, unaccepted = false } = {}): void {
    settlePrice(sub, "ended", unaccepted ? "price_not_accepted" : "canceled", at);
    Object.assign(sub, {
      unaccepted,
      status: "canceled",
      endedAt: at,
      pending: null,
      nextDiscount: null,
      pause: null,
      dunning: null,
      suspended: false,
    });
    if (sub.cancelAt !== at) sub.cancelAt = null;
    for (const invoice of openInvoices(customer, sub)) {
      if (challengeOf(customer, invoice)) customer.queue.push(() => this.#voidAfter(customer, sub, invoice));
      else makeVoid(customer, invoice);
    }
    this.#billLast(customer, sub, at, charge, passed);
  }

  /** If the buyer has passed the challenge already, the money goes to the balance. */
  #voidAfter(customer: Customer, sub: Sub, invoice: Invoice): void {
    const challenge = challengeOf(customer, invoice)!;
    without(customer.challenges, challenge);
    makeVoid(customer, invoice);
    this.#billLast(customer, sub, this.shop.now, true);
    if (challenge.answer !== "pass") return;
    const payment = challenge.payment!;
    capture(invoice, payment);
    const money = { origin: payment, line: null, amount: invoice.due };
    deposit(customer, invoice.currency, "unapplied_payment", [money]);
    if (challenge.present) clearCard(customer, payment.card);
  }

  #billLast(customer: Customer, sub: Sub, at: number, charge: boolean, passed = false): void {
    const lines = passed ? passedLines(sub.waiting, at) : sub.waiting;
    sub.waiting = lines;
    if (lines.length === 0) return;
    const order = { reason: "product_change", currency: sub.currency, sub, lines } as const;
    const quoted = quote(customer, sub.currency, lines, true);
    sub.waiting = [];
    const last = issue(customer, order, quoted, at);
    if (last.status === "paid") return;
    if (charge && this.#mayCharge(customer, sub)) this.charge(customer, last, "last");
    else makeVoid(customer, last);
  }

  /** True if there is a card and no dispute holds it back (rule D6). */
  #mayCharge(customer: Customer, sub: Sub): boolean {
    const card = cardOf(customer, sub);
    return card !== null && !isHeldBack(customer, card);
  }
}
