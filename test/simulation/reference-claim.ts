import { isFree, later } from "./reference-discount.ts";
import { live, type Customer, type Sub } from "./reference-model.ts";

// Purchases by a typed e-mail address become the Customer's own (docs/rules.md: C12).

const canPay = ({ card }: Sub): boolean => card !== null && !card.detached;

/**
 * The Customer's location counts from now on. The card of the purchase stays, unless it is the default card or ended.
 */
export function claim(customer: Customer, sub: Sub): void {
  if (sub.claimed || sub.status === "canceled") return;
  customer.location ??= sub.location;
  Object.assign(sub, { claimed: true, location: null });
  if (!canPay(sub) || sub.card === customer.card) sub.card = null;
}

/** An act that names no card claims a Subscription only if no other card pays from then on. */
export function claimWithItsCard(customer: Customer, sub: Sub): void {
  if (canPay(sub) || (isFree(later(sub), sub) && sub.pending === null)) claim(customer, sub);
}

export function claimByDetails(customer: Customer): void {
  for (const sub of live(customer)) claimWithItsCard(customer, sub);
}

/** The Customer gives a card for all plans. */
export function claimAll(customer: Customer): void {
  for (const sub of live(customer)) {
    claim(customer, sub);
    sub.card = null;
  }
}

/** A request that claims the Subscription, unless the request is refused: then the state stays as it was. */
export function claiming(customer: Customer, sub: Sub, request: () => string): string {
  const undo = remember(customer, sub);
  claim(customer, sub);
  const answer = request();
  if (/^4(?!02)/.test(answer)) undo();
  return answer;
}

/** Looks at a Subscription as if it were claimed. The state stays as it is. */
export function asClaimed<T>(customer: Customer, sub: Sub, look: () => T): T {
  const undo = remember(customer, sub);
  claim(customer, sub);
  try {
    return look();
  } finally {
    undo();
  }
}

function remember(customer: Customer, sub: Sub): () => void {
  const [{ location }, { claimed, card, location: typed }] = [customer, sub];
  return () => {
    customer.location = location;
    Object.assign(sub, { claimed, card, location: typed });
  };
}
