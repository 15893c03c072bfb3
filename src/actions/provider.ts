import type { Context } from "../context.ts";
import type { Organization } from "../domain/organization/organization.ts";
import { limited } from "../payments/limiter.ts";
import type { PaymentProvider } from "../payments/provider.ts";

/**
 * The provider that takes payments for the Organization, within the provider's limits; null if the Organization takes
 * no payments.
 */
export function providerOf(ctx: Context, organization: Pick<Organization, "mode">): PaymentProvider | null {
  const provider = ctx.payments[organization.mode];
  return provider && limited(provider);
}
