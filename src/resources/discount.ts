import * as z from "zod";
import { codeKey, type Discount, type DiscountDuration, type DiscountType } from "../domain/model/discount.ts";
import {
  amount,
  amountParam,
  currency,
  currencyCode,
  etag,
  fault,
  id,
  instantParam,
  issue,
  orNull,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { pageQuery } from "./page.ts";
import { onlyWith, rules } from "./rules.ts";

const TYPES = ["percentage", "fixed"] as const satisfies readonly DiscountType[];
const DURATIONS = ["once", "repeating", "forever"] as const satisfies readonly DiscountDuration[];

export const DiscountResource = z
  .object({
    id: id("dsc"),
    code: z.string().meta({ description: "The code that buyers type. Case does not matter." }),
    type: z.enum(TYPES),
    basisPoints: z.int().nullable().meta({ description: "Only of a percentage. 2500 is 25 %." }),
    amount: amount.nullable().meta({
      description: "Only of a fixed discount. The amount off the price of each period, in the currency's minor unit.",
    }),
    currency: currencyCode.nullable(),
    duration: z.enum(DURATIONS),
    months: z
      .int()
      .nullable()
      .meta({
        description:
          "Only of a repeating discount. The number of months that it covers from its begin. " +
          "The last period is discounted in " +
          "proportion.",
      }),
    maxRedemptions: z.int().nullable(),
    redemptions: z
      .int()
      .meta({ description: "The number of purchases with the Discount. Purchases that are being paid count too." }),
    startsAt: timestamp.nullable(),
    endsAt: timestamp.nullable(),
    productIds: z
      .array(id("prd"))
      .nullable()
      .meta({ description: "The Products that the Discount covers. Null: all Products." }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Discount" });
export type DiscountResource = z.infer<typeof DiscountResource>;

const CODE = /^[\p{L}\p{N}_-]{1,64}$/u;

/** A code as a buyer types it. */
export const discountCode = z
  .string()
  .trim()
  .refine((code) => CODE.test(code), fault("invalid_format", "A code is 1 to 64 letters, digits, _ and -."))
  .meta({ minLength: 1, maxLength: 64, description: "Letters and digits of any script, _ and -." });

const redemptions = z.int().min(1).max(1_000_000_000);
export const NOT_AFTER_START = {
  path: ["endsAt"],
  ...fault("not_after_start", "`endsAt` must be later than `startsAt`."),
};
export const isSpan = ({ startsAt, endsAt }: { startsAt?: number | null; endsAt?: number | null }) =>
  !startsAt || !endsAt || startsAt < endsAt;

type Terms = Record<"basisPoints" | "amount" | "currency" | "months", unknown> & {
  type: DiscountType;
  duration: DiscountDuration;
};

/** The terms that a type and a duration need, and that the others do not have. */
export function checkTerms(terms: Terms, check: z.RefinementCtx): void {
  const { type, duration, basisPoints, amount: off, currency: of, months } = terms;
  const refuse = (field: string, code: string, message: string) => check.addIssue(issue(code, message, [field]));
  if ((type === "percentage") !== (basisPoints !== null)) {
    const message = "A percentage needs `basisPoints`. Leave `basisPoints` out of a fixed discount.";
    refuse("basisPoints", "basis_points", message);
  }
  if ((type === "fixed") !== (off !== null))
    refuse("amount", "amount", "A fixed discount needs an `amount`. Leave it out of a percentage.");
  if ((type === "fixed") !== (of !== null))
    refuse("currency", "currency", "A fixed discount needs a `currency`. Leave it out of a percentage.");
  if ((duration === "repeating") !== (months !== null))
    refuse("months", "months", "A repeating discount needs `months`. Leave them out of other discounts.");
}

export const CreateDiscountParams = z
  .strictObject({
    code: discountCode,
    type: z.enum(TYPES),
    basisPoints: orNull(z.int().min(1).max(10_000)),
    amount: orNull(amountParam(1)).meta({
      description: "Only of a fixed discount. In the currency's minor unit (cents for usd).",
    }),
    currency: orNull(currency),
    duration: z.enum(DURATIONS),
    months: orNull(z.int().min(1).max(1200)),
    maxRedemptions: orNull(redemptions),
    startsAt: orNull(instantParam),
    endsAt: orNull(instantParam),
    productIds: orNull(z.array(text(64)).min(1).max(100)),
  })
  .superRefine(checkTerms)
  .refine(isSpan, NOT_AFTER_START)
  .meta({
    id: "CreateDiscountParams",
    ...rules(
      onlyWith("type", "percentage", "basisPoints"),
      onlyWith("type", "fixed", "amount", "currency"),
      onlyWith("duration", "repeating", "months"),
    ),
  });
export type CreateDiscountParams = z.infer<typeof CreateDiscountParams>;

/** The code and the limits of its use. The agreed reduction can't be changed. */
export const UpdateDiscountParams = z
  .strictObject({
    code: discountCode.exactOptional(),
    maxRedemptions: redemptions.nullable().exactOptional(),
    startsAt: instantParam.nullable().exactOptional(),
    endsAt: instantParam.nullable().exactOptional(),
  })
  .refine(isSpan, NOT_AFTER_START)
  .meta({ id: "UpdateDiscountParams" });
export type UpdateDiscountParams = z.infer<typeof UpdateDiscountParams>;

export const ListDiscountsQuery = z.strictObject({
  ...pageQuery("dsc"),
  code: discountCode.transform(codeKey).optional(),
});
export type ListDiscountsQuery = z.infer<typeof ListDiscountsQuery>;

export function presentDiscount(discount: Discount): DiscountResource {
  return {
    id: discount.id,
    code: discount.code,
    type: discount.type,
    basisPoints: discount.basisPoints,
    amount: discount.amount,
    currency: discount.currency,
    duration: discount.duration,
    months: discount.months,
    maxRedemptions: discount.maxRedemptions,
    redemptions: discount.redemptions,
    startsAt: time(discount.startsAt),
    endsAt: time(discount.endsAt),
    productIds: discount.productIds,
    createdAt: time(discount.createdAt),
    updatedAt: time(discount.updatedAt),
  };
}

/** Counting redemptions makes no new version, so the count is part of the ETag. */
export function discountETag(discount: Discount): string {
  return etag(discount.version, String(discount.redemptions));
}
