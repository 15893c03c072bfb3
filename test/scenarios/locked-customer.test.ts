import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

/** Rows that the decisions about a Customer lock. */
const lockStatements = ["customers", "products", "benefits", "checkouts"].map((table) =>
  sql(`test.hold_${table}`, `SELECT id FROM ${table} WHERE organization_id = $1 FOR UPDATE`),
);

let story: Story;
let portal: string;
let sold: Json;
let there: WebClient;
let team: string;
let page: Json;

beforeAll(async () => {
  ({ story, portal, subscription: sold } = await startPortalStory());
  const { app, ok } = story;
  const { id: benefitId } = await ok(app.manage("POST", "/benefits", { key: "api", type: "feature", name: "API" }));
  await story.plan("team", 6000, { name: "Team", benefitIds: [benefitId] });
  const { data } = await ok(app.manage("GET", "/products"));
  team = data.find(({ key }: Json) => key === "team").id;
  const credit = { currency: "usd", amount: 700, reason: "By hand" };
  await ok(app.manage("POST", `/customers/${sold.customerId}/balance-adjustments`, credit));
  page = await ok(app.api("POST", "/checkouts", { productKey: "team", subscriptionId: sold.id }));
  there = await signInTo(story, sold.customerId);
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

/** Does `work` while another transaction holds the rows. */
const meanwhile = <T>(work: () => Promise<T>): Promise<T> =>
  story.app.ctx.db.tx(async (tx) => {
    for (const statement of lockStatements)
      expect(await tx.query(statement, [story.app.organization.id])).not.toEqual([]);
    return work();
  });

describe("while another transaction holds a Customer, the same is shown at once", () => {
  const PAGES: [string, () => string][] = [
    ["the portal", () => portal],
    ["the card", () => `${portal}/card`],
    ["the cancellation", () => `${portal}/subscriptions/${sold.id}/cancel`],
    ["the plans", () => `${portal}/subscriptions/${sold.id}/plan`],
    ["the change to a plan", () => `${portal}/subscriptions/${sold.id}/plan/${team}`],
    ["the page of a Checkout", () => new URL(page.url).pathname],
  ];
  it.each(PAGES)("on %s", async (_, path) => {
    const before = await there.get(path());
    expect(before.status).toBe(200);
    const shown = await meanwhile(() => there.get(path()));
    expect([shown.status, wordsOf(shown.text)]).toEqual([200, wordsOf(before.text)]);
  });

  const ANSWERS: [string, () => Promise<{ status: number; body: Json }>][] = [
    ["a balance", () => story.app.manage("GET", `/customers/${sold.customerId}/balance`)],
    [
      "the preview of a change",
      () => story.app.manage("POST", `/subscriptions/${sold.id}/preview`, { productKey: "team" }),
    ],
    ["a Checkout", () => story.app.api("GET", `/checkouts/${page.id}`)],
    ["a list of Checkouts", () => story.app.manage("GET", "/checkouts")],
  ];
  it.each(ANSWERS)("in the answer about %s", async (_, ask) => {
    const before = await ask();
    expect(before.status).toBe(200);
    const { status, body } = await meanwhile(ask);
    expect([status, body]).toEqual([200, before.body]);
  });
});

it("a page that was read during a renewal shows the state before or after the renewal, never a mixture", async () => {
  const bob = await story.buy({ productKey: "pro", customer: { email: "bob@example.com" } }, CARDS.pays);
  const client = await signInTo(story, bob.customerId);
  const read = async () => wordsOf((await client.get(portal)).text).replaceAll("\u00a0", " ");
  const before = await read();
  const renewing = story.travel("2026-04-02");
  const seen: string[] = [];
  let done = false;
  void renewing.finally(() => (done = true));
  while (!done) seen.push(await read());
  await renewing;
  const after = await read();
  expect(before).not.toBe(after);
  for (const each of seen) {
    const next = ["1 April 2026: US$30.00", "1 May 2026: US$30.00"].filter((text) => each.includes(text));
    expect(next, each).toHaveLength(1);
  }
});
