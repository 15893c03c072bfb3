import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { advanceSandbox, caller, type Json, type TestAnswer } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let customerId: string;
let other: string;
let endpoint: Json;

const exported = (id = customerId, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  story.app.manage("GET", `/customers/${id}/export`, undefined, headers);

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  const { manage } = story.app;
  endpoint = await story.ok(manage("POST", "/webhook-endpoints", { url: "https://example.com/hook" }));
  const key = { key: "app", name: "App", type: "license_key", properties: {} };
  const { id: benefitId } = await story.ok(manage("POST", "/benefits", key));
  await story.plan("team", 1200, { name: "Team", benefitIds: [benefitId] });
  await story.plan("large", 3600, { name: "Large", benefitIds: [benefitId] });
  const billingAddress = { country: "DE", line1: "Am Nadelöhr 1", postalCode: "10115", city: "Berlin" };
  const customer = { email: "ada@example.com", externalId: "ada", name: "Ada", billingAddress };
  const sold = await story.buy({ productKey: "team", customer }, CARDS.pays);
  customerId = sold.customerId;
  await story.ok(story.app.api("PATCH", `/subscriptions/${sold.id}`, { productKey: "large" }));
  await story.ok(advanceSandbox(manage, { by: "P1M" }));
  const [invoice] = (await story.ok(manage("GET", `/invoices?customerId=${customerId}&status=paid`))).data;
  await story.ok(manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 100 }));
  const adjustment = { currency: "usd", amount: 500, reason: "For the outage" };
  await story.ok(manage("POST", `/customers/${customerId}/balance-adjustments`, adjustment));
  const [grant] = (await story.ok(manage("GET", `/benefit-grants?customerId=${customerId}`))).data;
  const device = { organizationId: story.app.organization.id, key: grant.properties.key, label: "Laptop" };
  await story.ok(story.app.licenses("POST", "/activate", device));
  other = (await story.buy({ productKey: "team", customer: { email: "bob@example.com" } }, CARDS.pays)).customerId;
});
afterAll(() => story.close());

/** Lists of the export, and the list of the API with the same rows. */
const LISTS: Record<string, (id: string) => string> = {
  paymentMethods: (id) => `/customers/${id}/payment-methods?`,
  subscriptions: (id) => `/subscriptions?customerId=${id}`,
  checkouts: (id) => `/checkouts?customerId=${id}`,
  invoices: (id) => `/invoices?customerId=${id}`,
  creditNotes: (id) => `/credit-notes?customerId=${id}`,
  payments: (id) => `/payments?customerId=${id}`,
  refunds: (id) => `/refunds?customerId=${id}`,
  disputes: (id) => `/disputes?customerId=${id}`,
  balanceEntries: (id) => `/customers/${id}/balance-entries?`,
  benefitGrants: (id) => `/benefit-grants?customerId=${id}`,
};

describe("GET /customers/{customerId}/export", () => {
  it("answers a file to keep with all data of the Customer", async () => {
    const { status, headers, body } = await exported();
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("application/json");
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${customerId}.json"`);
    const { organization } = story.app;
    expect(body).toMatchObject({
      format: "billow-customer-export",
      formatVersion: 1,
      seller: { id: organization.id, name: organization.name, legalName: null },
      customer: { id: customerId, email: "ada@example.com", billingAddress: { line1: "Am Nadelöhr 1" } },
      balances: [{ currency: "usd", amount: 500 }],
      licenseActivations: [{ label: "Laptop" }],
    });
    for (const [name, pathOf] of Object.entries(LISTS)) {
      const { data } = await story.ok(story.app.manage("GET", `${pathOf(customerId)}&limit=100`));
      expect(body[name], name).toMatchObject(data);
    }
    expect(body.invoices.length).toBeGreaterThan(1);
    expect(body.balanceEntries).toMatchObject([{ customerId, note: "For the outage" }]);
    expect(body.emails.map(({ customerId: id }: Json) => id)).toEqual(body.emails.map(() => customerId));
    expect(body.emails.length).toBeGreaterThan(0);
    const types = new Set(body.events.map(({ type }: Json) => type));
    expect([...types]).toEqual(expect.arrayContaining(["customer.created", "invoice.paid", "refund.created"]));
  });

  it("has no row of another Customer, and no secret", async () => {
    const text = JSON.stringify((await exported()).body);
    expect(text).not.toContain(other);
    expect(text).not.toContain("bob@example.com");
    expect(text).not.toContain(endpoint.secret);
    expect(text).not.toMatch(/blw_test_|whsec_|\/sign-in\//);
  });

  it("makes an entry in the audit log, and a refused request makes none", async () => {
    const entries = async () => (await story.ok(story.app.manage("GET", "/audit-log?operation=exportCustomer"))).data;
    const before = (await entries()).length;
    expect((await exported()).status).toBe(200);
    expect((await exported("cus_00000000000000000000000000")).status).toBe(404);
    const after = await entries();
    expect(after).toHaveLength(before + 1);
    expect(after[0]).toMatchObject({
      operation: "exportCustomer",
      actor: { type: "key" },
      customerId,
      resourceId: customerId,
    });
  });

  it("answers 403 to a public key, 401 without a key, and 406 to a caller without JSON", async () => {
    const base = `${story.app.url}/manage/v1`;
    const path = `/customers/${customerId}/export`;
    expect((await caller(base, story.app.keys.public)("GET", path)).body).toMatchObject({
      status: 403,
      code: "insufficient_scope",
    });
    expect((await caller(base, null)("GET", path)).body).toMatchObject({ status: 401 });
    expect((await exported(customerId, { Accept: "text/html" })).body).toMatchObject({ code: "not_acceptable" });
    expect((await story.app.manage("GET", `${path}?limit=1`)).status).toBe(422);
  });

  it("answers 404 to a key of another Organization", async () => {
    const { keys } = await story.app.otherOrganization();
    const theirs = caller(`${story.app.url}/manage/v1`, keys.manage);
    const answer = await theirs("GET", `/customers/${customerId}/export`);
    expect(answer.body).toMatchObject({ status: 404, code: "not_found" });
  });

  it("answers 404 for a deleted Customer, whose documents are still listed", async () => {
    const customer = { email: "gone@example.com", externalId: "gone" };
    const gone = (await story.buy({ productKey: "team", customer }, CARDS.pays)).customerId;
    await story.ok(story.app.manage("DELETE", `/customers/${gone}`));
    expect((await exported(gone)).body).toMatchObject({ code: "not_found" });
    const { data } = await story.ok(story.app.manage("GET", `/invoices?customerId=${gone}`));
    expect(data).toHaveLength(1);
  });
});

test("many exports at once are answered or refused, and none waits for ever", async () => {
  const answers = await Promise.all(Array.from({ length: 24 }, () => exported()));
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].toSorted()).toEqual([200, 429]);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body).toMatchObject({ code: "rate_limited" });
  expect(refused.headers.get("Retry-After")).toBe("1");
  expect((await exported()).status).toBe(200);
});
