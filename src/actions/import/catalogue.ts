import type { Context } from "../../context.ts";
import { newAssessment, assessCustomer, type Assessment } from "../../domain/import/assessment.ts";
import {
  planCatalogue,
  suggestMapping,
  type MappedProduct,
  type Mapping,
  type MappingFault,
  type UsedPrice,
} from "../../domain/import/mapping.ts";
import type { Circumstances } from "../../domain/import/stay-reasons.ts";
import type { Product } from "../../domain/model/product.ts";
import { isRefusal } from "../../domain/refusal.ts";
import type { AccountReader } from "../../payments/account-reader.ts";
import { CreateProductParams } from "../../resources/product.ts";
import { parse } from "../../resources/faults.ts";
import { findProductByKey } from "../../store/products.ts";
import { createProduct } from "../catalogue/products.ts";
import { ownOrigin } from "../origin.ts";

async function productsByKey(
  ctx: Context,
  organizationId: string,
  keys: Iterable<string>,
): Promise<Map<string, Product>> {
  const found = new Map<string, Product>();
  for (const key of new Set(keys)) {
    const product = await findProductByKey(ctx.db.read, organizationId, key);
    if (product) found.set(key, product);
  }
  return found;
}

/** A mapping of the prices of an assessment, to be edited. */
export async function mappingFor(
  ctx: Context,
  organizationId: string,
  account: string,
  { prices }: Pick<Assessment, "prices">,
): Promise<Mapping> {
  const used = [...prices.values()].map(({ price, moves, stays }) => ({ price, subscriptions: moves + stays }));
  const first = suggestMapping(account, used, new Map());
  const existing = await productsByKey(ctx, organizationId, keysOf(first));
  return existing.size === 0 ? first : suggestMapping(account, used, existing);
}

const keysOf = ({ prices }: Mapping) => prices.map(({ productKey }) => productKey);

/**
 * The prices of all subscriptions that move now, with their quantities. Reads the whole account. `customer`: is called
 * after each Customer. @throws ReadError
 */
export async function readUsedPrices(
  source: AccountReader,
  circumstances: Circumstances,
  customer: (read: number) => void,
): Promise<Map<string, UsedPrice>> {
  const used = new Map<string, UsedPrice>();
  const sums = newAssessment();
  for await (const each of source.customers()) {
    for (const { subscription, reasons } of assessCustomer(sums, each, circumstances)) {
      if (reasons.length > 0) continue;
      for (const { price, quantity: n } of subscription.items) {
        const { quantity } = used.getOrInsertComputed(price.ref, () => ({
          price,
          quantity: { minimum: n, maximum: n },
        }));
        quantity.minimum = Math.min(quantity.minimum, n);
        quantity.maximum = Math.max(quantity.maximum, n);
      }
    }
    customer(sums.customers.total);
  }
  return used;
}

/** The Products by the prices of the mapping. `made`: the number of Products that were missing. */
export type Catalogue = { products: ReadonlyMap<string, Product>; made: number };

/** `faults`: of lines. `refused`: of Products that can't be made, in the words of the API. */
export type CatalogueFaults = { faults: MappingFault[]; refused: { key: string; says: string }[] };

/** The request for a Product, as the API checks it. */
function paramsOf({ key, name, interval, intervalCount, prices, quantity, unitName }: MappedProduct) {
  const body = { key, name, interval, intervalCount, prices, quantity, unitName };
  return parse(CreateProductParams, body, "body");
}

async function make(ctx: Context, organizationId: string, params: CreateProductParams): Promise<Product> {
  try {
    return await createProduct(ctx, ownOrigin<Product>(organizationId), params);
  } catch (error) {
    // Another import makes the Products of the same mapping.
    const found = isRefusal(error, "key_taken") && (await findProductByKey(ctx.db.read, organizationId, params.key!));
    if (!found) throw error;
    return found;
  }
}

/**
 * Makes the Products of a mapping that are missing. With one fault, no Product is made. A repetition finds the Products
 * by their keys. @throws Refusal for a price that the connected provider can't charge
 */
export async function prepareCatalogue(
  ctx: Context,
  organizationId: string,
  mapping: Mapping,
  used: ReadonlyMap<string, UsedPrice>,
): Promise<Catalogue | CatalogueFaults> {
  const existing = await productsByKey(ctx, organizationId, keysOf(mapping));
  const { faults, made } = planCatalogue(mapping, used, existing);
  const wanted = made.map((product) => ({ key: product.key, ...paramsOf(product) }));
  const refused = wanted.flatMap(({ key, faults: found }) =>
    (found ?? []).map(({ pointer, message }) => ({ key, says: `${pointer}: ${message}` })),
  );
  if (faults.length > 0 || refused.length > 0) return { faults, refused };
  for (const { key, value } of wanted) existing.set(key, await make(ctx, organizationId, value!));
  const products = mapping.prices.flatMap(({ price, productKey }) => {
    const product = existing.get(productKey);
    return product ? [[price, product] as const] : [];
  });
  return { products: new Map(products), made: wanted.length };
}
