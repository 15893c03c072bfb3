import type { Context } from "../../../context.ts";
import { addDays24, instant } from "../../../domain/calendar.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { AppError } from "../../../errors.ts";
import { hasCheckouts } from "../../../store/checkouts.ts";
import { hasCustomers } from "../../../store/customers.ts";
import type { Queryable } from "../../../store/driver/db.ts";
import { billingNow, organizations, stopClock } from "../../../store/organizations.ts";
import { beginFill, findFill, resumeFill, stopFill, type Fill } from "../../../store/sandbox-fills.ts";
import type { Origin } from "../../origin.ts";
import { lockSandbox } from "../../sandbox/lock-sandbox.ts";
import { DAYS, planCompany } from "./plan.ts";

/** The reasons why a sandbox can't be filled, in words. */
const OBSTACLES = {
  customers: "This sandbox has Customers already. Only an empty sandbox can be filled.",
  provider: "This sandbox takes its payments at a connected provider, and the company pays with test cards of Billow.",
  entry: "Buyers of this sandbox pay on the provider's own page, and the company types its cards into the Checkout.",
  advancing: "The clock is being advanced. Wait for the end of the advance, or stop the advance.",
} as const;

/** The reason why a sandbox without a filling can't be filled; null: the sandbox can be filled. */
export async function obstacleOf(db: Queryable, organization: Organization): Promise<string | null> {
  if (await hasCustomers(db, organization.id)) return OBSTACLES.customers;
  if (organization.provider !== null) return OBSTACLES.provider;
  if (organization.sandboxEntry === "hosted") return OBSTACLES.entry;
  return organization.clockTarget === null ? null : OBSTACLES.advancing;
}

/**
 * Lets workers fill a sandbox with the purchases of a made-up company, or lets a stopped filling go on. The purchases
 * lie in the half year before the clock, and the clock ends where it stands now. If there is a Checkout already, the
 * clock can't go back, so the purchases lie in the half year after the clock.
 * @throws AppError 404, 409 `clock_not_settable`
 */
export async function fillSandbox(ctx: Context, { organizationId, transaction }: Origin<Fill>): Promise<Fill> {
  return transaction(ctx, async (tx) => {
    const organization = await lockSandbox(tx, organizationId);
    const going = (await resumeFill(tx, organizationId)) ?? (await findFill(tx, organizationId));
    if (going && going.done < going.steps) return going;
    const obstacle = await obstacleOf(tx, organization);
    if (obstacle !== null) throw new AppError("clock_not_settable", { detail: obstacle });
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
 * @throws AppError 404
 */
export async function stopFilling(ctx: Context, { organizationId, transaction }: Origin<void>): Promise<void> {
  await transaction(ctx, async (tx) => {
    await lockSandbox(tx, organizationId);
    await stopFill(tx, organizationId, "The filling was stopped.");
    await stopClock(tx, organizationId);
  });
}
