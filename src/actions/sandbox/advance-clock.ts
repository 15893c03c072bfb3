import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { fateOf } from "../../domain/organization/clock.ts";
import { withWorkerLimits, withAsyncCommit } from "../../store/driver/db.ts";
import { Refusal } from "../../domain/refusal.ts";
import { organizations, readOrganization, takeClock } from "../../store/organizations.ts";
import { ownOrigin, type Origin } from "../origin.ts";
import { beginAdvance, type Begun } from "./advance-begin.ts";
import { findDue } from "./advance-slice.ts";
import { carryOn, takePart } from "./advance-turns.ts";
import type { ClockTarget } from "./clock-target.ts";

/**
 * `arrived`: false if the clock has not reached the target; the target stays stored, and a worker continues the advance
 * (rule T5).
 */
export type Advance = { now: Instant; target: Instant; done: number; arrived: boolean };

/** A caller waits for this long at most. */
const ADVANCE_MILLISECONDS = 25_000;
/** The pause between two looks at an advance that another process runs. */
const POLL_MILLISECONDS = 100;

/**
 * After a power cut, an advance repeats the lost steps in the same way, so its commits need not wait for the disk.
 */
export const forAdvances = ({ db, ...rest }: Context): Context => ({
  ...rest,
  db: withWorkerLimits(withAsyncCommit(db)),
});

/**
 * Takes part in the advance to `target` until the clock has reached the target or `deadline` is past. With the lease,
 * this process advances the clock; without the lease, it waits for the process that has the lease.
 */
async function goAlong(
  ctx: Context,
  organizationId: string,
  { target, lease: taken }: Begun,
  deadline: number,
): Promise<Advance> {
  for (let lease = taken; ; lease = await ctx.db.tx((tx) => takeClock(tx, organizationId, target))) {
    const goesOn = await takePart(ctx, organizationId, lease, deadline);
    const { now, organization } = await readOrganization(ctx.db.read, organizationId);
    const isAtRest = organization.clockTarget === null && now === target;
    const isDueLeft = isAtRest && (await findDue(ctx, organizationId, target)) !== null;
    const fate = fateOf(target, now, organization.clockTarget, isDueLeft);
    if (fate === "stopped") throw new Refusal("clock_stopped", { now, target });
    const arrived = fate === "arrived";
    if (arrived || !goesOn || performance.now() > deadline)
      return { now, target, done: organization.clockDone, arrived };
    await sleep(POLL_MILLISECONDS);
  }
}

/**
 * Moves a sandbox's clock through every due instant up to the target, and does the items due at each instant. So an
 * advance by a year has the same results as many small advances (rules T4d, T5d). If another process is advancing the
 * clock to the same target, this call waits for that process, and continues the advance if that process stops. After
 * `milliseconds`, or while a payment provider does not know an outcome, the rest is left to a worker. `origin`: runs
 * the transaction that stores the target.
 * @throws Refusal 404, 409 `clock_backwards`, `clock_advancing` with its `target`, `clock_stopped` with `now` and
 * `target`
 */
export async function advanceClock(
  context: Context,
  organizationId: string,
  wanted: ClockTarget,
  milliseconds = ADVANCE_MILLISECONDS,
  origin: Origin<Begun> = ownOrigin(organizationId),
): Promise<Advance> {
  const deadline = performance.now() + milliseconds;
  const ctx = forAdvances(context);
  return goAlong(ctx, organizationId, await beginAdvance(ctx, origin, wanted), deadline);
}

/** As `advanceClock`, again and again until the clock has reached the target. */
export async function advanceToEnd(ctx: Context, organizationId: string, to: Instant): Promise<void> {
  while (!(await advanceClock(ctx, organizationId, { to })).arrived);
}

/**
 * As `advanceClock`, but only joins an advance that has already begun. If that advance was stopped meanwhile, no new
 * advance begins.
 * @throws Refusal 409 `clock_stopped` with `now` and `target`
 */
export async function joinAdvance(
  context: Context,
  organizationId: string,
  target: Instant,
  milliseconds: number,
): Promise<Advance> {
  const deadline = performance.now() + milliseconds;
  const ctx = forAdvances(context);
  const lease = await ctx.db.tx((tx) => takeClock(tx, organizationId, target));
  return goAlong(ctx, organizationId, { target, lease }, deadline);
}

/**
 * Continues a stored advance for `milliseconds`, unless another process has its lease. Returns false while a provider's
 * answer is awaited.
 */
export async function carryOnAdvance(context: Context, organizationId: string, milliseconds: number): Promise<boolean> {
  const ctx = forAdvances(context);
  const organization = await organizations.find(ctx.db.read, organizationId);
  const target = organization?.clockTarget ?? null;
  const lease = target && (await ctx.db.tx((tx) => takeClock(tx, organizationId, target)));
  return lease === null || carryOn(ctx, organizationId, lease, performance.now() + milliseconds);
}
