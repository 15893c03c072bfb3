import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { codeKey, type Discount } from "../../domain/model/discount.ts";
import type { Product } from "../../domain/model/product.ts";
import type { CreateBenefitParams } from "../../resources/benefit.ts";
import {
  presentCatalogueBenefit,
  presentCatalogueDiscount,
  presentCatalogueProduct,
  type CatalogueChange,
  type CatalogueDiscount,
  type CatalogueParams,
  type CatalogueProduct,
  type CatalogueResult,
} from "../../resources/catalogue.ts";
import { setUp } from "./benefit-properties.ts";
import { faultAt, placed } from "./catalogue-place.ts";
import { namesOf, type CatalogueRows } from "./read-catalogue.ts";

type Planned<Row, Params> = {
  /** The place of the row in the request. */
  place: string;
  change: Omit<CatalogueChange, "subscriptions">;
  /** The present row; null: the row is to be made. */
  row: Row | null;
  params: Params;
};
export type PlannedRow = Planned<{ id: string }, unknown>;

export type CataloguePlan = {
  benefits: Planned<Benefit, CreateBenefitParams>[];
  /** `names`: of the Benefits. */
  products: (Planned<Product, CatalogueProduct> & { names: string[] })[];
  /** `names`: of the Products; null: all Products. */
  discounts: (Planned<Discount, CatalogueDiscount> & { names: string[] | null })[];
  /** The ids by name. A push adds the rows that it makes. */
  benefitIds: Map<string, string>;
  productIds: Map<string, string>;
  left: CatalogueResult["left"];
};

/** The fields that a present row keeps (rules C3a, X1). */
const FIXED: Record<CatalogueChange["kind"], readonly string[]> = {
  benefit: ["type"],
  product: ["interval", "intervalCount", "group", "trialDays", "trialCard"],
  discount: ["type", "basisPoints", "amount", "currency", "duration", "months", "products"],
};

type Fields = Record<string, unknown>;

/** The fields in which two rows differ. A field that is left out shows null. */
function differences(before: Fields, after: Fields): CatalogueChange["fields"] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => ({ name, from: before[name] ?? null, to: after[name] ?? null }));
}

/** The change of a row. @throws AppError for a fixed field */
function changeOf(kind: CatalogueChange["kind"], key: string, before: Fields | null, after: Fields, place: string) {
  const fields = differences(before ?? {}, after);
  const fixed = before && fields.find(({ name }) => FIXED[kind].includes(name));
  if (fixed) {
    const other = kind === "discount" ? "code" : "key";
    const message = `\`${fixed.name}\` can't be changed. Choose another ${other} for another ${kind}.`;
    throw faultAt(`${place}/${fixed.name}`, "fixed", message);
  }
  const archived = fields.find(({ name }) => name === "archived");
  const changed = archived ? (archived.to === true ? "archive" : "restore") : "change";
  const action = before === null ? "create" : fields.length === 0 ? "unchanged" : changed;
  return { kind, key, action, fields } as const;
}

/** Names as they are known: a row without a key by its id. @throws AppError for an unknown name */
function knownNames(
  given: readonly string[],
  known: ReadonlyMap<string, string>,
  { place, noun }: { place: string; noun: string },
): string[] {
  return given.map((each, index) => {
    const name = known.get(each);
    if (name !== undefined) return name;
    throw faultAt(`${place}/${index}`, "not_found", `There is no ${noun} with this key.`);
  });
}

/** @throws AppError for a Benefit that is listed twice, by one name or by its key and its id */
function requireOnce(names: readonly string[], place: string): void {
  const again = names.findIndex((name, index) => names.indexOf(name) < index);
  if (again !== -1) throw faultAt(`${place}/${again}`, "duplicate", "This Benefit is listed already.");
}

/** The names by which rows can be called, with the name that a catalogue gives them. */
function callable(rows: readonly { id: string; key: string | null }[], made: readonly string[]): Map<string, string> {
  const nameOf = namesOf(rows);
  const byId = rows.map(({ id }) => [id, nameOf(id)] as const);
  return new Map([
    ...byId,
    ...byId.map(([, name]) => [name, name] as const),
    ...made.map((key) => [key, key] as const),
  ]);
}

async function planBenefits(ctx: Context, organizationId: string, rows: readonly Benefit[], params: CatalogueParams) {
  const present = new Map(rows.map((row) => [row.key, row]));
  return Promise.all(
    params.benefits.map(async (each, index) => {
      const [place, key] = [`/benefits/${index}`, each.key!];
      const row = present.get(key) ?? null;
      const properties = await placed(place, () => setUp(ctx, organizationId, each));
      const next = { ...row, ...each, properties } as Benefit;
      const before = row && presentCatalogueBenefit(row);
      return {
        place,
        row,
        params: each,
        change: changeOf("benefit", key, before, presentCatalogueBenefit(next), place),
      };
    }),
  );
}

function planProducts({ benefits, products }: CatalogueRows, params: CatalogueParams): CataloguePlan["products"] {
  const present = new Map(products.map((row) => [row.key, row]));
  const known = callable(
    benefits,
    params.benefits.map(({ key }) => key!),
  );
  const nameOf = namesOf(benefits);
  return params.products.map((each, index) => {
    const place = `/products/${index}`;
    const row = present.get(each.key) ?? null;
    const names = knownNames(each.benefits, known, { place: `${place}/benefits`, noun: "Benefit" });
    requireOnce(names, `${place}/benefits`);
    const { group, interval, quantity = { minimum: 1, maximum: 1 } } = each;
    const terms = {
      groupKey: interval === null ? null : group === undefined ? "plans" : group,
      intervalCount: interval === null ? null : (each.intervalCount ?? 1),
      quantityMinimum: quantity.minimum,
      quantityMaximum: quantity.maximum,
    };
    const after = presentCatalogueProduct({ ...each, ...terms, benefitIds: names } as never, (name) => name);
    const before = row && presentCatalogueProduct(row, nameOf);
    return { place, row, params: each, names, change: changeOf("product", each.key, before, after, place) };
  });
}

function planDiscounts({ products, discounts }: CatalogueRows, params: CatalogueParams): CataloguePlan["discounts"] {
  const present = new Map(discounts.map((row) => [row.codeKey, row]));
  const known = callable(
    products,
    params.products.map(({ key }) => key),
  );
  const nameOf = namesOf(products);
  return params.discounts.map((each, index) => {
    const place = `/discounts/${index}`;
    const row = present.get(codeKey(each.code)) ?? null;
    const target = { place: `${place}/products`, noun: "Product" };
    const names = each.products && knownNames(each.products, known, target);
    const after = presentCatalogueDiscount({ ...each, productIds: names } as never, (name) => name);
    const before = row && presentCatalogueDiscount(row, nameOf);
    return { place, row, params: each, names, change: changeOf("discount", each.code, before, after, place) };
  });
}

const idsByName = (rows: readonly { id: string; key: string | null }[]) =>
  new Map(rows.map(({ id, key }) => [key ?? id, id]));

/** Compares a catalogue with the present rows. @throws AppError 422 with the place of the fault */
export async function planCatalogue(
  ctx: Context,
  organizationId: string,
  rows: CatalogueRows,
  params: CatalogueParams,
): Promise<CataloguePlan> {
  const plan = {
    benefits: await planBenefits(ctx, organizationId, rows.benefits, params),
    products: planProducts(rows, params),
    discounts: planDiscounts(rows, params),
  };
  const named = new Set([...plan.benefits, ...plan.products, ...plan.discounts].map(({ row }) => row?.id));
  const rest = <Row extends { id: string }>(all: readonly Row[]) => all.filter(({ id }) => !named.has(id));
  return {
    ...plan,
    benefitIds: idsByName(rows.benefits),
    productIds: idsByName(rows.products),
    left: [
      ...rest(rows.benefits).map(({ id, key }) => ({ kind: "benefit" as const, key: key ?? id })),
      ...rest(rows.products).map(({ id, key }) => ({ kind: "product" as const, key: key ?? id })),
      ...rest(rows.discounts).map(({ code }) => ({ kind: "discount" as const, key: code })),
    ],
  };
}
