import { Draw } from "./draw.ts";
import {
  DAY,
  MINIMUM,
  ONE_UNIT,
  type Action,
  type ActionName,
  type ActionOf,
  type CardName,
  type Fault,
  type History,
  type PlannedDiscount,
  type PlannedProduct,
  type Step,
} from "./history.ts";
import { drawDiscount, drawLimits, drawPrice, drawPrices, drawProduct } from "./plan-catalogue.ts";
import { drawReprice, drawRound } from "./plan-price.ts";
import { withoutSteps } from "./plan-steps.ts";
import { BUILT_IN, type ProviderTraits } from "./reference-provider.ts";
import { drawGift, drawLonger } from "./plan-running.ts";
import { APIA_EVE, BEHAVIORS, drawLocation, drawSettings, EVES } from "./plan-settings.ts";

export type Size = { days: number; customers: number };

/** The catalogue for which actions are drawn. */
type Shop = { products: PlannedProduct[]; discounts: PlannedDiscount[]; currency: string };

const drawCard = (draw: Draw): CardName =>
  draw.weighted({ pays: 50, failsLater: 20, asksBuyer: 14, answerLost: 10, declined: 6 });
const drawSub = (draw: Draw) => (draw.chance(0.8) ? 0 : draw.int(0, 2));
const drawInvoice = (draw: Draw) => ({ invoice: draw.chance(0.6) ? 0 : draw.int(0, 30) });
/** Often the newest invoice, because the period in progress has most of the rules. */
const drawPaid = (draw: Draw) => (draw.chance(0.4) ? { invoice: -1 } : drawInvoice(draw));
const drawDispute = (draw: Draw) => ({ dispute: draw.int(0, 3) });
const drawProductOf = (draw: Draw, { products }: Shop) => draw.int(0, products.length - 1);
/** Mostly a quantity that the Product offers. Null: the smallest one, or the present one. */
function drawQuantity(draw: Draw, { products }: Shop, product: number): number | null {
  if (draw.chance(0.4)) return null;
  const { minimum, maximum } = products[product]!.quantity ?? ONE_UNIT;
  return draw.chance(0.9) ? draw.int(minimum, Math.min(maximum, minimum + 9)) : draw.int(1, 12);
}
function drawUnits(draw: Draw, shop: Shop): { product: number; quantity: number | null } {
  const product = drawProductOf(draw, shop);
  return { product, quantity: drawQuantity(draw, shop, product) };
}
/** Mostly the currency in which every Product has a price. */
function drawCurrency(draw: Draw, { products, currency }: Shop, product: number): string {
  return draw.chance(0.9) ? currency : draw.pick(Object.keys(products[product]!.prices));
}

/** Every kind of step, with its weight and the draw of its details. */
const KINDS: { [Name in ActionName]: { weight: number; draw(draw: Draw, shop: Shop): Omit<ActionOf<Name>, "do"> } } = {
  buy: {
    weight: 16,
    draw(draw, shop) {
      const product = drawProductOf(draw, shop);
      const discount = draw.chance(0.3) ? draw.int(0, shop.discounts.length - 1) : null;
      const card = draw.chance(0.1) ? null : drawCard(draw);
      const quantity = drawQuantity(draw, shop, product);
      return {
        product,
        quantity,
        currency: drawCurrency(draw, shop, product),
        card,
        typed: draw.chance(0.2),
        discount,
      };
    },
  },
  enroll: {
    weight: 4,
    draw(draw, shop) {
      const product = drawProductOf(draw, shop);
      const begun = draw.chance(0.5) ? draw.int(0, 70 * DAY) : null;
      const trial = draw.chance(0.25) ? draw.int(1, 20 * DAY) : null;
      const anchor = begun !== null && trial === null && draw.chance(0.5) ? draw.int(0, 200 * DAY) : null;
      const currency = drawCurrency(draw, shop, product);
      const amount = draw.pick([null, 0, drawPrice(draw, currency)]);
      return { product, quantity: drawQuantity(draw, shop, product), currency, amount, begun, anchor, trial };
    },
  },
  change: {
    weight: 34,
    draw(draw, shop) {
      const behavior = draw.chance(0.15) ? null : draw.pick(BEHAVIORS);
      const finish = draw.chance(0.4) ? drawCard(draw) : null;
      const [reprice, undo] = [draw.chance(0.3), draw.chance(0.15)];
      const product = drawProductOf(draw, shop);
      const quantity = drawQuantity(draw, shop, product);
      return { sub: drawSub(draw), product, quantity, behavior, reprice, undo, finish };
    },
  },
  units: {
    weight: 16,
    draw(draw) {
      const behavior = draw.chance(0.3) ? null : draw.pick(BEHAVIORS);
      const finish = draw.chance(0.4) ? drawCard(draw) : null;
      const quantity = draw.chance(0.95) ? draw.int(1, 10) : draw.int(1, 100_000);
      return { sub: drawSub(draw), quantity, behavior, undo: draw.chance(0.15), finish };
    },
  },
  upgrade: {
    weight: 6,
    draw: (draw, shop) => ({ sub: drawSub(draw), ...drawUnits(draw, shop), card: drawCard(draw) }),
  },
  plan: { weight: 8, draw: (draw, shop) => ({ sub: drawSub(draw), ...drawUnits(draw, shop) }) },
  planUnits: { weight: 5, draw: (draw) => ({ sub: drawSub(draw), quantity: draw.int(1, 10) }) },
  cancel: { weight: 7, draw: (draw) => ({ sub: drawSub(draw) }) },
  undo: { weight: 5, draw: (draw) => ({ sub: drawSub(draw) }) },
  cancelNow: { weight: 3, draw: (draw) => ({ sub: drawSub(draw) }) },
  pause: {
    weight: 7,
    draw(draw) {
      const until = draw.chance(0.3) ? null : draw.int(0, 120 * DAY);
      return { sub: drawSub(draw), until, access: draw.pick(["revoke", "revoke", "keep"]) };
    },
  },
  give: { weight: 9, draw: (draw, shop) => ({ sub: drawSub(draw), ...drawGift(draw, shop) }) },
  lengthen: { weight: 4, draw: (draw) => ({ sub: drawSub(draw), ...drawLonger(draw) }) },
  resume: { weight: 5, draw: (draw) => ({ sub: drawSub(draw) }) },
  card: { weight: 14, draw: (draw) => ({ card: drawCard(draw) }) },
  oneCard: { weight: 4, draw: (draw) => ({ sub: drawSub(draw), card: drawCard(draw) }) },
  defaultCard: { weight: 2, draw: (draw) => ({ sub: drawSub(draw) }) },
  disown: { weight: 1.5, draw: (draw) => ({ sub: drawSub(draw) }) },
  detach: { weight: 2, draw: () => ({}) },
  bank: { weight: 9, draw: (draw) => ({ pass: draw.chance(0.65), heard: draw.chance(0.6) }) },
  move: { weight: 2, draw: (draw) => ({ location: drawLocation(draw) }) },
  refund: {
    weight: 9,
    draw: (draw) => ({
      ...drawPaid(draw),
      part: draw.pick([null, null, 0.5, 0.1, 0.9, 1, 1, 1.5]),
      to: draw.pick(["card", "balance"]),
      revoke: draw.chance(0.15),
    }),
  },
  page: { weight: 4, draw: (draw) => ({ ...drawInvoice(draw), card: drawCard(draw) }) },
  pay: { weight: 4, draw: drawInvoice },
  void: { weight: 3, draw: drawInvoice },
  markPaid: { weight: 3, draw: drawInvoice },
  adjust: {
    weight: 6,
    draw(draw, { products, currency }) {
      const minimum = MINIMUM[currency]!;
      // Credit of about a price: a purchase leaves a rest below the minimum charge, or no rest.
      const price = draw.pick(products).prices[currency] ?? 0;
      const amount = draw.chance(0.3) ? Math.max(price - draw.int(-1, minimum), 1) : draw.int(1, minimum * 40);
      return { currency, amount: amount * draw.pick([1, 1, -1]) };
    },
  },
  payout: {
    weight: 3,
    draw: (draw, { currency }) => ({ currency, part: draw.pick([null, null, 0.5, 1, 1.2]) }),
  },
  failRefund: { weight: 2, draw: (draw) => ({ refund: draw.int(0, 3) }) },
  refundOutside: {
    weight: 2.5,
    draw: (draw) => ({ ...drawPaid(draw), part: draw.pick([null, null, 0.5, 0.1, 0.9, 1.2]) }),
  },
  dispute: { weight: 5, draw: drawPaid },
  win: { weight: 2, draw: drawDispute },
  lose: { weight: 2.5, draw: drawDispute },
  forget: { weight: 0.6, draw: (draw) => ({ forfeit: draw.chance(0.6) }) },
  price: {
    weight: 4,
    draw: (draw, shop) => ({ product: drawProductOf(draw, shop), prices: drawPrices(draw, shop.currency) }),
  },
  reprice: { weight: 12, draw: drawReprice },
  round: { weight: 3, draw: drawRound },
  consent: { weight: 6, draw: () => ({}) },
  limits: {
    weight: 1.5,
    draw: (draw, shop) => ({ product: drawProductOf(draw, shop), quantity: drawLimits(draw) }),
  },
  archive: { weight: 3, draw: (draw, shop) => ({ product: drawProductOf(draw, shop), archived: draw.chance(0.5) }) },
  benefits: {
    weight: 1.5,
    draw(draw, shop) {
      const product = drawProductOf(draw, shop);
      return { product, benefits: shop.products.flatMap((_, number) => (draw.chance(0.3) ? [number] : [])) };
    },
  },
  settings: {
    weight: 2.5,
    draw(draw) {
      const { zone, behavior, rise, fall, taxRates, country, ...dunning } = drawSettings(draw);
      return { settings: draw.pick([{ zone }, { behavior }, { rise, fall }, dunning, { taxRates }, { country }]) };
    },
  },
};

/** The steps that bring, move or take credit come this many times as often for a Customer with much credit. */
const OFTEN_WITH_CREDIT: Partial<Record<ActionName, number>> = {
  refund: 3,
  payout: 3,
  failRefund: 3,
  refundOutside: 3,
  dispute: 3,
  win: 3,
  lose: 4,
};

/**
 * The weight of each kind. Steps on open invoices and challenges come often only after a card that can lead to them.
 */
function weightsFor(card: CardName | null, hasCredit: boolean): Record<ActionName, number> {
  const often = hasCredit ? OFTEN_WITH_CREDIT : {};
  const weights = Object.fromEntries(
    Object.entries(KINDS).map(([name, { weight }]) => [name, weight * (often[name as ActionName] ?? 1)]),
  ) as Record<ActionName, number>;
  const { pay, void: drop, markPaid, page, bank } = weights;
  if (card === "asksBuyer") return { ...weights, bank: bank * 3, pay: pay * 2, page: page * 2, void: drop * 2 };
  if (card === "failsLater")
    return { ...weights, pay: pay * 3, page: page * 3, void: drop * 3, markPaid: markPaid * 3, bank: 1 };
  return { ...weights, pay: 1, page: 1, void: 1, markPaid: 1, bank: 1 };
}

function drawAction(draw: Draw, shop: Shop, name: ActionName): Action {
  return { do: name, ...KINDS[name].draw(draw, shop) } as Action;
}

function drawFault(draw: Draw, longest: number): Fault | null {
  if (!draw.chance(0.2)) return null;
  const kind = draw.weighted({ die: 70, lose: 30 });
  const call = kind === "lose" ? draw.int(1, 2) : 1 + Math.floor(longest * draw.random() ** 2);
  return { kind, call, side: draw.chance(0.5) ? "before" : "after" };
}

/**
 * The instant of the next step. It often falls to the millisecond on the end of a period or on a retry counted from
 * the first step, because two events coincide there.
 */
function drawInstant(draw: Draw, zone: string, first: number, last: number): number {
  const way = draw.weighted({ once: 22, soon: 18, days: 38, wall: 15, weeks: 7 });
  if (way === "once") return last + (draw.chance(0.6) ? 0 : draw.int(1, 3_600_000));
  if (way === "soon") return last + draw.int(1, 2 * DAY);
  if (way === "weeks") return last + draw.int(20 * DAY, 60 * DAY);
  if (way === "days") return last + draw.int(2, 20) * DAY;
  const local = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(zone);
  const unit = draw.pick(["days", "weeks", "months"] as const);
  for (let n = 1; ; n++) {
    const { epochMilliseconds } = local.add({ [unit]: n });
    if (epochMilliseconds > last) return epochMilliseconds;
  }
}

/** The card that an action gives, or null. */
function cardIn(action: Action): CardName | null {
  if (action.do === "buy" || action.do === "upgrade" || action.do === "card" || action.do === "page")
    return action.card;
  return action.do === "change" || action.do === "units" ? action.finish : null;
}

/**
 * Draws the kind of the next step. Some kinds follow the step before more often than by chance: for instance, a
 * Subscription ends while its buyer is at the bank.
 */
function drawName(draw: Draw, before: Action | null, card: CardName | null, hasCredit: boolean): ActionName {
  if (before === null) return "buy";
  // Lines wait now. Some Subscriptions end before the lines are billed, and some credit is disputed.
  const waits = (before.do === "change" || before.do === "units") && before.behavior === "next_invoice";
  if (waits && draw.chance(hasCredit ? 0.5 : 0.25)) return hasCredit ? "dispute" : "cancelNow";
  const next: Partial<Record<ActionName, ActionName[]>> = {
    bank: ["cancelNow", "card", "bank", "change", "cancel", "pay", "page", "void", "forget"],
    dispute: ["win", "lose", "lose", "change", "change", "refund", "page", "pay", "card", "cancelNow"],
    // The credit of a change or a refund is refunded, paid out, disputed or used by another change.
    change: ["refund", "refund", "change", "change", "payout", "dispute", "adjust"],
    // A rise and a fall at one instant, or within one period.
    units: ["units", "units", "units", "change", "refund", "cancelNow", "dispute"],
    refund: ["change", "refund", "payout", "dispute", "failRefund"],
    payout: ["failRefund", "failRefund", "change"],
    refundOutside: ["change", "refund", "failRefund"],
    failRefund: ["change", "refundOutside", "dispute", "refund", "payout"],
    detach: ["card", "page", "change", "pay", "buy"],
    cancel: ["undo", "undo", "pause", "give", "lengthen"],
    give: ["give", "change", "change", "units", "pause", "cancelNow", "refund"],
    lengthen: ["lengthen", "change", "cancel", "give", "pause"],
    pause: ["resume", "change", "cancel", "pause"],
    resume: ["pay", "bank", "pause", "change", "void"],
    price: ["reprice", "reprice", "reprice", "change"],
    reprice: [
      "consent",
      "consent",
      "consent",
      "units",
      "units",
      "change",
      "pause",
      "cancel",
      "round",
      "reprice",
      "price",
    ],
    round: ["reprice", "price", "consent"],
    consent: ["units", "round", "pause", "change"],
    cancelNow: ["buy", "enroll"],
    adjust: ["buy", "buy", "change"],
    forget: ["buy", "enroll"],
  };
  const following = before.do === "bank" && before.heard ? undefined : next[before.do];
  const isCredit = before.do === "change" || before.do === "refund";
  if (following && draw.chance(isCredit && !hasCredit ? 0.15 : 0.5)) return draw.pick(following);
  if (cardIn(before) === "asksBuyer" && draw.chance(0.6)) return "bank";
  return draw.weighted(weightsFor(card, hasCredit));
}

/** The Product with the price nearest to a credit: the credit pays for about all of it. */
function nearestTo({ products, currency }: Shop, credit: number): number {
  const distances = products.map(({ prices }) => Math.abs((prices[currency] ?? 0) - credit));
  return distances.indexOf(Math.min(...distances));
}

function drawCustomer(
  draw: Draw,
  shop: Shop,
  { settings: { zone }, start, end, bankWait }: Pick<History, "settings" | "start" | "end"> & { bankWait: number },
  customer: number,
): Step[] {
  const steps: Step[] = [];
  let [before, card]: [Action | null, CardName | null] = [null, null];
  const first = start + (draw.chance(0.5) ? 0 : draw.int(0, Math.floor((end - start) / 2)));
  const hasCredit = draw.chance(0.4);
  for (let at = first; at < end;) {
    const action = drawAction(draw, shop, drawName(draw, before, card, hasCredit));
    // Most Customers begin with a Product that can be bought and with a good card.
    if (before === null && action.do === "buy" && draw.chance(0.85)) {
      const some = ["pays", "pays", "failsLater", "failsLater", "asksBuyer"] as const;
      const good = hasCredit ? "pays" : draw.pick(some);
      Object.assign(action, {
        product: draw.int(0, 2),
        currency: shop.currency,
        card: good,
        discount: draw.chance(0.2) ? action.discount : null,
      });
    }
    if (before?.do === "adjust" && action.do === "buy" && draw.chance(0.7))
      Object.assign(action, { product: nearestTo(shop, before.amount), currency: shop.currency, discount: null });
    steps.push({
      at,
      stride: draw.weighted({ jump: 70, halves: 20, daily: 10 }),
      customer,
      faults: { way: drawFault(draw, 60), request: drawFault(draw, 12) },
      repeat: draw.chance(0.2),
      ...action,
    });
    [before, card] = [action, cardIn(action) ?? card];
    at =
      cardIn(action) === "asksBuyer" && draw.chance(0.7)
        ? at + draw.int(0, bankWait)
        : drawInstant(draw, zone, first, at);
  }
  return steps;
}

/** The longest wait between a challenge and its answer: a day, or a little longer than a provider's page lives. */
const BANK_WAITS = { typed: DAY, hosted: DAY / 32 };

/** The history of a seed, the same on every machine and at any time. */
export function planHistory(seed: number, { days, customers }: Size, provider: ProviderTraits = BUILT_IN): History {
  const draw = new Draw(seed);
  const settings = drawSettings(draw);
  const currency = draw.pick(Object.keys(MINIMUM));
  const eve = settings.zone === "Pacific/Apia" && draw.chance(0.6) ? APIA_EVE : draw.pick(EVES);
  const day = Temporal.PlainDate.from(eve).add({ days: draw.chance(0.6) ? draw.int(0, 4) : draw.int(0, 400) });
  const hour = draw.pick([0, 1, 2, 3, 9, 14, 23]);
  const local = day.toPlainDateTime({ hour, minute: draw.pick([0, 0, 15, 30, 59]), second: draw.int(0, 1) * 59 });
  const start = local.toZonedDateTime(settings.zone).epochMilliseconds + draw.pick([0, 0, 1, 999]);
  const end = start + days * DAY;
  const hasty = draw.chance(0.35);
  const products = Array.from({ length: draw.int(4, 9) }, (_, number) => drawProduct(draw, currency, hasty, number));
  const discounts = Array.from({ length: 3 }, () => drawDiscount(draw, currency, products, start, end));
  const buyers = Array.from({ length: customers }, () => ({ location: drawLocation(draw), atPage: draw.chance(0.3) }));
  const shop = { products, discounts, currency };
  const bankWait = provider.hasPages ? BANK_WAITS.hosted : BANK_WAITS.typed;
  const span = { settings, start, end, bankWait };
  const steps = buyers.flatMap((_, customer) => drawCustomer(draw, shop, span, customer));
  const history = {
    seed,
    start,
    end,
    buyers,
    settings,
    products,
    discounts,
    steps: steps.toSorted((one, other) => one.at - other.at),
  };
  return provider.takesAll ? history : withoutSteps(history);
}
