import type { CustomerSeen, History, PlannedBuyer, Previewed, Step, StepOf, UnitsSeen } from "./history.ts";
import { adjust, balanceOf, currenciesOf } from "./reference-balance.ts";
import { claimAll, claimByDetails } from "./reference-claim.ts";
import { Changes } from "./reference-change.ts";
import { checkCustomer } from "./reference-check.ts";
import { decide, dispute } from "./reference-disputes.ts";
import { Hands } from "./reference-hands.ts";
import { failRefund, refundOutside } from "./reference-late.ts";
import { Life } from "./reference-life.ts";
import { give, live, NOBODY, type Customer, type EntryReason, type Shop } from "./reference-model.ts";
import { cardForOne, chargeToDefault, disown } from "./reference-own.ts";
import { agree, beginRound, controlRound, previewRound } from "./reference-price.ts";
import { BUILT_IN, staysOnPage, type ProviderTraits } from "./reference-provider.ts";
import { pause, resume } from "./reference-pause.ts";
import { giveDiscount, lengthen, previewRunning } from "./reference-running.ts";
import { Sales } from "./reference-sale.ts";
import { seenPrices } from "./reference-rounds.ts";
import { seenCustomer } from "./reference-seen.ts";

/** Movements of balances that no payment explains. */
const GIFTS: EntryReason[] = ["adjustment", "written_off", "dispute_lost"];

/** An amount in minor units that may be `off` by this much. */
export type Money = { value: number; off: number };

/**
 * The reference calculator. It recomputes the outcome of a history by docs/rules.md in the plainest way, without a
 * database, crashes or a clock. It shares no code with `src/`.
 */
export class Reference {
  readonly #shop: Shop;
  readonly #buyers: PlannedBuyer[];
  readonly #life: Life;
  readonly #sales: Sales;
  readonly #changes: Changes;
  readonly #hands: Hands;
  /** The Customers by their numbers. A deleted one moves to `#gone`, and the number is free for a new Customer. */
  readonly #customers: Customer[];
  readonly #gone: Customer[] = [];

  constructor({ settings, products, discounts, buyers, start }: History, provider: ProviderTraits = BUILT_IN) {
    this.#shop = {
      now: start,
      provider,
      cards: 0,
      payments: 0,
      settings: { ...settings },
      products: products.map((product) => ({ ...product, archived: false })),
      discounts: discounts.map((terms) => ({ terms, used: 0 })),
      rounds: [],
    };
    this.#buyers = buyers;
    this.#life = new Life(this.#shop);
    this.#sales = new Sales(this.#life);
    this.#changes = new Changes(this.#life);
    this.#hands = new Hands(this.#life);
    this.#customers = buyers.map(NOBODY);
  }

  /** Time goes on to `to`. */
  advance(to: number): void {
    for (const customer of this.#customers) this.#life.advance(customer, to);
    this.#shop.now = to;
  }

  /**
   * Carries out a step now and returns the answer. An answer at the bank stays unknown unless the step says
   * `heard`.
   */
  perform(step: Step): string {
    const customer = this.#customers[step.customer]!;
    const answer = this.#act(customer, step);
    for (const each of this.#customers) this.#life.settle(each);
    if (step.do !== "bank" || step.heard) this.advance(this.#shop.now);
    return answer;
  }

  #act(customer: Customer, step: Step): string {
    const { settings, products } = this.#shop;
    const buyer = this.#buyers[step.customer]!;
    switch (step.do) {
      case "buy":
        return this.#sales.buy(customer, step, buyer);
      case "enroll":
        return this.#sales.enroll(customer, step, buyer);
      case "change":
      case "units":
        return this.#changes.change(customer, step);
      case "upgrade":
        return this.#changes.upgrade(customer, step);
      case "plan":
      case "planUnits":
        return this.#changes.plan(customer, step);
      case "cancel":
      case "undo":
      case "cancelNow":
        return this.#changes.cancel(customer, step);
      case "pause":
        return pause(this.#shop, customer, step);
      case "give":
        return giveDiscount(this.#shop, customer, step);
      case "lengthen":
        return lengthen(this.#shop, customer, step);
      case "resume":
        return resume(this.#life, customer, step);
      case "card":
        return this.#card(customer, step);
      case "oneCard":
        return cardForOne(this.#life, customer, step);
      case "defaultCard":
        return chargeToDefault(this.#life, customer, step);
      case "disown":
        return disown(this.#life, customer, step);
      case "detach":
        return this.#detach(customer);
      case "bank":
        return this.#bank(customer, step);
      case "move":
        return this.#move(customer, step);
      case "refund":
        return this.#hands.refund(customer, step);
      case "failRefund":
        return failRefund(customer, step);
      case "refundOutside":
        return refundOutside(this.#shop, customer, step);
      case "dispute":
        return dispute(customer, step);
      case "win":
      case "lose":
        return decide(customer, step);
      case "page":
        return this.#hands.page(customer, step);
      case "pay":
      case "void":
      case "markPaid":
        return this.#hands.settle(customer, step);
      case "adjust":
        return this.#adjust(customer, step);
      case "payout":
        return this.#hands.payOut(customer, step);
      case "forget":
        return this.#forget(step.customer, step.forfeit);
      case "price":
        products[step.product]!.prices = step.prices;
        return "200";
      case "reprice":
        return beginRound(this.#shop, this.#customers, step);
      case "round":
        return controlRound(this.#shop, this.#customers, step);
      case "consent":
        return agree(this.#shop, customer);
      case "limits":
        products[step.product]!.quantity = step.quantity;
        return "200";
      case "archive":
        return this.#archive(step);
      case "benefits":
        return this.#benefits(step);
      case "settings":
        Object.assign(settings, step.settings);
        return "200";
    }
  }

  /** A change to another Product that is archived is dropped, for each Customer (rule P6). */
  #archive({ product, archived }: StepOf<"archive">): string {
    this.#shop.products[product]!.archived = archived;
    const others = this.#customers.flatMap(live).filter((sub) => sub.product !== product);
    const waiting = others.filter(({ pending }) => pending?.product === product);
    if (archived) for (const sub of waiting) sub.pending = null;
    return "200";
  }

  #card(customer: Customer, { card }: StepOf<"card">): string {
    if (!customer.known) return "nobody";
    if (card === "declined") return "402 payment_failed";
    customer.card = give(this.#shop, card);
    claimAll(customer);
    this.#life.tryCard(customer);
    return "200";
  }

  /** A typed location becomes the location of a Customer without a location (rule C12c). */
  #move(customer: Customer, { location }: StepOf<"move">): string {
    if (!customer.known) return "nobody";
    const isNamed = location !== null || customer.location !== null;
    claimByDetails(customer);
    if (isNamed) customer.location = location;
    return "200";
  }

  /** The default card can't be charged any more (rule D10). */
  #detach({ card }: Customer): string {
    if (!card || card.detached) return "nobody";
    card.detached = true;
    return "200";
  }

  #bank({ challenges: [oldest] }: Customer, step: StepOf<"bank">): string {
    if (!oldest) return "nobody";
    const isPresent = oldest.page === undefined ? oldest.present : !oldest.page.onFile;
    if (!staysOnPage(this.#shop.provider, isPresent, step)) oldest.answer ??= step.pass ? "pass" : "fail";
    return "answered";
  }

  #adjust(customer: Customer, { currency, amount }: StepOf<"adjust">): string {
    if (!customer.known) return "nobody";
    adjust(customer, currency, amount);
    return "201";
  }

  #forget(number: number, forfeit: boolean): string {
    const customer = this.#customers[number]!;
    const answer = this.#hands.forget(customer, forfeit);
    if (answer !== "204") return answer;
    this.#gone.push(customer);
    this.#customers[number] = NOBODY();
    return answer;
  }

  /** Subscriptions have the Benefits of their Product. Purchases gain added Benefits and lose none (rule B1). */
  #benefits({ product, benefits }: StepOf<"benefits">): string {
    this.#shop.products[product]!.benefits = benefits;
    for (const { purchases } of this.#customers) {
      for (const purchase of purchases.filter((each) => each.product === product))
        for (const each of benefits) purchase.benefits.add(each);
    }
    return "200";
  }

  /** The preview of a step, or its refusal. The state stays as it is. */
  preview(step: Previewed): object | string {
    if (step.do === "reprice") return previewRound(this.#shop, this.#customers, step);
    if (step.do === "give" || step.do === "lengthen")
      return previewRunning(this.#life, this.#customers[step.customer]!, step);
    if (step.do === "cancelNow") return this.#changes.previewEnd(this.#customers[step.customer]!, step);
    return this.#changes.preview(this.#customers[step.customer]!, step);
  }

  /** The expected state of a Customer now. @throws Error if that state breaks an inequality of all credit */
  seen(number: number): CustomerSeen {
    const customer = this.#customers[number]!;
    checkCustomer(customer);
    return seenCustomer(this.#shop, customer);
  }

  /** The same for the deleted Customers, in order, without their balances. */
  seenGone(): CustomerSeen[] {
    return this.#gone.map((customer) => ({ ...seenCustomer(this.#shop, customer), balances: {}, entries: [] }));
  }

  /** The rounds of new prices, their events, and the prices that are paid. */
  seenPrices(): ReturnType<typeof seenPrices> {
    return seenPrices(this.#shop.rounds, this.#customers, this.#gone);
  }

  /** The units of live Subscriptions by currency and status (rule R9). */
  units(): Map<string, UnitsSeen> {
    const found = new Map<string, UnitsSeen>();
    for (const { status, currency, quantity } of this.#customers.flatMap(live)) {
      const units = found.get(currency) ?? { trialing: 0, active: 0, pastDue: 0, paused: 0 };
      units[status === "past_due" ? "pastDue" : (status as Exclude<keyof UnitsSeen, "pastDue">)] += quantity;
      found.set(currency, units);
    }
    return found;
  }

  /**
   * The amount that cards must have paid, less refunds to them, by currency. It is the unrounded value of the
   * delivered lines less all refunds, plus the Customers' credit, less payments received outside and the credit that
   * no payment brought or took: adjustments and write-offs.
   */
  money(): Map<string, Money> {
    const found = new Map<string, Money>();
    const add = (currency: string, value: number, off = 0) => {
      const before = found.get(currency) ?? { value: 0, off: 0 };
      found.set(currency, { value: before.value + value, off: before.off + off });
    };
    for (const customer of [...this.#customers, ...this.#gone]) {
      const { invoices, entries } = customer;
      for (const currency of currenciesOf(customer)) add(currency, balanceOf(customer, currency));
      for (const { currency, amount, reason } of entries) if (GIFTS.includes(reason)) add(currency, -amount);
      for (const { currency, status, lines, outside, applied, due, refunds } of invoices) {
        if (status === "open") add(currency, applied);
        if (status !== "paid") continue;
        for (const { worth, off } of lines) add(currency, worth, off);
        add(currency, (outside ? -due : 0) - refunds.reduce((sum, { amount }) => sum + amount, 0));
      }
    }
    return found;
  }
}
