import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { sql, type Database, type Tx } from "../../src/store/driver/db.ts";
import { createSandboxProvider } from "../../src/payments/sandbox.ts";
import { dueCards } from "../../src/store/payment-methods.ts";
import { runOnce, startWorker } from "../../src/worker/worker.ts";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { letLeasesRunOut } from "../support/processes.ts";
import { isOverStripe } from "../support/provider.ts";
import { CARDS, endPeriod, startStory, type Story } from "../support/story.ts";
import { until } from "../support/until.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({});
  await story.plan("pro", 3000);
});
afterAll(() => story.close());

describe("expired idempotency keys", () => {
  const insert = sql(
    "test.idempotency",
    `INSERT INTO idempotency_keys (organization_id, key, method, path, body_digest, status, headers, body, created_at)
     SELECT $1, 'key-' || n, 'POST', '/checkouts', '', 201, '{}', '{}',
     statement_timestamp() - interval '23 hours' - n * interval '1 hour'
     FROM generate_series(0, $2::integer) AS n`,
  );
  const kept = sql("test.idempotency_kept", "SELECT key FROM idempotency_keys");
  const keys = () => story.app.ctx.db.read.query(kept);
  // More than twice the number of keys that one round forgets. The first key is less than a day old.
  const fill = () => story.app.ctx.db.tx((tx) => tx.query(insert, [story.app.organization.id, 2500]));
  const FRESH = [{ key: "key-0" }];
  afterEach(() => story.app.ctx.db.tx((tx) => tx.query(sql("test.idempotency_gone", "DELETE FROM idempotency_keys"))));

  test("are forgotten, however many", async () => {
    await fill();
    await runOnce(story.app.ctx);
    expect(await keys()).toEqual(FRESH);
  });

  test("don't wait for the next minute where there are more", async () => {
    await fill();
    const worker = startWorker(story.app.ctx);
    try {
      await until(async () => (await keys()).length <= 1);
    } finally {
      await worker.stop();
    }
    expect(await keys()).toEqual(FRESH);
  });
});

describe("work that can't be done", () => {
  const setZone = sql(
    "test.set_zone",
    "UPDATE subscriptions SET anchor_time_zone = $3 WHERE organization_id = $1 AND id = $2",
  );
  let buyers = 0;
  const buy = () =>
    story.buy({ productKey: "pro", customer: { email: `buyer-${(buyers += 1)}@example.com` } }, CARDS.pays);
  const invoices = async ({ id }: Json) => {
    const { data } = await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}`));
    return data.map((invoice: Json) => `${invoice.reason} ${invoice.status}`);
  };

  /** The same process, but it handles this Customer only when `others` are done. */
  const leavingLast = (ctx: Context, customerId: string, others: () => Promise<void>): Context => {
    const tx: Database["tx"] = (work) =>
      ctx.db.tx((open) => {
        const query: Tx["query"] = async (statement, values) => {
          if (values?.includes(customerId)) await others();
          return open.query(statement, values);
        };
        return work({ ...open, query });
      });
    return { ...ctx, db: { ...ctx.db, tx } };
  };

  test.each(["at once", "last of all"])("and fails %s keeps no other work waiting", async (when) => {
    const { ctx, organization } = story.app;
    const [bad, ...good] = [await buy(), await buy(), await buy()] as const;
    for (const { id } of [bad, ...good]) await story.endPeriod(id);
    await ctx.db.tx((tx) => tx.query(setZone, [organization.id, bad.id, "Nowhere"]));
    const renewed = async () => {
      for (const each of good) await until(async () => (await invoices(each)).length >= 2);
    };
    await runOnce(when === "at once" ? ctx : leavingLast(ctx, bad.customerId, renewed));
    expect(await invoices(bad)).toEqual(["checkout paid"]);
    for (const each of good) expect(await invoices(each)).toEqual(["renewal paid", "checkout paid"]);
    await ctx.db.tx((tx) => tx.query(setZone, [organization.id, bad.id, "UTC"]));
    await runOnce(ctx);
    expect(await invoices(bad)).toEqual(["renewal paid", "checkout paid"]);
  });

  test("because a provider fails at a payment keeps no other payment waiting", async () => {
    const { ctx } = story.app;
    const bought = [await buy(), await buy(), await buy()];
    for (const { id } of bought) await story.endPeriod(id);
    const refused = new Set<string>();
    const { sandbox } = ctx.payments;
    const charge: typeof sandbox.charge = async (request) => {
      if (refused.size === 0) refused.add(request.key);
      if (refused.has(request.key)) throw new Error("the provider is out of order");
      return sandbox.charge(request);
    };
    await runOnce({ ...ctx, payments: { ...ctx.payments, sandbox: { ...sandbox, charge } } });
    const states = async () => (await Promise.all(bought.map(invoices))).map(([renewal]) => renewal).sort();
    expect(await states()).toEqual(["renewal open", "renewal paid", "renewal paid"]);
    await letLeasesRunOut(ctx.db);
    await runOnce(ctx);
    expect(await states()).toEqual(["renewal paid", "renewal paid", "renewal paid"]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("due work of several Organizations", () => {
  const setDueStatement = sql(
    "test.set_card_due",
    `UPDATE payment_methods SET due_at = statement_timestamp() - $3 * interval '1 minute'
     WHERE organization_id = $1 AND customer_id = $2 AND due_at IS NOT NULL RETURNING id`,
  );
  /** A buyer with a card that has been due for so many minutes. */
  async function owing(organizationId: string, [api, manage]: TestCall[], name: string, minutes: number) {
    const customer = { email: `${name}@example.com` };
    const { id } = await story.ok(api!("POST", "/checkouts", { productKey: "pro", customer }));
    const { customerId } = await story.ok(manage!("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
    const values = [organizationId, customerId, minutes];
    expect(await story.app.ctx.db.tx((tx) => tx.query(setDueStatement, values))).toHaveLength(1);
    return customerId as string;
  }

  async function openShop() {
    const { app } = story;
    const { organization, keys } = await app.otherOrganization();
    const [api, manage] = [
      caller(`${app.url}/public/v2`, keys.public),
      caller(`${app.url}/manage/v1`, keys.manage),
    ] as const;
    const prices = [{ currency: "usd", amount: 3000 }];
    await story.ok(manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices }));
    return { organizationId: organization.id as string, api, manage };
  }

  test("an Organization with many due cards keeps no other one waiting", async () => {
    const { app } = story;
    const other = await openShop();
    const many: string[] = [];
    for (let n = 0; n < 3; n += 1)
      many.push(await owing(app.organization.id, [app.api, app.manage], `card-${n}`, 60 - n));
    const late = await owing(other.organizationId, [other.api, other.manage], "late", 1);
    const inOrder = async () => (await dueCards(app.ctx.db.read, 100)).map(({ customerId }) => customerId);
    expect(await inOrder()).toEqual([many[0], late, many[1], many[2]]);
    await runOnce(app.ctx);
    expect(await inOrder()).toEqual([]);
  });

  // The last versions of rows, by the transactions that wrote them.
  const mostStatement = sql(
    "test.most_owners",
    `SELECT max(owners)::integer AS most FROM (
       SELECT count(DISTINCT organization_id) AS owners FROM (
         ${["subscriptions", "invoices", "payments", "events", "sandbox_charges"]
           .map((table) => `SELECT xmin::text AS writer, organization_id FROM ${table}`)
           .join(" UNION ALL ")}) AS written
       WHERE organization_id = ANY($1) GROUP BY writer) AS counted`,
  );

  test.each([
    ["as it is", false],
    ["as if it stood on several nodes", true],
  ])("shares transactions on one server, and none on several nodes, with the database %s", async (_, isPretended) => {
    const { ctx } = story.app;
    const isDistributed = isPretended || ctx.db.isDistributed();
    const db = { ...ctx.db, isDistributed: () => isDistributed };
    const sandbox = isOverStripe() ? ctx.payments.sandbox : createSandboxProvider({ db, publicOrigin: "" });
    const shops = [await openShop(), await openShop()];
    for (const { organizationId, api, manage } of shops) {
      for (const name of ["ada", "eva"]) {
        const { id } = await story.ok(
          api("POST", "/checkouts", { productKey: "pro", customer: { email: `${name}@example.com` } }),
        );
        const paid = await story.ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
        await endPeriod(ctx, organizationId, paid.subscriptionId);
      }
    }
    await runOnce({ ...ctx, db, payments: { ...ctx.payments, sandbox } });
    for (const { organizationId, manage } of shops) {
      const { data } = await story.ok(manage("GET", "/invoices"));
      const made = data.map((invoice: Json) => `${invoice.reason} ${invoice.status}`).sort();
      expect(made).toEqual(["checkout paid", "checkout paid", "renewal paid", "renewal paid"]);
      expect(await audit(ctx.db, organizationId)).toEqual([]);
    }
    const owners = shops.map(({ organizationId }) => organizationId);
    expect(await ctx.db.read.query(mostStatement, [owners])).toEqual([{ most: isDistributed ? 1 : 2 }]);
  });
});
