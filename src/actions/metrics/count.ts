import type { Context } from "../../context.ts";
import { addDays, beginOfDay, dateIn, MINUTE, parseInstant, type Instant } from "../../domain/calendar.ts";
import { figuresOf } from "../../domain/metrics/day.ts";
import { count, type RecordedState, type Uncounted } from "../../domain/metrics/movement.ts";
import { firstIdAt } from "../../ids.ts";
import { realNow } from "../../clock.ts";
import type { Tx } from "../../store/driver/db.ts";
import {
  claimCount,
  countedStates,
  storeCount,
  moveCount,
  readWindow,
  uncountedEvents,
  type UncountedEvent,
} from "../../store/metrics.ts";
import { organizations } from "../../store/organizations.ts";

/** The events of one turn. Their Customers' histories come with them, so a turn stays short. */
const WINDOW = 500;
/**
 * The ids of events follow the clocks of the processes, and an event is seen only after its commit. So events of the
 * last minutes are looked through again, and only those that were not counted are counted.
 */
const SEEN_AGAIN = 10 * MINUTE;

const read = (text: string) => parseInstant(text)!;

/** An event of before quantities has one unit, without a field. */
const quantityOf = ({ quantity }: Partial<UncountedEvent["data"]>): number => quantity ?? 1;

function recordedState({ sequence, at, data }: UncountedEvent): RecordedState {
  const { status, productId, amount, interval, intervalCount } = data;
  const [currentPeriodStart, currentPeriodEnd] = [read(data.currentPeriodStart), read(data.currentPeriodEnd)];
  const units = { amount, quantity: quantityOf(data) };
  return { sequence, at, status, productId, ...units, interval, intervalCount, currentPeriodStart, currentPeriodEnd };
}

/** `events`: those of one Subscription, in order. */
function uncountedOf(organizationId: string, events: readonly UncountedEvent[]): Uncounted {
  const { subscriptionId, customerId, currency, discount, pastDiscounts } = events[0]!;
  const states = events.map(recordedState);
  return { organizationId, subscriptionId, customerId, currency, discount, pastDiscounts, states };
}

async function countCustomers(tx: Tx, organizationId: string, zone: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const [events, states] = await Promise.all([
    uncountedEvents(tx, organizationId, ids),
    countedStates(tx, organizationId, ids),
  ]);
  const counted = Map.groupBy(states, ({ customerId }) => customerId);
  const bySubscription = [...Map.groupBy(events, ({ subscriptionId }) => subscriptionId).values()];
  const uncounted = bySubscription.map((own) => uncountedOf(organizationId, own));
  const found = [...Map.groupBy(uncounted, ({ customerId }) => customerId)].map(([id, own]) =>
    count(counted.get(id) ?? [], own),
  );
  const movements = found.flatMap((each) => each.movements).map((each) => ({ ...each, day: dateIn(each.at, zone) }));
  storeCount(tx, { states: found.flatMap((each) => each.states), movements, figures: figuresOf(movements) });
}

/** The beginning of the day after `now` in the zone. */
const nextDay = (now: Instant, zone: string): Instant => beginOfDay(addDays(dateIn(now, zone), 1), zone);

/**
 * Counts the events of an Organization's Subscriptions that were not counted yet (rules R4, R5, R6). Stops after
 * `milliseconds`, but not before one turn is done. `done`: the number of turns that found an event. `isComplete`:
 * whether all events are counted. Another process that counts this Organization goes on instead.
 */
export async function countMetrics(
  ctx: Pick<Context, "db">,
  organizationId: string,
  milliseconds: number,
): Promise<{ done: number; isComplete: boolean }> {
  const deadline = performance.now() + milliseconds;
  let cursor = "";
  for (let done = 0; ; done += 1) {
    const turn = await ctx.db.tx(async (tx) => {
      const claimed = await claimCount(tx, organizationId);
      const organization = await organizations.find(tx, organizationId);
      if (claimed === null || organization === null) return null;
      const { readUntil, now } = claimed;
      const after = cursor > readUntil ? cursor : readUntil;
      const { events, last, customerIds } = await readWindow(tx, organizationId, after, WINDOW);
      await countCustomers(tx, organizationId, organization.timeZone, customerIds);
      const settled = firstIdAt("evt", realNow() - SEEN_AGAIN);
      const isLast = events < WINDOW;
      const next = last ?? after;
      moveCount(
        tx,
        organizationId,
        next < settled ? next : settled,
        isLast ? nextDay(now, organization.timeZone) : null,
      );
      return { isLast, next, events };
    });
    if (turn === null) return { done, isComplete: false };
    if (turn.isLast) return { done: done + (turn.events > 0 ? 1 : 0), isComplete: true };
    if (performance.now() > deadline) return { done: done + 1, isComplete: false };
    cursor = turn.next;
  }
}
