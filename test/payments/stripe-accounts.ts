import { createRandom } from "../crash/buyers.ts";
import {
  BILLS,
  CARDS,
  DEFAULT_CARDS,
  DISCOUNTS,
  ITEMS,
  MOVING_CUSTOMERS,
  movingOnes,
  OF_CUSTOMERS,
  OTHERS,
  PLANS,
  PRICES,
  STATES,
  type Draft,
  type ExpectedReport,
  type Oddity,
} from "./stripe-oddities.ts";
import type { NewItem } from "./stripe/billing.ts";
import type { StripeServer } from "./stripe/server.ts";

/** Half a unit goes away from zero. */
const rounded = ([of, by]: [bigint, bigint], quantity: number): number =>
  Number((2n * of * BigInt(quantity) + by) / (2n * by));

type Draw = <T>(from: readonly T[]) => T;

/**
 * `odd`: one of six parts of a subscription is drawn, so that some subscriptions move. `moving`: half of the parts are
 * drawn, and one of twelve may be a reason to stay.
 */
export type Taste = "odd" | "moving";
const ODD = { odd: [true, false, false, false, false, false], moving: [true, false] };
const MAY_STAY = { odd: [true], moving: [true, ...Array<boolean>(11).fill(false)] };
const COUNTS = { odd: [0, 1, 1, 1, 1, 1, 1, 1, 2, 3, 12], moving: [0, ...Array<number>(18).fill(1), 2] };

function addSubscription(stripe: StripeServer, customer: string, draw: Draw, ofAll: Oddity, taste: Taste) {
  const item: NewItem = {};
  const draft: Draft = {
    stripe,
    customer,
    currency: "usd",
    price: {},
    item,
    items: [item],
    fields: {},
    unit: [2000n, 1n],
    reasons: new Set(),
    isListed: true,
    later: [],
  };
  for (const each of [PRICES, ITEMS, STATES, BILLS, PLANS, DISCOUNTS, OTHERS])
    if (draw(ODD[taste])) draw(draw(MAY_STAY[taste]) ? each : movingOnes(each))(draft);
  ofAll(draft);
  item.price = stripe.operations.price(draft.price);
  const second = draft.items[1];
  if (second) second.price = stripe.operations.price({ currency: draft.currency, unit_amount: 100_000 });
  const id = stripe.operations.subscribe(customer, { ...draft.fields, items: draft.items });
  for (const each of draft.later) each(id);
  const more = second ? (draft.currency === "isk" ? 1000 : 100_000) : 0;
  const monthly = rounded(draft.unit, item.quantity ?? 1) + more;
  // The charge of both items is large enough for the currency.
  if (second && draft.price["unit_amount"] === 49) draft.reasons.delete("amount");
  return { id, draft, monthly };
}

/**
 * Fills an account by a seed, with Customers of up to twelve subscriptions. The same seed makes the same account at
 * each server, but for the ids.
 */
export function fillAccount(stripe: StripeServer, seed: number, taste: Taste = "odd"): ExpectedReport {
  const random = createRandom(seed);
  const draw: Draw = (from) => from[Math.floor(random() * from.length)]!;
  const report: ExpectedReport = {
    customers: { total: 0, subscribed: 0, withBalance: 0, withTaxId: 0 },
    rows: new Map(),
  };
  for (let left = Math.floor(random() * 9); left > 0; left -= 1) {
    const customer = stripe.operations.makeCustomer({ email: `buyer${left}@example.com`, name: "Buyer" });
    report.customers.total += 1;
    const ofCustomer = draw(draw(MAY_STAY[taste]) ? OF_CUSTOMERS : MOVING_CUSTOMERS)(stripe, customer, report);
    const [cards, defaults] = draw(MAY_STAY[taste])
      ? [CARDS, DEFAULT_CARDS]
      : [movingOnes(CARDS), movingOnes(DEFAULT_CARDS)];
    const shared = draw([...Array<null>(7).fill(null), ...defaults]);
    const made = Array.from({ length: draw(COUNTS[taste]) }, () =>
      addSubscription(stripe, customer, draw, shared ?? draw(cards), taste),
    );
    const listed = made.filter(({ draft }) => draft.isListed);
    if (listed.length > 0) report.customers.subscribed += 1;
    for (const { id, draft, monthly } of listed) {
      for (const reason of ofCustomer) draft.reasons.add(reason);
      if (listed.length > 1) draft.reasons.add("second_subscription");
      const reasons = [...draft.reasons].sort();
      report.rows.set(id, { customer, reasons, currency: draft.currency, monthly, moves: reasons.length === 0 });
    }
  }
  return report;
}
