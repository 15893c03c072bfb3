import * as z from "zod";
import type { Interval } from "../domain/calendar.ts";
import { isCurrency } from "../domain/currency.ts";
import { limitsOf, pricesBelowMinimum, type Product } from "../domain/model/product.ts";
import type { QuantityRange } from "../domain/model/quantity.ts";
import {
  amount,
  amountParam,
  currency,
  currencyCode,
  etag,
  id,
  INTERVALS,
  issue,
  key,
  metadata,
  metadataParams,
  multiline,
  orNull,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { belowMinimumCharge } from "./minimum-charge.ts";
import { pageQuery } from "./page.ts";
import { quantityRange, quantityRangeParams, unitName, unitNameParams } from "./quantity.ts";
import { needs, rules } from "./rules.ts";

/** A period is at most ten years. */
const MOST_INTERVALS: Record<Interval, number> = { day: 3650, week: 520, month: 120, year: 10 };

const prices = z
  .array(z.strictObject({ currency, amount: amountParam(0) }))
  .min(1)
  .max(100)
  .superRefine((list, check) => {
    for (const [index, price] of list.entries()) {
      if (list.findIndex((other) => other.currency === price.currency) < index) {
        check.addIssue(issue("duplicate_currency", "There is already a price in this currency.", [index, "currency"]));
      }
    }
  })
  .meta({
    description:
      "The price of one unit, once for each currency. Each price × the smallest quantity that is sold is 0 or at " +
      "least the minimum charge of the currency.",
  });

const benefitIds = z
  .array(text(64))
  .max(100)
  .superRefine((ids, check) => {
    for (const [index, benefitId] of ids.entries()) {
      if (ids.indexOf(benefitId) < index)
        check.addIssue(issue("duplicate", "This Benefit is listed already.", [index]));
    }
  })
  .meta({ uniqueItems: true });

export const ProductResource = z
  .object({
    id: id("prd"),
    key: z.string().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    group: z.string().nullable().meta({
      description: "A Customer has at most one live Subscription in a group. Null: the Product stands alone.",
    }),
    interval: z.enum(INTERVALS).nullable().meta({ description: "Null: the Product is sold once." }),
    intervalCount: z.int().nullable(),
    trialDays: z.int().nullable(),
    trialCard: z.enum(["required", "optional"]),
    quantity: quantityRange.meta({ description: "The quantities in which the Product is sold." }),
    unitName,
    prices: z.array(z.object({ currency: currencyCode, amount })),
    benefitIds: z.array(id("bft")),
    archived: z.boolean(),
    metadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Product" });
export type ProductResource = z.infer<typeof ProductResource>;

type NewProduct = {
  interval: Interval | null;
  intervalCount: number | null;
  trialDays: number | null;
  group?: string | null | undefined;
  quantity?: QuantityRange | undefined;
  prices: { currency: string; amount: number }[];
};

/** The rules over several fields of a new Product. */
export function checkNewProduct(params: NewProduct, check: z.RefinementCtx): void {
  const { interval, prices: list, quantity } = params;
  // A smallest quantity below 1 has a fault of its own.
  const minimum = Math.max(quantity?.minimum ?? 1, 1);
  // This check runs even if a currency code does not exist. Such a code has no minimum charge.
  const known = list.map((price) => (isCurrency(price.currency) ? price : { ...price, amount: 0 }));
  for (const { index, currency: code, least } of pricesBelowMinimum(known, { minimum })) {
    const [fault, message] = belowMinimumCharge({ currency: code, amount: least }, minimum);
    check.addIssue(issue(fault, message, ["prices", index, "amount"]));
  }
  if (interval !== null && params.intervalCount !== null && params.intervalCount > MOST_INTERVALS[interval]) {
    const message = `At most ${MOST_INTERVALS[interval]} for ${interval}: a period is at most ten years.`;
    check.addIssue(issue("too_long", message, ["intervalCount"]));
  }
  for (const field of ["intervalCount", "trialDays", "group"] as const) {
    if (interval !== null || params[field] === null || params[field] === undefined) continue;
    check.addIssue(issue("not_recurring", "Only a Product with an interval has this.", [field]));
  }
}

export const CreateProductParams = z
  .strictObject({
    key: orNull(key),
    name: text(256),
    description: orNull(multiline(2000)),
    group: key.nullable().optional().meta({
      description: "The default of a recurring Product is `plans`. Null: the Product stands alone.",
    }),
    interval: orNull(z.enum(INTERVALS)),
    intervalCount: orNull(z.int().min(1).max(MOST_INTERVALS.day)).meta({
      description: "The default of a recurring Product is 1.",
    }),
    trialDays: orNull(z.int().min(1).max(730)),
    trialCard: z.enum(["required", "optional"]).default("required"),
    quantity: quantityRangeParams.optional().meta({
      description: "The quantities in which the Product is sold. Without this field, one unit is sold.",
    }),
    unitName: orNull(unitNameParams),
    prices,
    benefitIds: benefitIds.default([]),
    metadata: metadataParams.default({}),
  })
  .superRefine(checkNewProduct)
  .meta({
    id: "CreateProductParams",
    ...rules(needs("intervalCount", "interval"), needs("trialDays", "interval"), needs("group", "interval")),
  });
export type CreateProductParams = z.infer<typeof CreateProductParams>;

export const UpdateProductParams = z
  .strictObject({
    name: text(256).exactOptional(),
    description: multiline(2000).nullable().exactOptional(),
    prices: prices.exactOptional().meta({ description: "Replaces all prices. Sold Subscriptions keep their price." }),
    quantity: quantityRangeParams.exactOptional().meta({
      description: "Replaces both limits, for new sales and for later changes. Sold quantities stay.",
    }),
    unitName: unitNameParams.nullable().exactOptional(),
    benefitIds: benefitIds.exactOptional().meta({
      description: "Replaces the list. Present Customers gain and lose Benefits accordingly.",
    }),
    archived: z.boolean().exactOptional(),
    metadata: metadataParams.exactOptional(),
  })
  .meta({ id: "UpdateProductParams" });
export type UpdateProductParams = z.infer<typeof UpdateProductParams>;

export const ListProductsQuery = z.strictObject({
  ...pageQuery("prd"),
  key: key.optional(),
  archived: z.enum(["true", "false"]).optional(),
  benefitId: text(64).optional(),
  search: text(256).meta({ description: "A part of the name." }).optional(),
});
export type ListProductsQuery = z.infer<typeof ListProductsQuery>;

export function presentProduct(product: Product): ProductResource {
  return {
    id: product.id,
    key: product.key,
    name: product.name,
    description: product.description,
    group: product.groupKey,
    interval: product.interval,
    intervalCount: product.intervalCount,
    trialDays: product.trialDays,
    trialCard: product.trialCard,
    quantity: limitsOf(product),
    unitName: product.unitName,
    prices: product.prices.map(({ currency: code, amount: price }) => ({ currency: code, amount: price })),
    benefitIds: product.benefitIds,
    archived: product.archived,
    metadata: product.metadata,
    createdAt: time(product.createdAt),
    updatedAt: time(product.updatedAt),
  };
}

export function productETag(product: Product): string {
  return etag(product.version);
}
