import type { Context } from "../../context.ts";
import { later } from "../../domain/calendar.ts";
import { checkoutTax, type Checkout } from "../../domain/model/checkout.ts";
import { atQuantity } from "../../domain/checkout/chosen-quantity.ts";
import { Refusal } from "../../domain/refusal.ts";
import { holdCode, type RefusedCode } from "../../domain/model/discount-code.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import { checkouts } from "../../store/checkouts.ts";
import type { Tx } from "../../store/driver/db.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import { readOrganization, type OrganizationInTime } from "../../store/organizations.ts";
import { products } from "../../store/products.ts";
import { limitsFor } from "../load-context.ts";
import { recordCheckout } from "./record-checkout.ts";

type CheckoutRef = Pick<Checkout, "organizationId" | "id">;
type Described = Partial<Pick<Checkout, "billing" | "tax" | "discount" | "quantity" | "amount">>;
type Describe<Refused> = (
  tx: Tx,
  checkout: Checkout,
  inTime: OrganizationInTime,
) => Promise<{ change: Described } | { refused: Refused }>;

/**
 * Changes the buyer's details on an open Checkout. A Checkout stays unchanged if it is being paid, was paid, has
 * expired, or changes a Subscription.
 */
async function describe<Refused>(
  ctx: Context,
  { organizationId, id }: CheckoutRef,
  work: Describe<Refused>,
): Promise<Refused | null> {
  return ctx.db.tx(async (tx) => {
    const checkout = await checkouts.lock(tx, organizationId, id);
    const inTime = await readOrganization(tx, organizationId);
    const { now } = inTime;
    if (!checkout || checkout.status !== "open" || checkout.expiresAt <= now || checkout.change) return null;
    const described = await work(tx, checkout, inTime);
    if ("refused" in described) return described.refused;
    const next = {
      ...checkout,
      ...described.change,
      version: checkout.version + 1,
      updatedAt: later(now, checkout.updatedAt),
    };
    await recordCheckout({ ctx, tx }, next, null, now);
    return null;
  });
}

/**
 * Stores the billing data that the buyer typed on the page, and recalculates the tax by the address (rules C3g, X3).
 * Null: the buyer has emptied the fields.
 */
export async function locateBuyer(ctx: Context, checkout: CheckoutRef, billing: Billing | null): Promise<void> {
  await describe<never>(ctx, checkout, async (_tx, open, { organization }) => {
    return {
      change: { billing, tax: checkoutTax(organization, billing, open, limitsFor(ctx, organization, open.currency)) },
    };
  });
}

/**
 * Applies a discount code from the page to the Checkout's amount. Returns null, or why the code can't be used (rule X1)
 * (rule C3b).
 */
export async function applyCode(
  ctx: Context,
  checkout: CheckoutRef,
  code: string,
): Promise<RefusedCode["refused"] | null> {
  return describe(ctx, checkout, async (tx, { organizationId, productId, currency, amount }, { organization, now }) => {
    const product = await products.find(tx, organizationId, productId);
    if (!product) throw new Error(`checkout ${checkout.id} sells no product`);
    const discount = await findDiscountByCode(tx, organizationId, code);
    const terms = { timeZone: organization.timeZone, now, limits: limitsFor(ctx, organization, currency) };
    const held = holdCode(discount, { product, price: { currency, amount } }, terms);
    return "refused" in held ? { refused: held.refused } : { change: { discount: held } };
  });
}

/**
 * Sets the quantity that the buyer chose on the page. Returns null, or why this quantity can't be sold (rule Q3):
 * `quantity_not_offered`, `quantity_too_expensive` or `discount_refused`.
 */
export async function chooseQuantity(ctx: Context, checkout: CheckoutRef, quantity: number): Promise<Refusal | null> {
  return describe<Refusal>(ctx, checkout, async (_tx, open, { organization }) => {
    try {
      return { change: atQuantity(open, quantity, limitsFor(ctx, organization, open.currency)) };
    } catch (error) {
      if (error instanceof Refusal) return { refused: error };
      throw error;
    }
  });
}

/**
 * Removes the discount, because the buyer removed the code or because the code was used up meanwhile (rules C3b, C3j).
 */
export async function dropDiscount(ctx: Context, checkout: CheckoutRef): Promise<void> {
  await describe<never>(ctx, checkout, async () => ({ change: { discount: null } }));
}
