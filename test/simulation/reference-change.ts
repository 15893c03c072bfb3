import { DAY, type ActionOf, type Behavior, type CardName, type PreviewSeen } from "./history.ts";
import { asClaimed, claiming, claimWithItsCard } from "./reference-claim.ts";
import { isFree, later, takenOff, turn } from "./reference-discount.ts";
import { clearCard, isAtStake, isHeldBack } from "./reference-disputes.ts";
import { creditLine, issue } from "./reference-invoice.ts";
import type { Life } from "./reference-life.ts";
import { fullLine, restLine, totalOf } from "./reference-lines.ts";
import { periodFrom, sameEvery } from "./reference-math.ts";
import {
  attempt,
  capture,
  cardOf,
  give,
  isTaken,
  live,
  openInvoices,
  type Card,
  type Customer,
  type Invoice,
  type Line,
  type Payment,
  type Quote,
  type Sub,
  type Terms,
} from "./reference-model.ts";
import { nextInvoice } from "./reference-next.ts";
import { settlePrice } from "./reference-price.ts";
import { challengeEnd } from "./reference-provider.ts";
import { gainOf, quote } from "./reference-quote.ts";
import { billed, taxOfSub } from "./reference-tax.ts";
import { askedBy, defaultBehavior, termsOf, type Asked, type Patched } from "./reference-terms.ts";

/**
 * The effect of a change: the lines that it bills and the fields that it sets. The last field is true for a change
 * without effect.
 */
type Change = {
  lines: Line[];
  bill: "now" | "wait" | "none";
  set: Partial<Sub>;
  restarts: boolean;
  cardMissing: boolean;
  nothing: boolean;
};

const FINISHING_HOURS = 23;

/** A live Subscription by its number, modulo their count. Without a live one, the newest Subscription. */
export function chooseSub(customer: Customer, number: number): Sub | null {
  const alive = live(customer);
  return alive[number % alive.length] ?? customer.subs.at(-1) ?? null;
}

/** The refusal to end a Subscription, to plan its end or to undo that plan; null if it is possible. */
function refusal(sub: Sub | null): string | null {
  if (sub?.status === "canceled") return "409 subscription_canceled";
  return sub?.changing ? "409 change_in_progress" : null;
}

/** Changes of the Product (docs/rules.md: P, C6). */
export class Changes {
  readonly #life: Life;
  constructor(life: Life) {
    this.#life = life;
  }

  cancel(customer: Customer, { do: name, sub: number }: ActionOf<"cancel" | "undo" | "cancelNow">): string {
    const sub = chooseSub(customer, number);
    const refused = refusal(sub);
    if (refused || !sub) return refused ?? "nobody";
    if (name === "cancel" && sub.pause && sub.status !== "paused") return "409 subscription_pause_scheduled";
    claimWithItsCard(customer, sub);
    if (name === "cancel" && this.#life.isStalled(sub)) this.#endStalled(customer, sub);
    else if (name === "cancel") sub.cancelAt = sub.to;
    else if (name === "undo") sub.cancelAt = null;
    else this.#life.endNow(customer, sub);
    return "200";
  }

  /** The period is over and no other one has begun, so the planned end is now (rule D8). */
  #endStalled(customer: Customer, sub: Sub): void {
    sub.cancelAt = this.#life.shop.now;
    this.#life.end(customer, sub, sub.cancelAt);
  }

  /** The preview of `cancel-now`, or its refusal. The state stays as it is. */
  previewEnd(customer: Customer, { sub: number }: ActionOf<"cancelNow">): PreviewSeen | string {
    const sub = chooseSub(customer, number);
    const refused = refusal(sub);
    if (refused || !sub) return refused ?? "nobody";
    const { lines, ...money } = this.#life.previewEnd(customer, sub);
    return { lines: lines.map(({ amount }) => amount), ...money, next: null };
  }

  /** The answer to a PATCH with a Product. With `finish`, the answer 402 is followed by the outcome on its page. */
  change(customer: Customer, step: Patched): string {
    const sub = chooseSub(customer, step.sub);
    return sub ? claiming(customer, sub, () => this.#change(customer, sub, step)) : "nobody";
  }

  #change(customer: Customer, sub: Sub, step: Patched): string {
    const { finish } = step;
    const asked = askedBy(step);
    const change = this.#decide(customer, sub, asked);
    if (typeof change === "string") return change;
    if (change.nothing) return "200";
    const quoted = this.#quote(customer, sub, change);
    const refused = this.#refusal(customer, sub, change, quoted);
    if (refused && finish) return `${refused}, ${this.#page(customer, sub, asked, finish, FINISHING_HOURS)}`;
    if (refused) return refused;
    const card = cardOf(customer, sub);
    const payment = quoted.due > 0 ? attempt(this.#life.shop, card!) : null;
    if (payment) this.#hearBefore(customer, sub, card, { group: this.#newGroup(sub, asked), ...quoted });
    this.#apply(customer, sub, change, quoted, { at: this.#life.shop.now, payment });
    return "200";
  }

  #refusal(customer: Customer, sub: Sub, { cardMissing }: Change, { due }: Quote): string | null {
    const card = cardOf(customer, sub);
    if (cardMissing || (due > 0 && card === null)) return "402 payment_method_required";
    if (due > 0 && card && (card.does === "failsLater" || isHeldBack(customer, card))) return "402 payment_failed";
    return due > 0 && card?.does === "asksBuyer" ? "402 payment_action_required" : null;
  }

  /** A Checkout that changes a Subscription. */
  upgrade(customer: Customer, step: ActionOf<"upgrade">): string {
    const sub = chooseSub(customer, step.sub);
    return sub ? claiming(customer, sub, () => this.#upgrade(customer, sub, step)) : "nobody";
  }

  #upgrade(customer: Customer, sub: Sub, { product, quantity = null, card }: ActionOf<"upgrade">): string {
    const asked = { product, quantity, behavior: "invoice_now", reprice: true, undo: false } as const;
    const change = this.#decide(customer, sub, asked);
    if (typeof change === "string") return change;
    if (change.nothing) return "409 already_subscribed";
    return this.#page(customer, sub, asked, card, 24);
  }

  /** Another plan, quantity or both in the portal, paid with the card on file in the buyer's presence (P11, Q9). */
  plan(customer: Customer, step: ActionOf<"plan"> | ActionOf<"planUnits">): string {
    const sub = chooseSub(customer, step.sub);
    if (!sub) return "nobody";
    const chosen =
      step.do === "plan"
        ? { product: step.product, quantity: step.quantity ?? null }
        : { product: sub.product, quantity: step.quantity };
    return claiming(customer, sub, () => this.#plan(customer, sub, chosen));
  }

  #plan(customer: Customer, sub: Sub, chosen: Pick<Asked, "product" | "quantity">): string {
    const { shop } = this.#life;
    // While a payment is overdue, the change waits for the end of the period (rule P5).
    const isOverdue = sub.status === "past_due" && sub.to > shop.now;
    const behavior = isOverdue || sub.pause ? ("next_period" as const) : null;
    const asked = { ...chosen, behavior, reprice: false, undo: sub.cancelAt !== null };
    const change = this.#decide(customer, sub, asked);
    if (typeof change === "string") return change;
    if (change.nothing) return "409 already_subscribed";
    const quoted = this.#quote(customer, sub, change);
    const after = { ...sub, ...change.set };
    const onFile = cardOf(customer, sub);
    const card = onFile && !isHeldBack(customer, onFile) ? onFile : null;
    if (card === null && (quoted.due > 0 || !isFree(later(after), after.pending ?? after))) return "open";
    const paying = quoted.due > 0 ? card : null;
    const decidedAt = shop.now;
    const payment = paying && attempt(shop, paying);
    const complete = () => {
      sub.changing = null;
      if (payment) clearCard(customer, payment.card);
      if (paying && !this.#isOnFile(customer, paying)) this.#keep(customer, sub, paying);
      this.#apply(customer, sub, change, quoted, { at: decidedAt, payment });
    };
    // Stripe has no card that pays once, so its bank declines this one on the page of a Checkout, too.
    if (paying?.does === "failsLater" && shop.provider.hasPages) return "open";
    const changing = { group: this.#newGroup(sub, asked), ...quoted };
    if (paying?.does !== "asksBuyer") {
      if (paying) this.#hearBefore(customer, sub, paying, changing);
      complete();
      return "completed";
    }
    sub.changing = changing;
    const drop = () => void (sub.changing = null);
    const page = { group: null, until: decidedAt + DAY / 24, drop, onFile: true } as const;
    customer.challenges.push({ answer: null, complete, page });
    return "processing";
  }

  #isOnFile = (customer: Customer, card: Card): boolean =>
    customer.card === card || live(customer).some((sub) => sub.card === card);

  /** The page of a change. The change is decided anew and paid in the buyer's presence. */
  #page(customer: Customer, sub: Sub, asked: Asked, does: CardName, hours: number): string {
    const change = this.#decide(customer, sub, asked);
    if (typeof change === "string") return change;
    const quoted = this.#quote(customer, sub, change);
    const changing = { group: this.#newGroup(sub, asked), ...quoted };
    const after = { ...sub, ...change.set };
    const isFreeAfter = isFree(later(after), after.pending ?? after);
    const given = quoted.due > 0 || !isFreeAfter ? give(this.#life.shop, does) : null;
    const payment = given !== null && quoted.due > 0 ? attempt(this.#life.shop, given) : null;
    const decidedAt = this.#life.shop.now;
    const complete = () => {
      sub.changing = null;
      if (payment) clearCard(customer, payment.card);
      if (given !== null) this.#keep(customer, sub, given);
      this.#apply(customer, sub, change, quoted, { at: decidedAt, payment });
    };
    if (given?.does === "declined") return "open";
    if (given?.does !== "asksBuyer") {
      this.#hearBefore(customer, sub, given, changing);
      complete();
      return "completed";
    }
    sub.changing = changing;
    const drop = () => void (sub.changing = null);
    customer.challenges.push({
      answer: null,
      complete,
      page: { group: null, until: challengeEnd(this.#life.shop.provider, decidedAt, hours), drop },
    });
    return "processing";
  }

  /** The group that the change reserves; null if the Subscription stays in its own group. */
  #newGroup(sub: Sub, asked: Asked): string | null {
    const group = termsOf(this.#life.shop, sub, asked)?.group ?? null;
    return group === sub.group ? null : group;
  }

  /** Calls `hearBefore` of `Life` while the change counts as being paid. */
  #hearBefore(customer: Customer, sub: Sub, card: Card | null, changing: NonNullable<Sub["changing"]>): void {
    sub.changing = changing;
    this.#life.hearBefore(customer, card);
    sub.changing = null;
  }

  #keep(customer: Customer, sub: Sub, card: Card): void {
    const own = sub.card;
    const isDefault = this.#life.makeDefault(customer, card, true);
    if (own === null || own.detached || own.given < card.given) sub.card = null;
    if (isDefault) this.#life.tryCard(customer);
    // A card that was given later could not be tried on this Subscription while the change was being paid.
    else if (sub.status === "past_due" && cardOf(customer, sub) === customer.card)
      this.#life.retry(customer, sub, "new_card");
  }

  #quote(customer: Customer, sub: Sub, { bill, lines }: Change): Quote {
    return quote(customer, sub.currency, bill === "now" ? [...sub.waiting, ...lines] : []);
  }

  #apply(
    customer: Customer,
    sub: Sub,
    change: Change,
    quoted: Quote,
    paid: { at: number; payment: Payment | null },
  ): void {
    const { lines, bill, set, restarts } = change;
    const { waiting } = sub;
    if (set.newPrice === null) settlePrice(sub, "withdrawn", "changed", paid.at);
    Object.assign(sub, set);
    if (bill === "wait") sub.waiting = [...waiting, ...lines];
    if (bill !== "now" || waiting.length + lines.length === 0) return;
    sub.waiting = [];
    const order = { reason: "product_change", currency: sub.currency, sub, lines: [...waiting, ...lines] } as const;
    const invoice: Invoice = issue(customer, order, quoted, paid.at);
    invoice.status = "paid";
    if (paid.payment) capture(invoice, paid.payment);
    if (restarts) sub.billed = invoice;
  }

  /** The effect of a change, or the answer that refuses it (rules P1 to P9). */
  #decide(customer: Customer, sub: Sub, asked: Asked): Change | string {
    const { undo } = asked;
    const terms = termsOf(this.#life.shop, sub, asked);
    if (terms === null) return "422 validation_failed";
    const { product, quantity, amount } = terms;
    const behavior = asked.behavior ?? defaultBehavior(this.#life.shop.settings, sub, terms);
    if (sub.status === "canceled") return "409 subscription_canceled";
    if (sub.changing) return "409 change_in_progress";
    if (sub.cancelAt !== null && !undo) return "409 subscription_cancellation_scheduled";
    const isLater = behavior === "next_period";
    const { pending } = sub;
    const isPending =
      pending?.product === product &&
      pending.quantity === quantity &&
      pending.amount === amount &&
      sameEvery(pending.every, terms.every);
    const has = product === sub.product && quantity === sub.quantity && amount === sub.amount;
    const clears = has && pending !== null;
    const same = (isLater && isPending) || has;
    if (!same && !isLater && sub.pause) return `409 subscription_pause${sub.status === "paused" ? "d" : "_scheduled"}`;
    if (!same && !isLater && sub.status === "past_due") return "409 subscription_past_due";
    if (!same && !isLater && openInvoices(customer, sub).length > 0) return "409 invoice_open";
    // Another Product, or the catalogue's price, takes the place of a new price that waits (rule N5).
    const withdraws = sub.newPrice !== null && (asked.reprice || product !== sub.product);
    const undone = { ...(undo && { cancelAt: null }), ...(withdraws && { newPrice: null }) };
    const quiet: Change = {
      lines: [],
      bill: "none",
      set: undone,
      restarts: false,
      cardMissing: false,
      nothing: sub.cancelAt === null && !withdraws,
    };
    if (clears) return { ...quiet, set: { ...undone, pending: null }, nothing: false };
    if (same && quiet.nothing) return quiet;
    const change = this.#changeTo(customer, sub, terms, same ? null : behavior, quiet);
    if (change.set.rate !== undefined && behavior !== "none" && isAtStake(customer, sub)) return "409 payment_disputed";
    if (terms.group !== sub.group && isTaken(customer, terms.group)) return "409 already_subscribed";
    if (same) return quiet;
    // A discount from the next period on does not cover the rest of this one (rule X4).
    const isRestDue = change.bill !== "none" && !change.restarts && totalOf(change.lines) > 0;
    const cardMissing = cardOf(customer, sub) === null && (isRestDue || !isFree(later(sub), terms));
    return { ...change, set: { ...undone, ...change.set }, cardMissing, nothing: false };
  }

  /** `behavior` is null if the Subscription has these terms already. */
  #changeTo(customer: Customer, sub: Sub, terms: Terms, behavior: Behavior | null, quiet: Change): Change {
    if (behavior === null) return quiet;
    return behavior === "next_period"
      ? { ...quiet, set: { pending: terms } }
      : sub.status === "trialing"
        ? { ...quiet, set: { ...terms, pending: null } }
        : this.#immediate(customer, sub, terms, behavior, quiet);
  }

  #immediate(customer: Customer, sub: Sub, terms: Terms, behavior: Behavior, quiet: Change): Change {
    const { now, settings } = this.#life.shop;
    const tax = taxOfSub(this.#life.shop, customer, sub);
    const unused = creditLine(customer, sub, now);
    // Another quantity of a free Product bills no amount, so no period begins (rule Q6d).
    const isFreeAlways = terms.product === sub.product && sub.amount === 0 && terms.amount === 0;
    if (isFreeAlways && sameEvery(sub.every, terms.every)) return { ...quiet, set: { ...terms, pending: null } };
    if (sub.amount > 0 && sameEvery(sub.every, terms.every)) {
      if (behavior === "none") return { ...quiet, set: { ...terms, pending: null } };
      const rate = billed(terms.amount - takenOff(sub.discount, terms, sub), tax);
      const rest = restLine(terms, rate, tax, sub, now);
      const set = { ...terms, pending: null, rate, tax, rateLine: rest[0] ?? null };
      return { ...quiet, lines: [...unused, ...rest], bill: behavior === "invoice_now" ? "now" : "wait", set };
    }
    const period = periodFrom(now, { anchor: now, zone: settings.zone, n: 1 }, terms.every);
    const held = turn(sub, now, settings.zone, now);
    const full = fullLine(terms, period, { held, tax });
    const lines = [...(behavior === "none" && sub.amount > 0 ? [] : unused), full];
    const set = {
      ...terms,
      ...period,
      pending: null,
      rate: full.amount - full.discount,
      rateLine: full,
      tax,
      discount: held,
      nextDiscount: null,
    };
    return { ...quiet, lines, bill: "now", restarts: true, set };
  }

  /** The preview of a change, or its refusal. The state stays as it is. */
  preview(customer: Customer, step: Patched): PreviewSeen | string {
    const sub = chooseSub(customer, step.sub);
    return sub ? asClaimed(customer, sub, () => this.#preview(customer, sub, step)) : "nobody";
  }

  #preview(customer: Customer, sub: Sub, step: Patched): PreviewSeen | string {
    const change = this.#decide(customer, sub, askedBy(step));
    if (typeof change === "string") return change;
    if (change.cardMissing) return "402 payment_method_required";
    const lines = change.bill === "now" ? [...sub.waiting, ...change.lines] : change.lines;
    const quoted = this.#quote(customer, sub, change);
    const { due } = quoted;
    if (due > 0 && cardOf(customer, sub) === null) return "402 payment_method_required";
    const after = { ...sub, ...change.set };
    const seen = { lines: lines.map(({ amount }) => amount), charge: due, balance: gainOf(customer, quoted) };
    const waiting = change.bill === "now" ? [] : [...sub.waiting, ...change.lines];
    return { ...seen, next: nextInvoice(this.#life, customer, after, waiting) };
  }
}
