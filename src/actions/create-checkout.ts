import type { Context } from "../context.ts";
import { instant, type Instant } from "../domain/calendar.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { Customer } from "../domain/customer.ts";
import type { Organization } from "../domain/organization.ts";
import { defaultCurrency, priceIn, type Price, type Product } from "../domain/product.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import { checkoutETag, presentCheckout, type CreateCheckoutParams } from "../resources/checkout.ts";
import { customers, findByExternalId } from "../store/customers.ts";
import type { Tx } from "../store/db.ts";
import { readOrganization } from "../store/organizations.ts";
import { findProductByKey, products } from "../store/products.ts";
import { trialUsed } from "../store/subscriptions.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { resolveCustomer } from "./create-customer.ts";
import { requireFreeGroup } from "./group.ts";
import { checkoutUrl } from "./links.ts";
import { recordCheckout } from "./record.ts";
import { runDue } from "./run-due.ts";
import { providerOf, workOn } from "./work.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;

/** `POST /checkouts`: Product and price are fixed now (rule C3), the Customer is resolved or made in the same transaction. */
export async function createCheckout(ctx: Context, call: Call, params: CreateCheckoutParams): Promise<Answer> {
  return commitNow(ctx, call, async (tx) => {
    const [{ organization, now: seen }, found] = await Promise.all([
      readOrganization(tx, call.organizationId),
      findProduct(tx, call.organizationId, params),
    ]);
    const { product, price } = requireSale(found, organization, params);
    const named = await findCustomer(tx, call.organizationId, params, seen);
    const work = named && (await workOn(ctx, tx, call.organizationId, named.id));
    if (work) await runDue(work);
    if (work) await requireFreeGroup(work, product.groupKey);
    const usedTrial =
      work !== null && product.groupKey !== null && (await trialUsed(tx, organization.id, work.customer.id, product.groupKey));
    const draft = newCheckout(organization, product, price, params, work?.customer ?? null, usedTrial, work?.now ?? seen);
    if (draft.amount > 0 && !providerOf(ctx, organization)) throw new AppError("payment_provider_missing");
    const customer = work?.customer ?? null;
    const checkout = await recordCheckout({ ctx, tx, customer }, draft, "checkout.created", draft.createdAt);
    const surroundings = { externalCustomerId: customer?.externalId ?? null, now: draft.createdAt };
    const body = presentCheckout(checkout, { ...surroundings, url: checkoutUrl(ctx, checkout) });
    return answer(201, body, { ETag: checkoutETag(checkout, surroundings) });
  });
}

function findProduct(tx: Tx, organizationId: string, { productId, productKey }: CreateCheckoutParams): Promise<Product | null> {
  return productId === null ? findProductByKey(tx, organizationId, productKey!) : products.find(tx, organizationId, productId);
}

type Sale = { product: Product; price: Price };

/** The Product that is sold, and its price; 422 at the pointer that names nothing usable. */
function requireSale(product: Product | null, organization: Organization, params: CreateCheckoutParams): Sale {
  const pointer = params.productId === null ? "/productKey" : "/productId";
  if (!product) throw invalid(pointer, "unknown_product", "No such Product exists.");
  if (product.archived) throw invalid(pointer, "product_archived", "The Product is archived.");
  const currency = params.currency ?? defaultCurrency(product, organization.defaultCurrency);
  if (currency === null) throw invalid("/currency", "currency_required", "The Product has several prices: say which `currency`.");
  const amount = priceIn(product, currency);
  if (amount === null) throw invalid("/currency", "currency_missing", `The Product has no price in ${currency}.`);
  return { product, price: { currency, amount } };
}

/** The Customer that the body names or describes; null when the buyer is to say who they are. */
async function findCustomer(tx: Tx, organizationId: string, params: CreateCheckoutParams, now: Instant): Promise<Customer | null> {
  const { customerId, externalCustomerId, customer } = params;
  if (customer !== null) return resolveCustomer(tx, organizationId, customer, now);
  if (customerId !== null) {
    const found = await customers.find(tx, organizationId, customerId);
    if (!found) throw invalid("/customerId", "unknown_customer", "No such Customer exists.");
    return found;
  }
  if (externalCustomerId === null) return null;
  const found = await findByExternalId(tx, organizationId, externalCustomerId);
  if (!found) throw invalid("/externalCustomerId", "unknown_customer", "No Customer has this externalId; send `customer` to create one.");
  return found;
}

function newCheckout(
  organization: Organization,
  product: Product,
  price: Price,
  params: CreateCheckoutParams,
  customer: Customer | null,
  usedTrial: boolean,
  now: Instant,
): Checkout {
  const expiresAt = instant(now + (params.expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE_MILLISECONDS);
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
