import { afterAll, beforeAll, expect, test } from "vitest";
import { adopt, watchTimeline } from "../../src/actions/installation.ts";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { checkPromotion } from "../../src/actions/doctor/copy.ts";
import { verifyOrganization } from "../../src/actions/verify.ts";
import type { Organization } from "../../src/domain/model/organization.ts";
import { HOUR, instant } from "../../src/domain/calendar.ts";
import { openDatabase, sql } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { caller, type Json } from "../support/app.ts";
import { connectOutside } from "../support/connected.ts";
import { beginProcess, type Process } from "../support/outside-process.ts";
import { openOutside, type OutsideProvider } from "../support/outside-provider.ts";
import { startOwnServer, type OwnServer } from "../support/own-server.ts";
import { CARDS, endPeriod, ok } from "../support/story.ts";
import { until } from "../support/until.ts";

// Two servers. The standby lacks the last commits of the primary when the primary dies, and is promoted.

const HELD =
  "PostgreSQL was promoted or restored and may have lost commits: off-session charges wait for the provider's book";
const caughtUpStatement = sql(
  "test.promotion_caught_up",
  "SELECT coalesce(bool_and(pg_current_wal_lsn() = replay_lsn), false) AS done FROM pg_stat_replication",
);
const attemptsStatement = sql(
  "test.promotion_attempts",
  "SELECT status, checks FROM payments WHERE organization_id = $1 AND purpose <> 'checkout' ORDER BY id",
);
const agedStatement = sql(
  "test.promotion_aged",
  `UPDATE provider_book_imports SET held_since = held_since - interval '1 hour', import_at = statement_timestamp(),
     imported_from = imported_from - interval '1 hour', imported_until = imported_until - interval '1 hour',
     reading_from = NULL, reading_until = NULL, cursor = NULL`,
);

let primary: OwnServer;
let standby: OwnServer;
let outside: OutsideProvider;
let organization: Organization;
let keys: { public: string; manage: string };

beforeAll(async () => {
  primary = await startOwnServer();
  await primary.administer("CREATE DATABASE billow OWNER billow_owner", "GRANT pg_read_all_stats TO billow_owner");
  const db = openDatabase({ connectionString: primary.url("billow") });
  await migrate(db);
  await db.end();
  standby = await primary.standby();
  outside = openOutside();
}, 540_000);
afterAll(async () => {
  await standby.remove();
  await primary.remove();
});

const begin = ({ url }: OwnServer) => beginProcess({ DATABASE_URL: url("billow") }, outside);

async function sell({ url }: Process, email: string): Promise<Json> {
  const [api, manage] = [caller(`${url}/public/v2`, keys.public), caller(`${url}/manage/v1`, keys.manage)];
  const { id } = await ok(api("POST", "/checkouts", { productKey: "pro", customer: { email } }));
  const paid = await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
  return ok(api("GET", `/subscriptions/${paid.subscriptionId}`));
}

const attempts = ({ ctx }: Process) => ctx.db.read.query(attemptsStatement, [organization.id]);
const differences = async ({ ctx }: Process) =>
  (await verifyOrganization(ctx, organization)).disagreements.map(({ rule }) => rule);

/** An hour passes: the provider's book reaches beyond the promotion. */
async function age({ ctx }: Process): Promise<void> {
  for (const entry of outside.book) entry.createdAt = instant(entry.createdAt - HOUR);
  await ctx.db.tx((tx) => tx.query(agedStatement));
  await runOnce(ctx);
}

/** Kills the primary and promotes its standby. The two change their names, and the new primary gets a standby. */
async function promote(): Promise<void> {
  await primary.kill();
  await standby.start();
  await standby.administer("SELECT pg_promote()");
  await primary.remove();
  primary = standby;
}

async function caughtUp({ ctx }: Process): Promise<void> {
  await until(async () => (await ctx.db.read.query<{ done: boolean }>(caughtUpStatement))[0]!.done);
}

test(
  "off-session charges wait for the provider's book, and a lost purchase is told before",
  { timeout: 300_000 },
  async () => {
    const before = await begin(primary);
    const made = await before.ctx.db.tx((tx) => createOrganizationWithKeys(tx, { name: "Shop", mode: "sandbox" }));
    await watchTimeline(before.ctx); // as at a start
    [organization, keys] = [made.organization, made.keys];
    await connectOutside(before.ctx, organization.id, outside);
    for (const each of [before.ctx.requests, before.ctx.deliveries])
      Object.assign(each.payments, { connected: async () => outside.provider });
    const manage = caller(`${before.url}/manage/v1`, keys.manage);
    const prices = [{ currency: "usd", amount: 3000 }];
    await ok(manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices }));
    const ada = await sell(before, "ada@example.com");
    await runOnce(before.ctx);
    await caughtUp(before);

    // The standby is away while Bob buys and Ada's plan is renewed.
    await standby.stop();
    await sell(before, "bob@example.com");
    await endPeriod(before.ctx, organization.id, ada.id);
    await runOnce(before.ctx);
    expect([outside.charges.size, before.warnings]).toEqual([3, []]);
    await before.close();
    await promote();

    const after = await begin(primary);
    try {
      await endPeriod(after.ctx, organization.id, ada.id);
      const calls = outside.calls.length;
      await runOnce(after.ctx);
      await runOnce(after.ctx);
      expect([after.warnings, outside.calls.length - calls]).toEqual([[HELD], 0]);
      expect(await attempts(after)).toEqual([{ status: "pending", checks: 0 }]);
      expect(await checkPromotion(after.ctx)).toMatchObject({
        status: "warning",
        says: expect.stringMatching(/: off-session charges of 1 account wait since \S+ for the provider's book$/),
      });

      await age(after);
      expect(await differences(after)).toEqual(["book_charge_unknown"]);
      expect(await checkPromotion(after.ctx)).toMatchObject({
        status: "fault",
        says: expect.stringMatching(
          /: off-session charges of 1 account wait since \S+, and the provider's book shows 1 new/,
        ),
        advice: expect.stringContaining("node bin/billow.mjs adopt"),
      });
      await runOnce(after.ctx);
      expect(outside.calls.length - calls).toBe(0);

      // The renewal of the lost hour has the same key, so the provider answers with its first outcome.
      expect(await adopt(after.ctx)).toMatchObject({ isAdopted: false, accounts: 1 });
      await runOnce(after.ctx);
      expect([outside.calls.length - calls, outside.charges.size]).toEqual([1, 3]);
      expect(await attempts(after)).toMatchObject([{ status: "succeeded" }]);
      expect(await checkPromotion(after.ctx)).toMatchObject({ status: "ok" });
    } finally {
      await after.close();
    }
  },
);

test(
  "a promotion that lost no purchase is over once the books agree, without a person",
  { timeout: 300_000 },
  async () => {
    standby = await primary.standby();
    const process = await begin(primary);
    const cat = await sell(process, "cat@example.com");
    await runOnce(process.ctx);
    await caughtUp(process);
    await standby.stop();
    await promote();
    try {
      // The process goes on at another address in real life; here another process does.
      await process.close();
      const after = await begin(primary);
      try {
        await endPeriod(after.ctx, organization.id, cat.id);
        const calls = outside.calls.length;
        await runOnce(after.ctx);
        expect([after.warnings, outside.calls.length - calls]).toEqual([[HELD], 0]);
        await age(after);
        expect(await checkPromotion(after.ctx)).toMatchObject({ status: "ok" });
        await runOnce(after.ctx);
        expect(outside.calls.length - calls).toBe(1);
        await runOnce(after.ctx);
        expect(after.warnings).toEqual([HELD]);
      } finally {
        await after.close();
      }
    } finally {
      standby = await primary.standby();
    }
  },
);
