import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { addCalendar, formatInstant, LAST_CLOCK, type Instant } from "../../domain/calendar.ts";
import { fateOf, planAdvance } from "../../domain/organization/clock.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { AppError, invalid } from "../../errors.ts";
import { earliestDueCheckout, hasCheckouts, simulateCheckouts } from "../../store/checkouts.ts";
import { hasCustomers } from "../../store/customers.ts";
import { patient, unhurried, type Tx } from "../../store/db.ts";
import {
  arriveClock,
  billingNow,
  moveClock,
  organizations,
  readOrganization,
  releaseClock,
  startClock,
  stopClock,
  takeClock,
  type ClockLease,
} from "../../store/organizations.ts";
import { challengedPayments } from "../../store/payments.ts";
import { earliestDue, simulate } from "../../store/subscriptions.ts";
import { settleSome } from "./advance-settle.ts";
import { findDue, stepOrLess } from "./advance-slice.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { later } from "../work.ts";
import { writeLetters } from "../email/write-letters.ts";

/** Where to: an instant, an ISO 8601 duration on from now, or whatever is due next. */
export type ClockTarget = { to: Instant } | { by: string } | { toNextDue: true };
/** `arrived` false: the target stays stored, and a worker carries the advance on (rule T5). */
export type Advance = { now: Instant; target: Instant; done: number; arrived: boolean };

/** Longer than this no caller is kept waiting. */
const ADVANCE_MILLISECONDS = 25_000;
/** A process that waits for another one looks so often how far that is. */
const POLL_MILLISECONDS = 100;
/** The lease is ten seconds: work between two steps is interrupted so often to take it anew, and to see whether the advance was stopped. */
const TURN_MILLISECONDS = 500;
/** A provider that does not know the outcome of a payment is given so long before the advance asks once more. */
const PAUSE_MILLISECONDS = 1_000;
/** A long advance has ended by then, or the caller looks again. */
const RETRY_SECONDS = "5";

const outOfRange = (pointer: string) => invalid(pointer, "out_of_range", "A clock goes to the year 9900 at most.");

function requireClock(at: Instant, pointer: string): Instant {
  if (at > LAST_CLOCK) throw outOfRange(pointer);
  return at;
}

/** @throws AppError 422 for what leaves the calendar */
async function resolveTarget(tx: Tx, organization: Organization, now: Instant, wanted: ClockTarget): Promise<Instant> {
  if ("to" in wanted) return requireClock(wanted.to, "/to");
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

function advancing(clockTarget: Instant): AppError {
  const target = formatInstant(clockTarget);
  const detail = `An advance to ${target} is under way. Wait until the clock has reached it, or stop the advance.`;
  return new AppError("clock_advancing", { detail, extra: { target }, headers: { "Retry-After": RETRY_SECONDS } });
}

function stopped(at: Instant, clockTarget: Instant): AppError {
  const [now, target] = [formatInstant(at), formatInstant(clockTarget)];
  const detail = `The clock stands at ${now}. Advance it again to go on from there.`;
  return new AppError("clock_stopped", { detail, extra: { now, target } });
}

async function lockSandbox(tx: Tx, organizationId: string): Promise<Organization> {
  const organization = await organizations.lock(tx, organizationId);
  if (!organization || organization.mode !== "sandbox") throw new AppError("not_found");
  return organization;
}

type Begun = { target: Instant; lease: ClockLease | null };

/**
 * Stores the target, or joins the advance that has the same one, and takes the lease if it is free. From now on the Organization's clock
 * stands still but for advances (rule T1). @throws AppError 404, 409 `clock_backwards`, `clock_advancing` with the `target`
 */
async function begin(ctx: Context, organizationId: string, wanted: ClockTarget): Promise<Begun> {
  return ctx.db.tx(async (tx) => {
    const organization = await lockSandbox(tx, organizationId);
    const now = await billingNow(tx, organizationId);
    const target = await resolveTarget(tx, organization, now, wanted);
    const plan = planAdvance(now, organization.clockTarget, target);
    if (plan === "clock_backwards") throw new AppError("clock_backwards");
    if (plan === "clock_advancing") throw advancing(organization.clockTarget!);
    if (plan === "start") await startClock(tx, organizationId, now, target);
    if (organization.clockAt === null) {
      await simulate(tx, organizationId);
      await simulateCheckouts(tx, organizationId);
    }
    return { target, lease: await takeClock(tx, organizationId, target) };
  });
}

const renew = (ctx: Context, organizationId: string, lease: ClockLease) => ctx.db.tx((tx) => moveClock(tx, organizationId, lease, null));

/** One turn of an advance. Answers the lease as it is then, or null where it was stopped or has arrived; `stuck`: a provider is awaited. */
async function turn(ctx: Context, organizationId: string, lease: ClockLease): Promise<ClockLease | "stuck" | null> {
  const settled = await settleSome(ctx, organizationId, TURN_MILLISECONDS);
  if (settled === "stuck") return "stuck";
  if (settled === "more") return renew(ctx, organizationId, lease);
  const due = await findDue(ctx, organizationId, lease.target);
  const isToMove = due === null || due.to > lease.now;
  if (isToMove && (await writeLetters(ctx, organizationId, TURN_MILLISECONDS)) > 0) return renew(ctx, organizationId, lease);
  if (due) {
    const next = await stepOrLess(ctx, organizationId, lease, due);
    if (next !== "untold") return next;
    await writeLetters(ctx, organizationId, TURN_MILLISECONDS);
    return renew(ctx, organizationId, lease);
  }
  const arrived = await ctx.db.tx((tx) => arriveClock(tx, organizationId, lease));
  return arrived ? null : renew(ctx, organizationId, lease);
}

/**
 * Carries an advance out under its lease until it has arrived, was stopped or `deadline` (of `performance.now()`) has passed; then the
 * lease is free for others. Answers false where a provider's answer is awaited.
 */
async function carryOn(ctx: Context, organizationId: string, taken: ClockLease, deadline: number): Promise<boolean> {
  let lease = taken;
  const release = (pause: number) => ctx.db.tx((tx) => releaseClock(tx, organizationId, lease, pause));
  try {
    while (performance.now() < deadline) {
      const next = await turn(ctx, organizationId, lease);
      if (next === null) return true;
      if (next === "stuck") {
        await release(PAUSE_MILLISECONDS);
        return false;
      }
      lease = next;
    }
  } catch (error) {
    await release(0);
    throw error;
  }
  await release(0);
  return true;
}

/** An advance repeats the steps that a power cut took, in the same way. */
const unhurriedly = ({ db, ...rest }: Context): Context => ({ ...rest, db: patient(unhurried(db)) });

/** Challenges that buyers have answered meanwhile; those still open don't keep the clock. */
async function askChallenged(ctx: Context, organizationId: string, lease: ClockLease, deadline: number): Promise<ClockLease | null> {
  let held: ClockLease | null = lease;
  let until = performance.now() + TURN_MILLISECONDS;
  for (const id of await challengedPayments(ctx.db.read, organizationId)) {
    if (held === null || performance.now() > deadline) break;
    await carryOutPayment(ctx, organizationId, id);
    if (performance.now() < until) continue;
    held = await renew(ctx, organizationId, held);
    until = performance.now() + TURN_MILLISECONDS;
  }
  return held;
}

/** Carries an advance on from the beginning of a request or command. Answers false where a provider's answer is awaited. */
async function takePart(ctx: Context, organizationId: string, lease: ClockLease | null, deadline: number): Promise<boolean> {
  const asked = lease && (await askChallenged(ctx, organizationId, lease, deadline));
  return asked === null || carryOn(ctx, organizationId, asked, deadline);
}

/** Goes along with the advance to `target`, under its lease or while another process has it, until it has arrived or `deadline` is past. */
async function goAlong(ctx: Context, organizationId: string, { target, lease: taken }: Begun, deadline: number): Promise<Advance> {
  for (let lease = taken; ; lease = await ctx.db.tx((tx) => takeClock(tx, organizationId, target))) {
    const goesOn = await takePart(ctx, organizationId, lease, deadline);
    const { now, organization } = await readOrganization(ctx.db.read, organizationId);
    const isAtRest = organization.clockTarget === null && now === target;
    const isDueLeft = isAtRest && (await findDue(ctx, organizationId, target)) !== null;
    const fate = fateOf(target, now, organization.clockTarget, isDueLeft);
    if (fate === "stopped") throw stopped(now, target);
    const arrived = fate === "arrived";
    if (arrived || !goesOn || performance.now() > deadline) return { now, target, done: organization.clockDone, arrived };
    await sleep(POLL_MILLISECONDS);
  }
}

/**
 * Moves a sandbox clock through every due instant up to the target, doing what is due at each, so that a year at once is a year of small
 * steps (rules T4, T5). Where an advance goes to the same target already, this waits with the process that carries it out, or takes its
 * place. After `milliseconds`, or where a payment provider does not know an outcome yet, the rest is left to a worker.
 * @throws AppError 404, 409 `clock_backwards`, `clock_advancing` with its `target`, `clock_stopped` with `now` and `target`
 */
export async function advanceClock(
  context: Context,
  organizationId: string,
  wanted: ClockTarget,
  milliseconds = ADVANCE_MILLISECONDS,
): Promise<Advance> {
  const deadline = performance.now() + milliseconds;
  const ctx = unhurriedly(context);
  return goAlong(ctx, organizationId, await begin(ctx, organizationId, wanted), deadline);
}

/**
 * Goes along with an advance that has begun, as `advanceClock` does. It begins none: an advance that was stopped meanwhile stays stopped.
 * @throws AppError 409 `clock_stopped` with `now` and `target`
 */
export async function joinAdvance(context: Context, organizationId: string, target: Instant, milliseconds: number): Promise<Advance> {
  const deadline = performance.now() + milliseconds;
  const ctx = unhurriedly(context);
  const lease = await ctx.db.tx((tx) => takeClock(tx, organizationId, target));
  return goAlong(ctx, organizationId, { target, lease }, deadline);
}

/** Carries a stored advance on for so long, where no other process does. Answers false where a provider's answer is awaited. */
export async function carryOnAdvance(context: Context, organizationId: string, milliseconds: number): Promise<boolean> {
  const ctx = unhurriedly(context);
  const organization = await organizations.find(ctx.db.read, organizationId);
  const target = organization?.clockTarget ?? null;
  const lease = target && (await ctx.db.tx((tx) => takeClock(tx, organizationId, target)));
  return lease === null || carryOn(ctx, organizationId, lease, performance.now() + milliseconds);
}

/** Ends the advance that is under way, if any, where the clock stands: the step in hand is the last one (rule T5). @throws AppError 404 */
export async function stopAdvance(ctx: Context, organizationId: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await stopClock(tx, organizationId);
    const organization = await organizations.find(tx, organizationId);
    if (organization?.mode !== "sandbox") throw new AppError("not_found");
  });
}

/**
 * Sets a sandbox clock to any instant, as long as nothing was sold in it.
 * @throws AppError 404, 409 `clock_not_settable`, `clock_advancing`
 */
export async function setClock(ctx: Context, organizationId: string, now: Instant): Promise<void> {
  requireClock(now, "/now");
  await ctx.db.tx(async (tx) => {
    const organization = await lockSandbox(tx, organizationId);
    if (organization.clockTarget !== null) throw advancing(organization.clockTarget);
    if ((await hasCustomers(tx, organizationId)) || (await hasCheckouts(tx, organizationId))) throw new AppError("clock_not_settable");
    organizations.update(tx, { ...organization, clockAt: now });
  });
}
