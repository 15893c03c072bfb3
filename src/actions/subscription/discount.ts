import type { Context } from "../../context.ts";
import { changeDiscount, type AskedDiscount } from "../../domain/subscription/discount.ts";
import { previewNextInvoice, type NextInvoicePreview } from "../../domain/subscription/preview-next-invoice.ts";
import type { ChangeDiscountParams } from "../../resources/subscription.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import { readCustomerBilling } from "../customer-billing.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import type { SubscriptionView } from "../views.ts";
import { decided } from "./decided.ts";

const askedOf = async (
  db: Queryable,
  organizationId: string,
  { discountCode: code }: ChangeDiscountParams,
): Promise<AskedDiscount | null> =>
  code === null ? null : { code, discountId: (await findDiscountByCode(db, organizationId, code))?.id ?? null };

/** `POST /subscriptions/{id}/discount` (rule X4). @throws Refusal 404, 409, 412, 422 */
export const changeSubscriptionDiscount = async (
  ctx: Context,
  origin: Origin<SubscriptionView>,
  id: string,
  params: ChangeDiscountParams,
  checkVersion?: VersionCheck<SubscriptionView>,
): Promise<SubscriptionView> => {
  const asked = await askedOf(ctx.db.read, origin.organizationId, params);
  return decided(
    ctx,
    origin,
    id,
    (billing, subscription) => changeDiscount(billing, subscription, asked),
    checkVersion,
  );
};

/** The next invoice before and after another discount, by the same decision (rule P8). @throws Refusal 404, 409, 422 */
export async function previewDiscount(
  ctx: Context,
  organizationId: string,
  id: string,
  params: ChangeDiscountParams,
): Promise<NextInvoicePreview> {
  const asked = await askedOf(ctx.db.read, organizationId, params);
  return readCustomerBilling(
    ctx,
    { by: "subscription", organizationId, id },
    (billing) => previewNextInvoice(billing, id, (each, found) => changeDiscount(each, found, asked)),
    { deleted: true },
  );
}
