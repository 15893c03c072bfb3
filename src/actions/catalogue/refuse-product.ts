import type { Context } from "../../context.ts";
import { formatMoney } from "../../domain/currency.ts";
import type { Price } from "../../domain/model/product.ts";
import { AppError, type Fault } from "../../errors.ts";
import { holdBenefits } from "../../store/benefits.ts";
import type { Tx } from "../../store/driver/db.ts";
import { organizations } from "../../store/organizations.ts";
import { amountFault, type AmountFault } from "../payment/unchargeable-prices.ts";

/**
 * Locks the Benefits of a Product until the transaction ends.
 * @throws AppError `validation_failed` for a Benefit that does not exist
 */
export async function holdKnownBenefits(tx: Tx, organizationId: string, benefitIds: readonly string[]): Promise<void> {
  const known = await holdBenefits(tx, organizationId, benefitIds);
  const message = "There is no such Benefit.";
  const errors = benefitIds.flatMap<Fault>((id, index) =>
    known.has(id) ? [] : [{ in: "body", pointer: `/benefitIds/${index}`, code: "not_found", message }],
  );
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
}

const SAYS: Record<AmountFault, string> = {
  currency: "The payment provider does not take this currency.",
  too_small: "The payment provider's least amount is",
  too_large: "The payment provider's largest amount is",
  step: "The payment provider takes multiples of",
};

/**
 * Refuses prices that the Organization's connected provider can't charge. Without a connected provider each price is
 * taken.
 * @throws AppError `validation_failed`
 */
export async function refuseUnchargeable(
  ctx: Context,
  organizationId: string,
  prices: readonly Price[],
): Promise<void> {
  const organization = await organizations.find(ctx.db.read, organizationId);
  if (!organization || organization.provider === null) return;
  const provider = ctx.payments.connectables.get(organization.provider);
  if (!provider) return;
  const errors = prices.flatMap<Fault>(({ currency, amount }, index) => {
    const found = amountFault(provider, currency, amount);
    if (!found) return [];
    const { fault, limit } = found;
    const message = limit === null ? SAYS[fault] : `${SAYS[fault]} ${formatMoney(limit, currency)}.`;
    return [{ in: "body", pointer: `/prices/${index}/amount`, code: "not_chargeable", message }];
  });
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
}
