import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { firstOf, planSlice, type DueRow, type Slice } from "../../domain/organization/clock.ts";
import { MOST_AT_ONCE } from "../../domain/collection/due.ts";
import { firstDueCheckout } from "../../store/checkouts.ts";
import { countDone, moveClock, type ClockLease } from "../../store/organizations.ts";
import { firstDueCards } from "../../store/payment-methods.ts";
import { firstDue } from "../../store/subscriptions.ts";
import { awaitsContent } from "../../store/unwritten-emails.ts";
import { isGone } from "../batch.ts";
import { expireCheckout } from "../checkout/expire.ts";
import { runSlice } from "../due.ts";

/** The maximum number of due Subscriptions and cards in a batch. Such a batch takes well under a second. */
const BATCH = 100;

/** The next step of an advance, in one transaction. `to`: the instant of the clock after the step. */
export type NextDue = Slice | { to: Instant; checkoutId: string };

/** The next step up to an instant; null if no item is due. */
export async function findDue(
  { db: { read: db } }: Context,
  organizationId: string,
  until: Instant,
): Promise<NextDue | null> {
  const [renewals, cards, checkout] = await Promise.all([
    firstDue(db, organizationId, until, BATCH),
    firstDueCards(db, organizationId, until, BATCH),
    firstDueCheckout(db, organizationId, until),
  ]);
  const inOrder = (one: DueRow, other: DueRow) =>
    one.dueAt - other.dueAt || (one.customerId < other.customerId ? -1 : 1);
  const [first, ...others] = [...renewals, ...cards].sort(inOrder).slice(0, BATCH);
  if (first && (!checkout || first.dueAt <= checkout.dueAt))
    return planSlice([first, ...others], checkout?.dueAt ?? until, MOST_AT_ONCE);
  return checkout && { to: checkout.dueAt, checkoutId: checkout.id };
}

/**
 * The renewed lease. Null: the advance was stopped, or another process has the lease. `untold`: the text of an e-mail
 * about the current state must be stored first.
 */
type Stepped = ClockLease | "untold" | null;

/**
 * Does the items of the next step, and moves the clock to the step's last instant in the same transaction. So a stop, a
 * crash or another request never comes between two parts of a step.
 */
async function step(ctx: Context, organizationId: string, lease: ClockLease, due: NextDue): Promise<Stepped> {
  return ctx.db.tx(async (tx) => {
    if ("customers" in due && (await awaitsContent(tx, organizationId, due.customers))) return "untold";
    const moved = await moveClock(tx, organizationId, lease, due.to);
    if (moved === null) return null;
    const done =
      "customers" in due
        ? await runSlice(ctx, tx, organizationId, due, lease.now)
        : await expireCheckout(ctx, tx, organizationId, due.checkoutId);
    countDone(tx, organizationId, done);
    return moved;
  });
}

/**
 * As `step`. If a slice fails, its first Customer is done alone, so that all items before the failing item are done.
 */
export async function stepOrLess(
  ctx: Context,
  organizationId: string,
  lease: ClockLease,
  due: NextDue,
): Promise<Stepped> {
  try {
    return await step(ctx, organizationId, lease, due);
  } catch (error) {
    if (isGone(error) || !("customers" in due) || due.customers.length === 1) throw error;
    return step(ctx, organizationId, lease, firstOf(due));
  }
}
