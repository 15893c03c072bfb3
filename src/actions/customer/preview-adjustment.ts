import type { Context } from "../../context.ts";
import { measured, type Effect } from "../../domain/collection/effect.ts";
import { adjustBalance } from "../../domain/customer/adjust-balance.ts";
import type { AdjustBalanceParams } from "../../resources/balance.ts";
import { readCustomerBilling } from "../customer-billing.ts";

/** The effect of an adjustment, computed by the decision that makes it. @throws Refusal as `adjustBalance` */
export function previewAdjustment(
  ctx: Context,
  organizationId: string,
  id: string,
  params: AdjustBalanceParams,
): Promise<Effect> {
  return readCustomerBilling(
    ctx,
    { organizationId, id },
    (billing) => measured(billing, () => adjustBalance(billing, params)).effect,
  );
}
