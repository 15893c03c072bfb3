import type { Json } from "../support/app.ts";
import { list, ok, subscriptionsOf } from "./look.ts";
import { expectSame, type Play } from "./play.ts";
import type { RoundSeen } from "./reference-rounds.ts";

// The rounds of new prices with their Subscriptions, and the events, at the end of a history (docs/rules.md: N).

const EVENTS = ["scheduled", "applied", "withdrawn"];

/** The names of all Subscriptions by id: the Customer's name and the number of the Subscription. */
async function nameAll({ world, customers, gone }: Play): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const known = customers.flatMap((id, n) => (id === null ? [] : [{ id, name: `c${n}` }]));
  for (const { id, name } of [...known, ...gone.map((each, n) => ({ id: each.id, name: `gone ${n}` }))])
    for (const [n, sub] of (await subscriptionsOf(world, id)).entries()) names.set(sub.id, `${name}, ${n}`);
  return names;
}

function seenRow(row: Json, names: ReadonlyMap<string, string>): string {
  const { subscriptionId, status, reason, quantity, unitAmountBefore, unitAmount } = row;
  const { effectiveAt, consentedAt, noticedAt, settledAt } = row;
  return (
    `${names.get(subscriptionId)}: ${status} ${reason}, ${quantity} units from ${unitAmountBefore} to ${unitAmount} ` +
    `at ${effectiveAt}, told ${noticedAt}, agreed ${consentedAt}, settled ${settledAt}`
  );
}

async function seenRounds({ world, rounds }: Play, names: ReadonlyMap<string, string>): Promise<RoundSeen[]> {
  const seen: RoundSeen[] = [];
  for (const id of rounds) {
    const { status, progress } = await ok(world.call({ method: "GET", path: `/manage/v1/price-changes/${id}` }));
    const { leftOut, ...numbers } = progress;
    const reasons = leftOut.map(({ reason, subscriptions }: Json) => [reason, subscriptions]);
    const rows = (await list(world, `/manage/v1/price-changes/${id}/subscriptions?`)).map((row) => seenRow(row, names));
    seen.push({ status, numbers, leftOut: Object.fromEntries(reasons), rows: rows.toSorted() });
  }
  return seen;
}

/** The events of new prices, by Subscription. */
async function seenEvents({ world }: Play, names: ReadonlyMap<string, string>): Promise<string[]> {
  const seen: string[] = [];
  for (const type of EVENTS) {
    const path = `/manage/v1/events?type=subscription.price_change_${type}`;
    for (const { data, createdAt } of await list(world, path))
      seen.push(`${names.get(data.id)}: ${type} at ${createdAt}`);
  }
  return seen.toSorted();
}

/** The e-mails about new prices, by Subscription. A deletion takes the Customer's e-mails away. */
async function seenMails({ world }: Play, names: ReadonlyMap<string, string>): Promise<string[]> {
  const found = (await list(world, "/manage/v1/emails?kind=price_change")).map((mail) =>
    names.get(mail.subscriptionId),
  );
  return found
    .filter((name) => name?.startsWith("c"))
    .map(String)
    .toSorted();
}

/** The number of Subscriptions that pay each price of a unit. */
async function seenPrices({ world, names }: Play): Promise<string[]> {
  const seen: string[] = [];
  for (const [n, id] of names.products.entries()) {
    const { data } = await ok(world.call({ method: "GET", path: `/manage/v1/products/${id}/prices` }));
    for (const { currency, amount, subscriptions } of data)
      if (subscriptions > 0) seen.push(`product ${n}: ${subscriptions} pay ${amount} ${currency}`);
  }
  return seen.toSorted();
}

type Expected = { rounds: RoundSeen[]; events: string[]; mails: string[]; prices: string[] };

/** Compares rounds, events and the numbers of Subscriptions by price with the reference. */
export async function compareRounds(play: Play, expected: Expected): Promise<void> {
  const names = await nameAll(play);
  expectSame("the rounds of new prices", await seenRounds(play, names), expected.rounds);
  expectSame("the events of new prices", await seenEvents(play, names), expected.events);
  expectSame("the e-mails about new prices", await seenMails(play, names), expected.mails);
  expectSame("the prices that are paid", await seenPrices(play), expected.prices);
}
