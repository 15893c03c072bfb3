import type { Context } from "../../context.ts";
import { type Checkout, MAX_FAILED_ATTEMPTS, cardNeed } from "../../domain/model/checkout.ts";
import type { ChangeCard } from "../../domain/change/change-card.ts";
import { Refused } from "../../domain/checkout/refusal.ts";
import { takesPayments } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CardFault } from "../../payments/provider.ts";
import { checkouts } from "../../store/checkouts.ts";
import { readOrganization } from "../../store/organizations.ts";
import { challengedCards } from "../../store/payments.ts";
import { sendPayment } from "../payment/carry-out.ts";
import { enterCard } from "../payment/enter-card.ts";
import { giveUpPayment } from "../payment/give-up.ts";
import { recordSubmission } from "./record-submission.ts";
import type { Submission, SubmissionRefusal, SubmissionResult } from "./submission.ts";

/**
 * Submits the payment of a Checkout (rule C1). First, one transaction commits the payment attempt. Second, the provider
 * is called. Third, another transaction completes or reopens the Checkout. With two tabs or a double click, the later
 * submission is refused, because the Checkout is no longer open. If a stranger's purchase holds the group and yields
 * (rule C4), that purchase is given up first.
 * @throws Refusal 404 `not_found`, 409 `payment_provider_missing`
 */
export async function submitCheckout(
  ctx: Context,
  organizationId: string,
  id: string,
  submission: Submission,
): Promise<SubmissionResult> {
  const seen = await checkouts.find(ctx.db.read, organizationId, id);
  if (!seen) throw new Refusal("not_found");
  const accepted = await acceptCard(ctx, seen, submission.card);
  if ("fault" in accepted) return { refused: "card", fault: accepted.fault };
  const result = await submitOnce(ctx, seen, submission, accepted.card);
  const yielding = "refused" in result && result.refused === "already_subscribed" && result.yields;
  if (!yielding || result.holder.checkoutId === null) return result;
  await giveUpPayment(ctx, organizationId, result.holder.checkoutId);
  return submitOnce(ctx, seen, submission, accepted.card);
}

/**
 * The buyer's way to pay, with no transaction open: a card as the provider has accepted it, the provider's page, or the
 * card on file for a change. Null if no card is needed or given.
 */
async function acceptCard(
  ctx: Context,
  checkout: Checkout,
  given: Submission["card"],
): Promise<{ card: ChangeCard | null } | { fault: CardFault }> {
  const { organization } = await readOrganization(ctx.db.read, checkout.organizationId);
  const canPay = takesPayments(organization);
  if (cardNeed(checkout) !== "none" && !canPay) throw new Refusal("payment_provider_missing");
  if (given === "on_file") {
    const challenged = await challengedCards(ctx.db.read, checkout.organizationId, checkout.id);
    return { card: checkout.change && canPay ? { challenged } : null };
  }
  // The amount of a change is calculated again when the Checkout is submitted, and the new amount may need a card.
  const wanted = cardNeed(checkout) === "none" && !checkout.change ? null : given;
  return wanted && canPay ? enterCard(ctx, organization, wanted) : { card: null };
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
    return error.revealsCustomer ? countRefusal(ctx, seen, error.refusal) : error.refusal;
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
