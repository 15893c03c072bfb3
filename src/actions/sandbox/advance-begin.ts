import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { planAdvance } from "../../domain/organization/clock.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Origin } from "../origin.ts";
import { simulateCheckouts } from "../../store/checkouts.ts";
import { simulateCards } from "../../store/payment-methods.ts";
import { billingNow, startClock, takeClock, type ClockLease } from "../../store/organizations.ts";
import { simulate } from "../../store/subscriptions.ts";
import { resolveTarget, type ClockTarget } from "./clock-target.ts";
import { lockSandbox } from "./lock-sandbox.ts";

/** `lease`: null while another process has the lease. */
export type Begun = { target: Instant; lease: ClockLease | null };

/**
 * Stores the target, or joins the advance with the same target, and takes the lease if the lease is free. From now on
 * the Organization's clock no longer follows real time: only an advance moves it (rules T1, T5c).
 * @throws Refusal 404, 409 `clock_backwards`, `clock_advancing` with the `target`
 */
export async function beginAdvance(
  ctx: Context,
  { organizationId, transaction }: Origin<Begun>,
  wanted: ClockTarget,
): Promise<Begun> {
  return transaction(ctx, async (tx) => {
    const organization = await lockSandbox(tx, organizationId);
    const now = await billingNow(tx, organizationId);
    const target = await resolveTarget(tx, organization, now, wanted);
    const plan = planAdvance(now, organization.clockTarget, target);
    if (plan === "clock_backwards") throw new Refusal("clock_backwards");
    if (plan === "clock_advancing") throw new Refusal("clock_advancing", { target: organization.clockTarget! });
    if (plan === "start") await startClock(tx, organizationId, now, target);
    if (organization.clockAt === null) {
      await simulate(tx, organizationId);
      await simulateCheckouts(tx, organizationId);
      await simulateCards(tx, organizationId);
    }
    return { target, lease: await takeClock(tx, organizationId, target) };
  });
}
