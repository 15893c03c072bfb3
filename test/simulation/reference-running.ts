import type { ActionOf, PreviewSeen } from "./history.ts";
import { chooseSub } from "./reference-change.ts";
import { claimWithItsCard } from "./reference-claim.ts";
import type { Life } from "./reference-life.ts";
import { addWall } from "./reference-math.ts";
import type { Customer, Held, Shop, Sub } from "./reference-model.ts";
import { nextInvoice } from "./reference-next.ts";

// The discount and the trial of a running Subscription (docs/rules.md: X4, S9).

const MOST_DAYS = 730;
type Given = Shop["discounts"][number];

/** The refusal of a use of the discount (rules X4c, X4d). A Subscription takes one use, also if it asks twice. */
function isUsable({ now }: Shop, sub: Sub, given: Given): boolean {
  const { off, from, until, most, products } = given.terms;
  const isOpen = (from === null || now >= from) && (until === null || now < until);
  const isLeft = sub.gifts.has(given) || most === null || given.used < most;
  const covers = products === null || products.includes((sub.pending ?? sub).product);
  return isOpen && isLeft && covers && !("currency" in off && off.currency !== sub.currency);
}

/** The held discount, if it discounts a part of a later period. */
const lastingOf = ({ discount, to }: Sub): Held | null =>
  discount && (discount.until === null || discount.until > to) ? discount : null;

/** Whether no period that may still begin has the held discount. */
const isOver = ({ discount, to }: Sub, now: number) =>
  !discount || (discount.until !== null && discount.until <= Math.min(now, to));

/** Gives a discount from the next period on, or takes the discount off. */
export function giveDiscount(shop: Shop, customer: Customer, { sub: number, discount }: ActionOf<"give">): string {
  const sub = chooseSub(customer, number);
  if (!sub) return "nobody";
  if (sub.status === "canceled") return "409 subscription_canceled";
  if (sub.changing) return "409 change_in_progress";
  const given = discount === null ? null : shop.discounts[discount]!;
  const terms = given?.terms ?? null;
  const isSame = terms ? terms === lastingOf(sub)?.terms : isOver(sub, shop.now);
  if (isSame && !sub.nextDiscount) return "200";
  if (!isSame && sub.nextDiscount && terms === (sub.nextDiscount.held?.terms ?? null)) return "200";
  if (!isSame && given) {
    if (!isUsable(shop, sub, given)) return "422 validation_failed";
    if (!sub.gifts.has(given)) given.used += 1;
    sub.gifts.add(given);
  }
  const held = given && { terms: given.terms, begun: false, until: null, counted: null, agreed: null };
  sub.nextDiscount = isSame ? null : { held };
  claimWithItsCard(customer, sub);
  return "200";
}

/** Moves the end of a trial to a later instant. */
export function lengthen({ settings }: Shop, customer: Customer, { sub: number, by }: ActionOf<"lengthen">): string {
  const sub = chooseSub(customer, number);
  if (!sub) return "nobody";
  if (sub.changing) return "409 change_in_progress";
  if (sub.status === "canceled") return "409 subscription_canceled";
  if (sub.status !== "trialing") return "409 subscription_not_trialing";
  if (sub.pause) return "409 subscription_pause_scheduled";
  if (by === 0) return "200";
  const end = sub.to + by;
  if (by < 0 || end > addWall(sub.from, settings.zone, "day", MOST_DAYS)) return "422 validation_failed";
  claimWithItsCard(customer, sub);
  Object.assign(sub, { to: end, trialEnd: end, cancelAt: sub.cancelAt && end });
  return "200";
}

/** The next invoice before and after the request, or its refusal. The state stays as it is. */
export function previewRunning(
  life: Life,
  customer: Customer,
  step: ActionOf<"give"> | ActionOf<"lengthen">,
): Record<"before" | "after", PreviewSeen["next"]> | string {
  const sub = chooseSub(customer, step.sub);
  if (!sub) return "nobody";
  const { shop } = life;
  const [was, { location }] = [{ ...sub, gifts: new Set(sub.gifts) }, customer];
  const uses = shop.discounts.map(({ used }) => used);
  const next = () => nextInvoice(life, customer, sub, sub.waiting);
  const answer = step.do === "give" ? giveDiscount(shop, customer, step) : lengthen(shop, customer, step);
  const after = answer === "200" ? next() : null;
  Object.assign(sub, was);
  Object.assign(customer, { location });
  shop.discounts.forEach((each, n) => Object.assign(each, { used: uses[n] }));
  return answer === "200" ? { before: next(), after } : answer;
}
