import type { ActionOf } from "./history.ts";
import { disputedOf, isHeldBack } from "./reference-disputes.ts";
import { makeVoid, totalOf } from "./reference-invoice.ts";
import type { Life } from "./reference-life.ts";
import {
  cardOf,
  challengeOf,
  credit,
  give,
  live,
  openInvoices,
  without,
  type Customer,
  type Invoice,
  type Sub,
} from "./reference-model.ts";
import { settle } from "./reference-quote.ts";
import { creditedElsewhere, leftOf, partOfRate, partsOf, rateLowered } from "./reference-refunds.ts";

/** Operations by hand on invoices, balances and Customers (docs/rules.md: I, D3, S5). */
export class Hands {
  readonly #life: Life;
  constructor(life: Life) {
    this.#life = life;
  }

  refund(customer: Customer, { invoice: number, part, to, revoke }: ActionOf<"refund">): string {
    const invoice = customer.invoices[number % customer.invoices.length];
    if (!invoice) return "nobody";
    if (invoice.status !== "paid") return "409 invoice_not_paid";
    const untouched = leftOf(invoice);
    const uncredited = Math.max(untouched - disputedOf(customer, invoice), 0);
    if (uncredited === 0) return "409 nothing_to_refund";
    const limit = Math.max(uncredited - creditedElsewhere(customer, invoice), 0);
    const amount = part === null ? limit || uncredited : Math.max(Math.floor(untouched * part), 1);
    if (amount > uncredited) return "422 validation_failed";
    if (amount > limit) return "409 credited";
    if ((revoke && invoice.sub) || (to === "card" && invoice.outside)) return "422 validation_failed";
    const parts = partsOf(customer, invoice, amount);
    const { sub } = invoice;
    const ofRate = sub && sub.status !== "canceled" ? partOfRate(sub, invoice, parts) : null;
    if (ofRate && ofRate.refunded > 0 && sub!.changing) return "409 change_in_progress";
    if (ofRate) sub!.rate -= rateLowered(sub!, ofRate);
    for (const [n, { refunded, tax }] of parts.entries()) {
      invoice.refunds[n]!.amount += refunded;
      invoice.refunds[n]!.tax += tax;
    }
    if (to === "balance") credit(customer, invoice.currency, amount);
    else invoice.toCard += amount;
    const purchase = customer.purchases.find((each) => each.invoice === invoice);
    if (revoke && purchase) without(customer.purchases, purchase);
    return `201 ${amount} with tax of ${parts.reduce((sum, { tax }) => sum + tax, 0)}`;
  }

  /** Charges an open invoice, voids it, or marks it as paid. A waiting challenge is given up before. */
  settle(customer: Customer, { do: name, invoice: number }: ActionOf<"pay" | "void" | "markPaid">): string {
    const open = customer.invoices.filter(({ status }) => status === "open");
    const invoice = open[number % open.length] ?? customer.invoices.at(-1);
    if (!invoice) return "nobody";
    if (invoice.status !== "open") return "409 invoice_not_open";
    const sub = invoice.sub!;
    if (name === "pay" && cardOf(customer, sub) === null) return "402 payment_method_required";
    if (this.#isPaidAtBank(customer, invoice)) return "409 invoice_not_open";
    if (name === "pay") return this.#pay(customer, invoice);
    if (name === "void") this.#void(customer, sub, invoice);
    else Object.assign(invoice, { status: "paid", outside: true });
    const isSettled = sub.status === "past_due" && openInvoices(customer, sub).length === 0;
    if (isSettled && (name !== "void" || !this.#life.isStalled(sub))) this.#life.recover(customer, sub);
    return "200";
  }

  /** The buyer gives a card on the page of an open invoice. A declined card changes no state (rule D3o). */
  page(customer: Customer, { invoice: number, card: does }: ActionOf<"page">): string {
    const open = customer.invoices.filter(({ status }) => status === "open");
    const invoice = open[number % open.length];
    if (!invoice) return "nobody";
    if (invoice.sub!.status !== "past_due" || this.#isPaidAtBank(customer, invoice)) return "stale";
    if (does === "declined") return "failed";
    const card = give(this.#life.shop, does);
    const complete = () => this.#life.paidOnPage(customer, invoice, card);
    if (does === "asksBuyer") customer.challenges.push({ answer: null, complete, invoice, card, present: true });
    else complete();
    return does === "asksBuyer" ? "requires_action" : "succeeded";
  }

  /** Gives up a waiting challenge. True if the buyer had passed it already, which pays the invoice. */
  #isPaidAtBank(customer: Customer, invoice: Invoice): boolean {
    if (challengeOf(customer, invoice)) this.#life.giveUp(customer, invoice);
    this.#life.settle(customer);
    return invoice.status !== "open";
  }

  #pay(customer: Customer, invoice: Invoice): string {
    const card = cardOf(customer, invoice.sub!)!;
    const fails = card.does === "failsLater" || isHeldBack(customer, card);
    this.#life.charge(customer, invoice, "hand");
    this.#life.settle(customer);
    if (fails) return "402 payment_failed";
    return card.does === "asksBuyer" ? "402 payment_action_required" : "200";
  }

  /** The period in progress stays unpaid, so leaving it early gives no credit. */
  #void(customer: Customer, sub: Sub, invoice: Invoice): void {
    makeVoid(customer, invoice);
    if (sub.billed === invoice) sub.rate = 0;
  }

  /** True if a deletion now would forfeit credit of the Customer (rules I5e, S4, S5). */
  #hasCredit(customer: Customer): boolean {
    const balances = new Map(customer.balances);
    for (const sub of live(customer)) {
      const open = openInvoices(customer, sub);
      const balance = open.reduce((sum, { applied }) => sum + applied, balances.get(sub.currency) ?? 0);
      const waited = open
        .map(({ lines }) => lines.filter(({ proration }) => proration))
        .filter((lines) => totalOf(lines) < 0);
      const { applied, due } = settle(customer, sub.currency, { balance, reserved: 0, last: true }, [
        ...sub.waiting,
        ...waited.flat(),
      ]);
      balances.set(sub.currency, due > 0 ? balance : balance - applied);
    }
    return [...balances.values()].some((amount) => amount > 0);
  }

  /** Deletes the Customer. `writeOff` is called with each balance. */
  forget(customer: Customer, forfeit: boolean, writeOff: (currency: string, amount: number) => void): string {
    if (!customer.known) return "nobody";
    const paying = () => customer.challenges.some(({ page }) => page);
    // A caller that is told to wait asks again, and by then the buyers' answers at the bank are known.
    if (paying()) this.#life.advance(customer, this.#life.shop.now);
    if (paying()) return "409 payment_in_progress";
    if (!forfeit && this.#hasCredit(customer)) return "409 balance_left";
    // A passed challenge pays its invoice and leads to a charge of the next one. A challenge of that charge is given
    // up as well.
    for (let [next] = customer.challenges; next; [next] = customer.challenges) {
      this.#life.giveUp(customer, next.invoice!);
      this.#life.settle(customer);
    }
    for (const sub of live(customer)) this.#life.end(customer, sub, this.#life.shop.now, false);
    for (const [currency, amount] of customer.balances) writeOff(currency, amount);
    customer.balances.clear();
    customer.purchases = [];
    return "204";
  }
}
