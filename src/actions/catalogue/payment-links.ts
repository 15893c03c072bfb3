import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { later } from "../../domain/calendar.ts";
import { namedLimitsOf, requireOffered, requireTotal, type NamedProduct } from "../../domain/model/checkout-sale.ts";
import { newPaymentLink, type CountedPaymentLink, type PaymentLinkTerms } from "../../domain/model/payment-link.ts";
import { priceIn, type Product } from "../../domain/model/product.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CreatePaymentLinkParams, UpdatePaymentLinkParams } from "../../resources/payment-link.ts";
import { findDiscountByCode } from "../../store/discounts.ts";
import type { Tx } from "../../store/driver/db.ts";
import { billingNow } from "../../store/organizations.ts";
import { findPaymentLink, findPaymentLinkByKey, paymentLinks } from "../../store/payment-links.ts";
import { findNamedProduct, products as productTable } from "../../store/products.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { refuseTaken } from "./key-conflict.ts";

/** The named Products for sale. @throws Refusal 422 at the place of the first faulty one */
async function requireProducts(tx: Tx, organizationId: string, named: readonly NamedProduct[]): Promise<Product[]> {
  const found: Product[] = [];
  for (const [index, each] of named.entries()) {
    const field = `/products/${index}/${each.productId === null ? "productKey" : "productId"}` as const;
    const product = await findNamedProduct(tx, organizationId, each);
    if (!product) throw new Refusal("unknown_product", { field });
    if (product.archived) throw new Refusal("product_archived", { field });
    if (found.some(({ id }) => id === product.id)) throw new Refusal("product_listed", { field });
    found.push(product);
  }
  return found;
}

/** A price in the currency of the link. @throws Refusal 422 */
function requirePrice(product: Product, { currency }: Pick<PaymentLinkTerms, "currency">): void {
  if (currency === null || priceIn(product, currency) !== null) return;
  throw new Refusal("currency_missing", { field: "/currency", currency });
}

/** The quantities of the link within the limits of the Product. @throws Refusal 422 */
function requireQuantities(product: Product, { currency, quantity, quantityChange }: PaymentLinkTerms): void {
  const limits = namedLimitsOf(product);
  if (quantityChange !== null) {
    requireOffered(limits, quantityChange.minimum, "/quantityChange/minimum");
    requireOffered(limits, quantityChange.maximum, "/quantityChange/maximum");
  }
  if (quantity === null) return;
  requireOffered({ ...limits, ...quantityChange }, quantity);
  const amount = currency === null ? null : priceIn(product, currency);
  if (currency !== null && amount !== null) requireTotal(amount, quantity, currency);
}

/**
 * Each Product has a price in the currency of the link, and at least one is sold in its quantities. The page shows the
 * nearest quantities of the others.
 * @throws Refusal 422
 */
function requireSellable(sold: readonly Product[], terms: PaymentLinkTerms): void {
  const refusals: unknown[] = [];
  for (const product of sold) {
    requirePrice(product, terms);
    try {
      requireQuantities(product, terms);
    } catch (error) {
      refusals.push(error);
    }
  }
  if (refusals.length > 0 && refusals.length === sold.length) throw refusals[0];
}

/** @throws Refusal 422 `discount_refused` for a code that does not exist, or covers none of the Products */
async function requireCode(tx: Tx, organizationId: string, terms: PaymentLinkTerms): Promise<void> {
  const { discountCode, productIds } = terms;
  if (discountCode === null) return;
  const discount = await findDiscountByCode(tx, organizationId, discountCode);
  const refuse = (reason: "unknown_discount" | "discount_not_for_product") =>
    new Refusal("discount_refused", { field: "/discountCode", reason });
  if (!discount) throw refuse("unknown_discount");
  if (discount.productIds !== null && !discount.productIds.some((id) => productIds.includes(id)))
    throw refuse("discount_not_for_product");
}

const keyTaken = (ctx: Context, organizationId: string, key: string, error: unknown): Promise<never> =>
  refuseTaken(error, {
    index: "payment_links_key",
    value: key,
    noun: "payment link",
    findHolder: () => findPaymentLinkByKey(ctx.db.read, organizationId, key),
  });

/**
 * Makes a payment link. No visit of its page makes a row; a click makes a Checkout.
 * @throws Refusal 422, 409 `key_taken`
 */
export async function createPaymentLink(
  ctx: Context,
  origin: Origin<CountedPaymentLink>,
  params: CreatePaymentLinkParams,
): Promise<CountedPaymentLink> {
  const { organizationId } = origin;
  const create = origin.transaction(ctx, async (tx) => {
    const { products: named, ...others } = params;
    const sold = await requireProducts(tx, organizationId, named);
    const terms = { ...others, productIds: sold.map(({ id }) => id) };
    requireSellable(sold, terms);
    await requireCode(tx, organizationId, terms);
    const link = newPaymentLink(organizationId, terms, await billingNow(tx, organizationId));
    paymentLinks.insert(tx, link);
    return { ...link, visits: 0, checkouts: 0, purchases: 0 };
  });
  return create.catch((error: unknown) => keyTaken(ctx, organizationId, params.key ?? "", error));
}

/** The fields that are checked against the catalogue. A link can be switched off while a Product is archived. */
const SOLD = ["products", "currency", "quantity", "quantityChange"] as const;

/**
 * Changes a payment link for later visits. Checkouts that exist keep their terms.
 * @throws Refusal `not_found`, `precondition_failed`, 422
 */
export async function updatePaymentLink(
  ctx: Context,
  origin: Origin<CountedPaymentLink>,
  id: string,
  params: UpdatePaymentLinkParams,
  checkVersion?: VersionCheck<CountedPaymentLink>,
): Promise<CountedPaymentLink> {
  const { organizationId } = origin;
  return origin.transaction(ctx, async (tx) => {
    const locked = await paymentLinks.lock(tx, organizationId, id);
    const counted = locked && (await findPaymentLink(tx, organizationId, id));
    if (!counted) throw new Refusal("not_found");
    checkVersion?.(counted);
    const { visits, checkouts, purchases, ...link } = counted;
    const { products: named, ...others } = params;
    const terms = { ...link, ...others };
    if (SOLD.some((name) => params[name] !== undefined)) {
      const sold = named
        ? await requireProducts(tx, organizationId, named)
        : [...(await productTable.findAll(tx, organizationId, link.productIds)).values()];
      if (named) terms.productIds = sold.map(({ id: productId }) => productId);
      requireSellable(sold, terms);
    }
    if (params.discountCode !== undefined || named) await requireCode(tx, organizationId, terms);
    if (isDeepStrictEqual(terms, link)) return counted;
    const now = later(await billingNow(tx, organizationId), link.updatedAt);
    const updated = { ...terms, version: link.version + 1, updatedAt: now };
    paymentLinks.update(tx, updated);
    return { ...updated, visits, checkouts, purchases };
  });
}
