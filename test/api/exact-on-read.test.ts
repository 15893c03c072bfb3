import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { withDerived } from "../../src/domain/model/subscription.ts";
import { checkouts } from "../../src/store/checkouts.ts";
import { billingNow } from "../../src/store/organizations.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";

let app: TestApp;
let organizationId: string;

beforeAll(async () => {
  app = await startTestApp();
  organizationId = app.organization.id;
  const benefits = await Promise.all(
    ["sso", "api"].map((key) => app.manage("POST", "/benefits", { type: "feature", key, name: key })),
  );
  const note = await app.manage("POST", "/benefits", {
    type: "custom",
    key: "note",
    name: "Note",
    properties: { note: "Thanks" },
  });
  const benefitIds = [...benefits, note].map(({ body }) => body.id);
  const prices = [{ currency: "usd", amount: 1000 }];
  for (const key of ["pro", "max"]) {
    await app.manage("POST", "/products", { key, name: key, group: key, interval: "month", prices, benefitIds });
  }
});
afterAll(() => app.close());

async function buy(productKey: string, externalId: string): Promise<Json> {
  const customer = { email: `${externalId}@example.com`, externalId };
  const { body } = await app.api("POST", "/checkouts", { productKey, customer });
  const paid = await app.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: "4242424242424242" });
  expect(paid.body.status).toBe("completed");
  return paid.body;
}

const grants = async (query: string) => (await app.api("GET", `/benefit-grants?${query}`)).body.data;

/**
 * Changes the stored row as the passing of time would, but leaves due work undone. Returns the function that undoes
 * this.
 */
async function endAccess(subscriptionId: string): Promise<() => Promise<void>> {
  const { tx: transact } = app.ctx.db;
  await transact(async (tx) => {
    const row = await subscriptions.lock(tx, organizationId, subscriptionId);
    subscriptions.update(tx, { ...row!, accessEndsAt: await billingNow(tx, organizationId) });
  });
  return () =>
    transact(async (tx) =>
      subscriptions.update(tx, withDerived((await subscriptions.lock(tx, organizationId, subscriptionId))!)),
    );
}

describe("the active grants of a Customer", () => {
  it("are one for each Benefit and source, newest first, by either name of the Customer", async () => {
    const first = await buy("pro", "two-plans");
    const second = await buy("max", "two-plans");
    const all = await grants("externalCustomerId=two-plans");
    const sources = [second, second, second, first, first, first].map((checkout) => checkout.subscriptionId);
    expect(all.map((grant: Json) => grant.subscriptionId)).toEqual(sources);
    expect(await grants(`customerId=${first.customerId}`)).toEqual(all);
    const [one] = all;
    expect(
      (await grants(`externalCustomerId=two-plans&benefitId=${one.benefitId}`)).map((grant: Json) => grant.id),
    ).toHaveLength(2);
    expect(await grants("externalCustomerId=two-plans&type=custom")).toMatchObject(
      [1, 2].map(() => ({ properties: { note: "Thanks" } })),
    );
  });

  it("come in pages", async () => {
    await buy("pro", "pages");
    const all = await grants("externalCustomerId=pages");
    const first = (await app.api("GET", "/benefit-grants?externalCustomerId=pages&limit=2")).body;
    const second = (await app.api("GET", `/benefit-grants?externalCustomerId=pages&limit=2&cursor=${first.nextCursor}`))
      .body;
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.nextCursor).toBeNull();
  });

  it("tell an unknown Customer from one that never bought", async () => {
    const { body } = await app.api("POST", "/customers", { email: "new@example.com", externalId: "new" });
    expect((await app.api("GET", `/benefit-grants?customerId=${body.id}`)).body).toEqual({
      data: [],
      nextCursor: null,
    });
    expect((await app.api("GET", "/benefit-grants?externalCustomerId=nobody")).body).toEqual({
      data: [],
      nextCursor: null,
    });
    for (const id of ["cus_01h455vb4pex5vsknk084sn02q", "nonsense", "chk_01h455vb4pex5vsknk084sn02q"]) {
      expect(await app.api("GET", `/benefit-grants?customerId=${id}`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
  });

  it("say when they end, and are gone from that instant on although no worker came by", async () => {
    const { subscriptionId, customerId } = await buy("pro", "leaving");
    await app.api("PATCH", `/subscriptions/${subscriptionId}`, { cancelAtPeriodEnd: true });
    const { currentPeriodEnd } = (await app.api("GET", `/subscriptions/${subscriptionId}`)).body;
    expect(await grants("externalCustomerId=leaving")).toMatchObject(
      [1, 2, 3].map(() => ({ expiresAt: currentPeriodEnd })),
    );
    const undo = await endAccess(subscriptionId);
    expect(await grants("externalCustomerId=leaving")).toEqual([]);
    expect(await grants(`customerId=${customerId}`)).toEqual([]);
    expect((await app.manage("GET", `/benefit-grants?customerId=${customerId}`)).body.data).toHaveLength(3);
    await undo();
  });
});

describe("an open Checkout past its time", () => {
  test.each(["open", "expired"])("reads as it is, with an ETag of its own: %s", async (status) => {
    const created = await app.api("POST", "/checkouts", { productKey: "pro" });
    const { id } = created.body;
    const before = (await app.api("GET", `/checkouts/${id}`)).headers.get("ETag") as string;
    if (status === "expired") {
      await app.ctx.db.tx(async (tx) => {
        const row = await checkouts.lock(tx, organizationId, id);
        const now = await billingNow(tx, organizationId);
        checkouts.update(tx, { ...row!, expiresAt: now, dueAt: now });
      });
    }
    const read = await app.api("GET", `/checkouts/${id}`, undefined, { "If-None-Match": before });
    expect(read.status).toBe(status === "open" ? 304 : 200);
    if (status === "expired") expect(read.body.status).toBe("expired");
    const ids = async (query: string) =>
      (await app.manage("GET", `/checkouts?status=${query}`)).body.data.map((row: Json) => row.id);
    expect(await ids(status)).toContain(id);
    expect(await ids(status === "open" ? "expired" : "open")).not.toContain(id);
  });
});
