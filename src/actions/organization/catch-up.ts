import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { isHeld, missedPeriods } from "../../domain/organization/catch-up.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { isUnavailable } from "../../errors.ts";
import * as store from "../../store/catch-up.ts";
import { billingNow } from "../../store/organizations.ts";

const NOTED_SECONDS = 60;
const PAGE = 500;

/** The clock as it was recorded and as it is, and the live Organizations that hold back due work since then. */
type Noted = store.Heartbeat & { organizations: readonly string[] };

/** `ahead`: no process ran for over 24 hours, or the clock jumped. `back`: the clock was set back by over 24 hours. */
function jumpOf({ seenAt, now }: store.Heartbeat): "ahead" | "back" | null {
  if (Math.abs(now - seenAt) <= store.JUMP_MILLISECONDS) return null;
  return now > seenAt ? "ahead" : "back";
}

/** Records the clock in one transaction. Other processes wait for the lock, and then find no jump. */
const noteAtOnce = ({ db }: Pick<Context, "db">): Promise<Noted> =>
  db.tx(async (tx) => {
    const clock = await store.lockHeartbeat(tx);
    const jump = jumpOf(clock);
    const organizations = jump === "ahead" ? await store.holdLive(tx, clock.seenAt) : [];
    if (jump === "back") store.withdrawApprovals(tx, clock.now);
    store.moveHeartbeat(tx, clock.now);
    return { ...clock, organizations };
  });

/**
 * Records the clock of a distributed database. A jump is carried out in a transaction for each Organization, and the
 * clock is recorded last. Until then every process finds the jump and carries it out, also after a crash. The
 * Organizations are those of the process that records the jump.
 */
async function noteApart(ctx: Pick<Context, "db">): Promise<Noted> {
  const { db } = ctx;
  const seen = await store.readHeartbeat(db.read);
  const jump = seen && jumpOf(seen);
  const organizations = jump === "ahead" ? await store.holdLiveApart(db, seen!) : [];
  if (jump === "back") await store.withdrawApprovalsApart(db, seen!);
  const noted = await db.tx(async (tx) => {
    const clock = await store.lockHeartbeat(tx);
    const isOwn = clock.seenAt === seen?.seenAt && jumpOf(clock) === jump;
    if (jumpOf(clock) !== null && !isOwn) return null;
    store.moveHeartbeat(tx, clock.now);
    return { ...clock, organizations: isOwn ? organizations : [] };
  });
  // Without a result the clock jumped during this call.
  return noted ?? noteApart(ctx);
}

/**
 * Records the current time about once a minute, even if many processes call this function often. The function must be
 * called before due items are done. If over 24 hours have passed since the recorded time, because the clock jumped or
 * no process ran, live Organizations hold back due items from now on (rule T4). If the clock went back by over 24
 * hours, approvals for instants after the new time are withdrawn.
 */
export async function noteTime(ctx: Pick<Context, "db" | "log">): Promise<void> {
  if (await store.isNoted(ctx.db.read, NOTED_SECONDS)) return;
  const noted = ctx.db.isDistributed() ? await noteApart(ctx) : await noteAtOnce(ctx);
  if (noted.organizations.length > 0)
    ctx.log.error(
      { since: noted.seenAt, organizations: noted.organizations },
      "no worker ran for over 24 hours, or the clock jumped: due work is held, see node bin/billow.mjs catch-up",
    );
  if (jumpOf(noted) === "back")
    ctx.log.error("the clock went back by over 24 hours: no work is due until it has caught up with itself");
}

/**
 * As `noteTime`, but goes on while a node of a distributed database is away: each node has a copy of the recorded time,
 * so the time can't be recorded then. Requests and work of the other nodes need no record: a load holds back overdue
 * work by itself once the recorded time is a day old. Returns whether the time is recorded.
 */
export async function noteTimeIfPossible(ctx: Pick<Context, "db" | "log">): Promise<boolean> {
  try {
    await noteTime(ctx);
    return true;
  } catch (error) {
    if (!ctx.db.isDistributed() || !isUnavailable(error)) throw error;
    ctx.log.error({ err: error }, "the time can't be recorded");
    return false;
  }
}

/**
 * The items that an Organization holds back at `now`. `since`: the last recorded instant before the clock jumped; null
 * if no jump was found. `amounts`: the sum of the missed periods in minor units, by currency, at the agreed prices less
 * discounts, before tax and balance.
 */
export type CatchUp = {
  organization: Organization;
  now: Instant;
  since: Instant | null;
  subscriptions: number;
  periods: number;
  amounts: Map<string, number>;
  oldest: Instant | null;
};

/** Computes the held items anew, even if no worker has marked them as held yet. */
export async function readCatchUp(ctx: Context, organization: Organization): Promise<CatchUp> {
  const { id, timeZone, catchUpSince: since } = organization;
  const now = await billingNow(ctx.db.read, id);
  const found: CatchUp = { organization, now, since, subscriptions: 0, periods: 0, amounts: new Map(), oldest: null };
  for (let after: Subscription | null = null; ;) {
    const page: Subscription[] = await store.overduePage(ctx.db.read, id, now, after, PAGE);
    for (const subscription of page) {
      if (!isHeld(organization, subscription, now)) continue;
      found.subscriptions += 1;
      found.oldest ??= subscription.dueAt;
      for (const amount of missedPeriods(subscription, timeZone, now)) {
        found.periods += 1;
        found.amounts.set(subscription.currency, (found.amounts.get(subscription.currency) ?? 0) + amount);
      }
    }
    if (page.length < PAGE) return found;
    after = page.at(-1)!;
  }
}

/** Lets the worker do the items that were due when the `CatchUp` was read, period after period (rule T4). */
export async function approveCatchUp(ctx: Context, { organization, now }: CatchUp): Promise<void> {
  await ctx.db.tx((tx) => store.approve(tx, organization.id, now));
}

/** Logs the number of held Subscriptions by Organization, if it differs from the number in `reported`. Updates `reported`. */
export async function reportHeld(ctx: Context, reported: Map<string, number>): Promise<void> {
  const held = new Map((await store.countHeld(ctx.db.read)).map((each) => [each.organizationId, each.subscriptions]));
  for (const [organizationId, subscriptions] of held) {
    if (reported.get(organizationId) === subscriptions) continue;
    ctx.log.error(
      { organizationId, subscriptions },
      "the due work of these Subscriptions is held: see node bin/billow.mjs catch-up",
    );
  }
  reported.clear();
  for (const [organizationId, subscriptions] of held) reported.set(organizationId, subscriptions);
}
