import type { CustomerBilling, CardRows } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import { isAgreed, type Agreed } from "../model/agreement.ts";
import { cardOf } from "../payment/card.ts";
import type { AskedProduct } from "./change-target.ts";
import { decideChange, quotedAt, type DecidedChange, freezePlan } from "./decide-change.ts";
import type { FrozenPlan } from "../model/frozen-plan.ts";
import type { ChangeTarget } from "../model/plan-change.ts";
import { scheduledEnd, type Subscription } from "../model/subscription.ts";
import { Refusal } from "../refusal.ts";

/**
 * The figures to which a person agrees with a click, in minor units: the amount due now, the part that the balance
 * settles (below 0: goes to the balance), and the price of the new Product. `effectiveAt` null: the change is made at
 * once. `endsAt`: the scheduled end that the change undoes; null: no end is scheduled. `cardId` null: there is no card.
 */
export type ChangeFigures = {
  amountDue: number;
  balanceApplied: number;
  price: number;
  effectiveAt: Instant | null;
  endsAt: Instant | null;
  cardId: string | null;
};

export type AgreedChange = Agreed<ChangeFigures>;

/** The figures of a decided change. `plan` null: the change has no effect. */
export function figuresOf(
  billing: CardRows,
  subscription: Subscription,
  { plan, target }: { plan: FrozenPlan | null; target: ChangeTarget },
): ChangeFigures {
  return {
    amountDue: plan?.totals.amountDue ?? 0,
    balanceApplied: plan?.totals.balanceApplied ?? 0,
    price: target.amount,
    effectiveAt: plan?.set.pendingChange?.effectiveAt ?? null,
    endsAt: scheduledEnd(subscription),
    cardId: cardOf(billing, subscription)?.id ?? null,
  };
}

/** A change as of `at`. `plan` null: the change has no effect. */
export type AtInstant = { at: Instant; decided: DecidedChange; plan: FrozenPlan | null };

/**
 * Decides a change (rules P). `agreed` null: as of now. Otherwise a person agreed to the figures on a page, so the
 * change is decided as of the page (`quotedAt`), and refused if a figure differs.
 * @throws Refusal 409, 422; 412 `precondition_failed` if a figure is no longer the one on the page
 */
export function decideAgreed(
  billing: CustomerBilling,
  subscription: Subscription,
  params: AskedProduct,
  agreed: AgreedChange | null,
): AtInstant {
  const at = agreed === null ? billing.now : quotedAt(billing, subscription, agreed.shownAt);
  const decided = decideChange(billing, subscription, params, at);
  const plan = freezePlan(billing, subscription, decided);
  const figures = figuresOf(billing, subscription, { plan, target: decided.target });
  if (!isAgreed(figures, agreed)) throw new Refusal("precondition_failed");
  return { at, decided, plan };
}
