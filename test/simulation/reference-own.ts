import type { ActionOf } from "./history.ts";
import { chooseSub } from "./reference-change.ts";
import { claim } from "./reference-claim.ts";
import type { Life } from "./reference-life.ts";
import { give, type Customer, type Sub } from "./reference-model.ts";
import { agreeToRestart } from "./reference-price.ts";

// The Customer's acts on single Subscriptions in the portal (docs/rules.md: C12, C13).

function tryOn(life: Life, customer: Customer, sub: Sub): void {
  if (sub.status === "past_due" && !sub.changing) life.retry(customer, sub, "new_card");
}

/** A card for one Subscription alone. */
export function cardForOne(life: Life, customer: Customer, { sub: number, card }: ActionOf<"oneCard">): string {
  const sub = chooseSub(customer, number);
  if (!sub || sub.status === "canceled") return "nobody";
  if (card === "declined") return "402 payment_failed";
  const given = give(life.shop, card);
  claim(customer, sub);
  sub.card = given;
  tryOn(life, customer, sub);
  return "200";
}

/** The default card for one Subscription. */
export function chargeToDefault(life: Life, customer: Customer, { sub: number }: ActionOf<"defaultCard">): string {
  const sub = chooseSub(customer, number);
  if (!sub || sub.status === "canceled" || !customer.card || customer.card.detached) return "nobody";
  claim(customer, sub);
  agreeToRestart(sub, life.isStalled(sub), life.shop.now);
  sub.card = null;
  tryOn(life, customer, sub);
  return "200";
}

/** The end of an unclaimed purchase that the Customer does not recognize. */
export function disown(life: Life, customer: Customer, { sub: number }: ActionOf<"disown">): string {
  const sub = chooseSub(customer, number);
  if (!sub || sub.status === "canceled") return "nobody";
  if (sub.claimed) return "claimed";
  if (sub.changing) return "409 change_in_progress";
  life.end(customer, sub, life.shop.now, { charge: false, passed: true });
  if (sub.card === customer.card) customer.card = null;
  return "200";
}
