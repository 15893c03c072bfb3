import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { runDue } from "../../domain/collection/due.ts";
import { bringPrice, takeBackPrice } from "../../domain/collection/price-change.ts";
import type { PriceChange } from "../../domain/model/price-change.ts";
import { isUnavailable } from "../../errors.ts";
import type { Tx } from "../../store/driver/db.ts";
import { billingNow } from "../../store/organizations.ts";
import {
  findRepriced,
  finishRound,
  priceChangeRounds,
  priceChanges,
  type FoundSubscription,
} from "../../store/price-changes.ts";
import { findWaiting } from "../../store/repriced-subscriptions.ts";
import { decideBillings, inBillingIfThere } from "../customer-billing.ts";

/**
 * Subscriptions in one transaction, which also moves the cursor. So after a crash no Subscription gets its notice twice
 * or not at all (rule N9).
 */
const BATCH = 100;

/** Records that a Customer of a batch has failed. */
type FailCustomer = (customerId: string, error: unknown) => void;
const throwError: FailCustomer = (_customerId, error) => {
  throw error;
};

/**
 * Gives notice of the new prices of a round, or takes them back, in batches (rules N1, N8). Stops after `milliseconds`,
 * but not before one batch is done. Returns the number of Subscriptions done, plus one if the round is finished; 0 if
 * another process runs this round. A Customer that fails is reported to `fail`, and the round goes on with the others.
 * @throws Error if Subscriptions are left at the end, because their Customers have failed: they come first next time
 */
export async function runPriceChange(
  ctx: Context,
  organizationId: string,
  id: string,
  milliseconds: number,
  fail: FailCustomer = throwError,
): Promise<number> {
  const deadline = performance.now() + milliseconds;
  const seen = await priceChanges.find(ctx.db.read, organizationId, id);
  if (!seen || seen.syncAt === null) return 0;
  let round = seen;
  for (let [done, passes] = [0, 1]; ;) {
    const found = await nextOf(ctx, round);
    const moved = found.length > 0 ? await bringAll(ctx, round, found, fail) : round;
    if (moved === null) return done;
    done += found.length;
    round = moved;
    if (found.length < BATCH) {
      if (!(await hasLeft(ctx, moved))) return (await finish(ctx, moved)) ? done + 1 : done;
      const again = await moveTo(ctx, moved, "");
      if (again === null) return done;
      // An earlier run may have passed over them, so they get one more try before the round waits.
      if (passes > 1) throw new Error("Customers of this price change have failed.");
      round = again;
      passes += 1;
    }
    if (performance.now() > deadline) return done;
  }
}

/** The next Subscriptions of a round, by the rows that are stored now. Their Customers' locks decide. */
function nextOf({ db }: Context, round: PriceChange, limit = BATCH): Promise<FoundSubscription[]> {
  const { organizationId, id, status, syncCursor } = round;
  const after = syncCursor ?? "";
  return status === "withdrawing"
    ? findWaiting(db.read, organizationId, id, after, limit)
    : findRepriced(db.read, round, after, limit);
}

/** Whether a round that is at its end has passed over a Subscription. Later Subscriptions than the last are new sales. */
async function hasLeft(ctx: Context, round: PriceChange): Promise<boolean> {
  const [first] = await nextOf(ctx, { ...round, syncCursor: null }, 1);
  return first !== undefined && round.syncCursor !== null && first.id <= round.syncCursor;
}

/** The round at another cursor, in a transaction of its own; null: another process has moved the round. */
const moveTo = (ctx: Context, round: PriceChange, cursor: string): Promise<PriceChange | null> =>
  ctx.db.tx(async (tx) =>
    (await priceChangeRounds.move(tx, round, cursor)) ? { ...round, syncCursor: cursor } : null,
  );

/**
 * Does these Subscriptions, together if possible: one Customer's error fails the whole transaction, and then each
 * Subscription has a transaction of its own. Returns the moved round; null: another process has moved it.
 */
async function bringAll(
  ctx: Context,
  round: PriceChange,
  found: readonly FoundSubscription[],
  fail: FailCustomer,
): Promise<PriceChange | null> {
  try {
    return await ctx.db.tx(async (tx) => {
      const ids = [...new Set(found.map(({ customerId }) => customerId))];
      const keys = { ids: ids.map((id) => ({ organizationId: round.organizationId, id })) };
      for (const each of await decideBillings(ctx, tx, keys, (billing) => bring(billing, round, found)))
        if ("error" in each) throw each.error;
      return await move(tx, round, found.at(-1)!.id);
    });
  } catch (error) {
    return error instanceof MovedMeanwhile ? null : await bringEach(ctx, round, found, fail);
  }
}

async function bringEach(
  ctx: Context,
  round: PriceChange,
  found: readonly FoundSubscription[],
  fail: FailCustomer,
): Promise<PriceChange | null> {
  const { organizationId } = round;
  let moved: PriceChange | null = round;
  for (const each of found) {
    const before: PriceChange = moved;
    try {
      moved = await ctx.db.tx(async (tx) => {
        const key = { organizationId, id: each.customerId };
        await inBillingIfThere(ctx, tx, key, (billing) => bring(billing, before, [each]));
        return await move(tx, before, each.id);
      });
    } catch (error) {
      // A database that is away, or a clock that is being advanced, is no fault of the Customer.
      if (isUnavailable(error)) throw error;
      moved = error instanceof MovedMeanwhile ? null : await moveTo(ctx, before, each.id);
      if (moved !== null) fail(each.customerId, error);
    }
    if (moved === null) return null;
  }
  return moved;
}

/** The part of a round that is about one Customer. */
function bring(billing: CustomerBilling, round: PriceChange, found: readonly FoundSubscription[]): void {
  if (billing.customer.deletedAt !== null) return;
  runDue(billing);
  for (const { id, customerId } of found) {
    if (customerId !== billing.customer.id) continue;
    if (round.status === "withdrawing") takeBackPrice(billing, id, round.id);
    else bringPrice(billing, id, round);
  }
}

/** @throws MovedMeanwhile if another process has moved the round, or a request has paused or stopped it */
async function move(tx: Tx, round: PriceChange, cursor: string): Promise<PriceChange> {
  if (await priceChangeRounds.move(tx, round, cursor)) return { ...round, syncCursor: cursor };
  throw new MovedMeanwhile();
}

const finish = ({ db }: Context, round: PriceChange): Promise<boolean> =>
  db.tx(async (tx) => {
    const status = round.status === "withdrawing" ? "withdrawn" : "completed";
    return finishRound(tx, round, status, await billingNow(tx, round.organizationId));
  });

/** Undoes a transaction because the round has moved meanwhile. */
class MovedMeanwhile extends Error {}
