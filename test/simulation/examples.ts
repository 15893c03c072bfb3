import type { Action, Behavior, History } from "./history.ts";
import { buy, on, product, story } from "./story.ts";

const change = (to: number, behavior: Behavior = "invoice_now"): Action => {
  return { do: "change", sub: 0, product: to, behavior, reprice: false, undo: false, finish: null };
};
const units = (quantity: number, behavior: Behavior = "invoice_now"): Action => {
  return { do: "units", sub: 0, quantity, behavior, undo: false, finish: null };
};
const refund = (invoice: number, part: number | null, to: "card" | "balance"): Action => {
  return { do: "refund", invoice, part, to, revoke: false };
};
const payOut = (part: number | null): Action => ({ do: "payout", currency: "usd", part });
const enroll = (number: number): Action => {
  return { do: "enroll", product: number, currency: "usd", amount: null, begun: null, anchor: null, trial: null };
};
const dispute = (invoice: number): Action => ({ do: "dispute", invoice });
const WIN: Action = { do: "win", dispute: 0 };
const LOSE: Action = { do: "lose", dispute: 0 };

const reprice = (usd: number, consent: "notice" | "required"): Action => ({
  do: "reprice",
  product: 0,
  own: true,
  prices: { usd },
  currencies: null,
  before: null,
  below: null,
  days: 30,
  consent,
  hold: false,
});
const CONSENT: Action = { do: "consent" };

const YEAR = [product(30_000, "year"), product(0, "year"), product(10_000, "month", { group: "extras" })];
const MONTH = [product(3000, "month"), product(6000, "month")];
const MIXED = [product(4000, "month"), product(0, "month"), product(3000, "month", { group: "extras" })];
const PRO = [product(3000, "month", { quantity: { minimum: 1, maximum: 50 } })];
const SEATS = [product(1200, "month", { quantity: { minimum: 2, maximum: 50 } })];
/** Half of January. */
const HALF = 15.5;
/** The balance pays 20.00 of the third invoice, and the card pays 10.00. */
const PAID_BY_BOTH = [on(0, buy(0, "pays")), on(HALF, change(1)), on(HALF, enroll(2))];
/** A credit of 20.00 waits, and its payment is disputed. */
const WAITS = [on(0, buy(0, "pays")), on(HALF, change(1, "next_invoice")), on(HALF, dispute(0))];

/** Histories of credit and its sources, of quantities and of new prices. */
export const EXAMPLES: Record<string, History> = {
  "a new price begins with the first period after the notice, with the units of that period": story(80, PRO, [
    on(9, buy(0, "pays")),
    on(14, reprice(3600, "notice")),
    on(19, { do: "price", product: 0, prices: { usd: 4000 } }),
    on(59, units(2, "next_period")),
    on(70, units(2)),
  ]),
  "a new price is withdrawn by the seller before it begins": story(80, PRO, [
    on(9, buy(0, "pays")),
    on(14, reprice(3600, "notice")),
    on(31, { do: "round", act: "withdraw" }),
    on(70, CONSENT),
  ]),
  "a Subscription ends in place of a period to whose price its Customer has not agreed": story(80, PRO, [
    on(9, buy(0, "pays")),
    on(14, reprice(3600, "required")),
    on(70, CONSENT),
  ]),
  "a Customer agrees to a new price": story(80, PRO, [
    on(9, buy(0, "pays")),
    on(14, reprice(3600, "required")),
    on(60, CONSENT),
    on(70, CONSENT),
  ]),
  "a quantity rises and falls, at one instant and until the end": story(70, SEATS, [
    on(0, { ...buy(0, "pays"), quantity: 5 } as Action),
    on(HALF, units(8)),
    on(HALF, units(5)),
    on(HALF, units(51)),
    on(20, units(3, "next_invoice")),
    on(21, units(9, "next_period")),
    on(40, units(4, "next_invoice")),
    on(41, { do: "cancelNow", sub: 0 }),
  ]),
  "a refund takes the credit of its own payment off the balance": story(20, YEAR, [
    on(0, buy(0, "pays")),
    on(0, change(1)),
    on(1, refund(0, null, "card")),
    on(1, refund(0, 1, "card")),
  ]),
  "a refund can't take credit that is spent": story(20, YEAR, [
    on(0, buy(0, "pays")),
    on(0, change(1)),
    on(1, enroll(2)),
    on(1, refund(0, 1, "card")),
    on(1, refund(0, 0.5, "card")),
  ]),
  "a payout gives back the credit that a card paid for": story(20, YEAR, [
    on(0, buy(0, "pays")),
    on(0, change(1)),
    on(1, { do: "adjust", currency: "usd", amount: 500 }),
    on(1, payOut(0.5)),
    on(1, payOut(1)),
    on(1, payOut(null)),
    on(1, payOut(null)),
  ]),
  "a refund of an upgrade frees the credit in it": story(20, MONTH, [
    on(0, buy(0, "pays")),
    on(HALF, change(1)),
    on(HALF, refund(1, null, "card")),
    on(HALF, refund(0, null, "card")),
    on(HALF, change(0)),
  ]),
  "the older invoice may be refunded first": story(20, MONTH, [
    on(0, buy(0, "pays")),
    on(HALF, change(1)),
    on(HALF, refund(0, null, "card")),
    on(HALF, refund(1, null, "card")),
    on(HALF, refund(0, null, "card")),
    on(HALF, change(0)),
  ]),
  "a refund to the balance gives back credit and charge in proportion": story(20, MIXED, [
    ...PAID_BY_BOTH,
    on(HALF, refund(2, 0.5, "balance")),
    on(HALF, refund(2, 1, "card")),
  ]),
  "a lost payment takes its credit, and its part of an invoice is not refunded": story(20, MIXED, [
    ...PAID_BY_BOTH,
    on(HALF, refund(2, 0.5, "balance")),
    on(16, dispute(0)),
    on(16, payOut(1)),
    on(17, LOSE),
    on(17, refund(2, 1, "balance")),
    on(17, refund(2, null, "balance")),
  ]),
  "a lost payment lowers the rate of a later invoice that it funded": story(20, MONTH, [
    on(0, buy(0, "pays")),
    on(HALF, change(1)),
    on(16, dispute(0)),
    on(16, change(0)),
    on(17, LOSE),
    on(17, change(0)),
  ]),
  "a waiting credit of a disputed payment is held and then released": story(60, MIXED, [
    ...WAITS,
    on(32, payOut(null)),
    on(33, WIN),
    on(33, payOut(null)),
  ]),
  "a waiting credit of a lost payment is written off": story(60, MIXED, [...WAITS, on(17, LOSE)]),
  "held credit pays no part of a renewal": story(60, MONTH, [
    on(0, buy(1, "pays")),
    on(HALF, change(0, "next_invoice")),
    on(HALF, dispute(0)),
    on(16, { do: "card", card: "answerLost" }),
    on(33, refund(1, 1, "balance")),
    on(34, LOSE),
  ]),
  "a void invoice gives its credit back with its source": story(90, YEAR, [
    on(0, buy(0, "pays")),
    on(HALF, change(1)),
    on(16, enroll(2)),
    on(16, { do: "adjust", currency: "usd", amount: -15_000 }),
    on(17, { do: "card", card: "failsLater" }),
    on(50, { do: "void", invoice: 0 }),
    on(51, payOut(null)),
  ]),
};
