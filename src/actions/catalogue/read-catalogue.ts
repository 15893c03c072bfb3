import type { Benefit } from "../../domain/model/benefit.ts";
import type { Discount } from "../../domain/model/discount.ts";
import type { Product } from "../../domain/model/product.ts";
import {
  presentCatalogueBenefit,
  presentCatalogueDiscount,
  presentCatalogueProduct,
  type CatalogueResource,
} from "../../resources/catalogue.ts";
import { listBenefits } from "../../store/benefits.ts";
import { listDiscounts } from "../../store/discounts.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { listProducts } from "../../store/products.ts";

/** All Products, and the Benefits and Discounts that are not deleted, oldest first. */
export type CatalogueRows = { benefits: Benefit[]; products: Product[]; discounts: Discount[] };

const PAGE = 1000;

/** All rows of a list that answers one row more than its page holds, oldest first. */
async function all<Row extends { id: string }>(list: (cursor: string | undefined) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await list(rows.at(-1)?.id);
    rows.push(...page.slice(0, PAGE));
    if (page.length <= PAGE) return rows.reverse();
  }
}

export async function readCatalogueRows(db: Queryable, organizationId: string): Promise<CatalogueRows> {
  const page = { limit: PAGE, key: undefined, search: undefined };
  const ofProducts = { ...page, archived: undefined, benefitId: undefined };
  return {
    benefits: await all((cursor) => listBenefits(db, organizationId, { ...page, cursor, type: undefined })),
    products: await all((cursor) => listProducts(db, organizationId, { ...ofProducts, cursor })),
    discounts: await all((cursor) => listDiscounts(db, organizationId, { limit: PAGE, cursor, code: undefined })),
  };
}

/** The name of a row in a catalogue: its key, or its id if the row has no key. */
export function namesOf(rows: readonly { id: string; key: string | null }[]): (id: string) => string {
  const names = new Map(rows.map(({ id, key }) => [id, key ?? id]));
  return (id) => names.get(id) ?? id;
}

/** The catalogue as `pushCatalogue` takes it. Benefits and Products without a key are left out. */
export async function readCatalogue(db: Queryable, organizationId: string): Promise<CatalogueResource> {
  const { benefits, products, discounts } = await readCatalogueRows(db, organizationId);
  const [nameOfBenefit, nameOfProduct] = [namesOf(benefits), namesOf(products)];
  const named = <Row extends { key: string | null }>(rows: readonly Row[]) => rows.filter(({ key }) => key !== null);
  return {
    benefits: named(benefits).map(presentCatalogueBenefit),
    products: named(products).map((product) => presentCatalogueProduct(product, nameOfBenefit)),
    discounts: discounts.map((discount) => presentCatalogueDiscount(discount, nameOfProduct)),
  };
}
