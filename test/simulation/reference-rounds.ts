import { iso, isoOrNull } from "./history.ts";
import { live, type Customer, type Repriced, type Round, type Sub } from "./reference-model.ts";
import { unitOf } from "./reference-price.ts";

// The visible part of the rounds of new prices (docs/rules.md: N9, N10).

/** A round with the numbers and the rows of its Subscriptions. */
export type RoundSeen = {
  status: string;
  numbers: Record<string, number>;
  leftOut: Record<string, number>;
  rows: string[];
};

/** The names of Subscriptions: the Customer's name and the number of the Subscription. */
function namesOf(customers: readonly Customer[], gone: readonly Customer[]): Map<Sub, string> {
  const named = [
    ...customers.map((customer, n) => ({ customer, name: `c${n}` })),
    ...gone.map((customer, n) => ({ customer, name: `gone ${n}` })),
  ];
  return new Map(named.flatMap(({ customer, name }) => customer.subs.map((sub, n) => [sub, `${name}, ${n}`] as const)));
}

function countBy(rows: readonly Repriced[], key: (row: Repriced) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(rows, key)].map(([name, all]) => [name, all.length]));
}

function seenRow(row: Repriced, names: ReadonlyMap<Sub, string>): string {
  const { sub, status, reason, units, unitBefore, unit, at, noticedAt, consentedAt, settledAt } = row;
  return (
    `${names.get(sub)}: ${status} ${reason}, ${units} units from ${unitBefore} to ${unit} ` +
    `at ${isoOrNull(at)}, told ${iso(noticedAt)}, agreed ${isoOrNull(consentedAt)}, settled ${isoOrNull(settledAt)}`
  );
}

function seenRound({ status, found, rows }: Round, names: ReadonlyMap<Sub, string>): RoundSeen {
  const leftOut = rows.filter((row) => row.status === "left_out");
  const statusOf = (row: Repriced) => (row.reason === "price_not_accepted" ? "endedWithoutConsent" : row.status);
  const { scheduled = 0, applied = 0, withdrawn = 0, endedWithoutConsent = 0, ended = 0 } = countBy(rows, statusOf);
  return {
    status,
    numbers: { found, scheduled, applied, withdrawn, endedWithoutConsent, ended },
    leftOut: countBy(leftOut, ({ reason }) => reason!),
    rows: rows.map((row) => seenRow(row, names)).toSorted(),
  };
}

/** The rounds, the events of new prices, and the numbers of live Subscriptions by Product and price. */
export function seenPrices(
  rounds: readonly Round[],
  customers: readonly Customer[],
  gone: readonly Customer[],
): { rounds: RoundSeen[]; events: string[]; mails: string[]; prices: string[] } {
  const names = namesOf(customers, gone);
  const events = [...names].flatMap(([sub, name]) => sub.news.map(({ type, at }) => `${name}: ${type} at ${iso(at)}`));
  const noticed = ({ news }: Sub) => news.filter(({ type }) => type === "scheduled");
  const mails = [...names].flatMap(([sub, name]) => (name.startsWith("c") ? noticed(sub).map(() => name) : []));
  const paying = Map.groupBy(customers.flatMap(live), (sub) => `${sub.product} ${unitOf(sub)} ${sub.currency}`);
  const prices = [...paying].map(([key, subs]) => {
    const [product, unit, currency] = key.split(" ");
    return `product ${product}: ${subs.length} pay ${unit} ${currency}`;
  });
  return {
    rounds: rounds.map((round) => seenRound(round, names)),
    events: events.toSorted(),
    mails: mails.toSorted(),
    prices: prices.toSorted(),
  };
}
