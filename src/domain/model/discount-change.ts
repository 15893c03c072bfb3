import type { Instant } from "../calendar.ts";
import { beginDiscount, recountDiscount, type HeldDiscount, type PendingDiscount } from "./discount.ts";
import type { Subscription } from "./subscription.ts";

type Holder = Pick<Subscription, "discount" | "pendingDiscount">;

/** The discount of the next period, as planned now (rule X4a). */
export const nextDiscountOf = ({ discount, pendingDiscount }: Holder): HeldDiscount | null =>
  pendingDiscount ? pendingDiscount.discount : discount;

/** The held discount if it discounts a part of the next period or has not begun; null: it has run out (rule X4b). */
export function lastingDiscountOf({
  discount,
  currentPeriodEnd,
}: Pick<Subscription, "discount" | "currentPeriodEnd">): HeldDiscount | null {
  const lasts = discount !== null && (discount.endsAt === null || discount.endsAt > currentPeriodEnd);
  return lasts ? discount : null;
}

/**
 * The discount that the next period is planned to have; null: there is none, also because the held one runs out before
 * (rules X4a, X4b).
 */
export const plannedDiscountOf = (subscription: Holder & Pick<Subscription, "currentPeriodEnd">): HeldDiscount | null =>
  subscription.pendingDiscount ? subscription.pendingDiscount.discount : lastingDiscountOf(subscription);

/**
 * Whether no period that begins from now on would have the held discount. A change of the Product may begin a period
 * before the present one ends (rule X4a). The months left after a pause or a suspension count from the period's end.
 */
function isOver({ discount, currentPeriodEnd }: Pick<Subscription, "discount" | "currentPeriodEnd">, now: Instant) {
  const endsAt = discount === null ? now : discount.endsAt;
  return endsAt !== null && endsAt <= Math.min(now, currentPeriodEnd);
}

/** The plan of a change of the discount. `uses`: the change takes a use of the Discount. */
export type DiscountPlan = { unchanged: true } | { pendingDiscount: PendingDiscount | null; uses: boolean };

/**
 * Plans another discount from the next period on; null: no discount (rules X4a, X4b). A request for the discount that
 * is held, or that waits, only takes back what was planned in between.
 */
export function planDiscount(
  subscription: Pick<Subscription, "discount" | "pendingDiscount" | "currentPeriodEnd">,
  wanted: HeldDiscount | null,
  now: Instant,
): DiscountPlan {
  const { pendingDiscount } = subscription;
  const isHeld =
    wanted === null ? isOver(subscription, now) : wanted.id === (lastingDiscountOf(subscription)?.id ?? null);
  if (isHeld) return pendingDiscount === null ? { unchanged: true } : { pendingDiscount: null, uses: false };
  if (pendingDiscount !== null && (pendingDiscount.discount?.id ?? null) === (wanted?.id ?? null))
    return { unchanged: true };
  return { pendingDiscount: { discount: wanted }, uses: wanted !== null };
}

type Discounted = Pick<Subscription, "discount" | "pendingDiscount" | "pastDiscounts" | "eventSequence">;
/** The discount columns of a Subscription. */
type DiscountColumns = Pick<Subscription, "discount" | "pendingDiscount" | "pastDiscounts">;

/**
 * The discount of a period that begins at `at`: the pending one begins, or the held one goes on (rules X1b, X4a).
 * `recount`: as in `recountDiscount`, if periods are counted anew.
 */
export function turnDiscount(
  { discount, pendingDiscount, pastDiscounts, eventSequence }: Discounted,
  at: Instant,
  zone: string,
  recount: Parameters<typeof recountDiscount>[1] | null,
): DiscountColumns {
  if (pendingDiscount === null) {
    const held = recount === null ? discount : recountDiscount(discount, recount);
    return { discount: beginDiscount(held, at, zone), pendingDiscount, pastDiscounts };
  }
  const former = { until: eventSequence, discount };
  return {
    discount: beginDiscount(pendingDiscount.discount, at, zone),
    pendingDiscount: null,
    pastDiscounts: [...pastDiscounts, former],
  };
}

/**
 * The columns that a change sets when it is carried out. Between the decision and then the Subscription may have had
 * further events, all with the former discount (rule R1).
 */
export function turnedNow(
  set: Partial<Subscription>,
  { pastDiscounts, eventSequence: until }: Pick<Subscription, "pastDiscounts" | "eventSequence">,
): Partial<Subscription> {
  const former = set.pastDiscounts?.[pastDiscounts.length];
  return former ? { ...set, pastDiscounts: [...pastDiscounts, { ...former, until }] } : set;
}
