import type { Context } from "../../context.ts";
import { measured, type Effect } from "../../domain/collection/effect.ts";
import { adjustBalance } from "../../domain/customer/adjust-balance.ts";
import type { AdjustBalanceParams } from "../../resources/balance.ts";
import { readAccount } from "../customer-billing.ts";

/** The effect of an adjustment, computed by the decision that makes it. @throws AppError as `adjustBalance` */
export function previewAdjustment(
  ctx: Context,
  organizationId: string,
  id: string,
  params: AdjustBalanceParams,
): Promise<Effect> {
  return readAccount(
    ctx,
    { organizationId, id },
    (account) => measured(account, () => adjustBalance(account, params)).effect,
  );
}
