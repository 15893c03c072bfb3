import type { Context } from "../context.ts";
import { instant, type Instant } from "../domain/calendar.ts";
import { checkoutTax, type Checkout } from "../domain/checkout.ts";
import type { Customer } from "../domain/customer.ts";
import type { HeldDiscount } from "../domain/discount.ts";
import type { Organization } from "../domain/organization.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { CreateCheckoutParams } from "../resources/checkout.ts";
import { readOrganization } from "../store/organizations.ts";
import { trialUsed } from "../store/subscriptions.ts";
import { createChangeCheckout } from "./change-checkout.ts";
import { findProduct, requireSale, workOnNamed, type Sale } from "./find-sale.ts";
import { requireFreeGroup } from "./group.ts";
import { findDiscount } from "./hold-discount.ts";
import { billingOf } from "./issue-invoice.ts";
import type { Origin, ShownCheckout } from "./origin.ts";
import { recordCheckout } from "./record.ts";
import { runDue } from "./run-due.ts";
import { providerOf } from "./work.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;

/** `POST /checkouts`: Product and price are fixed now (rule C3), the Customer is resolved or made in the same transaction. */
export async function createCheckout(
  ctx: Context,
  origin: Origin<ShownCheckout>,
  params: CreateCheckoutParams,
): Promise<ShownCheckout> {
  if (params.subscriptionId !== null) return createChangeCheckout(ctx, origin, params);
  return origin.transaction(ctx, async (tx) => {
    const [{ organization, now: seen }, found] = await Promise.all([
      readOrganization(tx, origin.organizationId),
      findProduct(tx, origin.organizationId, params),
    ]);
    const { product, price } = requireSale(found, organization, params);
    const work = await workOnNamed(ctx, tx, origin.organizationId, params, seen);
    if (work) await runDue(work);
    if (work) await requireFreeGroup(work, product.groupKey);
    const usedTrial =
      work !== null && product.groupKey !== null && (await trialUsed(tx, organization.id, work.customer.id, product.groupKey));
    const now = work?.now ?? seen;
    const discount = await findDiscount(tx, organization, { product, price }, params.discountCode, now);
    const sale = { product, price, discount, usedTrial };
    const draft = newCheckout(organization, sale, params, work?.customer ?? null, now);
    if (draft.amount > 0 && !providerOf(ctx, organization)) throw new AppError("payment_provider_missing");
    const customer = work?.customer ?? null;
    const checkout = await recordCheckout({ ctx, tx, customer }, draft, "checkout.created", draft.createdAt);
    return { checkout, externalCustomerId: customer?.externalId ?? null, now: draft.createdAt };
  });
}

function newCheckout(
  organization: Organization,
  { product, price, discount, usedTrial }: Sale & { discount: HeldDiscount | null; usedTrial: boolean },
  params: CreateCheckoutParams,
  customer: Customer | null,
  now: Instant,
): Checkout {
  const expiresAt = instant(now + (params.expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE_MILLISECONDS);
  const sold = { productId: product.id, ...price, discount };
  return {
    organizationId: organization.id,
    id: newId("chk"),
    status: "open",
    productId: product.id,
    customerId: customer?.id ?? null,
    customerNamed: customer !== null,
    subscriptionId: null,
    invoiceId: null,
    productName: product.name,
    groupKey: product.groupKey,
    ...price,
    interval: product.interval,
    intervalCount: product.intervalCount,
    trialDays: usedTrial ? null : product.trialDays,
    trialCard: product.trialCard,
    discount,
    billing: null,
    change: null,
    tax: checkoutTax(organization, customer && billingOf(customer, null), sold),
    successUrl: params.successUrl,
    cancelUrl: params.cancelUrl,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    metadata: params.metadata,
    expiresAt,
    completedAt: null,
    dueAt: expiresAt,
    simulated: organization.clockAt !== null,
    version: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}
