import type { Context } from "../../context.ts";
import { arriveClock, moveClock, releaseClock, type ClockLease } from "../../store/organizations.ts";
import { challengedPayments, unsettledPayments } from "../../store/payments.ts";
import { unsettledRefunds } from "../../store/refunds.ts";
import { inBatches } from "../batch.ts";
import { writeEmails } from "../email/write-emails.ts";
import { carryOutAll } from "../payment/carry-out-many.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { carryOutRefund } from "../refund/carry-out.ts";
import { findDue, stepOrLess } from "./advance-slice.ts";
import { failRefundsOfCards } from "./fail-at-provider.ts";

/**
 * The lease lasts ten seconds. Work between two steps is interrupted after this time to renew the lease, and to see
 * whether the advance was stopped.
 */
const TURN_MILLISECONDS = 500;
/** The pause before the advance asks again about a payment with an unknown outcome. */
const PAUSE_MILLISECONDS = 1_000;

const renew = (ctx: Context, organizationId: string, lease: ClockLease) =>
  ctx.db.tx((tx) => moveClock(tx, organizationId, lease, null));

/** The most payments that are settled together. This number takes well under a second. */
const BATCH = 100;

/**
 * Settles an Organization's payments and refunds before its clock moves on (rule T4). Returns `more` if payments or
 * refunds are left after `milliseconds`, and `stuck` if a provider does not know an outcome yet.
 */
async function settleSome(
  ctx: Context,
  organizationId: string,
  milliseconds: number,
): Promise<"all" | "more" | "stuck"> {
  const { read: db } = ctx.db;
  const until = performance.now() + milliseconds;
  let same = 0;
  for (let before = ""; same < 3;) {
    const [paying, refunding] = await Promise.all([
      unsettledPayments(db, organizationId),
      unsettledRefunds(db, organizationId),
    ]);
    if (paying.length + refunding.length === 0) return "all";
    for (const ids of inBatches(paying, BATCH)) {
      if (performance.now() > until) return "more";
      await carryOutAll(ctx, organizationId, ids);
    }
    for (const id of refunding) {
      if (performance.now() > until) return "more";
      await carryOutRefund(ctx, organizationId, id);
    }
    const now = [...paying, ...refunding].join();
    same = now === before ? same + 1 : 0;
    before = now;
  }
  return "stuck";
}

/**
 * Does one turn of an advance. Returns the renewed lease; null if the advance was stopped or the clock has reached the
 * target; `stuck` if a provider's answer is awaited.
 */
async function turn(ctx: Context, organizationId: string, lease: ClockLease): Promise<ClockLease | "stuck" | null> {
  const settled = await settleSome(ctx, organizationId, TURN_MILLISECONDS);
  if (settled === "stuck") return "stuck";
  if (settled === "more") return renew(ctx, organizationId, lease);
  const due = await findDue(ctx, organizationId, lease.target);
  const isToMove = due === null || due.to > lease.now;
  if (isToMove && (await writeEmails(ctx, organizationId, TURN_MILLISECONDS)) > 0)
    return renew(ctx, organizationId, lease);
  if (due) {
    const next = await stepOrLess(ctx, organizationId, lease, due);
    if (next !== "untold") return next;
    await writeEmails(ctx, organizationId, TURN_MILLISECONDS);
    return renew(ctx, organizationId, lease);
  }
  const arrived = await ctx.db.tx((tx) => arriveClock(tx, organizationId, lease));
  return arrived ? null : renew(ctx, organizationId, lease);
}

/**
 * Advances the clock under the lease until the target is reached, the advance is stopped, or `deadline` (by
 * `performance.now()`) has passed. Frees the lease at the end. Returns false while a provider's answer is awaited
 * (rule T5c).
 */
export async function carryOn(
  ctx: Context,
  organizationId: string,
  taken: ClockLease,
  deadline: number,
): Promise<boolean> {
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

/**
 * Settles the payments of challenges that buyers have answered meanwhile. The clock does not wait for open challenges.
 */
async function askChallenged(
  ctx: Context,
  organizationId: string,
  lease: ClockLease,
  deadline: number,
): Promise<ClockLease | null> {
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

/**
 * Asks about challenged payments once, lets refunds fail that went to cards with late failures, and continues the
 * advance, for a request or command. Returns false while a
 * provider's answer is awaited.
 */
export async function takePart(
  ctx: Context,
  organizationId: string,
  lease: ClockLease | null,
  deadline: number,
): Promise<boolean> {
  if (lease) await failRefundsOfCards(ctx, organizationId);
  const asked = lease && (await askChallenged(ctx, organizationId, lease, deadline));
  return asked === null || carryOn(ctx, organizationId, asked, deadline);
}
