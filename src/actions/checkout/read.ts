import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import type { Checkout } from "../../domain/model/checkout.ts";
import { creditFor, mayUseBalance, settledNow, settledWith } from "../../domain/checkout/settlement.ts";
import { runDue } from "../../domain/collection/due.ts";
import type { Amount } from "../../domain/money.ts";
import { statusAt } from "../../resources/checkout.ts";
import { listCheckouts, readCheckout, type ReadCheckout } from "../../store/checkouts.ts";
import { readCustomerBillings, readCustomerBilling } from "../customer-billing.ts";
import { limitsFor } from "../load-context.ts";

const isOpen = (checkout: ReadCheckout): boolean => statusAt(checkout, checkout.now) === "open";

/** Whether the shown figures depend on the billing: an open Checkout uses the balance, and the Customer has credit. */
const needsBilling = (checkout: ReadCheckout): boolean =>
  checkout.balance > 0 && mayUseBalance(checkout) && isOpen(checkout);

/** Open Checkouts with the part that the Customer's balance would settle now (rules C7, M5). */
async function withCurrentFigures(
  ctx: Context,
  organizationId: string,
  found: readonly ReadCheckout[],
): Promise<ReadCheckout[]> {
  const byCustomer = Map.groupBy(found.filter(needsBilling), ({ customerId }) => customerId!);
  const settle = (billing: CustomerBilling) =>
    byCustomer
      .get(billing.customer.id)!
      .map((checkout) => [checkout.id, settledNow(billing, checkout).settlement] as const);
  const settled =
    byCustomer.size > 0 && (await readCustomerBillings(ctx, organizationId, [...byCustomer.keys()], settle));
  const settlements = new Map(settled ? [...settled.values()].flat() : []);
  return found.map((checkout) => {
    const { id, currency } = checkout;
    if (!isOpen(checkout)) return checkout;
    const settlement = settlements.get(id);
    return settlement ? { ...checkout, settlement } : settledWith(checkout, 0, limitsFor(ctx, checkout, currency));
  });
}

/** A Checkout as answers show it; null if there is no such Checkout. */
export async function readShownCheckout(
  ctx: Context,
  organizationId: string,
  id: string,
): Promise<ReadCheckout | null> {
  const found = await readCheckout(ctx.db.read, organizationId, id);
  return found && (await withCurrentFigures(ctx, organizationId, [found]))[0]!;
}

/** As `listCheckouts`, as answers show the Checkouts. */
export async function listShownCheckouts(
  ctx: Context,
  organizationId: string,
  query: Parameters<typeof listCheckouts>[2],
): Promise<ReadCheckout[]> {
  return withCurrentFigures(ctx, organizationId, await listCheckouts(ctx.db.stale, organizationId, query));
}

/**
 * The credit that a submission of an open Checkout could use now, in minor units, for its page. As at the submission,
 * the Customer's due work is done first (rule T3).
 */
export async function readCredit(ctx: Context, checkout: Checkout): Promise<Amount> {
  const { organizationId, customerId } = checkout;
  if (!mayUseBalance(checkout)) return 0;
  const decide = (billing: CustomerBilling) => {
    runDue(billing);
    return creditFor(billing, checkout);
  };
  return readCustomerBilling(ctx, { organizationId, id: customerId! }, decide, { deleted: true });
}
