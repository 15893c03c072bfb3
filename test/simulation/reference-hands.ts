import type { ActionOf } from "./history.ts";
import type { Life } from "./reference-life.ts";
import { share, shareOut } from "./reference-math.ts";
import {
  cardOf,
  challengeOf,
  credit,
  creditsOf,
  give,
  leftOf,
  lineTotal,
  live,
  makeVoid,
  openInvoices,
  totalOf,
  without,
  type Customer,
  type Invoice,
  type Sub,
} from "./reference-model.ts";

/** What operators do by hand with invoices, balances and Customers (docs/rules.md: I, D3, S5). */
export class Hands {
  readonly #life: Life;
  constructor(life: Life) {
    this.#life = life;
  }

  refund(customer: Customer, { invoice: number, part, to, revoke }: ActionOf<"refund">): string {
    const invoice = customer.invoices[number % customer.invoices.length];
    if (!invoice) return "nobody";
    if (invoice.status !== "paid") return "409 invoice_not_paid";
    const given = invoice.refunds.reduce((sum, { amount }) => sum + amount, 0);
    const uncredited = Math.max(Math.min(invoice.due, invoice.total) - given, 0);
    if (uncredited === 0) return "409 nothing_to_refund";
    const credits = invoice.lines.flatMap((line) => creditsOf(customer, line)).filter(({ elsewhere }) => elsewhere);
    const limit = Math.max(uncredited + totalOf(credits.map(({ line }) => line)), 0);
    const amount = part === null ? limit || uncredited : Math.max(Math.floor(uncredited * part), 1);
    if (amount > uncredited) return "422 validation_failed";
    if (amount > limit) return "409 credited";
    if ((revoke && invoice.sub) || (to === "card" && invoice.outside)) return "422 validation_failed";
    const parts = this.#parts(customer, invoice, amount);
    const { sub } = invoice;
    const part_ = sub && sub.status !== "canceled" && sub.rateLine ? parts[invoice.lines.indexOf(sub.rateLine)] : undefined;
    if (part_ && part_.refunded > 0 && sub!.changing) return "409 change_in_progress";
    if (part_) sub!.rate -= this.#lowered(sub!, part_);
    for (const [n, { refunded, tax }] of parts.entries()) {
      invoice.refunds[n]!.amount += refunded;
      invoice.refunds[n]!.tax += tax;
    }
    if (to === "balance") credit(customer, invoice.currency, amount);
    const purchase = customer.purchases.find((each) => each.invoice === invoice);
    if (revoke && purchase) without(customer.purchases, purchase);
    return `201 ${amount} with tax of ${parts.reduce((sum, { tax }) => sum + tax, 0)}`;
  }

  /** Shared out over what is left of the lines that were billed, with their tax in proportion to all that was given back (rule I3). */
  #parts(customer: Customer, { lines, refunds }: Invoice, amount: number): { refunded: number; tax: number }[] {
    const left = lines.map((line) => (lineTotal(line) > 0 ? Math.max(leftOf(customer, line), 0) : 0));
    return shareOut(amount, left).map((refunded, n) => {
      const line = lines[n]!;
      if (refunded === 0) return { refunded, tax: 0 };
      const due = share(line.tax, refunds[n]!.amount + refunded, lineTotal(line)) - refunds[n]!.tax;
      return { refunded, tax: Math.min(Math.max(due, 0), refunded) };
    });
  }

  /** By how much the rate of the period in progress is less: a line for its rest counts as one for all of it (rule P). */
  #lowered({ from, to, rateLine }: Sub, { refunded, tax }: { refunded: number; tax: number }): number {
    const net = refunded - (rateLine!.rate?.inclusive ? 0 : tax);
    return share(net, to - from, to - rateLine!.from!);
  }

  /** An open invoice is charged, given up, or was paid in another way. A challenge that waits is given up for it. */
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
    if (sub.status === "past_due" && openInvoices(customer, sub).length === 0) this.#life.recover(sub);
    return "200";
  }

  /** The buyer gives a card on the page of an open invoice, in their own presence: a declined one changes nothing (rule D3). */
  page(customer: Customer, { invoice: number, card: does }: ActionOf<"page">): string {
    const open = customer.invoices.filter(({ status }) => status === "open");
    const invoice = open[number % open.length];
    if (!invoice) return "nobody";
    if (invoice.sub!.status !== "past_due" || this.#isPaidAtBank(customer, invoice)) return "stale";
    if (does === "declined") return "failed";
    const card = give(this.#life.shop, does);
    const complete = () => this.#life.paidOnPage(customer, invoice, card);
    if (does === "asksBuyer") customer.challenges.push({ answer: null, complete, invoice, card });
    else complete();
    return does === "asksBuyer" ? "requires_action" : "succeeded";
  }

  /** A challenge that waits is given up; whether the buyer had passed it already, and the invoice is paid. */
  #isPaidAtBank(customer: Customer, invoice: Invoice): boolean {
    if (challengeOf(customer, invoice)) this.#life.giveUp(customer, invoice);
    this.#life.settle(customer);
    return invoice.status !== "open";
  }

  #pay(customer: Customer, invoice: Invoice): string {
    const card = cardOf(customer, invoice.sub!)?.does;
    this.#life.charge(customer, invoice, "hand");
    this.#life.settle(customer);
    if (card === "failsLater") return "402 payment_failed";
    return card === "asksBuyer" ? "402 payment_action_required" : "200";
  }

  /** Nobody pays for the period in progress: leaving it early gives nothing back. */
  #void(customer: Customer, sub: Sub, invoice: Invoice): void {
    makeVoid(customer, invoice);
    if (sub.billed === invoice) sub.rate = 0;
  }

  /** The Customer is deleted; `writeOff` is told of each balance. */
  forget(customer: Customer, writeOff: (currency: string, amount: number) => void): string {
    if (!customer.known) return "nobody";
    const paying = () => customer.challenges.some(({ page }) => page);
    // Who is told to wait asks again, and what buyers did at the bank is known by then.
    if (paying()) this.#life.advance(customer, this.#life.shop.now);
    if (paying()) return "409 payment_in_progress";
    for (let [next] = customer.challenges; next; [next] = customer.challenges) this.#life.giveUp(customer, next.invoice!);
    this.#life.settle(customer);
    for (const sub of live(customer)) this.#life.end(customer, sub, this.#life.shop.now, false);
    for (const [currency, amount] of customer.balances) writeOff(currency, amount);
    customer.balances.clear();
    customer.purchases = [];
    return "204";
  }
}
