import type { Context } from "../context.ts";
import { newPaymentsAt, takesPayments, type Organization } from "../domain/model/organization.ts";
import { limitsWith, type ChargeLimits } from "../domain/model/charge-limits.ts";
import type { LoadContext } from "../store/customer-billing/load.ts";

/**
 * Facts for decisions about Customers that the database does not have. The limits belong to a provider and not to
 * a connection, so amounts stay the same while no key can be read.
 */
export const loadContextOf = ({ payments }: Context): LoadContext => ({
  hasProvider: takesPayments,
  limitsAt(provider, currency) {
    const own = payments.connectables.get(provider)?.amounts(currency);
    return limitsWith(currency, own?.step ?? 1, own?.least);
  },
});

/** As `limitsIn` of a `CustomerBilling`, where there is no `CustomerBilling`. */
export function limitsFor(
  ctx: Context,
  organization: Pick<Organization, "provider" | "providerAccount">,
  currency: string,
): ChargeLimits {
  return loadContextOf(ctx).limitsAt(newPaymentsAt(organization).provider, currency);
}
