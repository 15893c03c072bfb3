import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { addCalendar, addDays24, instant, type Instant } from "../../domain/calendar.ts";
import type { Tx } from "../../store/db.ts";
import { billingNow, readOrganization } from "../../store/organizations.ts";
import { unsettledOf } from "../../store/payments.ts";
import { runDueCustomer } from "../due.ts";
import { carryOutPayment } from "../payment/carry-out.ts";
import { advanceClock } from "../sandbox/advance-clock.ts";
import type { World } from "./world.ts";

/** Work that is to be due in a moment is due after so long: time enough to make it before. */
export const SOON_MILLISECONDS = 2_000;

/** An instant of billing time that comes in a moment. */
export async function soon({ ctx, organizationId }: World): Promise<Instant> {
  return instant((await billingNow(ctx.db.read, organizationId)) + SOON_MILLISECONDS);
}

/** Waits for an instant by the database's clock, which need not go as ours does. */
async function waitFor(ctx: Context, organizationId: string, at: Instant): Promise<void> {
  for (;;) {
    const left = at - (await readOrganization(ctx.db.read, organizationId)).realNow;
    if (left <= 0) return;
    await sleep(left);
  }
}

/** Lets billing time come to `at`: a clock of its own is moved, else it is waited for. What is due by then on `due` is carried out. */
export async function pass({ ctx, organizationId, made }: World, at: Instant, due: (tx: Tx) => Promise<number>): Promise<void> {
  const { organization } = await readOrganization(ctx.db.read, organizationId);
  if (organization.clockAt === null) {
    await waitFor(ctx, organizationId, at);
    await ctx.db.tx(due);
    // Whoever works beside us may have begun them.
    const unsettled = await unsettledOf(ctx.db.read, organizationId, made["customerId"]!);
    for (const id of unsettled) await carryOutPayment(ctx, organizationId, id);
    return;
  }
  let advance = await advanceClock(ctx, organizationId, { to: at });
  while (!advance.arrived) advance = await advanceClock(ctx, organizationId, { to: at });
}

export const passPeriod = (world: World, at: Instant) =>
  pass(world, at, (tx) => runDueCustomer(world.ctx, tx, world.organizationId, world.made["customerId"]!, at));

/** When a period of so many days has to have begun to end at `end`, also where days have 23 or 25 hours. */
export async function daysBefore({ ctx, organizationId }: World, days: number, end: Instant): Promise<Instant> {
  const { organization } = await readOrganization(ctx.db.read, organizationId);
  const guess = addDays24(end, -days);
  return instant(guess - (addCalendar(guess, organization.timeZone, `P${days}D`) - end));
}
