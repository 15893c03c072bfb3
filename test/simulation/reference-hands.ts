import type { ActionOf } from "./history.ts";
import {
  availableOf,
  balanceOf,
  currenciesOf,
  deposit,
  freeLotsOf,
  pretend,
  spendableLots,
  sum,
  take,
  writeOff,
} from "./reference-balance.ts";
import { isHeldBack } from "./reference-disputes.ts";
import { givenBack, makeVoid, undoBalance } from "./reference-invoice.ts";
import type { Life } from "./reference-life.ts";
import {
  attempt,
  cardOf,
  challengeOf,
  give,
  live,
  openInvoices,
  without,
  type Customer,
  type Invoice,
  type Sub,
} from "./reference-model.ts";
import { agreeToRestart } from "./reference-price.ts";
import { freeBalance, quote } from "./reference-quote.ts";
import {
  bookParts,
  free,
  lowerRate,
  partOfRate,
  partsOf,
  payable,
  planRefund,
  refundedOf,
  type Plan,
  type Target,
} from "./reference-refunds.ts";

/** Operations by hand on invoices, balances and Customers (docs/rules.md: I, D3, S5). */
export class Hands {
  readonly #life: Life;
  constructor(life: Life) {
    this.#life = life;
  }

  refund(customer: Customer, { invoice: number, part, to, revoke }: ActionOf<"refund">): string {
    const invoice = customer.invoices.at(number % customer.invoices.length);
    if (!invoice) return "nobody";
    if (invoice.status !== "paid") return "409 invoice_not_paid";
    const base = to === "card" ? Math.min(invoice.due, invoice.total) : invoice.total - refundedOf(invoice);
    const asked = part === null ? null : Math.max(Math.floor(Math.max(base, 0) * part), 1);
    const plan = planRefund(customer, invoice, asked, to);
    if (typeof plan === "string") return plan;
    if (revoke && invoice.sub) return "422 validation_failed";
    const parts = partsOf(customer, invoice, plan);
    const { sub } = invoice;
    const ofRate = sub && sub.status !== "canceled" ? partOfRate(sub, invoice, parts) : null;
    if (ofRate && ofRate.refunded + ofRate.freed > 0 && sub!.changing) return "409 change_in_progress";
    lowerRate(invoice, parts);
    this.#giveBack(customer, invoice, plan, to);
    bookParts(invoice, parts);
    const purchase = customer.purchases.find((each) => each.invoice === invoice);
    if (revoke && purchase) without(customer.purchases, purchase);
    const amount = plan.sale + plan.fromBalance;
    return `201 ${amount} with tax of ${parts.reduce((total, { tax }) => total + tax, 0)}`;
  }

  /** The money of a refund goes to the card or to the balance. */
  #giveBack(customer: Customer, invoice: Invoice, plan: Plan, to: Target): void {
    const { sale, fromBalance, own, credit, freed, netted = [] } = plan;
    const { currency, payment, outside } = invoice;
    free(customer, invoice, freed);
    if (to === "card") {
      const lots = freeLotsOf(customer, payment!);
      const taken = take(customer, { currency, reason: "paid_out", amount: fromBalance }, lots);
      payment!.toCard += sale + fromBalance;
      invoice.own.toCard += own;
      const refund = { payment: payment!, amount: sale + fromBalance, fromBalance, taken, excess: 0, failed: false };
      customer.refunds.push(refund);
      return;
    }
    const origin = outside ? "outside" : payment;
    deposit(customer, currency, "refund", credit);
    deposit(
      customer,
      currency,
      "refund",
      netted.map((piece) => ({ ...piece, line: piece.line!.source })),
    );
    invoice.nettedBack.push(...netted);
    if (own > 0) deposit(customer, currency, "refund", [{ origin: origin!, line: null, amount: own }]);
    invoice.returned.push(...credit);
    invoice.own.toBalance += own;
  }

  /** Pays credit out to the cards that paid for it, newest payment first. */
  payOut(customer: Customer, { currency, part }: ActionOf<"payout">): string {
    if (!customer.known) return "nobody";
    const lots = payable(customer, currency);
    const balance = freeBalance(customer, currency);
    const available = Math.min(sum(lots), Math.max(balance, 0));
    if (available === 0) return "409 nothing_to_pay_out";
    // The operator reads the amount that the API calls available, with the credit that payments under way reserve.
    const shown = Math.max(availableOf(customer, currency), 0);
    const amount = part === null ? available : Math.max(Math.floor(shown * part), 1);
    if (amount > available) return `409 credit_spent ${available}`;
    let missing = amount;
    const refunds = lots.map(({ payment, amount: most }) => {
      const paid = Math.min(most, missing);
      missing -= paid;
      const taken = take(customer, { currency, reason: "paid_out", amount: paid }, freeLotsOf(customer, payment));
      payment.toCard += paid;
      if (paid > 0)
        customer.refunds.push({ payment, amount: paid, fromBalance: paid, taken, excess: 0, failed: false });
      return paid;
    });
    return `201 ${refunds.filter((paid) => paid > 0).join("+")}`;
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
    const isResuming = sub.status === "active" && sub.suspended;
    const isSettled = (sub.status === "past_due" || isResuming) && openInvoices(customer, sub).length === 0;
    if (isSettled && (name !== "void" || isResuming || !this.#life.isStalled(sub))) this.#life.recover(customer, sub);
    return "200";
  }

  /** The buyer gives a card on the page of an open invoice. A declined card changes no state (rule D3o). */
  page(customer: Customer, { invoice: number, card: does }: ActionOf<"page">): string {
    const open = customer.invoices.filter(({ status }) => status === "open");
    const invoice = open[number % open.length];
    if (!invoice) return "nobody";
    if (invoice.sub!.status !== "past_due" || this.#isPaidAtBank(customer, invoice)) return "stale";
    agreeToRestart(invoice.sub!, this.#life.isStalled(invoice.sub!), this.#life.shop.now);
    if (does === "declined") return "failed";
    const payment = attempt(this.#life.shop, give(this.#life.shop, does));
    const complete = () => this.#life.paidOnPage(customer, invoice, payment);
    if (does === "asksBuyer") customer.challenges.push({ answer: null, complete, invoice, payment, present: true });
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
    return pretend(customer, () => {
      for (const sub of live(customer)) {
        const open = openInvoices(customer, sub);
        for (const invoice of open) undoBalance(customer, invoice);
        const { applied, due, given } = quote(
          customer,
          sub.currency,
          [...sub.waiting, ...open.flatMap(givenBack)],
          true,
        );
        if (due > 0) continue;
        const { currency } = sub;
        take(
          customer,
          { currency, reason: "invoice", amount: applied + sum(given) },
          spendableLots(customer, currency),
        );
        deposit(customer, currency, "invoice", given);
      }
      return currenciesOf(customer).some((currency) => balanceOf(customer, currency) > 0);
    });
  }

  /** Deletes the Customer and writes the balances off. */
  forget(customer: Customer, forfeit: boolean): string {
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
    for (const sub of live(customer)) this.#life.end(customer, sub, this.#life.shop.now, { charge: false });
    for (const currency of currenciesOf(customer)) writeOff(customer, currency);
    customer.purchases = [];
    return "204";
  }
}
