import type { Context } from "../context.ts";
import { newPaymentsAt, takesPayments, type Organization } from "../domain/model/organization.ts";
import { SANDBOX, type ProviderAccount } from "../domain/model/payment-outcome.ts";
import { heldBack } from "../payments/copy-guard.ts";
import { hostedSandbox } from "../payments/sandbox-page.ts";
import type { HostedPageEntry, PaymentProvider } from "../payments/provider.ts";
import { closedAccounts } from "../store/payment-pauses.ts";
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
  if (account.provider === SANDBOX) return ctx.payments.sandbox;
  const provider = await ctx.payments.connected(organizationId, account);
  if (!provider) return null;
  return (await isCopy(ctx)) ? heldBack(provider) : provider;
}

/**
 * The provider that takes new payments of the Organization; null if the Organization takes no payments. A sandbox
 * chooses the entry of the built-in provider.
 */
export async function providerOf(ctx: Context, organization: Organization): Promise<PaymentProvider | null> {
  if (!takesPayments(organization)) return null;
  const provider = await providerAt(ctx, organization.id, newPaymentsAt(organization));
  const isHosted = provider?.name === SANDBOX && organization.sandboxEntry === "hosted";
  return isHosted ? { ...provider, entry: hostedSandbox(ctx.config.publicOrigin) } : provider;
}

/**
 * The way in which buyers give their cards. `hosted`: the provider's page; null: they type their cards on our pages.
 * `closed`: why our pages must not ask for a card. Either no key of the provider's account is stored, or the payments
 * are paused and no probe is due (rule D9l).
 */
export type Entry = { hosted: HostedPageEntry | null; closed: "no_provider" | "payments_paused" | null };

/** The entry, given the accounts of the Organization that take no attempt of a buyer now (`closedAccounts`). */
export async function entryWith(
  ctx: Context,
  organization: Organization,
  closed: readonly ProviderAccount[],
): Promise<Entry> {
  const provider = await providerOf(ctx, organization);
  if (!provider) return { hosted: null, closed: "no_provider" };
  const isPaused = closed.some((account) => isAt(account, accountOf(provider)));
  const { entry } = provider;
  return { hosted: entry.kind === "hosted" ? entry : null, closed: isPaused ? "payments_paused" : null };
}

export async function entryOf(ctx: Context, organization: Organization): Promise<Entry> {
  return entryWith(ctx, organization, await closedAccounts(ctx.db.read, organization.id));
}

/** The pair that is stored with a new card or payment of this provider. */
export const accountOf = ({ name, account }: PaymentProvider): ProviderAccount => ({
  provider: name,
  providerAccount: account,
});

/** Whether a card or a payment is kept at this account. */
export const isAt = (own: ProviderAccount, { provider, providerAccount }: ProviderAccount): boolean =>
  own.provider === provider && own.providerAccount === providerAccount;
