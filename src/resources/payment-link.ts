import * as z from "zod";
import type { CountedPaymentLink } from "../domain/model/payment-link.ts";
import { checkoutFields, fieldsParams, presentFields } from "./checkout-field.ts";
import { discountCode } from "./discount.ts";
import {
  currency,
  currencyCode,
  etag,
  fault,
  httpUrl,
  id,
  issue,
  key,
  locale,
  metadata,
  metadataParams,
  orNull,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { pageQuery } from "./page.ts";
import { quantity, quantityRange, quantityRangeParams } from "./quantity.ts";
import { exactlyOne, rules } from "./rules.ts";

const count = z.int();

export const PaymentLinkResource = z
  .object({
    id: id("plk"),
    key: z.string().nullable(),
    name: z.string().meta({ description: "Buyers do not see this name." }),
    url: z.string().meta({
      description:
        "The public page. Its address takes `product`, `quantity`, `currency`, `discount`, `lang`, `email` and " +
        "`reference` in the query.",
    }),
    tableUrl: z.string().meta({ description: "The pricing table, for a frame on any site." }),
    active: z.boolean().meta({ description: "False: the page sells no more." }),
    products: z.array(z.object({ productId: id("prd") })).meta({ description: "In the order of the page." }),
    currency: currencyCode.nullable().meta({ description: "Null: each Product in its default currency." }),
    quantity: quantity.nullable(),
    quantityChange: quantityRange.nullable(),
    discountCode: z.string().nullable(),
    allowDiscountCodes: z.boolean(),
    locale: z.string().nullable().meta({ description: "Null: the language of the browser." }),
    successUrl: z.string().nullable(),
    fields: checkoutFields,
    visits: count.meta({
      description: "Loads of the page, counted within a few seconds. Programs that read the page count, too.",
    }),
    checkouts: count.meta({ description: "The Checkouts that clicks on the page made." }),
    purchases: count.meta({ description: "The Checkouts that were completed." }),
    metadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "PaymentLink" });
export type PaymentLinkResource = z.infer<typeof PaymentLinkResource>;

const product = z
  .strictObject({ productId: orNull(text(64)), productKey: orNull(key) })
  .refine(({ productId, productKey }) => (productId === null) !== (productKey === null), {
    path: ["productId"],
    ...fault("one_product", "Name the Product by exactly one of `productId` and `productKey`."),
  })
  .meta({ id: "PaymentLinkProductParams", ...rules(exactlyOne("productId", "productKey")) });

const products = z
  .array(product)
  .min(1)
  .max(10)
  .superRefine((list, check) => {
    const names = list.map(({ productId, productKey }) => productId ?? productKey);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) < index)
        check.addIssue(issue("duplicate", "This Product is listed already.", [index, "productId"]));
    }
  });

const ONE_CHOICE =
  "The number of units. Null, without a `quantityChange`: the number in the visited address, else the smallest one.";

const fields = {
  name: text(128),
  products,
  currency: currency.nullable(),
  quantity: quantity.nullable().meta({ description: ONE_CHOICE }),
  quantityChange: quantityRangeParams.nullable().meta({
    description: "The quantities among which the buyer may choose. Null: the quantity is fixed.",
  }),
  discountCode: discountCode.nullable(),
  allowDiscountCodes: z.boolean().meta({ description: "Whether the buyer may type a code in the Checkout." }),
  locale: locale.nullable(),
  successUrl: httpUrl.nullable(),
  fields: fieldsParams.nullable(),
  metadata: metadataParams.meta({ description: "The metadata of each Checkout that the page makes." }),
  active: z.boolean(),
};

export const CreatePaymentLinkParams = z
  .strictObject({
    key: orNull(key),
    name: fields.name,
    products: fields.products,
    currency: fields.currency.default(null),
    quantity: fields.quantity.default(null),
    quantityChange: fields.quantityChange.default(null),
    discountCode: fields.discountCode.default(null),
    allowDiscountCodes: fields.allowDiscountCodes.default(true),
    locale: fields.locale.default(null),
    successUrl: fields.successUrl.default(null),
    fields: fields.fields.default(null),
    metadata: fields.metadata.default({}),
    active: fields.active.default(true),
  })
  .meta({ id: "CreatePaymentLinkParams" });
export type CreatePaymentLinkParams = z.infer<typeof CreatePaymentLinkParams>;

export const UpdatePaymentLinkParams = z
  .strictObject({
    name: fields.name.exactOptional(),
    products: fields.products.exactOptional(),
    currency: fields.currency.exactOptional(),
    quantity: fields.quantity.exactOptional(),
    quantityChange: fields.quantityChange.exactOptional(),
    discountCode: fields.discountCode.exactOptional(),
    allowDiscountCodes: fields.allowDiscountCodes.exactOptional(),
    locale: fields.locale.exactOptional(),
    successUrl: fields.successUrl.exactOptional(),
    fields: fields.fields.exactOptional(),
    metadata: fields.metadata.exactOptional(),
    active: fields.active.exactOptional(),
  })
  .meta({ id: "UpdatePaymentLinkParams" });
export type UpdatePaymentLinkParams = z.infer<typeof UpdatePaymentLinkParams>;

export const ListPaymentLinksQuery = z.strictObject({
  ...pageQuery("plk"),
  key: key.optional(),
  productId: text(64).optional(),
  active: z.enum(["true", "false"]).optional(),
});
export type ListPaymentLinksQuery = z.infer<typeof ListPaymentLinksQuery>;

/** `url`: the address of the page. */
export function presentPaymentLink(link: CountedPaymentLink, url: string): PaymentLinkResource {
  return {
    id: link.id,
    key: link.key,
    name: link.name,
    url,
    tableUrl: `${url}/table`,
    active: link.active,
    products: link.productIds.map((productId) => ({ productId })),
    currency: link.currency,
    quantity: link.quantity,
    quantityChange: link.quantityChange,
    discountCode: link.discountCode,
    allowDiscountCodes: link.allowDiscountCodes,
    locale: link.locale,
    successUrl: link.successUrl,
    fields: presentFields(link.fields),
    visits: link.visits,
    checkouts: link.checkouts,
    purchases: link.purchases,
    metadata: link.metadata,
    createdAt: time(link.createdAt),
    updatedAt: time(link.updatedAt),
  };
}

/** The counts make no new version, so they are part of the ETag. */
export function paymentLinkETag({ version, visits, checkouts, purchases }: CountedPaymentLink): string {
  return etag(version, `${visits}.${checkouts}.${purchases}`);
}
