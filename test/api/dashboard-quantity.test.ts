import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { submit } from "../support/filled-form.ts";
import { actionFieldsOf, doAction, joinAs, seen } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const SEATS = { en: { one: "seat", other: "seats" } };

let story: Story;
let owner: Desk;
let support: Desk;
let home: string;
let team: Json;
let pair: Json;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  const more = { group: "plans", unitName: SEATS };
  team = await story.plan("team", 1200, { name: "Team", quantity: { minimum: 2, maximum: 50 }, ...more });
  pair = await story.plan("pair", 1500, { name: "Pair", quantity: { minimum: 1, maximum: 2 }, ...more });
  home = `/dashboard/${story.app.organization.id}`;
  owner = await openDashboard(story.app);
  support = await joinAs(story.app, "support");
});
afterAll(() => story.close());

let buyers = 0;
const buy = (quantity = 5): Promise<Json> => {
  buyers += 1;
  const customer = { email: `buyer${buyers}@example.com`, name: "Ada" };
  return story.buy({ productKey: "team", quantity, customer }, CARDS.pays);
};
const customerPath = ({ customerId }: Json) => `${home}/customers/${customerId}`;
const changePath = (subscription: Json) => `${customerPath(subscription)}/subscriptions/${subscription.id}/change`;
const read = async (path: string, desk = support) => {
  const { status, text } = await seen(desk, path);
  return { status, text, words: wordsOf(text).replaceAll("\u00a0", " ") };
};
const asked = (subscription: Json, fields: Record<string, string>) =>
  `${changePath(subscription)}?${new URLSearchParams(fields)}`;

test("lists and the page of a Customer show the units of a Subscription", async () => {
  const bought = await buy();
  for (const path of [customerPath(bought), `${home}/subscriptions`])
    expect((await read(path)).words).toContain("US$60.00 every month 5 seats × US$12.00");
  expect((await read(`${home}/checkouts`)).words).toContain("Team 5 seats × US$12.00");
  const csv = await owner.get(`${home}/subscriptions.csv`);
  const [heading, ...rows] = csv.text.trim().split("\r\n");
  expect(heading).toContain("price,quantity,unit_price,interval");
  expect(rows.some((row) => row.includes(",60.00,5,12.00,month"))).toBe(true);
});

test("another quantity has a preview at the price as sold, and the click charges this amount", async () => {
  const bought = await buy();
  await story.ok(story.app.manage("PATCH", `/products/${team.id}`, { prices: [{ currency: "usd", amount: 1300 }] }));
  const start = await read(changePath(bought));
  expect(start.words).toContain("The Customer pays US$60.00, every month (5 seats × US$12.00).");
  expect(start.words).toContain("Quantity of Team Sold in 2 to 50 seats. Preview this quantity");
  const { text, words } = await read(asked(bought, { productId: team.id, quantity: "8" }));
  expect(words).toContain("Change Team to 8 seats of Team");
  expect(words).toContain("New price US$96.00, every month Quantity 8 seats × US$12.00 The quantity changes Now");
  expect(words).toContain("Charge US$36.00 and change to 8 seats of Team");
  const done = await support.post(changePath(bought), actionFieldsOf(text)!);
  expect(done.headers.get("Location")).toBe(`${customerPath(bought)}?done=plan#${bought.id}`);
  expect(await story.subscription(bought.id)).toMatchObject({ quantity: 8, unitAmount: 1200, amount: 9600 });
  const log = await story.ok(story.app.manage("GET", "/audit-log?limit=1"));
  expect(log.data[0]).toMatchObject({ values: { quantity: 8, prorationBehavior: "invoice_now" } });
  await story.ok(story.app.manage("PATCH", `/products/${team.id}`, { prices: [{ currency: "usd", amount: 1200 }] }));
});

test("a fall has the default of a fall, and a scheduled one is shown with its units", async () => {
  await story.ok(story.app.manage("PATCH", "/organization", { quantityFall: "next_period" }));
  const bought = await buy();
  const page = asked(bought, { productId: team.id, quantity: "3" });
  expect((await read(page)).words).toContain("Schedule the change to 3 seats of Team");
  expect((await doAction(support, page)).status).toBe(303);
  expect(await story.subscription(bought.id)).toMatchObject({ pendingChange: { quantity: 3, amount: 3600 } });
  expect((await read(customerPath(bought))).words).toContain("Changes to Team (3 seats × US$12.00) 1 Apr 2026");
  await story.ok(story.app.manage("PATCH", "/organization", { quantityFall: "invoice_now" }));
});

test("another Product takes a quantity with it, and a quantity that it does not offer shows its limits", async () => {
  const bought = await buy();
  const kept = await read(asked(bought, { productId: pair.id }));
  expect(kept.words).toContain("The Product is sold in 1 to 2 seats.");
  expect(kept.words).toContain("Quantity of Pair Sold in 1 to 2 seats.");
  const page = asked(bought, { productId: pair.id, quantity: "2" });
  expect((await read(page)).words).toContain("New price US$30.00, every month Quantity 2 seats × US$15.00");
  expect((await doAction(support, page)).status).toBe(303);
  expect(await story.subscription(bought.id)).toMatchObject({ productId: pair.id, quantity: 2, amount: 3000 });
});

test("a Subscription by hand has a quantity, within the limits of its Product", async () => {
  const { id } = await story.ok(story.app.api("POST", "/customers", { email: "hand@example.com" }));
  const page = `${home}/customers/${id}/subscriptions/new`;
  const fields = { productId: team.id, quantity: "51" };
  const refused = await submit(support, page, fields);
  expect([refused.status, wordsOf(refused.text)]).toEqual([
    422,
    expect.stringContaining("The Product is sold in 2 to 50 seats."),
  ]);
  const shown = await submit(support, page, { ...fields, quantity: "4" });
  expect(wordsOf(shown.text)).toContain("Price US$48.00, every month Quantity 4 seats × US$12.00");
});

test("a Checkout link has a quantity, and may let the buyer choose", async () => {
  const page = `${home}/checkouts/new`;
  expect((await read(page)).words).toContain("Team: US$12.00, every month, 2 to 50 seats");
  for (const [fields, fault] of [
    [{ quantity: "1" }, "The Product is sold in 2 to 50 seats."],
    [{ "quantityChange.maximum": "51" }, "The Product is sold in 2 to 50 seats."],
    [{ quantity: "2.5" }, "This must be a whole number."],
  ] as const) {
    const refused = await submit(support, page, { productId: team.id, ...fields });
    expect([refused.status, wordsOf(refused.text)], JSON.stringify(fields)).toEqual([
      422,
      expect.stringContaining(fault),
    ]);
  }
  const range = { "quantityChange.minimum": "2", "quantityChange.maximum": "10" };
  const made = await submit(support, page, { productId: team.id, quantity: "5", ...range });
  expect(made.status).toBe(303);
  const location = made.headers.get("Location")!;
  const [, id] = /checkouts\/(chk_\w+)/.exec(location)!;
  expect(await story.ok(story.app.api("GET", `/checkouts/${id}`))).toMatchObject({
    quantity: 5,
    unitAmount: 1200,
    quantityChange: { minimum: 2, maximum: 10 },
  });
  expect((await read(location)).words).toContain("The buyer can choose 2 to 10");
});
