import type { Context } from "../../context.ts";
import type { Amount } from "../../domain/money.ts";
import type { AmountFault } from "../../domain/refusal.ts";
import type { Connectable } from "../../payments/connectable-provider.ts";
import { listProducts } from "../../store/products.ts";

/** A price that the provider can't charge. */
export type UnchargeablePrice = {
  productId: string;
  name: string;
  currency: string;
  amount: Amount;
  reason: AmountFault;
};

/**
 * The reason why the provider can't charge this price, with the violated limit; null: the provider can. A price of 0 is
 * never charged.
 */
export function amountFault(
  provider: Pick<Connectable, "amounts">,
  currency: string,
  amount: Amount,
): { fault: AmountFault; limit: Amount | null } | null {
  if (amount === 0) return null;
  const limits = provider.amounts(currency);
  if (!limits) return { fault: "currency", limit: null };
  if (amount < limits.least) return { fault: "too_small", limit: limits.least };
  if (amount > limits.most) return { fault: "too_large", limit: limits.most };
  return amount % limits.step === 0 ? null : { fault: "step", limit: limits.step };
}

const PAGE = 100;

/** The prices of all Products on sale that the provider can't charge. */
export async function unchargeablePrices(
  ctx: Context,
  organizationId: string,
  provider: Pick<Connectable, "amounts">,
): Promise<UnchargeablePrice[]> {
  const found: UnchargeablePrice[] = [];
  for (let cursor: string | undefined; ;) {
    const rows = await listProducts(ctx.db.read, organizationId, { archived: "false", cursor, limit: PAGE });
    for (const { id: productId, name, prices } of rows.slice(0, PAGE)) {
      for (const { currency, amount } of prices) {
        const reason = amountFault(provider, currency, amount)?.fault;
        if (reason) found.push({ productId, name, currency, amount, reason });
      }
    }
    if (rows.length <= PAGE) return found;
    cursor = rows[PAGE - 1]!.id;
  }
}
