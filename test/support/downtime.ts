import { pino, type Logger } from "pino";
import { expect } from "vitest";
import type { Context } from "../../src/context.ts";
import { addDays24, formatInstant, instant } from "../../src/domain/calendar.ts";
import { startPeriods } from "../../src/domain/model/period.ts";
import { withDerived } from "../../src/domain/model/subscription.ts";
import { sql } from "../../src/store/driver/db.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import type { Json, TestApp } from "./app.ts";
import { post } from "./pages.ts";
import { ok, startStory, type Story } from "./story.ts";

/** A live Organization with the cards of a sandbox, because there is no other provider yet. */
export async function startLiveStory(): Promise<Story> {
  const story = await startStory({ mode: "live" });
  await takeSandboxCards(story.app);
  // The worker's first run sets its heartbeat, from which missed time is counted.
  await story.app.runDue();
  return story;
}

const providerStatement = sql(
  "test.live_provider",
  "UPDATE organizations SET provider = $1, provider_account = $1 WHERE mode = 'live'",
);

/** Lets the sandbox provider move the money of the present live Organizations, too. */
export async function takeSandboxCards({ ctx }: Pick<TestApp, "ctx">): Promise<void> {
  await ctx.db.tx((tx) => tx.query(providerStatement, ["sandbox"]));
}

/** Connects the live Organizations to an account of which no key is stored. */
export async function loseKeys({ ctx }: Pick<TestApp, "ctx">): Promise<void> {
  await ctx.db.tx((tx) => tx.query(providerStatement, ["elsewhere"]));
}

/** Takes the payment provider of the live Organizations away. */
export async function takeNoCards({ ctx }: Pick<TestApp, "ctx">): Promise<void> {
  await ctx.db.tx((tx) => tx.query(providerStatement, [null]));
}

/**
 * Sells a Product on its Checkout page, because live Organizations have no sandbox tools. Returns the Subscription.
 */
export async function buyOnPage(app: TestApp, params: object, card: string): Promise<Json> {
  const checkout = await ok(app.api("POST", "/checkouts", params));
  const typed = { number: card, expiry: "12 / 40", cvc: "123", expectedAmount: String(checkout.totalAmount) };
  expect(await post(checkout.url, typed)).toMatchObject({ status: 303 });
  const { subscriptionId } = await ok(app.api("GET", `/checkouts/${checkout.id}`));
  return ok(app.api("GET", `/subscriptions/${subscriptionId}`));
}

const firstPeriodStatement = sql(
  "test.first_period",
  `UPDATE invoices SET period_start = $3, period_end = $4, created_at = $3, paid_at = $3
   WHERE organization_id = $1 AND subscription_id = $2`,
);
const firstTransfersStatement = sql(
  "test.first_transfers",
  `UPDATE ledger_transfers t SET created_at = $3 FROM invoices i
   WHERE t.organization_id = $1 AND i.organization_id = $1 AND i.subscription_id = $2 AND t.source_id = i.id`,
);

/**
 * Changes the stored rows as if the Subscription had been bought at `start` and no work had been done on it since.
 */
export async function boughtAt({ db }: Context, organizationId: string, id: string, start: number): Promise<void> {
  await db.tx(async (tx) => {
    const row = (await subscriptions.lock(tx, organizationId, id))!;
    const began = instant(start);
    const period = startPeriods(began, row.anchorTimeZone, row);
    const planned = row.cancelAt === null ? {} : { cancelAt: period.currentPeriodEnd, canceledAt: began };
    const times = { startedAt: began, createdAt: began, updatedAt: began, noticedUntil: period.currentPeriodEnd };
    subscriptions.update(tx, withDerived({ ...row, ...period, ...planned, ...times }));
    const span = [period.currentPeriodStart, period.currentPeriodEnd].map(formatInstant);
    await tx.query(firstPeriodStatement, [organizationId, id, ...span]);
    await tx.query(firstTransfersStatement, [organizationId, id, span[0]]);
  });
}

/** Changes the stored row as if the first failure had been `days` days ago and no retry had been made since. */
export async function pastDueFor({ db }: Context, organizationId: string, id: string, days: number): Promise<void> {
  await db.tx(async (tx) => {
    const row = (await subscriptions.lock(tx, organizationId, id))!;
    const since = addDays24(row.firstFailedAt!, -days);
    const moved = {
      firstFailedAt: since,
      nextRetryAt: addDays24(since, row.retryDays![0]!),
      graceEndsAt: addDays24(since, 7),
    };
    subscriptions.update(tx, withDerived({ ...row, ...moved }));
  });
}

const seenStatement = sql(
  "test.seen",
  "UPDATE worker_heartbeat SET seen_at = statement_timestamp() - $1 * interval '1 day'",
);

/** Sets the worker's last heartbeat to `days` days ago; below zero, into the future. */
export async function lastSeen({ db }: Context, days: number): Promise<void> {
  await db.tx((tx) => tx.query(seenStatement, [days]));
}

const approvedStatement = sql(
  "test.approved",
  `UPDATE organizations SET catch_up_approved_until = statement_timestamp() - $1 * interval '1 day'
   WHERE mode = 'live'`,
);

/** Sets the last approval of a catch-up to `days` days ago; below zero, into the future. */
export async function lastApproved({ db }: Context, days: number): Promise<void> {
  await db.tx((tx) => tx.query(approvedStatement, [days]));
}

/** A Context of the same process, and the errors that this Context logs. */
export function listening(ctx: Context): { ctx: Context & { log: Logger }; errors: Json[] } {
  const errors: Json[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void errors.push(JSON.parse(line)) });
  return { ctx: { ...ctx, log }, errors };
}
