import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { addCalendar, addDays24, instant, type Instant } from "../../domain/calendar.ts";
import type { Tx } from "../../store/driver/db.ts";
import { billingNow, readOrganization } from "../../store/organizations.ts";
import { unsettledOf } from "../../store/payments.ts";
import { runDueCustomer } from "../due.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { advanceToEnd } from "../sandbox/advance-clock.ts";
import type { World } from "./world.ts";

/** Due items are made due this long from now, which leaves enough time to prepare them. */
export const SOON_MILLISECONDS = 2_000;

/** The instant of billing time that is `SOON_MILLISECONDS` from now. */
export async function soon({ ctx, organizationId }: World): Promise<Instant> {
  return instant((await billingNow(ctx.db.read, organizationId)) + SOON_MILLISECONDS);
}

/** Waits until the database's clock, which may differ from this process's clock, has reached the instant. */
async function waitFor(ctx: Context, organizationId: string, at: Instant): Promise<void> {
  for (;;) {
    const left = at - (await readOrganization(ctx.db.read, organizationId)).realNow;
    if (left <= 0) return;
    await sleep(left);
  }
}

/**
 * Brings billing time to `at`: advances the sandbox's clock if it was set, or else waits for real time. After the wait,
 * `due` does the due items.
 */
export async function pass(
  { ctx, organizationId, made }: World,
  at: Instant,
  due: (tx: Tx) => Promise<number>,
): Promise<void> {
  const { organization } = await readOrganization(ctx.db.read, organizationId);
  if (organization.clockAt === null) {
    await waitFor(ctx, organizationId, at);
    await ctx.db.tx(due);
    // Another process may have begun these payments.
    const unsettled = await unsettledOf(ctx.db.read, organizationId, made["customerId"]!);
    for (const id of unsettled) await carryOutPayment(ctx, organizationId, id);
    return;
  }
  await advanceToEnd(ctx, organizationId, at);
}

export const passPeriod = (world: World, at: Instant) =>
  pass(world, at, (tx) => runDueCustomer(world.ctx, tx, world.organizationId, world.made["customerId"]!, at));

/**
 * The instant at which a period of `days` days has to begin to end at `end`, even if some days have 23 or 25 hours.
 */
export async function daysBefore({ ctx, organizationId }: World, days: number, end: Instant): Promise<Instant> {
  const { organization } = await readOrganization(ctx.db.read, organizationId);
  const guess = addDays24(end, -days);
  return instant(guess - (addCalendar(guess, organization.timeZone, `P${days}D`) - end));
}
