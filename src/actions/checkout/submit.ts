import type { Context } from "../../context.ts";
import { type Checkout, MAX_FAILED_ATTEMPTS } from "../../domain/model/checkout.ts";
import type { ChangeCard } from "../../domain/change/change-card.ts";
import { Refused } from "../../domain/checkout/refusal.ts";
import { AppError } from "../../errors.ts";
import { checkouts } from "../../store/checkouts.ts";
import { sendPayment } from "../payment/carry-out.ts";
import { giveUpPayment } from "../payment/give-up.ts";
import { acceptCard } from "./accept-card.ts";
import { recordSubmission } from "./record-submission.ts";
import type { Submission, SubmissionRefusal, SubmissionResult } from "./submission.ts";

/**
 * Submits the payment of a Checkout (rule C1). First, one transaction commits the payment attempt. Second, the provider
 * is called. Third, another transaction completes or reopens the Checkout. With two tabs or a double click, the later
 * submission is refused, because the Checkout is no longer open. If a stranger's purchase holds the group and yields
 * (rule C4), that purchase is given up first.
 * @throws AppError 404 `not_found`, 409 `payment_provider_missing`
 */
export async function submitCheckout(
  ctx: Context,
  organizationId: string,
  id: string,
  submission: Submission,
): Promise<SubmissionResult> {
  const seen = await checkouts.find(ctx.db.read, organizationId, id);
  if (!seen) throw new AppError("not_found");
  const accepted = await acceptCard(ctx, seen, submission.card);
  if ("fault" in accepted) return { refused: "card", fault: accepted.fault };
  const result = await submitOnce(ctx, seen, submission, accepted.card);
  const yielding = "refused" in result && result.refused === "already_subscribed" && result.yields;
  if (!yielding || result.holder.checkoutId === null) return result;
  await giveUpPayment(ctx, organizationId, result.holder.checkoutId);
  return submitOnce(ctx, seen, submission, accepted.card);
}

async function submitOnce(
  ctx: Context,
  seen: Checkout,
  submission: Submission,
  card: ChangeCard | null,
): Promise<SubmissionResult> {
  const { organizationId, id } = seen;
  try {
    const submitted = await ctx.db.tx((tx) => recordSubmission(ctx, tx, seen, submission, card));
    if (!submitted.payment) return submitted;
    const payment = await sendPayment(ctx, organizationId, submitted.payment.id);
    return { checkout: (await checkouts.find(ctx.db.read, organizationId, id))!, payment };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.tells ? countRefusal(ctx, seen, error.refusal) : error.refusal;
  }
}

/**
 * Counts a refusal that reveals something of a Customer as a declined card. The refusal is answered only after it is
 * counted, so that many requests at once can't pass the limit.
 */
function countRefusal(
  ctx: Context,
  { organizationId, id }: Checkout,
  refusal: SubmissionRefusal,
): Promise<SubmissionRefusal> {
  return ctx.db.tx(async (tx) => {
    const checkout = await checkouts.lock(tx, organizationId, id);
    if (checkout?.status !== "open") return { refused: "not_open" };
    if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) return { refused: "too_many_attempts" };
    // The resource does not show this count, so there is no new version and no event.
    checkouts.update(tx, { ...checkout, failedAttempts: checkout.failedAttempts + 1 });
    return refusal;
  });
}
