import fc from "fast-check";
import type { HeldDiscount } from "../../src/domain/model/discount.ts";

/** A discount of 25 % for ever that has not begun, unless `more` says otherwise. */
export const held = (more: Partial<HeldDiscount> = {}): HeldDiscount => ({
  id: "dsc_1",
  code: "LAUNCH",
  type: "percentage",
  basisPoints: 2500,
  amount: null,
  currency: null,
  duration: "forever",
  months: null,
  productIds: null,
  startedAt: null,
  endsAt: null,
  ...more,
});
/** `amount` cents off. */
export const fixed = (amount: number, more: Partial<HeldDiscount> = {}) =>
  held({ type: "fixed", basisPoints: null, amount, currency: "usd", ...more });

/** Any percentage or fixed amount. */
export const anyTerms = (more: Partial<HeldDiscount>) =>
  fc.oneof(
    fc.integer({ min: 1, max: 10_000 }).map((basisPoints) => held({ ...more, basisPoints })),
    fc.integer({ min: 1, max: 1_000_000 }).map((amount) => fixed(amount, more)),
  );
