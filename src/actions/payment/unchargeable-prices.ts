import type { Context } from "../../context.ts";
import type { Amount } from "../../domain/money.ts";
import { limitsOf, type Price } from "../../domain/model/product.ts";
import type { QuantityRange } from "../../domain/model/quantity.ts";
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
 * The reason why the provider can't charge this price of a unit, with the violated limit; null: the provider can. A
 * price of 0 is never charged. The smallest total counts, and each offered total is a multiple of the step (rule M5c).
 */
export function amountFault(
  provider: Pick<Connectable, "amounts">,
  { minimum, maximum }: QuantityRange,
  { currency, amount }: Price,
): { fault: AmountFault; limit: Amount | null } | null {
  if (amount === 0) return null;
  const limits = provider.amounts(currency);
  if (!limits) return { fault: "currency", limit: null };
  const total = amount * minimum;
  if (total < limits.least) return { fault: "too_small", limit: limits.least };
  if (total > limits.most) return { fault: "too_large", limit: limits.most };
  return (minimum === maximum ? total : amount) % limits.step === 0 ? null : { fault: "step", limit: limits.step };
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
    for (const product of rows.slice(0, PAGE)) {
      for (const price of product.prices) {
        const reason = amountFault(provider, limitsOf(product), price)?.fault;
        if (reason) found.push({ productId: product.id, name: product.name, ...price, reason });
      }
    }
    if (rows.length <= PAGE) return found;
    cursor = rows[PAGE - 1]!.id;
  }
}
