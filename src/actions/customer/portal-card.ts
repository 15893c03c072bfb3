import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { recordPortalCard, type PlansOfCard } from "../../domain/card/portal-card.ts";
import type { CardFault, CardInput } from "../../payments/provider.ts";
import { cardsOfPortal } from "../../store/payments.ts";
import { inBilling } from "../customer-billing.ts";
import { carryOutPayment, sendPayment } from "../payment/carry-out.ts";
import { enterCard } from "../payment/enter-card.ts";
import { giveUpChallenge } from "../payment/give-up.ts";
import { HOUR } from "../../domain/calendar.ts";
import { MAX_FAILED_ATTEMPTS } from "../../domain/model/checkout.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { isProviderRefusal, type FailureCode } from "../../domain/model/payment-outcome.ts";
import { billingNow } from "../../store/organizations.ts";

const COUNTED = 24 * HOUR;
/** Beside the failed attempts, a buyer may cancel some or succeed with some. */
const MOST_READ = 10 * MAX_FAILED_ATTEMPTS;

/**
 * Whether ten cards of the portal failed in a day, so that the portal is no place to test stolen cards. Cards that the
 * buyer canceled, and refusals of the provider (rules D3t, D9), do not count.
 */
async function hasTooManyFailures(ctx: Context, { organizationId, id }: Customer): Promise<boolean> {
  const [attempts, now] = await Promise.all([
    cardsOfPortal(ctx.db.read, organizationId, id, MOST_READ),
    billingNow(ctx.db.read, organizationId),
  ]);
  const failed = attempts.filter(({ status, failureCode, createdAt }) => {
    const isOfCard = failureCode !== "canceled" && !isProviderRefusal(failureCode as FailureCode);
    return status === "failed" && isOfCard && createdAt > now - COUNTED;
  });
  return failed.length >= MAX_FAILED_ATTEMPTS;
}

type Owner = Pick<CustomerBilling, "organization" | "customer">;

/**
 * Why no card was given. `waiting`: the outcome of an earlier card is awaited. `plans_changed`: the page has to name
 * the present plans first.
 */
export type PortalCardRefusal =
  | { refused: "too_many_attempts" | "waiting" | "no_page" | "plans_changed" }
  | { refused: "card"; fault: CardFault };

/**
 * The attempt to give a card that had no outcome so far. If the attempt waits for the buyer, the provider is asked
 * about the outcome now. Null: there is no such attempt.
 */
export async function askAboutCard(ctx: Context, { organization, customer }: Owner): Promise<Payment | null> {
  const [newest] = await cardsOfPortal(ctx.db.read, organization.id, customer.id, 1);
  if (!newest || newest.settledAt !== null) return null;
  return newest.status === "requires_action" ? carryOutPayment(ctx, organization.id, newest.id) : newest;
}

/**
 * Abandons the card that waits for the buyer on the provider's page or at the bank. Returns false while the provider's
 * answer is awaited.
 */
export async function giveUpCard(ctx: Context, owner: Owner): Promise<boolean> {
  const asked = await askAboutCard(ctx, owner);
  if (asked?.status === "requires_action") await giveUpChallenge(ctx, asked);
  const [newest] = await cardsOfPortal(ctx.db.read, owner.organization.id, owner.customer.id, 1);
  return !newest || newest.settledAt !== null;
}

/**
 * Saves another card of a Customer without a charge (rule D3t). The buyer types the card, or goes to the page of the
 * provider to which the answered payment's `actionUrl` leads. A card that waits for the buyer is given up first.
 * @throws Refusal 404, 409 `payment_provider_missing`
 */
export async function givePortalCard(
  ctx: Context,
  owner: Owner,
  given: CardInput,
  plans: PlansOfCard,
): Promise<{ payment: Payment } | PortalCardRefusal> {
  const { organization, customer } = owner;
  if (await hasTooManyFailures(ctx, customer)) return { refused: "too_many_attempts" };
  if (!(await giveUpCard(ctx, owner))) return { refused: "waiting" };
  const entered = await enterCard(ctx, organization, given);
  if ("fault" in entered) return { refused: "card", fault: entered.fault };
  const { card } = entered;
  if (!card) return { refused: "no_page" };
  const key = { organizationId: organization.id, id: customer.id };
  const recorded = await ctx.db.tx((tx) =>
    inBilling(ctx, tx, key, (billing) => recordPortalCard(billing, card, plans)),
  );
  if (!recorded) return { refused: "plans_changed" };
  return { payment: await sendPayment(ctx, organization.id, recorded.id) };
}
