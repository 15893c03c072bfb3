import type { Context } from "../../context.ts";
import { HOUR } from "../../domain/calendar.ts";
import { MAX_FAILED_ATTEMPTS } from "../../domain/model/checkout.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { isRefusal, type FailureCode } from "../../domain/model/payment-outcome.ts";
import { billingNow } from "../../store/organizations.ts";
import { cardsOfPortal } from "../../store/payments.ts";

const COUNTED = 24 * HOUR;
/** Beside the failed attempts, a buyer may cancel some or succeed with some. */
const MOST_READ = 10 * MAX_FAILED_ATTEMPTS;

/**
 * Whether ten cards of the portal failed in a day, so that the portal is no place to test stolen cards. Cards that the
 * buyer canceled, and refusals of the provider (rules D3t, D9), do not count.
 */
export async function hasTooManyFailures(ctx: Context, { organizationId, id }: Customer): Promise<boolean> {
  const [attempts, now] = await Promise.all([
    cardsOfPortal(ctx.db.read, organizationId, id, MOST_READ),
    billingNow(ctx.db.read, organizationId),
  ]);
  const failed = attempts.filter(({ status, failureCode, createdAt }) => {
    const isOfCard = failureCode !== "canceled" && !isRefusal(failureCode as FailureCode);
    return status === "failed" && isOfCard && createdAt > now - COUNTED;
  });
  return failed.length >= MAX_FAILED_ATTEMPTS;
}
