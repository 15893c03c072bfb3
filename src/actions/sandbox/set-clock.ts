import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { Refusal } from "../../domain/refusal.ts";
import { hasCheckouts } from "../../store/checkouts.ts";
import { hasCustomers } from "../../store/customers.ts";
import { organizations } from "../../store/organizations.ts";
import { requireClock } from "./clock-target.ts";
import { lockSandbox } from "./lock-sandbox.ts";

/**
 * Sets a sandbox's clock to any instant, as long as the sandbox has no Customer and no Checkout (rule T1e).
 * @throws Refusal 404, 409 `clock_not_settable`, `clock_advancing`, 422
 */
export async function setClock(ctx: Context, organizationId: string, now: Instant): Promise<void> {
  requireClock(now, "/now");
  await ctx.db.tx(async (tx) => {
    const organization = await lockSandbox(tx, organizationId);
    if (organization.clockTarget !== null) throw new Refusal("clock_advancing", { target: organization.clockTarget });
    if ((await hasCustomers(tx, organizationId)) || (await hasCheckouts(tx, organizationId)))
      throw new Refusal("clock_not_settable");
    organizations.update(tx, { ...organization, clockAt: now });
  });
}
