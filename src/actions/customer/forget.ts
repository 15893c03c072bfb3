import type { Context } from "../../context.ts";
import { accountsOf, endForgetting, leaseForgetting } from "../../store/provider-erasures.ts";
import { providerAt } from "../provider.ts";

/** The pause after a provider that did not answer. */
const LEASE_MILLISECONDS = 10 * 60_000;

/**
 * Makes the connected providers forget a deleted Customer and the Customer's cards (rule I5n). A provider that does not
 * answer is asked again. A disconnected account can't be asked, because its key is gone. Returns whether this process
 * did the work.
 */
export async function forgetAtProviders(ctx: Context, organizationId: string, customerId: string): Promise<boolean> {
  const lease = (tx: Parameters<typeof leaseForgetting>[0]) =>
    leaseForgetting(tx, organizationId, customerId, LEASE_MILLISECONDS);
  if (!(await ctx.db.tx(lease))) return false;
  for (const account of await accountsOf(ctx.db.read, organizationId, customerId)) {
    const provider = await providerAt(ctx, organizationId, account);
    await provider?.forget(organizationId, customerId);
  }
  await ctx.db.tx(async (tx) => endForgetting(tx, organizationId, customerId));
  return true;
}
