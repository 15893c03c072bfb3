import type { ForeignDiscount } from "../../domain/import/foreign.ts";
import { discountTerms } from "../../domain/import/imported-terms.ts";
import { newDiscount, type Discount } from "../../domain/model/discount.ts";
import { findDiscountByCode, discounts } from "../../store/discounts.ts";
import type { Tx } from "../../store/driver/db.ts";
import { billingNow } from "../../store/organizations.ts";

/** The most characters of a code. */
const LONGEST = 64;
const NOT_IN_CODES = /[^\p{L}\p{N}_-]+/gu;
/** Codes that other Discounts have lead to a further one. More are not to be expected. */
const MOST_CODES = 20;

const TERMS = ["type", "basisPoints", "amount", "currency", "duration", "months"] as const;

/**
 * The Discount with the terms of a coupon, made if it is missing. It has ended, so no new sale can use its code: the
 * other system may go on to give the coupon away under rules of its own.
 */
export async function discountOf(
  tx: Tx,
  organizationId: string,
  source: string,
  found: ForeignDiscount,
): Promise<Discount> {
  const terms = discountTerms(found);
  const name = found.ref.replace(NOT_IN_CODES, "-");
  const now = await billingNow(tx, organizationId);
  for (let n = 1; n <= MOST_CODES; n += 1) {
    const code = (n === 1 ? name : `${source}-${name}${n === 2 ? "" : `-${n}`}`).slice(0, LONGEST);
    const known = await findDiscountByCode(tx, organizationId, code);
    if (known && TERMS.every((field) => known[field] === terms[field]) && known.productIds === null) return known;
    if (known) continue;
    const made = newDiscount(
      organizationId,
      { ...terms, code, maxRedemptions: null, startsAt: null, endsAt: now },
      now,
    );
    discounts.insert(tx, made);
    return made;
  }
  throw new Error(`no code is free for the coupon ${found.ref}`);
}
