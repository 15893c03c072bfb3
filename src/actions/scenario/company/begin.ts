import type { Context } from "../../../context.ts";
import { addDays24, instant } from "../../../domain/calendar.ts";
import { fillObstacle } from "../../../domain/organization/fill-obstacle.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { hasCheckouts } from "../../../store/checkouts.ts";
import { hasCustomers } from "../../../store/customers.ts";
import { billingNow, organizations, stopClock } from "../../../store/organizations.ts";
import { beginFill, findFill, resumeFill, stopFill, type Fill } from "../../../store/sandbox-fills.ts";
import type { Origin } from "../../origin.ts";
import { lockSandbox } from "../../sandbox/lock-sandbox.ts";
import { DAYS, planCompany } from "./plan.ts";

/**
 * Lets workers fill a sandbox with the purchases of a made-up company, or lets a stopped filling go on. The purchases
 * lie in the half year before the clock, and the clock ends where it stands now. If there is a Checkout already, the
 * clock can't go back, so the purchases lie in the half year after the clock.
 * @throws Refusal 404, 409 `clock_not_settable`
 */
export async function fillSandbox(ctx: Context, { organizationId, transaction }: Origin<Fill>): Promise<Fill> {
  return transaction(ctx, async (tx) => {
    const organization = await lockSandbox(tx, organizationId);
    const going = (await resumeFill(tx, organizationId)) ?? (await findFill(tx, organizationId));
    if (going && going.done < going.steps) return going;
    const obstacle = fillObstacle(organization, await hasCustomers(tx, organizationId));
    if (obstacle !== null) throw new Refusal("sandbox_not_fillable", { obstacle });
    const now = await billingNow(tx, organizationId);
    const goesBack = !(await hasCheckouts(tx, organizationId));
    const beginsAt = goesBack ? addDays24(now, -DAYS) : instant(now);
    const endsAt = addDays24(beginsAt, DAYS);
    if (goesBack) organizations.update(tx, { ...organization, clockAt: beginsAt });
    const steps = planCompany(organizationId, beginsAt, endsAt).length;
    const fill = { organizationId, beginsAt, endsAt, done: 0, steps, fault: null, leaseUntil: null };
    beginFill(tx, fill);
    return fill;
  });
}

/**
 * Stops the filling that is going on, and the advance of its clock. The step that has begun is the last one. The
 * filling can go on later.
 * @throws Refusal 404
 */
export async function stopFilling(ctx: Context, { organizationId, transaction }: Origin<void>): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockSandbox(tx, organizationId);
    await stopFill(tx, organizationId, "The filling was stopped.");
    await stopClock(tx, organizationId);
  });
}
