import { DAY, MINIMUM, type CardName, type Every, type PlannedProduct, type Settings } from "./history.ts";
import { periodFrom, sameEvery, settleWith, share, type Count } from "./reference-math.ts";

// What becomes of a Customer by itself as time goes on (docs/rules.md: T, S, D), in the plainest way there is.

/** `worth`: what the line is worth before it is rounded. */
export type Line = {
  product: number;
  amount: number;
  discount: number;
  tax: number;
  proration: boolean;
  from: number | null;
  to: number | null;
  worth: number;
};
export type Invoice = {
  reason: "checkout" | "renewal" | "product_change";
  status: "open" | "paid" | "void";
  at: number;
  currency: string;
  sub: Sub | null;
  lines: readonly Line[];
  total: number;
  applied: number;
  due: number;
};
/** What a period costs and how long it is. */
export type Terms = { product: number; group: string | null; amount: number; every: Every };
export type Sub = Terms & {
  status: "trialing" | "active" | "past_due" | "canceled";
  currency: string;
  from: number;
  to: number;
  count: Count;
  /** What the period in progress was billed at (rule P). */
  rate: number;
  trialEnd: number | null;
  cancelAt: number | null;
  endedAt: number | null;
  pending: Terms | null;
  waiting: Line[];
  /** Of a buyer whom no caller named: only `card` is charged, never the Customer's. */
  named: boolean;
  card: CardName | null;
  dunning: { since: number; retryDays: number[]; done: number; retryAt: number | null; graceAt: number } | null;
  suspended: boolean;
};
/** A buyer is at the bank, for a purchase (which expires) or an open invoice. */
export type Challenge = { answer: "pass" | "fail" | null } & (
  | { purchase: { group: string | null; expiresAt: number; complete(): void }; invoice?: never }
  | { invoice: Invoice; purchase?: never }
);
export type Customer = {
  known: boolean;
  card: CardName | null;
  balances: Map<string, number>;
  subs: Sub[];
  invoices: Invoice[];
  trials: Set<string>;
  purchased: number[];
  challenges: Challenge[];
  /** Charges and answers of the bank that are on their way, in order. */
  queue: (() => void)[];
};

export type Shop = { settings: Settings; products: (PlannedProduct & { archived: boolean })[] };
type Trigger = "renewal" | "retry" | "new_card" | "last";

export const NOBODY = (): Customer => ({
  known: false,
  card: null,
  balances: new Map(),
  subs: [],
  invoices: [],
  trials: new Set(),
  purchased: [],
  challenges: [],
  queue: [],
});

export const cardOf = (customer: Customer, sub: Sub): CardName | null => sub.card ?? (sub.named ? customer.card : null);
export const live = (customer: Customer): Sub[] => customer.subs.filter(({ status }) => status !== "canceled");
export const openInvoices = (customer: Customer, sub: Sub): Invoice[] =>
  customer.invoices.filter((invoice) => invoice.sub === sub && invoice.status === "open");

export function isTaken(customer: Customer, group: string | null): boolean {
  if (group === null) return false;
  const atTheBank = customer.challenges.some(({ purchase }) => purchase?.group === group);
  return atTheBank || live(customer).some((sub) => sub.group === group);
}

function credit(customer: Customer, currency: string, amount: number): void {
  customer.balances.set(currency, (customer.balances.get(currency) ?? 0) + amount);
}

export function fullLine({ product, amount }: Pick<Terms, "product" | "amount">, span: { from: number; to: number } | null): Line {
  return { product, amount, discount: 0, tax: 0, proration: false, from: span?.from ?? null, to: span?.to ?? null, worth: amount };
}

/** The rest of the period in progress at a rate; none where that is nothing. */
export function restLine(product: number, rate: number, sub: Sub, now: number): Line[] {
  const [left, whole] = [Math.min(Math.max(sub.to - now, 0), sub.to - sub.from), sub.to - sub.from];
  const amount = share(rate, left, whole);
  if (amount === 0) return [];
  return [{ product, amount, discount: 0, tax: 0, proration: true, from: now, to: sub.to, worth: (rate * left) / whole }];
}

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.amount - line.discount + line.tax, 0);

export function quote(customer: Customer, currency: string, lines: readonly Line[]): { applied: number; due: number } {
  return settleWith(customer.balances.get(currency) ?? 0, totalOf(lines), MINIMUM[currency]!);
}

/** An invoice for good: it takes its share of the balance, and is paid when nothing is due. Of a Checkout, nothing is taken. */
export function issue(
  customer: Customer,
  { reason, currency, sub, lines }: Pick<Invoice, "reason" | "currency" | "sub" | "lines">,
  at: number,
): Invoice {
  const total = totalOf(lines);
  const { applied, due } = reason === "checkout" ? { applied: 0, due: total } : quote(customer, currency, lines);
  const invoice: Invoice = { reason, currency, sub, lines, status: due === 0 ? "paid" : "open", at, total, applied, due };
  customer.invoices.push(invoice);
  credit(customer, currency, 0 - applied);
  return invoice;
}

function makeVoid(customer: Customer, invoice: Invoice): void {
  invoice.status = "void";
  credit(customer, invoice.currency, invoice.applied);
}

export class Life {
  readonly shop: Shop;
  constructor(shop: Shop) {
    this.shop = shop;
  }

  /** All that is due from `now` up to `until`, each at its instant; what is being paid is settled before time goes on. */
  advance(customer: Customer, now: number, until: number): void {
    this.hear(customer, now);
    for (;;) {
      const at = Math.min(...live(customer).map((sub) => nextDue(sub).at), ...expiries(customer));
      if (at > until) return;
      for (let next = this.#first(customer, at); next; next = this.#first(customer, at)) this.#carryOut(customer, next.sub, next.kind);
      this.settle(customer);
      customer.challenges = customer.challenges.filter(({ purchase }) => !purchase || purchase.expiresAt > at);
    }
  }

  settle(customer: Customer): void {
    for (let next = customer.queue.shift(); next; next = customer.queue.shift()) next();
  }

  /** What buyers did at the bank becomes known. */
  hear(customer: Customer, now: number): void {
    for (const challenge of customer.challenges.filter(({ answer }) => answer !== null)) {
      customer.challenges.splice(customer.challenges.indexOf(challenge), 1);
      if (challenge.answer === "fail") continue;
      if (challenge.purchase) challenge.purchase.complete();
      else this.#paid(customer, challenge.invoice, "new_card", now);
    }
    this.settle(customer);
  }

  #first(customer: Customer, at: number): { sub: Sub; kind: Kind } | null {
    const due = live(customer).map((sub) => ({ sub, ...nextDue(sub) }));
    const now = due.filter((each) => each.at <= at);
    now.sort((one, other) => one.at - other.at || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
    return now[0] ?? null;
  }

  #carryOut(customer: Customer, sub: Sub, kind: Kind): void {
    if (kind === "end") return this.end(customer, sub, "planned", sub.to);
    if (kind === "renewal") return this.#renew(customer, sub);
    if (kind === "grace") return void (sub.suspended = true);
    const at = sub.dunning!.retryAt!;
    sub.dunning!.retryAt = null;
    this.retry(customer, sub, "retry", at);
  }

  /** The next period begins where this one ends: pending change, invoice, then its charge. */
  #renew(customer: Customer, sub: Sub): void {
    const at = sub.to;
    const { products, settings } = this.shop;
    const moves = sub.pending && sub.pending.group !== sub.group;
    if (sub.pending && (products[sub.pending.product]!.archived || (moves && isTaken(customer, sub.pending.group)))) sub.pending = null;
    const terms: Terms = sub.pending ?? sub;
    const restarts = sub.status === "trialing" || !sameEvery(terms.every, sub.every);
    const count = restarts ? { anchor: at, zone: settings.zone, n: 1 } : { ...sub.count, n: sub.count.n + 1 };
    const period = periodFrom(at, count, terms.every);
    const lines = [...sub.waiting, fullLine(terms, period)];
    if (sub.status === "trialing" && quote(customer, sub.currency, lines).due > 0 && cardOf(customer, sub) === null) {
      return this.end(customer, sub, "planned", at);
    }
    const { product, group, amount, every } = terms;
    Object.assign(sub, { product, group, amount, every, ...period, rate: amount, pending: null, waiting: [] });
    if (sub.status === "trialing") sub.status = "active";
    const invoice = issue(customer, { reason: "renewal", currency: sub.currency, sub, lines }, at);
    if (invoice.status === "paid" || sub.status === "past_due") return;
    if (cardOf(customer, sub)) this.#charge(customer, invoice, "renewal", at);
    else this.#failed(customer, sub, "renewal", at);
  }

  /** One attempt at an open invoice. A card that asks the buyer counts as declined, but may still pay later. */
  #charge(customer: Customer, invoice: Invoice, trigger: Trigger, at: number): void {
    const sub = invoice.sub!;
    const card = cardOf(customer, sub)!;
    customer.queue.push(() => {
      if (card === "pays" || card === "answerLost") return this.#paid(customer, invoice, trigger, at);
      if (sub.status === "canceled") return makeVoid(customer, invoice);
      if (card === "asksBuyer") customer.challenges.push({ answer: null, invoice });
      this.#failed(customer, sub, trigger, at);
    });
  }

  #paid(customer: Customer, invoice: Invoice, trigger: Trigger, at: number): void {
    const { sub } = invoice;
    invoice.status = "paid";
    if (sub?.status !== "past_due") return;
    const [next] = openInvoices(customer, sub);
    if (!next) return this.#recover(sub);
    if (customer.challenges.some((challenge) => challenge.invoice === next)) return;
    if (cardOf(customer, sub)) this.#charge(customer, next, trigger, at);
  }

  #recover(sub: Sub): void {
    Object.assign(sub, { status: "active", dunning: null, suspended: false });
  }

  /** The first failure fixes the schedule; scheduled retries use it up. */
  #failed(customer: Customer, sub: Sub, trigger: Trigger, at: number): void {
    const { retryDays, graceDays } = this.shop.settings;
    if (sub.status === "active") {
      sub.status = "past_due";
      sub.dunning = { since: at, retryDays, done: 0, retryAt: at + retryDays[0]! * DAY, graceAt: at + graceDays * DAY };
    } else if (trigger === "retry") {
      const dunning = sub.dunning!;
      dunning.done += 1;
      const day = dunning.retryDays[dunning.done];
      if (day === undefined) this.end(customer, sub, "unpaid", at);
      else dunning.retryAt = dunning.since + day * DAY;
    }
  }

  /** A scheduled retry, or a new card, at the oldest open invoice; a challenge that waits is given up before. */
  retry(customer: Customer, sub: Sub, trigger: "retry" | "new_card", at: number): void {
    const [oldest] = openInvoices(customer, sub);
    if (!oldest) return this.#recover(sub);
    const challenge = customer.challenges.find(({ invoice }) => invoice === oldest);
    if (challenge) {
      customer.queue.push(() => {
        customer.challenges.splice(customer.challenges.indexOf(challenge), 1);
        if (challenge.answer === "pass") this.#paid(customer, oldest, trigger, at);
        else this.retry(customer, sub, trigger, at);
      });
    } else if (cardOf(customer, sub)) this.#charge(customer, oldest, trigger, at);
    else if (trigger === "retry") this.#failed(customer, sub, trigger, at);
  }

  /** Open invoices become void, what waits is billed a last time; of what was never paid only the credits. */
  end(customer: Customer, sub: Sub, how: "planned" | "unpaid", at: number): void {
    Object.assign(sub, { status: "canceled", endedAt: at, pending: null, dunning: null, suspended: false });
    if (sub.cancelAt !== at) sub.cancelAt = null;
    for (const invoice of openInvoices(customer, sub)) {
      const challenge = customer.challenges.find((each) => each.invoice === invoice);
      if (challenge) customer.queue.push(() => this.#giveUp(customer, challenge, invoice));
      else makeVoid(customer, invoice);
    }
    const lines = how === "unpaid" ? sub.waiting.filter(({ amount }) => amount < 0) : sub.waiting;
    sub.waiting = [];
    if (lines.length === 0) return;
    const last = issue(customer, { reason: "product_change", currency: sub.currency, sub, lines }, at);
    if (last.status === "paid") return;
    if (cardOf(customer, sub)) this.#charge(customer, last, "last", at);
    else makeVoid(customer, last);
  }

  /** The buyer may have been faster: then the money goes to the balance. */
  #giveUp(customer: Customer, challenge: Challenge, invoice: Invoice): void {
    customer.challenges.splice(customer.challenges.indexOf(challenge), 1);
    makeVoid(customer, invoice);
    if (challenge.answer === "pass") credit(customer, invoice.currency, invoice.due);
  }
}

type Kind = "end" | "renewal" | "retry" | "grace";
const ORDER: Kind[] = ["end", "renewal", "retry", "grace"];

const expiries = ({ challenges }: Customer): number[] => challenges.flatMap(({ purchase }) => (purchase ? [purchase.expiresAt] : []));

/** Of what is due at one instant: settle, end, renew, retry, revoke. While a retry is out, the revocation waits for it. */
function nextDue(sub: Sub): { at: number; kind: Kind } {
  const { retryAt = null, graceAt = null } = sub.dunning ?? {};
  const due: { at: number | null; kind: Kind }[] = [
    { at: sub.to, kind: sub.cancelAt === null ? "renewal" : "end" },
    { at: retryAt, kind: "retry" },
    { at: sub.suspended || retryAt === null ? null : graceAt, kind: "grace" },
  ];
  return due.filter((each): each is { at: number; kind: Kind } => each.at !== null).reduce((one, other) => (other.at < one.at ? other : one));
}
