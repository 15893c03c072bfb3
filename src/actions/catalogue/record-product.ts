import type { Instant } from "../../domain/calendar.ts";
import type { Product } from "../../domain/model/product.ts";
import type { EventType } from "../../domain/event.ts";
import { presentProduct } from "../../resources/product.ts";
import type { Tx } from "../../store/driver/db.ts";
import { products } from "../../store/products.ts";
import { record } from "../record.ts";

export function recordProduct(tx: Tx, product: Product, type: EventType, at: Instant): Promise<Product> {
  return record(tx, products, product, type, at, presentProduct);
}
