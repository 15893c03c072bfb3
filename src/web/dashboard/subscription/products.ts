import type { Product } from "../../../domain/model/product.ts";
import { listProducts } from "../../../store/products.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { moneyText } from "../components/cells.ts";
import { isSoldByQuantity, rangeInWords } from "../quantity-range.ts";
import type { Option } from "../fields.ts";
import type { DashboardRequest } from "../request.ts";

/** The most Products that a choice offers, the newest ones. */
const MOST_PRODUCTS = 1000;

/** The Products for sale, by name. */
export async function productsForSale({ ctx, organization }: DashboardRequest): Promise<Product[]> {
  const rows = await listProducts(ctx.db.read, organization.id, { archived: "false", limit: MOST_PRODUCTS });
  return rows.slice(0, MOST_PRODUCTS).sort((one, other) => ENGLISH.compare(one.name, other.name));
}

/** A Product with its prices and limits as a choice: `Team: US$12.00 / €11.00, every month, 2 to 50 seats`. */
export function productOption(product: Product): Option {
  const { id, name, prices } = product;
  const amounts = prices.map(({ amount, currency }) => moneyText(amount, currency)).join(" / ");
  const range = isSoldByQuantity(product) ? `, ${rangeInWords(product)}` : "";
  return [id, `${name}: ${amounts}, ${rhythmOf(ENGLISH, product)}${range}`];
}

/** The currencies of the Products, sorted. */
export function currencyOptions(products: readonly Product[]): Option[] {
  const currencies = new Set(products.flatMap(({ prices }) => prices.map(({ currency }) => currency)));
  return [...currencies].sort().map((currency) => [currency, currency.toUpperCase()] as const);
}
