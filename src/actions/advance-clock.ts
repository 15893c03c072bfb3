import type { Context } from "../context.ts";
import { addCalendar, LAST_CLOCK, type Instant } from "../domain/calendar.ts";
import type { Organization } from "../domain/organization.ts";
import { AppError, invalid } from "../errors.ts";
import { earliestDueCheckout, firstDueCheckout, hasCheckouts, simulateCheckouts } from "../store/checkouts.ts";
import { hasCustomers } from "../store/customers.ts";
import { patient, unhurried, type Tx } from "../store/db.ts";
import { arriveClock, billingNow, clockLease, moveClock, organizations, releaseClock } from "../store/organizations.ts";
import { challengedPayments, unsettledPayments } from "../store/payments.ts";
import { unsettledRefunds } from "../store/refunds.ts";
import { earliestDue, firstDue, simulate } from "../store/subscriptions.ts";
import { expireCheckout, runDueCustomer } from "./run-due.ts";
import { carryOutPayment } from "./settle-payment.ts";
import { carryOutRefund } from "./settle-refund.ts";
import { later } from "./work.ts";

/** Where to: an instant, an ISO 8601 duration on from now, or whatever is due next. */
export type ClockTarget = { to: Instant } | { by: string } | { toNextDue: true };
/** `arrived` false: the target stays stored; call again, or leave it to the worker (rule T5). */
export type Advance = { now: Instant; target: Instant; done: number; arrived: boolean };

/** Longer than this no caller is kept waiting. */
const ADVANCE_MILLISECONDS = 25_000;

const outOfRange = (pointer: string) => invalid(pointer, "out_of_range", "A clock goes to the year 9900 at most.");

function requireClock(at: Instant, pointer: string): Instant {
  if (at > LAST_CLOCK) throw outOfRange(pointer);
  return at;
}

/** @throws AppError 409 `clock_backwards`, 422 for a duration that leaves the calendar */
async function resolveTarget(tx: Tx, organization: Organization, now: Instant, wanted: ClockTarget): Promise<Instant> {
  if ("to" in wanted) {
    if (wanted.to < now) throw new AppError("clock_backwards");
    return requireClock(wanted.to, "/to");
  }
  if ("by" in wanted) {
    try {
      return requireClock(addCalendar(now, organization.timeZone, wanted.by), "/by");
    } catch (error) {
      if (error instanceof RangeError) throw outOfRange("/by");
      throw error;
    }
  }
  const due = [await earliestDue(tx, organization.id), await earliestDueCheckout(tx, organization.id)].filter((at) => at !== null);
  return due.length === 0 ? now : later(now, Math.min(...due) as Instant);
}

/**
 * Stores the target and takes the lease; from now on the Organization's clock stands still but for advances (rule T1). An advance that was
 * left unfinished goes on to its own target, or to a later `to`. @throws AppError 409 `clock_advancing` while another process is at it
 */
async function begin(ctx: Context, organizationId: string, wanted: ClockTarget | null): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const organization = await organizations.lock(tx, organizationId);
    if (!organization || organization.mode !== "sandbox") throw new AppError("not_found");
    const lease = organization.clockTarget === null ? 0 : await clockLease(tx, organizationId);
    if (lease > 0) throw new AppError("clock_advancing", { headers: { "Retry-After": String(lease) } });
    const now = await billingNow(tx, organizationId);
    const stored = organization.clockTarget;
    if (stored === null && wanted === null) return;
    const target = stored ?? (await resolveTarget(tx, organization, now, wanted!));
    const farther = wanted && "to" in wanted ? later(target, wanted.to) : target;
    organizations.update(tx, {
      ...organization,
      clockAt: now,
      clockTarget: farther,
      clockDone: stored === null ? 0 : organization.clockDone,
    });
    await moveClock(tx, organizationId, now, 0);
    if (organization.clockAt !== null) return;
    await simulate(tx, organizationId);
    await simulateCheckouts(tx, organizationId);
  });
}

/** What is being paid or refunded is settled before the clock moves on (rule T4); false when a provider does not say yet. */
async function settleAll(ctx: Context, organizationId: string): Promise<boolean> {
  let stuck = 0;
  for (let before = ""; stuck < 3;) {
    const { read: db } = ctx.db;
    const [paying, refunding] = await Promise.all([unsettledPayments(db, organizationId), unsettledRefunds(db, organizationId)]);
    if (paying.length + refunding.length === 0) return true;
    for (const id of paying) await carryOutPayment(ctx, organizationId, id);
    for (const id of refunding) await carryOutRefund(ctx, organizationId, id);
    const now = [...paying, ...refunding].join();
    stuck = now === before ? stuck + 1 : 0;
    before = now;
  }
  return false;
}

/**
 * Carries out the next thing due up to `target`, with the clock at its instant; null when nothing is left. The clock moves in the same
 * transaction: a move before and one after the work cost as much as the work itself.
 */
async function step(ctx: Context, organizationId: string, target: Instant): Promise<number | null> {
  const { read: db } = ctx.db;
  const [customer, checkout] = await Promise.all([firstDue(db, organizationId, target), firstDueCheckout(db, organizationId, target)]);
  const first = customer && (!checkout || customer.dueAt <= checkout.dueAt) ? customer : checkout;
  if (!first) return null;
  return ctx.db.tx(async (tx) => {
    await moveClock(tx, organizationId, first.dueAt, 0);
    const done =
      "customerId" in first
        ? await runDueCustomer(ctx, tx, organizationId, first.customerId, first.dueAt)
        : await expireCheckout(ctx, tx, organizationId, first.id);
    await moveClock(tx, organizationId, first.dueAt, done);
    return done;
  });
}

/**
 * Moves a sandbox clock through every due instant up to the target, doing what is due at each, so that a year at once is a year of small
 * steps (rules T4, T5). `wanted` null goes on with a stored target. @throws AppError 404, 409 `clock_advancing`, `clock_backwards`
 */
export async function advanceClock(
  { db, ...rest }: Context,
  organizationId: string,
  wanted: ClockTarget | null,
  milliseconds = ADVANCE_MILLISECONDS,
): Promise<Advance> {
  const deadline = performance.now() + milliseconds;
  // What a power cut takes of an advance, it does again in the same way. Its first step may have many rows to mark.
  const ctx: Context = { ...rest, db: patient(unhurried(db)) };
  await begin(ctx, organizationId, wanted);
  try {
    // Challenges that buyers have answered meanwhile; those still open don't keep the clock.
    for (const id of await challengedPayments(ctx.db.read, organizationId)) await carryOutPayment(ctx, organizationId, id);
    for (;;) {
      const [{ clockTarget }, settled] = await Promise.all([read(ctx, organizationId), settleAll(ctx, organizationId)]);
      if (clockTarget === null) break;
      if (!settled || performance.now() > deadline) {
        await ctx.db.tx((tx) => releaseClock(tx, organizationId));
        break;
      }
      if ((await step(ctx, organizationId, clockTarget)) === null) await ctx.db.tx((tx) => arriveClock(tx, organizationId, clockTarget));
    }
  } catch (error) {
    await ctx.db.tx((tx) => releaseClock(tx, organizationId));
    throw error;
  }
  const { clockAt, clockTarget, clockDone } = await read(ctx, organizationId);
  return { now: clockAt!, target: clockTarget ?? clockAt!, done: clockDone, arrived: clockTarget === null };
}

async function read(ctx: Context, organizationId: string): Promise<Organization> {
  const organization = await organizations.find(ctx.db.read, organizationId);
  if (!organization) throw new AppError("not_found");
  return organization;
}

/**
 * Sets a sandbox clock to any instant, as long as nothing was sold in it.
 * @throws AppError 404, 409 `clock_not_settable`, `clock_advancing`
 */
export async function setClock(ctx: Context, organizationId: string, now: Instant): Promise<void> {
  requireClock(now, "/now");
  await ctx.db.tx(async (tx) => {
    const organization = await organizations.lock(tx, organizationId);
    if (!organization || organization.mode !== "sandbox") throw new AppError("not_found");
    if (organization.clockTarget !== null) throw new AppError("clock_advancing", { headers: { "Retry-After": "1" } });
    if ((await hasCustomers(tx, organizationId)) || (await hasCheckouts(tx, organizationId))) throw new AppError("clock_not_settable");
    organizations.update(tx, { ...organization, clockAt: now });
  });
}
