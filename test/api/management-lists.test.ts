import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";

let app: TestApp;
let foreign: TestCall;
/** The resources of one purchase: a Subscription without a trial, paid by card, with a Benefit. */
let bought: { customer: Json; checkout: Json; subscription: Json };
const CUSTOMERS = 7;

beforeAll(async () => {
  app = await startTestApp();
  foreign = caller(`${app.url}/manage/v1`, (await app.otherOrganization()).keys.manage);
  for (let n = 1; n <= CUSTOMERS; n += 1) {
    await app.api("POST", "/customers", { email: `buyer${n}@example.com`, name: `Buyer ${n}`, externalId: `b-${n}` });
  }
  const benefit = (await app.manage("POST", "/benefits", { type: "feature", key: "sso", name: "SSO" })).body;
  const prices = [{ currency: "usd", amount: 1000 }];
  await app.manage("POST", "/products", {
    key: "pro",
    name: "Pro",
    interval: "month",
    prices,
    benefitIds: [benefit.id],
  });
  const open = (await app.api("POST", "/checkouts", { productKey: "pro", externalCustomerId: "b-1" })).body;
  const paid = await app.manage("POST", `/sandbox/checkouts/${open.id}/pay`, { card: "4242424242424242" });
  expect(paid).toMatchObject({ status: 200, body: { status: "completed" } });
  const { nextAction: _, ...checkout } = paid.body;
  await app.manage("POST", `/invoices/${checkout.invoiceId}/refunds`, { amount: 1, to: "balance" });
  const subscription = (await app.api("GET", `/subscriptions/${checkout.subscriptionId}`)).body;
  const customer = (await app.manage("GET", `/customers/${checkout.customerId}`)).body;
  bought = { customer, checkout, subscription };
});
afterAll(() => app.close());

/** Every row of a list, page by page. */
async function walk(path: string, limit: number, manage: TestCall = app.manage): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { status, body }: { status: number; body: Json } = await manage(
      "GET",
      `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    if (body.nextCursor !== null) expect(body.data).toHaveLength(limit);
    rows.push(...body.data);
    cursor = body.nextCursor;
  }
  return rows;
}

const ids = (rows: Json[]) => rows.map((row) => row.id as string);
const LISTS = [
  "customers",
  "products",
  "benefits",
  "checkouts",
  "subscriptions",
  "invoices",
  "payments",
  "refunds",
  "credit-notes",
  "benefit-grants",
  "events",
  "emails",
];

describe("a list", () => {
  test.each(LISTS)("of %s is the same in pages of any size, and empty for another Organization", async (list) => {
    const all = await walk(`/${list}`, 100);
    expect(all.length).toBeGreaterThan(0);
    const sorted = ids(all).toSorted();
    expect(ids(all)).toEqual(list === "events" ? sorted : sorted.toReversed());
    for (const limit of [1, 2, 3]) expect(await walk(`/${list}`, limit)).toEqual(all);
    expect(await walk(`/${list}`, 100, foreign)).toEqual([]);
  });

  it("goes on where it was when rows come in between", async () => {
    const first = (await app.manage("GET", "/customers?limit=2&search=buyer")).body;
    await app.api("POST", "/customers", { email: "late@example.com" });
    const second = (await app.manage("GET", `/customers?limit=100&search=buyer&cursor=${first.nextCursor}`)).body;
    const names = [...first.data, ...second.data].map((customer: Json) => customer.name);
    expect(names).toEqual(Array.from({ length: CUSTOMERS }, (_, n) => `Buyer ${CUSTOMERS - n}`));
  });

  test.each(LISTS)("of %s refuses a wrong cursor, limit or parameter", async (list) => {
    for (const [query, pointer] of [
      ["cursor=x", "cursor"],
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["offset=1", "offset"],
    ]) {
      const answer = await app.manage("GET", `/${list}?${query}`);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ in: "query", pointer }] } });
    }
  });
});

describe("a filter", () => {
  test.each([
    ["customers", "externalId=b-1"],
    ["customers", "email=BUYER1%40example.com"],
    ["checkouts", "status=completed"],
    ["checkouts", "externalCustomerId=b-1"],
    ["subscriptions", "externalCustomerId=b-1"],
    ["subscriptions", "status=active"],
    ["invoices", "status=paid&reason=checkout"],
    ["invoices", "externalCustomerId=b-1"],
    ["payments", "status=succeeded&trigger=checkout"],
    ["payments", "externalCustomerId=b-1"],
    ["benefit-grants", "status=active&type=feature"],
    ["benefit-grants", "externalCustomerId=b-1"],
  ])("of %s by %s finds the one", async (list, query) => {
    expect((await app.manage("GET", `/${list}?${query}`)).body.data).toHaveLength(1);
  });

  test.each([
    ["customers", "search=nobody"],
    ["checkouts", "status=expired"],
    ["subscriptions", "status=trialing"],
    ["invoices", "status=void"],
    ["payments", "trigger=renewal"],
    ["benefit-grants", "status=revoked"],
    ["events", "type=invoice.voided"],
  ])("of %s by %s finds none", async (list, query) => {
    expect((await app.manage("GET", `/${list}?${query}`)).body).toEqual({ data: [], nextCursor: null });
  });

  test.each(["checkouts", "subscriptions", "invoices", "payments", "benefit-grants"])(
    "of %s by Customer",
    async (list) => {
      const query = (id: string) => app.manage("GET", `/${list}?customerId=${id}`);
      const [row] = (await query(bought.customer.id)).body.data;
      expect(row.customerId).toBe(bought.customer.id);
      expect((await query("cus_unknown")).body.data).toEqual([]);
    },
  );

  test.each(["invoices", "payments", "benefit-grants"])("of %s by Subscription", async (list) => {
    const { data } = (await app.manage("GET", `/${list}?subscriptionId=${bought.subscription.id}`)).body;
    expect(data).toMatchObject([{ subscriptionId: bought.subscription.id }]);
  });
});

describe("a purchase", () => {
  it("reads the same on both surfaces, by itself and in its list", async () => {
    for (const [list, resource] of [
      ["checkouts", bought.checkout],
      ["subscriptions", bought.subscription],
    ] as const) {
      const read = await app.manage("GET", `/${list}/${resource.id}`);
      expect(read.body).toEqual(resource);
      expect((await app.manage("GET", `/${list}?limit=1`)).body.data).toEqual([resource]);
      const etag = read.headers.get("ETag") as string;
      expect((await app.manage("GET", `/${list}/${resource.id}`, undefined, { "If-None-Match": etag })).status).toBe(
        304,
      );
    }
    const [grant] = (await app.manage("GET", "/benefit-grants")).body.data;
    const [active] = (await app.api("GET", "/benefit-grants?externalCustomerId=b-1")).body.data;
    expect(grant).toEqual({ ...active, status: "active", revokedAt: null, reason: "purchased" });
    expect(active).toMatchObject({
      properties: { feature: "sso", value: true },
      expiresAt: null,
      subscriptionId: bought.subscription.id,
    });
  });

  it("has an Invoice that adds up, paid by a card", async () => {
    const [invoice] = (await app.manage("GET", "/invoices")).body.data;
    expect((await app.manage("GET", `/invoices/${invoice.id}`)).body).toEqual(invoice);
    expect(invoice).toMatchObject({
      status: "paid",
      totalAmount: 1000,
      amountDue: 1000,
      amountPaid: 1000,
      checkoutId: bought.checkout.id,
    });
    expect(invoice.lines).toMatchObject([
      { amount: 1000, proration: false, periodStart: bought.subscription.currentPeriodStart },
    ]);
    const [payment] = (await app.manage("GET", `/payments?invoiceId=${invoice.id}`)).body.data;
    expect((await app.manage("GET", `/payments/${payment.id}`)).body).toEqual(payment);
    expect(payment).toMatchObject({
      status: "succeeded",
      amount: 1000,
      currency: "usd",
      method: { type: "card", last4: "4242" },
    });
    const balance = (await app.manage("GET", `/customers/${bought.customer.id}/balance`)).body;
    expect(balance).toEqual({ data: [{ currency: "usd", amount: 1, held: 0, available: 1 }] });
  });

  it("is told by events that show each resource as this surface reads it", async () => {
    const { data } = (await app.manage("GET", `/events?resourceId=${bought.subscription.id}`)).body;
    expect(data).toMatchObject([{ type: "subscription.created", sequence: 1, data: bought.subscription }]);
    expect((await app.manage("GET", `/events/${data[0].id}`)).body).toEqual(data[0]);
  });

  it("does not exist for another Organization", async () => {
    const [event] = (await app.manage("GET", "/events?limit=1")).body.data;
    const [invoice] = (await app.manage("GET", "/invoices?limit=1")).body.data;
    const [payment] = (await app.manage("GET", "/payments?limit=1")).body.data;
    const paths = [
      `/payments/${payment.id}`,
      `/customers/${bought.customer.id}`,
      `/customers/${bought.customer.id}/balance`,
      `/checkouts/${bought.checkout.id}`,
      `/subscriptions/${bought.subscription.id}`,
      `/invoices/${invoice.id}`,
      `/events/${event.id}`,
    ];
    for (const path of paths) {
      expect((await app.manage("GET", path)).status).toBe(200);
      expect(await foreign("GET", path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    for (const list of LISTS.filter((name) => name !== "products" && name !== "benefits")) {
      expect((await foreign("GET", `/${list}`)).body.data).toEqual([]);
    }
  });
});
