import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z", timeZone: "America/New_York" });
  await story.plan("pro", 3000);
  await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
  // In New York this is still 30 June.
  await story.travel("2025-07-01T03:00:00Z");
  await story.buy({ productKey: "pro", customer: { email: "ben@example.com" } }, CARDS.pays);
});
afterAll(() => story.close());

test("the figures of months in the Organization's time zone", async () => {
  const { app, ok } = story;
  const query = "from=2025-05-20&to=2025-07-02&interval=month";
  const { data, ...others } = await ok(app.manage("GET", `/metrics?${query}`));
  expect(others).toEqual({ currency: "usd", interval: "month", timeZone: "America/New_York", complete: true });
  expect(data.map(({ name, mrr }: { name: string; mrr: number }) => [name, mrr])).toEqual([
    ["2025-05", 0],
    ["2025-06", 6000],
    ["2025-07", 6000],
  ]);
  expect(data[1]).toMatchObject({
    start: "2025-06-01T04:00:00.000Z",
    end: "2025-07-01T04:00:00.000Z",
    subscriptions: { trialing: 0, active: 2, pastDue: 0 },
    movements: { new: { amount: 6000, subscriptions: 2 }, churn: { amount: 0, subscriptions: 0 } },
    revenue: { sales: 6000, refunds: 0, tax: 0, net: 6000 },
    recovered: { amount: 0, payments: 0 },
  });
  const { data: days } = await ok(app.manage("GET", "/metrics?from=2025-06-30&to=2025-07-01"));
  expect(days.map(({ movements }: { movements: { new: object } }) => movements.new)).toEqual([
    { amount: 3000, subscriptions: 1 },
    { amount: 0, subscriptions: 0 },
  ]);
});

test("another currency and another Organization have figures of their own", async () => {
  const { app, ok } = story;
  const { data } = await ok(app.manage("GET", "/metrics?from=2025-06-01&to=2025-06-01&currency=EUR"));
  expect(data[0]).toMatchObject({ mrr: 0, revenue: { sales: 0 } });
  const wanted = { name: "Other", mode: "sandbox" } as const;
  const { keys } = await app.ctx.db.tx((tx) => createOrganizationWithKeys(tx, wanted));
  const answer = await fetch(`${app.url}/manage/v1/metrics?from=2025-06-01&to=2025-06-01`, {
    headers: { Authorization: `Bearer ${keys.manage}` },
  });
  expect(await answer.json()).toMatchObject({ data: [{ mrr: 0, revenue: { sales: 0 } }] });
});

test.each([
  ["to=2025-06-01", "from", "required", "This is missing"],
  ["from=2025-06-31&to=2025-07-01", "from", "invalid_date", "This is not a date such as 2026-10-31."],
  ["from=2025-07-01&to=2025-06-01", "to", "end_before_start", "The last day (`to`) is before the first day (`from`)."],
  ["from=2024-01-01&to=2025-06-01", "from", "span_too_long", "Ask for 366 days or 120 months at most."],
  ["from=2025-06-01&to=2025-06-01&interval=week", "interval", "invalid_value", 'This must be "day" or "month".'],
  ["from=2025-06-01&to=2025-06-01&currency=xxx", "currency", "invalid_currency", "This is not an active ISO 4217"],
])("%s is refused", async (query, field, code, message) => {
  const { status, body } = await story.app.manage("GET", `/metrics?${query}`);
  expect(status).toBe(422);
  expect(body.errors).toEqual([
    {
      in: "query",
      code,
      pointer: expect.stringContaining(field),
      message: expect.stringContaining(message),
    },
  ]);
});
