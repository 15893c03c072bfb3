import fc from "fast-check";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { addDays24, parseInstant } from "../../src/domain/calendar.ts";
import { NO_DUNNING, withDerived, type Subscription } from "../../src/domain/model/subscription.ts";
import { startServer } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { billingNow, organizations } from "../../src/store/organizations.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { foreignCallersOf, testOperation } from "../support/operations.ts";
import { CARDS } from "../support/story.ts";

const dataDir = mkdtempSync(join(tmpdir(), "billow-data-"));
let app: TestApp;
const benefit: Record<string, Json> = {};
const read = (query: string) => app.api("GET", `/benefit-grants?${query}`);
const grants = async (query: string): Promise<Json[]> => (await read(query)).body.data;

async function buy(productKey: string, name: string, by: Pick<TestApp, "api" | "manage"> = app): Promise<Json> {
  const customer = { email: `${name}@example.com`, externalId: name };
  const { body } = await by.api("POST", "/checkouts", { productKey, customer });
  const paid = await by.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: CARDS.pays });
  expect(paid.body).toMatchObject({ status: "completed" });
  return paid.body;
}

beforeAll(async () => {
  app = await startTestApp({ dataDir });
  const downloads = join(dataDir, "downloads", app.organization.id);
  mkdirSync(downloads, { recursive: true });
  writeFileSync(join(downloads, "app.dmg"), "12345");
  const benefits = [
    { key: "sso", type: "feature", name: "SSO", description: "Single sign-on", metadata: { tier: 2 } },
    { key: "licence", type: "license_key", name: "Licence", properties: { prefix: "APP", activationLimit: 3 } },
    { key: "app", type: "download", name: "App", properties: { files: [{ path: "app.dmg" }] } },
    { key: "note", type: "custom", name: "Note", properties: { note: "Thanks" } },
  ];
  for (const fields of benefits) benefit[fields.key] = (await app.manage("POST", "/benefits", fields)).body;
  const ids = (...keys: string[]) => keys.map((key) => benefit[key].id);
  const products = {
    all: { interval: "month", benefitIds: ids("sso", "licence", "app", "note") },
    addon: { interval: "month", group: "addons", benefitIds: ids("licence", "sso") },
    book: { benefitIds: ids("licence", "note") },
    empty: { interval: "month" },
  };
  const prices = [{ currency: "usd", amount: 1000 }];
  for (const [key, fields] of Object.entries(products))
    await app.manage("POST", "/products", { key, name: key, prices, ...fields });
  await buy("book", "ada");
});
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true });
});

testOperation(() => app, {
  method: "GET",
  path: () => "/benefit-grants?externalCustomerId=ada",
  allow: "GET, HEAD, OPTIONS",
});

describe("a grant", () => {
  it("has every field, and properties by the type of its Benefit", async () => {
    const { subscriptionId, customerId, completedAt } = await buy("all", "every");
    const found = await grants("externalCustomerId=every");
    const properties: Record<string, [setUp: object, granted: object]> = {
      sso: [
        { feature: "sso", value: true },
        { feature: "sso", value: true },
      ],
      licence: [
        { prefix: "APP", activationLimit: 3 },
        { key: expect.stringMatching(/^APP(-[0-9A-HJKMNP-TV-Z]{5}){4}$/), activationLimit: 3, activations: 0 },
      ],
      app: [
        { files: [{ name: "app.dmg", size: 5 }] },
        { files: [{ name: "app.dmg", size: 5, url: expect.stringMatching(/^http:.*\/downloads\//) }] },
      ],
      note: [{ note: "Thanks" }, { note: "Thanks" }],
    };
    for (const [key, [setUp, granted]] of Object.entries(properties)) {
      const { id, type, name, description, metadata } = benefit[key];
      expect(found.find((grant) => grant.benefitId === id)).toEqual({
        id: expect.stringMatching(/^bgr_/),
        customerId,
        externalCustomerId: "every",
        benefitId: id,
        subscriptionId,
        invoiceId: null,
        quantity: 1,
        benefit: { id, key, type, name, description, properties: setUp, metadata },
        properties: granted,
        grantedAt: completedAt,
        expiresAt: null,
        createdAt: completedAt,
      });
    }
    expect(found).toHaveLength(4);
  });

  it("does not show where a file lies", async () => {
    expect(JSON.stringify((await read("externalCustomerId=every")).body)).not.toContain('"path"');
  });

  it("is made once for each Subscription or purchase that gives it", async () => {
    const sources = [
      await buy("book", "many"),
      await buy("all", "many"),
      await buy("addon", "many"),
      await buy("book", "many"),
    ];
    const found = await grants(`externalCustomerId=many&benefitId=${benefit["licence"].id}`);
    const made = sources.map(({ subscriptionId, invoiceId }) => subscriptionId ?? invoiceId).reverse();
    expect(found.map((grant) => grant.subscriptionId ?? grant.invoiceId)).toEqual(made);
    expect(new Set(found.map((grant) => grant.properties.key)).size).toBe(4);
    for (const grant of found)
      expect([grant.subscriptionId, grant.invoiceId].filter((id) => id !== null)).toHaveLength(1);
  });
});

describe("a query", () => {
  test.each([
    ["", "customerId one_customer"],
    ["customerId=cus_1&externalCustomerId=ada", "customerId one_customer"],
    ["externalCustomerId=", "externalCustomerId too_short"],
    ["externalCustomerId=ada&externalCustomerId=bob", "externalCustomerId repeated"],
    [`externalCustomerId=${"x".repeat(256)}`, "externalCustomerId too_long"],
    ["externalCustomerId=ada&type=gift", "type invalid_value"],
    ["externalCustomerId=ada&limit=0", "limit too_small"],
    ["externalCustomerId=ada&limit=101", "limit too_large"],
    ["externalCustomerId=ada&limit=-1", "limit too_small"],
    ["externalCustomerId=ada&limit=", "limit invalid_type"],
    ["externalCustomerId=ada&limit=all", "limit invalid_type"],
    ["externalCustomerId=ada&cursor=", "cursor invalid_cursor"],
    ["externalCustomerId=ada&cursor=nonsense", "cursor invalid_cursor"],
    [`externalCustomerId=ada&cursor=${newId("sub")}`, "cursor invalid_cursor"],
    ["externalCustomerId=ada&status=revoked", "status unknown_parameter"],
  ])("422: %s", async (query, fault) => {
    const { status, body } = await read(query);
    expect([status, body.errors.map((each: Json) => `${each.pointer} ${each.code}`)]).toEqual([422, [fault]]);
  });

  test.each([
    ["externalCustomerId=every&type=license_key", ["licence"]],
    ["externalCustomerId=every&type=feature&limit=1", ["sso"]],
    ["externalCustomerId=%20every%20", ["note", "app", "licence", "sso"]],
    ["externalCustomerId=every&benefitId=nonsense", []],
  ])("%s", async (query, keys) => {
    expect((await grants(query)).map((grant) => grant.benefit.key).sort()).toEqual(keys.sort());
  });

  it("tells an unknown Customer from one that never bought anything", async () => {
    const { body: bare } = await app.api("POST", "/customers", { email: "bare@example.com", externalId: "bare" });
    await buy("empty", "empty");
    const nothing = { status: 200, body: { data: [], nextCursor: null } };
    for (const query of [
      `customerId=${bare.id}`,
      "externalCustomerId=bare",
      "externalCustomerId=empty",
      "externalCustomerId=nobody",
    ]) {
      expect(await read(query)).toMatchObject(nothing);
    }
    for (const id of [newId("cus"), "nonsense", newId("sub")]) {
      expect(await read(`customerId=${id}`)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    const foreign = await foreignCallersOf(app);
    expect((await foreign.api("GET", `/benefit-grants?customerId=${bare.id}`)).status).toBe(404);
    expect(await foreign.api("GET", "/benefit-grants?externalCustomerId=every")).toMatchObject(nothing);
  });
});

describe("pages", () => {
  const CUSTOMER = "externalCustomerId=many";
  async function inPagesOf(limit: number, query = CUSTOMER): Promise<Json[][]> {
    const pages: Json[][] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body }: Json = await read(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
      pages.push(body.data);
      cursor = body.nextCursor;
    }
    return pages;
  }

  it("of any size are the whole list, in order, full but for the last", async () => {
    const whole = await grants(CUSTOMER);
    expect(whole).toHaveLength(10);
    const ids = whole.map((grant) => grant.id);
    expect(ids).toEqual(ids.toSorted().reverse());
    const withoutLinks = (list: Json[]) => JSON.stringify(list).replace(/\?expires=[^"]*/g, "");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
        const pages = await inPagesOf(limit);
        expect(withoutLinks(pages.flat())).toBe(withoutLinks(whole));
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        expect(pages.at(-1)!.length).toBeGreaterThan(0);
      }),
      { numRuns: 15 },
    );
  });

  it("go on where they were when something is granted or revoked in between", async () => {
    await buy("book", "moving");
    const { subscriptionId } = await buy("all", "moving");
    const before = await grants("externalCustomerId=moving");
    const first = (await read("externalCustomerId=moving&limit=2")).body;
    await buy("addon", "moving");
    await app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {});
    const rest = await grants(`externalCustomerId=moving&cursor=${first.nextCursor}`);
    const ids = (list: Json[]) => list.map((grant) => grant.id);
    expect(ids(rest)).toEqual(ids(before.slice(2).filter((grant) => grant.subscriptionId === null)));
  });
});

/** Changes the stored row as the passing of time would, but leaves due work undone. */
async function rewrite(on: TestApp, id: string, change: Partial<Subscription>): Promise<void> {
  await on.ctx.db.tx(async (tx) => {
    const row = await subscriptions.lock(tx, on.organization.id, id);
    await subscriptions.update(tx, withDerived({ ...row!, ...change }));
  });
}

describe("active grants are exact on read, though no worker has come by", () => {
  it("at a planned end, to the millisecond", async () => {
    const own = await startTestApp({}, { clock: "2025-06-01T09:00:00Z" });
    try {
      const { body: sso } = await own.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" });
      const product = {
        key: "pro",
        name: "Pro",
        interval: "month",
        prices: [{ currency: "usd", amount: 1000 }],
        benefitIds: [sso.id],
      };
      await own.manage("POST", "/products", product);
      const { subscriptionId } = await buy("pro", "ada", own);
      await own.api("PATCH", `/subscriptions/${subscriptionId}`, { cancelAtPeriodEnd: true });
      const at = async (clock: string) => {
        await own.ctx.db.tx(async (tx) => {
          const row = await organizations.lock(tx, own.organization.id);
          await organizations.update(tx, { ...row!, clockAt: parseInstant(clock) });
        });
        return (await own.api("GET", "/benefit-grants?externalCustomerId=ada")).body.data;
      };
      expect(await at("2025-07-01T08:59:59.999Z")).toMatchObject([{ expiresAt: "2025-07-01T09:00:00.000Z" }]);
      expect(await at("2025-07-01T09:00:00.000Z")).toEqual([]);
      expect((await own.manage("GET", "/benefit-grants?status=active")).body.data).toHaveLength(1);
      await own.manage("POST", "/sandbox/clock/advance", { to: "2025-07-01T09:00:00.000Z" });
      expect((await own.manage("GET", "/benefit-grants?status=active")).body.data).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it("at the end of the grace of their own Subscription alone", async () => {
    const { subscriptionId } = await buy("all", "late");
    const other = await buy("addon", "late");
    const now = await billingNow(app.ctx.db.read, app.organization.id);
    const dunning: Partial<Subscription> = {
      status: "past_due",
      retryDays: [3, 7],
      retriesDone: 1,
      nextRetryAt: addDays24(now, 3),
    };
    await rewrite(app, subscriptionId, {
      ...dunning,
      firstFailedAt: addDays24(now, -1),
      graceEndsAt: addDays24(now, 6),
    });
    const expiring = (await grants("externalCustomerId=late")).filter(
      (grant) => grant.subscriptionId === subscriptionId,
    );
    expect(expiring.map((grant) => grant.expiresAt)).toEqual(Array(4).fill(new Date(addDays24(now, 6)).toISOString()));
    await rewrite(app, subscriptionId, { ...dunning, firstFailedAt: addDays24(now, -7), graceEndsAt: now });
    const left = await grants("externalCustomerId=late");
    expect(left.map((grant) => grant.subscriptionId)).toEqual([other.subscriptionId, other.subscriptionId]);
    expect((await grants("externalCustomerId=late&limit=1"))[0].subscriptionId).toBe(other.subscriptionId);
    await rewrite(app, subscriptionId, { ...NO_DUNNING, status: "active" });
  });

  it("from the answer to a PATCH on, on every process", async () => {
    const server = await startServer({ ...app.ctx, config: { ...app.ctx.config, port: 0 } });
    try {
      const elsewhere = caller(`http://127.0.0.1:${server.port}/public/v2`, app.keys.public);
      const { subscriptionId } = await buy("empty", "fast");
      for (const [productKey, count] of Object.entries({ all: 4, empty: 0, addon: 2 })) {
        await app.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey, prorationBehavior: "none" });
        expect((await elsewhere("GET", "/benefit-grants?externalCustomerId=fast")).body.data).toHaveLength(count);
      }
    } finally {
      await server.close();
    }
  });
});
