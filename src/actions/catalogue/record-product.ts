import type { Instant } from "../../domain/calendar.ts";
import type { Price, Product } from "../../domain/model/product.ts";
import type { EventType } from "../../domain/event.ts";
import { presentProduct } from "../../resources/product.ts";
import type { Tx } from "../../store/driver/db.ts";
import { recordPrices } from "../../store/product-prices.ts";
import { products } from "../../store/products.ts";
import { record } from "../record.ts";

/** Writes a changed Product, its event, and its new prices. `before`: the prices until now. */
export async function recordProduct(
  tx: Tx,
  product: Product,
  type: EventType,
  at: Instant,
  before: readonly Price[] = product.prices,
): Promise<Product> {
  const written = await record(tx, products, product, type, at, presentProduct);
  recordPrices(tx, written, before, written.updatedAt);
  return written;
}
