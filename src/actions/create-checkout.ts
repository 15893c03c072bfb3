import type { Context } from "../context.ts";
import { instant, type Instant } from "../domain/calendar.ts";
import { checkoutTax, type Checkout } from "../domain/checkout.ts";
import { minimumCharge } from "../domain/currency.ts";
import type { Customer } from "../domain/customer.ts";
import { codeKey, discountOn, holdDiscount, refusalOf, type HeldDiscount } from "../domain/discount.ts";
import type { Organization } from "../domain/organization.ts";
import { defaultCurrency, priceIn, type Price, type Product } from "../domain/product.ts";
import { AppError, invalid } from "../errors.ts";
import { newId } from "../ids.ts";
import { checkoutETag, presentCheckout, type CreateCheckoutParams } from "../resources/checkout.ts";
import { findByExternalId } from "../store/customers.ts";
import type { Tx } from "../store/db.ts";
import { findDiscountByCode } from "../store/discounts.ts";
import { readOrganization } from "../store/organizations.ts";
import { findProductByKey, products } from "../store/products.ts";
import { trialUsed } from "../store/subscriptions.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { createChangeCheckout } from "./change-checkout.ts";
import { workOnResolved } from "./create-customer.ts";
import { requireFreeGroup } from "./group.ts";
import { billingOf } from "./issue-invoice.ts";
import { checkoutUrl } from "./links.ts";
import { recordCheckout } from "./record.ts";
import { runDue } from "./run-due.ts";
import { providerOf, workOn, type Work } from "./work.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;

/** `POST /checkouts`: Product and price are fixed now (rule C3), the Customer is resolved or made in the same transaction. */
export async function createCheckout(ctx: Context, call: Call, params: CreateCheckoutParams): Promise<Answer> {
  if (params.subscriptionId !== null) return createChangeCheckout(ctx, call, params);
  return commitNow(ctx, call, async (tx) => {
    const [{ organization, now: seen }, found] = await Promise.all([
      readOrganization(tx, call.organizationId),
      findProduct(tx, call.organizationId, params),
    ]);
    const { product, price } = requireSale(found, organization, params);
    const work = await workOnNamed(ctx, tx, call.organizationId, params, seen);
    if (work) await runDue(work);
    if (work) await requireFreeGroup(work, product.groupKey);
    const usedTrial =
      work !== null && product.groupKey !== null && (await trialUsed(tx, organization.id, work.customer.id, product.groupKey));
    const now = work?.now ?? seen;
    const discount = await findDiscount(tx, organization.id, { product, price }, params.discountCode, now);
    const sale = { product, price, discount, usedTrial };
    const draft = newCheckout(organization, sale, params, work?.customer ?? null, now);
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

/** On the Customer that the body names or describes; null when the buyer is to say who they are. */
async function workOnNamed(
  ctx: Context,
  tx: Tx,
  organizationId: string,
  { customerId, externalCustomerId, customer }: CreateCheckoutParams,
  now: Instant,
): Promise<Work | null> {
  if (customer !== null) return workOnResolved(ctx, tx, organizationId, customer, now);
  if (customerId !== null) {
    const work = await workOn(ctx, tx, organizationId, customerId);
    if (!work) throw invalid("/customerId", "unknown_customer", "No such Customer exists.");
    return work;
  }
  if (externalCustomerId === null) return null;
  const found = await findByExternalId(tx, organizationId, externalCustomerId);
  const work = found && (await workOn(ctx, tx, organizationId, found.id));
  if (!work) throw invalid("/externalCustomerId", "unknown_customer", "No Customer has this externalId; send `customer` to create one.");
  return work;
}

const DISCOUNT_REFUSALS = {
  unknown_discount: "No such discount code exists.",
  discount_not_active: "The discount can't be used at this time.",
  discount_exhausted: "The discount was used as often as it may be.",
  discount_not_for_product: "The discount is not for this Product.",
  discount_other_currency: "The discount is in another currency.",
  discount_below_minimum: "The discount leaves an amount that is too small to be charged.",
} as const;
export type DiscountRefusal = keyof typeof DISCOUNT_REFUSALS;

/** The discount of this code as this sale would hold it, or why it can't be used (rules X1, M5). */
export async function holdCode(
  tx: Tx,
  organizationId: string,
  { product, price }: Sale,
  code: string,
  now: Instant,
): Promise<HeldDiscount | { refused: DiscountRefusal; message: string }> {
  const discount = await findDiscountByCode(tx, organizationId, codeKey(code));
  const refuse = (refused: DiscountRefusal) => ({ refused, message: DISCOUNT_REFUSALS[refused] });
  if (!discount) return refuse("unknown_discount");
  const sale = { productId: product.id, currency: price.currency, price: price.amount };
  const refused = refusalOf(discount, sale, now);
  if (refused) return refuse(refused);
  const held = holdDiscount(discount);
  const left = price.amount - discountOn(held, sale, now);
  return left > 0 && left < minimumCharge(price.currency) ? refuse("discount_below_minimum") : held;
}

async function findDiscount(tx: Tx, organizationId: string, sale: Sale, code: string | null, now: Instant): Promise<HeldDiscount | null> {
  if (code === null) return null;
  const held = await holdCode(tx, organizationId, sale, code, now);
  if ("refused" in held) throw invalid("/discountCode", held.refused, held.message);
  return held;
}

function newCheckout(
  organization: Organization,
  { product, price, discount, usedTrial }: Sale & { discount: HeldDiscount | null; usedTrial: boolean },
  params: CreateCheckoutParams,
  customer: Customer | null,
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
    discount,
    billing: null,
    change: null,
    tax: checkoutTax(organization.taxRates, customer && billingOf(customer, null)),
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
