import type { Context } from "../context.ts";
import { newPaymentsAt, takesPayments, type Organization } from "../domain/organization/organization.ts";
import { SANDBOX, type ProviderAccount } from "../domain/payment/outcome.ts";
import { heldBack } from "../payments/held.ts";
import { limited } from "../payments/limiter.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { isCopy } from "./installation.ts";

/**
 * The provider at which a card or a payment is kept, within the provider's limits; null if no key of that account is
 * stored. In a copy of the installation, a connected provider refuses each call that changes a state (rule D1c).
 */
export async function providerAt(
  ctx: Context,
  organizationId: string,
  account: ProviderAccount,
): Promise<PaymentProvider | null> {
  if (account.provider === SANDBOX) return limited(ctx.payments.sandbox);
  const provider = await ctx.payments.connected(organizationId, account);
  if (!provider) return null;
  return (await isCopy(ctx)) ? heldBack(provider) : limited(provider);
}

/** The provider that takes new payments of the Organization; null if the Organization takes no payments. */
export async function providerOf(ctx: Context, organization: Organization): Promise<PaymentProvider | null> {
  return takesPayments(organization) ? providerAt(ctx, organization.id, newPaymentsAt(organization)) : null;
}

/** The pair that is stored with a new card or payment of this provider. */
export const accountOf = ({ name, account }: PaymentProvider): ProviderAccount => ({
  provider: name,
  providerAccount: account,
});

/** Whether a card or a payment is kept at this account. */
export const isAt = (kept: ProviderAccount, { provider, providerAccount }: ProviderAccount): boolean =>
  kept.provider === provider && kept.providerAccount === providerAccount;
