import { hash } from "node:crypto";
import { addDays24, HOUR, instant, MINUTE, type Instant } from "../../../domain/calendar.ts";
import type { CreateCustomerParams } from "../../../resources/customer.ts";
import { DEMO_PRODUCT } from "../../sandbox/seed-catalogue.ts";
import { COMPANIES, COUNTRIES } from "./people.ts";

/** A made-up buyer, in the form in which a Checkout describes a Customer. */
export type Buyer = Pick<CreateCustomerParams, "email" | "name" | "companyName" | "locale"> & {
  externalId: string;
  billingAddress: { country: string; line1: string; postalCode: string; city: string; state: string | null };
  currency: string;
};

/** The operation of a step. `product`: a key of the demo's catalogue. */
export type CompanyStep =
  | { kind: "catalogue" }
  | { kind: "buy"; buyer: Buyer; product: string; card: string; code: string | null }
  | { kind: "look"; buyer: Buyer; product: string }
  | { kind: "change"; buyer: Buyer; product: string }
  | { kind: "cancel"; buyer: Buyer; reason: "too_expensive" | "unused" | "switched_service" }
  | { kind: "new_card"; buyer: Buyer; card: string }
  | { kind: "refund"; buyer: Buyer; amount: number | null }
  | { kind: "dispute"; buyer: Buyer }
  | { kind: "arrive" };
export type Step = { at: Instant; operation: CompanyStep };

/** The days of the story. Every story of a Customer lies between 0 and this day. */
export const DAYS = 184;
/** The code of the company's Discount: 20 % off for three months. */
export const WELCOME = "WELCOME20";
const PAYS = "4242424242424242";
const MASTERCARD = "4000056655665556";
const FAILS_LATER = "4000000000000341";

/** Numbers from 0 up to 1 that follow from `seed` alone (mulberry32). */
function randomOf(seed: string): () => number {
  let state = Number.parseInt(hash("sha256", seed).slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/[^a-zA-Z]/g, "")
    .toLowerCase();

/** Draws the buyers one by one. No two have the same name or e-mail address. */
function buyersOf(random: () => number): () => Buyer {
  const pick = <T>(all: readonly T[]) => Math.floor(random() * all.length);
  const taken = new Set<string>();
  let number = 1000;
  // Each round goes through all countries, so that none is left out by chance.
  let next = 0;
  return () => {
    const location = COUNTRIES[next++ % COUNTRIES.length]!;
    let [given, family] = [pick(location.given), pick(location.family)];
    while (taken.has(`${location.given[given]} ${location.family[family]}`))
      [given, family] = [pick(location.given), pick(location.family)];
    const isEastern = location.locale === "ja";
    const names = [location.given[given]!, location.family[family]!];
    taken.add(names.join(" "));
    number += 1;
    const address = location.ascii
      ? [location.ascii.given[given]!, location.ascii.family[family]!]
      : names.map((name) => plain(name));
    const [city, postalCode, state = null] = location.cities[pick(location.cities)]!;
    const company = random() < 0.45 ? location.company(COMPANIES[pick(COMPANIES)]!) : null;
    return {
      email: `${address.join(".")}.${number}@example.com`,
      name: isEastern ? names.toReversed().join(" ") : names.join(" "),
      companyName: company,
      locale: location.locale,
      externalId: `workspace_${number}`,
      billingAddress: {
        country: location.country,
        line1: location.street(1 + pick(COMPANIES) * 3),
        postalCode,
        city,
        state,
      },
      currency: location.currency,
    };
  };
}

type Later = { after: number; operation(buyer: Buyer): CompanyStep };
/** Customers with the same story. `from`, `to`: the days between which they buy. */
type Story = { count: number; product: string; from: number; to: number; card?: string; later?: readonly Later[] };

const change = (after: number, product: string): Later => ({
  after,
  operation: (buyer) => ({ kind: "change", buyer, product }),
});
const cancel = (after: number, reason: Extract<CompanyStep, { kind: "cancel" }>["reason"]): Later => ({
  after,
  operation: (buyer) => ({ kind: "cancel", buyer, reason }),
});

/** Forty Customers: every state that a page of the dashboard shows. */
const STORIES: readonly Story[] = [
  { count: 9, product: "starter", from: 0, to: 178 },
  { count: 9, product: DEMO_PRODUCT, from: 0, to: 178 },
  { count: 4, product: "pro-yearly", from: 5, to: 170 },
  { count: 3, product: "lifetime", from: 20, to: 175 },
  { count: 3, product: "starter", from: 5, to: 110, later: [change(47, DEMO_PRODUCT)] },
  { count: 1, product: DEMO_PRODUCT, from: 30, to: 60, later: [change(71, "pro-yearly")] },
  { count: 1, product: DEMO_PRODUCT, from: 10, to: 60, later: [change(64, "starter")] },
  { count: 1, product: "starter", from: 8, to: 40, later: [cancel(50, "too_expensive")] },
  { count: 1, product: DEMO_PRODUCT, from: 40, to: 80, later: [cancel(66, "unused")] },
  // The end of this period is still to come.
  { count: 1, product: "starter", from: 100, to: 120, later: [cancel(62, "switched_service")] },
  { count: 1, product: "pro-trial", from: 50, to: 80 },
  { count: 1, product: "pro-trial", from: DAYS - 6, to: DAYS - 6 },
  // The first renewal, after a month of 28 to 31 days, fails a few days before the end.
  { count: 1, product: DEMO_PRODUCT, from: DAYS - 35, to: DAYS - 35, card: FAILS_LATER },
  {
    count: 1,
    product: "starter",
    from: 25,
    to: 40,
    card: FAILS_LATER,
    later: [{ after: 36, operation: (buyer) => ({ kind: "new_card", buyer, card: PAYS }) }],
  },
  { count: 1, product: "starter", from: 60, to: 80, card: FAILS_LATER },
  {
    count: 1,
    product: "lifetime",
    from: 90,
    to: 120,
    later: [{ after: 3, operation: (buyer) => ({ kind: "refund", buyer, amount: null }) }],
  },
  {
    count: 1,
    product: DEMO_PRODUCT,
    from: DAYS - 12,
    to: DAYS - 12,
    later: [{ after: 8, operation: (buyer) => ({ kind: "dispute", buyer }) }],
  },
];

/** The steps of a company, by their instants. The same id and instants always give the same steps. */
export function planCompany(organizationId: string, beginsAt: Instant, endsAt: Instant): Step[] {
  const random = randomOf(organizationId);
  const draw = buyersOf(random);
  /** An instant of a day between 8 and 20 o'clock after the beginning, to the minute. */
  const on = (day: number) => instant(addDays24(beginsAt, day) + Math.floor(random() * 12 * 60) * MINUTE);
  const steps: Step[] = [];
  for (const { count, product, from, to, card, later = [] } of STORIES) {
    for (let n = 0; n < count; n += 1) {
      const buyer = draw();
      // The root lets the company grow: more buyers come later.
      const day = from + Math.round((to - from) * Math.sqrt(random()));
      const code = card === undefined && later.length === 0 && random() < 0.2 ? WELCOME : null;
      const paidWith = card ?? (random() < 0.3 ? MASTERCARD : PAYS);
      steps.push({ at: on(day), operation: { kind: "buy", buyer, product, card: paidWith, code } });
      for (const { after, operation } of later) steps.push({ at: on(day + after), operation: operation(buyer) });
    }
  }
  const inTime = steps.filter(({ at }) => at < endsAt).sort((one, other) => one.at - other.at);
  const look: CompanyStep = { kind: "look", buyer: draw(), product: DEMO_PRODUCT };
  return [
    { at: beginsAt, operation: { kind: "catalogue" } },
    ...inTime,
    { at: instant(endsAt - HOUR), operation: look },
    { at: endsAt, operation: { kind: "arrive" } },
  ];
}
