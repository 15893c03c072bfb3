import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { statementsOf } from "../../src/store/driver/script.ts";
import { advanceSandbox, caller, type Json, type TestCall } from "../support/app.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { CARDS } from "../support/story.ts";

/**
 * A database as version 0.1.0 left it, written by pg_dump 15. Its sandbox stands at 10 June 2026, and holds states that
 * later rules treat otherwise.
 */
const DUMP = new URL("installation-0.1.sql", import.meta.url);
const SECRET = "fixture-fixture-fixture-fixture-fixture-fixture";
const KEYS = {
  public: "blw_test_sR8II2DhLW3xRaNOYw8n3pyJb5jTE1Bl0HAXig",
  manage: "blw_test_vpkCWAK3zBESQoR8AX3sePzoBbMLBHiZ1e45h5",
};

const reviewStatement = sql("test.upgrade_reviews", "SELECT changes FROM tax_region_reviews");

describe("an installation of version 0.1.0, after the upgrade", () => {
  let workspace: Workspace;
  let database: TestDatabase;
  let started: Started;
  let api: TestCall;
  let manage: TestCall;
  const environment = () => ({ DATABASE_URL: database.url, BILLOW_SECRET: SECRET });

  beforeAll(async () => {
    [workspace, database] = [await createWorkspace(), await createEmptyDatabase()];
    await database.db.script(...statementsOf(await readFile(DUMP, "utf8")));
    started = await workspace.start(["start", "--json"], environment());
    api = caller(`${started.output.url}/public/v2`, KEYS.public);
    manage = caller(`${started.output.url}/manage/v1`, KEYS.manage);
  });
  afterAll(async () => {
    await workspace.clear();
    await database.drop();
  });

  const ok = async (call: ReturnType<TestCall>): Promise<Json> => {
    const { status, body } = await call;
    expect(body).not.toHaveProperty("code");
    expect(status).toBeLessThan(300);
    return body;
  };
  /** The Customer's only Subscription. */
  const subscriptionOf = async (email: string): Promise<Json> => {
    const { data } = await ok(manage("GET", `/customers?email=${encodeURIComponent(email)}`));
    const { data: own } = await ok(manage("GET", `/subscriptions?customerId=${data[0].id}`));
    return own[0];
  };
  const invoicesOf = async ({ id }: Json): Promise<Json[]> =>
    (await ok(manage("GET", `/invoices?subscriptionId=${id}`))).data.toReversed();
  const amounts = async (subscription: Json) =>
    (await invoicesOf(subscription)).map(({ totalAmount }: Json) => totalAmount);

  test("doctor names the Customers with one mailbox, and the copy until it is adopted", async () => {
    const troubles = async () => {
      const { stdout } = await workspace.run(["doctor", "--json"], environment());
      return JSON.parse(stdout).checks.filter(({ status }: Json) => status !== "ok");
    };
    const mailboxes = { name: "mailboxes", status: "warning", says: expect.stringContaining("1 pair of Customers") };
    expect(await troubles()).toMatchObject([{ name: "copy", status: "fault" }, mailboxes]);
    expect(await workspace.run(["adopt"], environment())).toMatchObject({ code: 0, stderr: "" });
    expect(await troubles()).toMatchObject([mailboxes]);
  });

  test("the Customers whose tax changes with their region are noted", async () => {
    const [review] = await database.db.read.query<{ changes: Json }>(reviewStatement);
    expect(review!.changes).toMatchObject([{ country: "CA", customers: 1 }]);
  });

  test("a stored invitation shows no link", async () => {
    const { data } = await ok(manage("GET", "/emails?kind=team_invitation"));
    expect(data).toHaveLength(1);
    const { text, html } = await ok(manage("GET", `/emails/${data[0].id}`));
    expect({ text, html }).toEqual({ text: null, html: null });
  });

  test("a planned change is withdrawn without a price, and a repeated withdrawal keeps the price", async () => {
    const withdrawn = await subscriptionOf("withdraw@example.com");
    expect(withdrawn).toMatchObject({ amount: 2800, pendingChange: { amount: 900 } });
    const keep = (id: string, productKey: string) => ok(api("PATCH", `/subscriptions/${id}`, { productKey }));
    expect(await keep(withdrawn.id, "old")).toMatchObject({ amount: 2800, pendingChange: null });
    const own = await subscriptionOf("own-price@example.com");
    expect(await keep(own.id, "own")).toMatchObject({ amount: 1500, pendingChange: null });
    expect(await keep(own.id, "own")).toMatchObject({ amount: 1500, pendingChange: null });
  });

  test("a grant of a trial that goes on as a free plan has no end", async () => {
    const { data } = await ok(api("GET", "/benefit-grants?externalCustomerId=trial-free"));
    expect(data.map(({ expiresAt }: Json) => expiresAt)).toEqual([null]);
  });

  test("a planned change to an archived Product is dropped", async () => {
    const { id } = await subscriptionOf("archived@example.com");
    await expect.poll(async () => (await subscriptionOf("archived@example.com")).pendingChange).toBeNull();
    // Events keep the text of their release, so this answer lacks later fields and is not compared with the schema.
    const path = `${started.output.url}/manage/v1/events?type=subscription.updated`;
    const answer = await fetch(path, { headers: { Authorization: `Bearer ${KEYS.manage}` } });
    const { data } = (await answer.json()) as Json;
    const own = data.map((event: Json) => event.data).filter((each: Json) => each.id === id);
    expect(own.map(({ pendingChange }: Json) => pendingChange?.amount ?? null)).toEqual([1200, null]);
    expect(own.map(({ quantity }: Json) => quantity)).toEqual([undefined, 1]);
  });

  test("a given card and a move count for purchases by a typed e-mail address", async () => {
    const [card, trial, moved] = [
      await subscriptionOf("typed-card@example.com"),
      await subscriptionOf("typed-trial@example.com"),
      await subscriptionOf("typed-moved@example.com"),
    ];
    for (const { customerId } of [card, trial]) {
      await ok(manage("POST", `/sandbox/customers/${customerId}/card`, { card: CARDS.paysToo }));
    }
    await ok(manage("PATCH", `/customers/${moved.customerId}`, { name: "Moved GmbH & Co." }));
    await advanceSandbox(manage, { to: "2026-07-02T00:00:00Z" });
    const { data } = await ok(manage("GET", `/payments?customerId=${card.customerId}`));
    expect(data[0].method.last4).toBe("5556");
    expect(await subscriptionOf("typed-trial@example.com")).toMatchObject({ status: "active" });
    const renewal = (await invoicesOf(moved)).at(-1);
    expect(renewal).toMatchObject({ taxAmount: 1597, buyer: { name: "Moved GmbH & Co.", address: { country: "DE" } } });
  });

  test("a rate for Quebec counts for an address with QC", async () => {
    expect((await invoicesOf(await subscriptionOf("quebec@example.com"))).map(({ taxAmount }) => taxAmount)).toEqual([
      500, 1498,
    ]);
  });

  test("the books agree, and a discount for three months bills three periods", async () => {
    await ok(
      manage("POST", `/sandbox/customers/${(await subscriptionOf("suspended@example.com")).customerId}/card`, {
        card: CARDS.pays,
      }),
    );
    await advanceSandbox(manage, { to: "2026-09-02T00:00:00Z" });
    expect(await amounts(await subscriptionOf("months@example.com"))).toEqual([1500, 1500, 1500, 3000, 3000]);
    const { code, stderr } = await workspace.run(["verify"], environment());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
