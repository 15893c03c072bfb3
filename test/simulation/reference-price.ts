import { MINIMUM, type ActionOf, type StepOf } from "./history.ts";
import { claimWithItsCard } from "./reference-claim.ts";
import { addWall, monthly, periodFrom } from "./reference-math.ts";
import { takenOff } from "./reference-discount.ts";
import { live, type Customer, type Repriced, type Round, type Shop, type Sub, type Terms } from "./reference-model.ts";

// New prices for present Subscriptions (docs/rules.md: N).

/** The largest amount in minor units (rule M1). */
const MOST = 999_999_999_999;
const UNFINISHED: readonly Round["status"][] = ["running", "paused", "withdrawing"];

/** Whether a Product has an unfinished round besides `own`. */
const hasUnfinished = (rounds: readonly Round[], of: number, own: Round | null = null): boolean =>
  rounds.some((round) => round.product === of && round !== own && UNFINISHED.includes(round.status));

export const unitOf = ({ amount, quantity }: Pick<Sub, "amount" | "quantity">): number => amount / quantity;

/** The new price of a unit; null: the round is not for this Subscription (rule N2). */
function priceFor({ product, prices, before, below }: Round, sub: Sub): number | null {
  const price = prices[sub.currency];
  if (sub.status === "canceled" || sub.product !== product || price === undefined || price === unitOf(sub)) return null;
  if (before !== null && sub.began >= before) return null;
  if (sub.newPrice?.unit === price) return null;
  return below !== null && unitOf(sub) >= below ? null : price;
}

/** The reason for which a Subscription keeps its price; null: the price moves (rule N3). */
function leftOut(sub: Sub, unit: number): string | null {
  const total = unit * sub.quantity;
  if (sub.own?.product === sub.product && sub.own.unit === unitOf(sub)) return "own_price";
  if (sub.cancelAt !== null) return "cancellation_scheduled";
  if (sub.pause) return "paused";
  if (sub.pending || sub.changing) return "change_pending";
  return total > MOST || (total > 0 && total < MINIMUM[sub.currency]!) ? "amount_not_chargeable" : null;
}

/** The begin of the first period at or after `earliest`, if all goes on as it is (rule N4). */
function firstPeriod(sub: Sub, earliest: number, zone: string): number {
  let { to } = sub;
  let count = sub.status === "trialing" ? { anchor: to, zone, n: 0 } : sub.count;
  while (to < earliest) ({ to, count } = periodFrom(to, { ...count, n: count.n + 1 }, sub.every));
  return to;
}

/** The way of a Subscription in a round ends. */
export function settlePrice(sub: Sub, status: Repriced["status"], reason: string | null, at: number): void {
  if (!sub.newPrice) return;
  Object.assign(sub.newPrice, { status, reason, settledAt: at });
  sub.newPrice = null;
  if (status !== "ended") sub.news.push({ type: status, at });
}

/** The round comes to a Subscription. */
function bring({ now, settings }: Shop, round: Round, sub: Sub): void {
  const unit = priceFor(round, sub);
  if (unit === null) return;
  const reason = leftOut(sub, unit);
  const row: Repriced = {
    sub,
    round,
    status: reason === null ? "scheduled" : "left_out",
    reason,
    units: sub.quantity,
    unitBefore: unitOf(sub),
    unit,
    at: null,
    consentedAt: null,
    noticedAt: now,
    settledAt: null,
  };
  round.rows.push(row);
  if (reason !== null) return;
  settlePrice(sub, "withdrawn", "replaced", now);
  row.at = firstPeriod(sub, addWall(now, settings.zone, "day", round.days), settings.zone);
  sub.newPrice = row;
  sub.news.push({ type: "scheduled", at: now });
}

/** Does all the work of a round: notices, or withdrawals (rules N8, N9). */
export function runRound(shop: Shop, customers: readonly Customer[], round: Round): void {
  const all = customers.flatMap(live);
  if (round.status === "running") {
    for (const sub of all) bring(shop, round, sub);
    round.status = "completed";
  }
  if (round.status === "withdrawing") {
    for (const sub of all) if (sub.newPrice?.round === round) settlePrice(sub, "withdrawn", "seller", shop.now);
    round.status = "withdrawn";
  }
}

function draft({ now, products }: Shop, customer: Customer, step: ActionOf<"reprice">): Round | null {
  const { currencies, days, consent } = step;
  const product = (step.own ? live(customer)[0]?.product : null) ?? step.product;
  if (step.prices) products[product]!.prices = step.prices;
  const { archived, every, prices } = products[product]!;
  const asked = currencies ?? Object.keys(prices);
  if (archived || every === null || asked.some((currency) => prices[currency] === undefined)) return null;
  const brought = Object.fromEntries(asked.map((currency) => [currency, prices[currency]!]));
  const before = step.before === null ? null : now - step.before;
  const { below } = step;
  return { product, prices: brought, before, below, days, consent, status: "running", found: 0, rows: [] };
}

/** Brings the present prices of a Product to present Subscriptions (rule N1). */
export function beginRound(shop: Shop, customers: readonly Customer[], step: StepOf<"reprice">): string {
  const round = draft(shop, customers[step.customer]!, step);
  if (!round) return "422 validation_failed";
  const { rounds } = shop;
  if (hasUnfinished(rounds, round.product)) return "409 price_change_unfinished";
  round.found = customers.flatMap(live).filter((sub) => priceFor(round, sub) !== null).length;
  rounds.push(round);
  if (step.hold) round.status = "paused";
  runRound(shop, customers, round);
  return "201";
}

/** The effect of a round that would begin now, by currency and by reason (rule N2), or its refusal. */
export function previewRound(shop: Shop, customers: readonly Customer[], step: StepOf<"reprice">): object | string {
  const round = draft(shop, customers[step.customer]!, step);
  if (!round) return "422 validation_failed";
  const found = customers.flatMap(live).flatMap((sub) => {
    const unit = priceFor(round, sub);
    return unit === null ? [] : [{ sub, unit, reason: leftOut(sub, unit) }];
  });
  const moving = found.filter(({ reason }) => reason === null);
  const currencies = Object.keys(round.prices).flatMap((currency) => {
    const own = moving.filter(({ sub }) => sub.currency === currency);
    const sum = (of: (each: (typeof own)[number]) => number) => own.reduce((total, each) => total + of(each), 0);
    const mrr = [sum(({ sub }) => mrrOf(sub, sub.amount)), sum(({ sub, unit }) => mrrOf(sub, unit * sub.quantity))];
    return own.length === 0 ? [] : [`${currency}: ${own.length} from ${mrr[0]} to ${mrr[1]}`];
  });
  const reasons = found.flatMap(({ reason }) => reason ?? []);
  const left = [...new Set(reasons)].map((reason) => `${reason}: ${reasons.filter((each) => each === reason).length}`);
  return { currencies: currencies.toSorted(), leftOut: left.toSorted() };
}

/** The MRR at this total of a period, with the discount of the period in progress (rules R1 to R3). */
function mrrOf(sub: Sub, amount: number): number {
  if (sub.status === "trialing" || sub.status === "paused") return 0;
  return monthly(amount - takenOff(sub.discount, { ...sub, amount }, sub), sub.every);
}

/** A request to the newest round (rule N8). */
export function controlRound(shop: Shop, customers: readonly Customer[], { act }: ActionOf<"round">): string {
  const { rounds } = shop;
  const round = rounds.at(-1);
  if (!round) return "nobody";
  const { status } = round;
  const isDone = {
    pause: status === "paused",
    resume: false,
    stop: status === "stopped",
    withdraw: status === "withdrawn",
  };
  if (isDone[act]) return "200";
  if (act !== "withdraw" && status !== "paused") return "409 price_change_ended";
  if (act === "withdraw" && hasUnfinished(rounds, round.product, round)) return "409 price_change_unfinished";
  const next = { pause: "paused", resume: "running", stop: "stopped", withdraw: "withdrawing" } as const;
  round.status = next[act];
  runRound(shop, customers, round);
  return "200";
}

/** Notes the consent to the new price, if the price needs one (rule N6). */
function noteConsent({ newPrice }: Sub, now: number): void {
  if (newPrice?.round.consent === "required") newPrice.consentedAt ??= now;
}

/** The Customer agrees to the new price in the portal (rule N6). */
export function agree({ now }: Shop, customer: Customer): string {
  const sub = live(customer).find(({ newPrice }) => newPrice !== null);
  if (!sub?.newPrice) return "nobody";
  claimWithItsCard(customer, sub);
  noteConsent(sub, now);
  return "agreed";
}

/** Whether no period may begin at `at`, because the Customer has not agreed to its price (rule N6). */
export const isRefused = ({ newPrice }: Sub, at: number): boolean =>
  newPrice !== null && at >= newPrice.at! && newPrice.round.consent === "required" && newPrice.consentedAt === null;

/**
 * A click on a page of a restart agrees to the new price of the period that begins with the payment (rule N6).
 * `isOver`: the former period is over without access, or with a pause.
 */
export function agreeToRestart(sub: Sub, isOver: boolean, now: number): void {
  if (isOver && sub.status !== "paused" && isRefused(sub, now)) noteConsent(sub, now);
}

/** The Product, the quantity and the price of a period that begins at `at`, and the pending change (rule N5). */
export function termsAt(sub: Sub, at: number, pending: Terms | null): Terms {
  const { newPrice } = sub;
  const terms = pending ?? sub;
  const isDue = newPrice !== null && at >= newPrice.at!;
  return isDue && terms.product === sub.product ? { ...terms, amount: newPrice.unit * terms.quantity } : terms;
}
