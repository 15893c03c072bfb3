import * as z from "zod";
import type { Benefit } from "../domain/model/benefit.ts";
import { codeKey, type Discount } from "../domain/model/discount.ts";
import type { Product } from "../domain/model/product.ts";
import { limitsOf } from "../domain/model/product.ts";
import { MOST_UNITS } from "../domain/model/quantity.ts";
import { CreateBenefitParams } from "./benefit.ts";
import { checkTerms, CreateDiscountParams, isSpan, NOT_AFTER_START } from "./discount.ts";
import { issue, key, orNull, text, time } from "./fields.ts";
import { checkNewProduct, CreateProductParams } from "./product.ts";

const MOST_ROWS = 500;

const benefit = CreateBenefitParams.superRefine((params, check) => {
  if (params.key === null) check.addIssue(issue("missing", "A Benefit of a catalogue needs a key.", ["key"]));
});

const { benefitIds: _ids, ...productFields } = CreateProductParams.shape;
const product = z
  .strictObject({
    ...productFields,
    key,
    benefits: z.array(text(64)).max(100).default([]).meta({
      description: "The Benefits by key, of this catalogue or of the Organization. A Benefit without a key by id.",
    }),
    archived: z.boolean().default(false),
  })
  .superRefine(checkNewProduct)
  .meta({ id: "CatalogueProduct" });
export type CatalogueProduct = z.infer<typeof product>;

const { productIds: _products, ...discountFields } = CreateDiscountParams.shape;
const discount = z
  .strictObject({
    ...discountFields,
    products: orNull(z.array(text(64)).min(1).max(100)).meta({
      description: "The Products by key, of this catalogue or of the Organization. Null: all Products.",
    }),
  })
  .superRefine(checkTerms)
  .refine(isSpan, NOT_AFTER_START)
  .meta({ id: "CatalogueDiscount" });
export type CatalogueDiscount = z.infer<typeof discount>;

/** Rows of a kind, each name once. `field`: the field with the name. `keyOf`: the key by which names are compared. */
function rows<Schema extends z.ZodType>(row: Schema, field: string, keyOf = (name: string) => name) {
  return z
    .array(row)
    .max(MOST_ROWS)
    .superRefine((list, check) => {
      const names = list.map((each) => keyOf(String((each as Record<string, unknown>)[field])));
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index)
          check.addIssue(issue("duplicate", "An earlier row has this name.", [index, field]));
    })
    .default([]);
}

export const CatalogueParams = z
  .strictObject({
    benefits: rows(benefit, "key"),
    products: rows(product, "key"),
    discounts: rows(discount, "code", codeKey),
  })
  .meta({
    id: "CatalogueParams",
    description: "Each row is the whole row: a field that is left out has its default. Rows without a name here stay.",
  });
export type CatalogueParams = z.infer<typeof CatalogueParams>;

const KINDS = ["benefit", "product", "discount"] as const;
export const CATALOGUE_ACTIONS = ["create", "change", "archive", "restore", "unchanged"] as const;

export const CatalogueResult = z
  .object({
    changes: z
      .array(
        z.object({
          kind: z.enum(KINDS),
          key: z.string().meta({ description: "Of a Discount: the code." }),
          action: z.enum(CATALOGUE_ACTIONS),
          fields: z.array(z.object({ name: z.string(), from: z.unknown(), to: z.unknown() })),
          subscriptions: z.int().meta({
            description:
              "The live Subscriptions of a changed Product. They keep their price: a price change of the Product " +
              "brings them a new one.",
          }),
        }),
      )
      .meta({ description: "A row for each row of the request, in its order." }),
    left: z
      .array(z.object({ kind: z.enum(KINDS), key: z.string() }))
      .meta({ description: "The rows of the Organization that the request does not name. They stay as they are." }),
  })
  .meta({ id: "CatalogueResult" });
export type CatalogueResult = z.infer<typeof CatalogueResult>;
export type CatalogueChange = CatalogueResult["changes"][number];

const rowsOf = z.array(z.record(z.string(), z.unknown()));
export const CatalogueResource = z.object({ benefits: rowsOf, products: rowsOf, discounts: rowsOf }).meta({
  id: "CatalogueRows",
  description: "The catalogue in the form that `PUT` takes. Fields with their default are left out.",
});
export type CatalogueResource = z.infer<typeof CatalogueResource>;

type Row = Record<string, unknown>;

/** A row without the fields that have their default. */
function shortened(row: Row, defaults: Row): Row {
  const isDefault = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) === JSON.stringify(name in defaults ? defaults[name] : null);
  return Object.fromEntries(Object.entries(row).filter((entry) => !isDefault(entry)));
}

/** The properties of a Benefit as a request has them. */
function propertiesOf({ type, properties }: Benefit): Row {
  if (type !== "download") return { ...properties };
  const { files } = properties as { files: { name: string; path: string }[] };
  return { files: files.map(({ name, path }) => ({ path, name })) };
}

export function presentCatalogueBenefit(row: Benefit): Row {
  const { key: name, type, description, metadata } = row;
  const own = { key: name, type, name: row.name, description, properties: propertiesOf(row), metadata };
  return shortened(own, { metadata: {} });
}

export function presentCatalogueProduct(row: Product, nameOf: (benefitId: string) => string): Row {
  const { minimum, maximum } = limitsOf(row);
  const isOneUnit = minimum === 1 && maximum === 1;
  const isRecurring = row.interval !== null;
  const own = {
    key: row.key,
    name: row.name,
    description: row.description,
    group: row.groupKey,
    interval: row.interval,
    intervalCount: row.intervalCount,
    trialDays: row.trialDays,
    trialCard: row.trialCard,
    quantity: isOneUnit ? null : { minimum, maximum: maximum === MOST_UNITS ? null : maximum },
    unitName: row.unitName,
    prices: row.prices.map(({ currency, amount }) => ({ currency, amount })),
    benefits: row.benefitIds.map(nameOf),
    archived: row.archived,
    metadata: row.metadata,
  };
  const group = isRecurring ? "plans" : null;
  const intervalCount = isRecurring ? 1 : null;
  const defaults = { group, intervalCount, trialCard: "required", benefits: [], archived: false, metadata: {} };
  return shortened(own, defaults);
}

export function presentCatalogueDiscount(row: Discount, nameOf: (productId: string) => string): Row {
  const { code, type, basisPoints, amount, currency, duration, months, maxRedemptions } = row;
  const span = { startsAt: time(row.startsAt), endsAt: time(row.endsAt) };
  const terms = { code, type, basisPoints, amount, currency, duration, months, maxRedemptions };
  // The Products of a Discount have no order, and can't be changed.
  const products = row.productIds && [...new Set(row.productIds.map(nameOf))].sort();
  return shortened({ ...terms, ...span, products }, {});
}
