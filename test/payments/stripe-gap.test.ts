import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CardPages, EventRef } from "../../src/payments/provider.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, ORGANIZATION, type StripeWorld } from "./stripe-world.ts";

const DAY = 86_400_000;

let now = Date.UTC(2026, 5, 1);
let stripe: StripeServer;
let world: StripeWorld;

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings: { now: () => now } });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});

/** The cards on file, by pages of two. */
let onFile: string[] = [];
const cards: CardPages = async (after) => {
  const first = Number(after ?? 0);
  const next = onFile.length > first + 2 ? String(first + 2) : null;
  return { refs: onFile.slice(first, first + 2), next };
};
const since = (cursor: string | null) => world.provider.notices.since(ORGANIZATION, cursor, cards);

/** A charge that succeeded, and its intent. */
async function charged(token = "pm_card_visa", parts = {}) {
  const wanted = chargeOf(await world.attached(token), parts);
  expect(await world.provider.charge(wanted)).toEqual({ status: "succeeded" });
  const intents = [...stripe.book.paymentIntents.values()];
  return { intent: intents.find(({ metadata }) => metadata["billow_key"] === wanted.key)!.id };
}

describe("after more than 30 days, Stripe has forgotten events, and the event references", () => {
  /** All event references from a cursor on, by pages. */
  async function read(from: string) {
    const pages: EventRef[][] = [];
    for (let [cursor, more]: [string | null, boolean] = [from, true]; more;) {
      const page = await since(cursor);
      expect(page.refs.length).toBeLessThanOrEqual(100);
      pages.push(page.refs);
      ({ cursor, more } = page);
    }
    return pages;
  }
  const objectsOf = (pages: EventRef[][], type: string) =>
    pages
      .flat()
      .filter((ref) => ref.type === type)
      .map(({ object }) => object);

  it("name disputes, refunds and cards that may have changed, page by page", async () => {
    const settled = await charged();
    stripe.operations.dispute(settled.intent);
    now += 300 * DAY;
    const many = await charged("pm_card_visa", { amount: 100_000 });
    stripe.operations.refund(many.intent, 10);
    const dispute = stripe.operations.dispute((await charged()).intent);
    now += 100 * DAY;
    const refunds = Array.from({ length: 120 }, () => stripe.operations.refund(many.intent, 10).id);
    const cursor = String(now / 1000);
    onFile = ["pm_1", "pm_2", "pm_3"];
    now += 40 * DAY;
    const last = stripe.operations.refund(many.intent, 10).id;
    const pages = await read(cursor);
    onFile = [];
    expect(objectsOf(pages, "gap.disputes")).toEqual([dispute.id]);
    expect(objectsOf(pages, "gap.refunds").toSorted()).toEqual([...refunds, last].toSorted());
    expect(objectsOf(pages, "gap.cards")).toEqual(["pm_1", "pm_2", "pm_3"]);
    expect(pages.map(({ length }) => length)).toEqual([1, 100, 21, 2, 1, expect.any(Number)]);
    const ids = pages.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("go on with the events since the beginning of that look", async () => {
    const cursor = String(now / 1000);
    now += 30 * DAY;
    expect((await since(cursor)).refs.filter(({ type }) => type.startsWith("gap"))).toEqual([]);
    now += DAY;
    let page = await since(cursor);
    // The next page is read two days later, perhaps by another process.
    now += 2 * DAY;
    const { intent } = await charged();
    const { id } = stripe.operations.dispute(intent);
    const seen: string[] = [];
    for (now += 60_000; page.more;) {
      page = await since(page.cursor);
      seen.push(...page.refs.filter(({ object }) => object === id).map(({ type }) => type));
    }
    expect(seen).toContain("charge.dispute.created");
    expect(page.cursor).toBe(String(now / 1000));
  });
});
