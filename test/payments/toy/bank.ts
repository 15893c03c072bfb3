import { createHmac, randomBytes } from "node:crypto";
import { realNow } from "../../../src/clock.ts";
import type {
  AcornBook,
  AcornCard,
  AcornCharge,
  AcornDispute,
  AcornEvent,
  AcornEvents,
  AcornObject,
  AcornRefund,
} from "./objects.ts";

/** The behaviour of a card at Acorn's bank. `slow`: a charge is processed until it is read twice. */
export type Behavior = "pays" | "declines" | "fails_later" | "asks" | "answer_lost" | "slow" | "too_large";

/** The numbers that a buyer can type on Acorn's page. */
export const NUMBERS: Readonly<Record<string, Behavior>> = {
  "9000 0000 0001": "pays",
  "9000 0000 0002": "pays",
  "9000 0000 0003": "declines",
  "9000 0000 0004": "fails_later",
  "9000 0000 0005": "asks",
  "9000 0000 0006": "answer_lost",
  "9000 0000 0007": "slow",
  "9000 0000 0008": "too_large",
};

/** An answer with an error. */
export class Fault extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

export type ChargeRequest = {
  shop: string;
  card: string | null;
  amount: string | null;
  currency: string | null;
  offSession: boolean;
  customer: { id: string; email: string | null };
  returnUrl: string;
};

type Held = AcornCharge & { request: ChargeRequest; token: string; expiresAt: number; reads: number };
type HeldCard = AcornCard & { behavior: Behavior; shop: string | null; customer: string | null; ended: boolean };

const PAGE_MILLISECONDS = 30 * 60_000;
const PAGE_OF_EVENTS = 100;
const PAGE_OF_BOOK = 2;

function chargeView(held: Held): AcornCharge {
  const { request: _, token: __, expiresAt: ___, reads: ____, ...charge } = held;
  return charge;
}
/** Ids of all kinds are counted together. */
const numberOf = (id: string) => Number(id.split("_")[1]);
const cents = (amount: string) => Number(amount.replace(".", ""));

/** Acorn Pay's cards, charges, refunds, disputes and events, in memory. Requests come through `server.ts`. */
export class AcornBank {
  /** Real time, plus the time that a test has skipped. */
  skipped = 0;
  readonly secret = randomBytes(16).toString("hex");
  readonly #cards = new Map<string, HeldCard>();
  readonly #charges = new Map<string, Held>();
  readonly #refunds = new Map<string, AcornRefund>();
  readonly #disputes = new Map<string, AcornDispute>();
  readonly #events: AcornEvent[] = [];
  readonly #origin: string;
  #ids = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  #id = (prefix: string) => `${prefix}_${String((this.#ids += 1)).padStart(6, "0")}`;
  #now = () => new Date(realNow() + this.skipped);
  #tell = (type: string, object: string) => void this.#events.push({ id: this.#id("ev"), type, object });

  /** Makes a card known that a buyer gave elsewhere. */
  card(behavior: Behavior, number = Object.keys(NUMBERS).find((each) => NUMBERS[each] === behavior)!): AcornCard {
    const id = this.#id("card");
    const shape = { id, fingerprint: `fp_${number.slice(-4)}`, brand: "acorn", last4: number.slice(-4) };
    const card = { ...shape, month: 12, year: 2999, behavior, shop: null, customer: null, ended: false };
    this.#cards.set(id, card);
    return this.#cardView(card);
  }

  #cardView({ id, fingerprint, brand, last4, month, year }: HeldCard): AcornCard {
    return { id, fingerprint, brand, last4, month, year };
  }

  /** Of several requests with one reference the first counts. */
  charge(reference: string, request: ChargeRequest): AcornCharge {
    const known = this.#charges.get(reference);
    if (known) {
      const isSame = (["amount", "currency", "card"] as const).every((part) => known.request[part] === request[part]);
      if (!isSame) throw new Fault(409, "reference_used");
      return this.find(reference);
    }
    if (request.currency === "usd" && cents(request.amount!) < 50) throw new Fault(422, "too_small");
    const card = request.card === null ? null : this.#cards.get(request.card);
    if (card === undefined) throw new Fault(422, "no_card");
    if (card?.behavior === "too_large") throw new Fault(422, "too_large");
    const charge = this.#begin(reference, request);
    if (card === null) this.#show(charge);
    else this.#decide(charge, card);
    return chargeView(charge);
  }

  #begin(reference: string | null, request: ChargeRequest): Held {
    const { shop, amount, currency } = request;
    const common = { kind: "charge", id: this.#id("ch"), reference, shop, amount, currency, createdAt: "" } as const;
    const open = { status: "processing", code: null, url: null, page: false, card: null } as const;
    const more = { request, token: randomBytes(12).toString("hex"), expiresAt: Infinity, reads: 0 };
    const charge: Held = { ...common, ...open, ...more, createdAt: this.#now().toISOString() };
    this.#charges.set(reference ?? charge.id, charge);
    return charge;
  }

  #show(charge: Held): void {
    const url = `${this.#origin}/pages/${charge.token}`;
    const expiresAt = this.#now().getTime() + PAGE_MILLISECONDS;
    Object.assign(charge, { status: "waiting", url, page: true, expiresAt } satisfies Partial<Held>);
  }

  #decide(charge: Held, card: HeldCard): void {
    const { shop, offSession, customer } = charge.request;
    Object.assign(card, { shop, customer: customer.id });
    charge.card = this.#cardView(card);
    if (card.ended) this.#end(charge, "removed");
    else if (card.behavior === "declines") this.#end(charge, "no");
    else if (card.behavior === "fails_later" && offSession) this.#end(charge, "no");
    else if (card.behavior === "slow") charge.status = "processing";
    else if (card.behavior === "asks") {
      charge.status = "waiting";
      charge.url = `${this.#origin}/pages/${charge.token}`;
    } else this.#end(charge, null);
  }

  #end(charge: Held, code: string | null): void {
    Object.assign(charge, { status: code === null ? "succeeded" : "declined", code, url: null });
    this.#tell("charge.changed", charge.id);
  }

  /** @throws Fault 404 */
  find(reference: string): AcornCharge {
    const charge = this.#charges.get(reference);
    if (!charge) throw new Fault(404, "not_found");
    charge.reads += 1;
    if (charge.status === "processing" && charge.reads === 2) this.#end(charge, null);
    if (charge.status === "waiting" && this.#now().getTime() >= charge.expiresAt) this.#end(charge, "canceled");
    return chargeView(charge);
  }

  /** A charge that never arrived is entered as canceled. */
  cancel(reference: string, request: ChargeRequest): AcornCharge {
    const charge = this.#charges.get(reference) ?? this.#begin(reference, request);
    const isNew = charge.status === "processing" && charge.card === null;
    if (isNew) this.#end(charge, "canceled");
    else if (charge.status === "waiting") this.#end(charge, charge.page ? "canceled" : "not_authenticated");
    return this.find(reference);
  }

  /** The buyer's answer on a page: a card's number, or `pass`. Answers the address to go back to, or null: stay. */
  answer(token: string, form: URLSearchParams): string | null {
    const charge = [...this.#charges.values()].find((each) => each.token === token);
    if (!charge) throw new Fault(404, "not_found");
    this.find(charge.reference ?? charge.id);
    const number = form.get("number");
    if (charge.status !== "waiting") return charge.request.returnUrl;
    if (charge.card !== null) this.#end(charge, form.get("pass") === "yes" ? null : "not_authenticated");
    else if (number !== null && NUMBERS[number] !== "declines" && NUMBERS[number] !== undefined)
      this.#decide(charge, this.#cards.get(this.card(NUMBERS[number], number).id)!);
    // A buyer may type another card on the page after a declined one.
    return charge.status === "waiting" ? null : `${charge.request.returnUrl}?acorn=${charge.id}`;
  }

  /** Acorn never gives back more than was charged. `reference` null: in Acorn's dashboard. */
  refund(reference: string | null, chargeId: string, amount: string): AcornRefund {
    const known = [...this.#refunds.values()].find((each) => reference !== null && each.reference === reference);
    if (known) return known;
    const charge = [...this.#charges.values()].find(({ id }) => id === chargeId);
    if (!charge) throw new Fault(404, "not_found");
    const before = [...this.#refunds.values()].filter((each) => each.charge.id === chargeId);
    const left = before.filter(({ status }) => status !== "failed").reduce((sum, each) => sum - cents(each.amount), 0);
    const isDone = charge.status === "succeeded" && left + cents(charge.amount!) >= cents(amount);
    const status = isDone ? ("succeeded" as const) : ("failed" as const);
    const made = { kind: "refund", id: this.#id("re"), reference, charge: chargeView(charge), amount } as const;
    const refund: AcornRefund = {
      ...made,
      status,
      code: isDone ? null : "too_much",
      createdAt: this.#now().toISOString(),
    };
    this.#refunds.set(refund.id, refund);
    this.#tell("refund.changed", refund.id);
    return refund;
  }

  findRefund(reference: string): AcornRefund {
    const found = [...this.#refunds.values()].find((each) => each.reference === reference);
    if (!found) throw new Fault(404, "not_found");
    return found;
  }

  /** The buyer's bank sends a refund back, weeks after it had succeeded. */
  failRefund(reference: string, code: string): void {
    const refund = this.findRefund(reference);
    Object.assign(refund, { status: "failed", code });
    this.#tell("refund.changed", refund.id);
  }

  /** The buyer's bank disputes a charge, or changes the dispute of this charge. */
  dispute(reference: string, changes: Partial<AcornDispute>): AcornDispute {
    const charge = this.find(reference);
    const known = [...this.#disputes.values()].find((each) => each.charge.id === charge.id);
    const fresh = { kind: "dispute", id: this.#id("dp"), charge, amount: charge.amount!, status: "open" } as const;
    const dispute = { ...fresh, reason: "fraud", answerBy: null, fee: null, ...known, ...changes };
    this.#disputes.set(dispute.id, dispute);
    this.#tell("dispute.changed", dispute.id);
    return dispute;
  }

  /** The buyer's bank replaces a card, or ends it. */
  changeCard(id: string, changes: Partial<Pick<HeldCard, "last4" | "year" | "ended">>): void {
    Object.assign(this.#cards.get(id)!, changes);
    this.#tell("card.changed", id);
  }

  /** Whether the bank still charges a card of this customer. */
  hasCards(customerId: string): boolean {
    return [...this.#cards.values()].some(({ customer, ended }) => customer === customerId && !ended);
  }

  forget(customerId: string): void {
    for (const card of this.#cards.values()) if (card.customer === customerId) card.ended = true;
  }

  /** @throws Fault 404 */
  object(id: string): AcornObject {
    const charge = [...this.#charges.values()].find((each) => each.id === id);
    if (charge) return this.find(charge.reference ?? charge.id);
    const found = this.#refunds.get(id) ?? this.#disputes.get(id);
    if (found) return found;
    const card = this.#cards.get(id);
    if (!card) throw new Fault(404, "not_found");
    return { kind: "card", id, shop: card.shop, card: card.ended ? null : this.#cardView(card) };
  }

  /** The events after a cursor; without a cursor, only the cursor of the last event. */
  events(after: string | null): AcornEvents {
    const last = this.#events.at(-1)?.id ?? "ev_000000";
    const later = after === null ? [] : this.#events.filter(({ id }) => id > after).slice(0, PAGE_OF_EVENTS);
    return { events: later, cursor: later.at(-1)?.id ?? after ?? last };
  }

  book({ from, to, after }: { from: string; to: string; after: string | null }): AcornBook {
    const charges = [...this.#charges.values()].filter(({ amount }) => amount !== null).map(chargeView);
    const all = [...charges, ...this.#refunds.values()].filter(
      ({ status, createdAt, id }) =>
        status === "succeeded" && createdAt >= from && createdAt < to && numberOf(id) > numberOf(after ?? "_0"),
    );
    const entries = all.sort((one, other) => numberOf(one.id) - numberOf(other.id)).slice(0, PAGE_OF_BOOK);
    return { entries, next: entries.length < PAGE_OF_BOOK ? null : entries.at(-1)!.id };
  }

  /** Every charge that succeeded. */
  charges(): AcornCharge[] {
    return [...this.#charges.values()].filter(({ status, amount }) => status === "succeeded" && amount !== null);
  }

  /** Whether the answer about a charge of this card is lost on its way. */
  losesAnswer(cardId: string | null): boolean {
    return cardId !== null && this.#cards.get(cardId)?.behavior === "answer_lost";
  }

  /** A notice of all events so far, as Acorn sends it to the seller. */
  notice(events = this.#events, { secret = this.secret, seconds = Math.floor(realNow() / 1000) } = {}) {
    const body = JSON.stringify({ events });
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    return { body, headers: { "Acorn-Signature": `t=${seconds},v1=${signature}` } };
  }
}
