import * as z from "zod";
import type { Instant } from "../domain/calendar.ts";
import { checkoutTotals, type Checkout, type CheckoutStatus } from "../domain/model/checkout.ts";
import {
  checkoutFields,
  fieldsParams,
  fieldValues,
  fieldValuesParams,
  presentFields,
  presentValues,
} from "./checkout-field.ts";
import { CreateCustomerParams } from "./customer.ts";
import { declineMessage } from "./decline-message.ts";
import { discountCode } from "./discount.ts";
import {
  addressParams,
  amount,
  currency,
  currencyCode,
  email,
  etag,
  fault,
  httpUrl,
  id,
  INTERVALS,
  key,
  locale,
  metadata,
  metadataParams,
  orNull,
  taxIdParams,
  text,
  time,
  timestamp,
  ONE_PRODUCT,
} from "./fields.ts";
import { pageQuery } from "./page.ts";
import { nextAction } from "./payment.ts";
import { presentUnits, quantity, quantityRange, quantityRangeParams, unitAmount, unitName } from "./quantity.ts";
import { atMostOne, exactlyOne, needs, rules } from "./rules.ts";

const STATUSES = ["open", "processing", "completed", "expired"] as const satisfies readonly CheckoutStatus[];

export const CheckoutResource = z
  .object({
    id: id("chk"),
    status: z
      .enum(STATUSES)
      .meta({ description: "`processing`: the payment is submitted, and its outcome is not known yet." }),
    url: z.string().meta({ description: "The hosted page. The secret in the address opens only this Checkout." }),
    paymentLinkId: id("plk").nullable().meta({
      description: "The payment link that sold the Product. Null: an operation made the Checkout.",
    }),
    productId: id("prd"),
    customerId: id("cus").nullable(),
    externalCustomerId: z.string().nullable(),
    subscriptionId: id("sub").nullable(),
    invoiceId: id("inv").nullable(),
    currency: currencyCode,
    quantity,
    quantityChange: quantityRange.nullable().meta({
      description: "The quantities among which the buyer may choose on the page. Null: the quantity is fixed.",
    }),
    unitAmount,
    unitName,
    subtotalAmount: amount.meta({
      description: "The price of today, in the currency's minor unit. With a trial, the price is 0.",
    }),
    discountAmount: amount,
    taxAmount: amount.nullable().meta({
      description:
        "Null while tax may be due and no billing country is known. " +
        "`totalAmount`, `balanceApplied` and `amountDue` are then null too.",
    }),
    totalAmount: amount.nullable().meta({
      description: "`subtotalAmount` less discount, plus tax on top. For the change of a Subscription: `amountDue`.",
    }),
    balanceApplied: amount.nullable().meta({
      description:
        "The part that the Customer's balance settles, in the currency's minor unit. A purchase uses 0 to " +
        "`totalAmount`, and only if the request named the Customer by `customerId`, `externalCustomerId` or " +
        "`customer.externalId`. A part that the provider can't charge counts in any case: the provider charges some " +
        "currencies in multiples (rule M5). While the status is `open`, the amount follows the balance. " +
        "`processing` and `completed`: the amount is fixed. `expired`: 0. The change of a Subscription may add to " +
        "the balance or collect a debt. The amount is then below 0.",
    }),
    amountDue: amount.nullable().meta({
      description: "The amount that the card pays today, in the currency's minor unit, 0 or more.",
    }),
    recurringAmount: amount
      .nullable()
      .meta({ description: "The list price of all units that renews, before discount and tax." }),
    interval: z.enum(INTERVALS).nullable(),
    intervalCount: z.int().nullable(),
    trialDays: z.int().nullable(),
    discountId: id("dsc").nullable(),
    allowDiscountCodes: z.boolean(),
    successUrl: z
      .string()
      .nullable()
      .meta({ description: "`{CHECKOUT_ID}` in the address is replaced by the id of the Checkout." }),
    cancelUrl: z.string().nullable(),
    locale: z.string().nullable().meta({
      description:
        "The language tag (BCP 47) of the page. Null: the language of the Customer, else the language of the browser.",
    }),
    lastPaymentError: z.object({ code: z.string(), message: z.string() }).nullable(),
    expiresAt: timestamp,
    completedAt: timestamp.nullable(),
    fields: checkoutFields,
    fieldValues,
    metadata,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Checkout" });
export type CheckoutResource = z.infer<typeof CheckoutResource>;

/** A sandbox's answer to a payment: the Checkout, and the URL of the buyer's challenge if the bank asks the buyer. */
export const PaidCheckoutResource = z.object({ ...CheckoutResource.shape, nextAction }).meta({ id: "PaidCheckout" });
export type PaidCheckoutResource = z.infer<typeof PaidCheckoutResource>;

export const CreateCheckoutParams = z
  .strictObject({
    productId: orNull(text(64)),
    productKey: orNull(key),
    customerId: orNull(text(64)),
    externalCustomerId: orNull(text(255)),
    customer: orNull(CreateCustomerParams),
    subscriptionId: orNull(text(64)).meta({
      description:
        "The Subscription that changes to the Product once the Checkout is paid. No new Subscription is made.",
    }),
    quantity: orNull(quantity).meta({
      description:
        "The number of units, within the limits of the Product. The default is the smallest number that is offered. " +
        "With a `subscriptionId`, the default is the present quantity.",
    }),
    quantityChange: orNull(quantityRangeParams).meta({
      description:
        "The buyer may choose among these quantities on the page, which are within the limits of the Product. " +
        "Null: the quantity is fixed.",
    }),
    currency: orNull(currency),
    discountCode: orNull(discountCode),
    allowDiscountCodes: z.boolean().default(true).meta({
      description: "Whether the buyer may type a discount code on the page.",
    }),
    successUrl: orNull(httpUrl),
    cancelUrl: orNull(httpUrl),
    locale: orNull(locale),
    expiresInMinutes: z
      .int()
      .min(5)
      .max(10_080)
      .nullable()
      .default(null)
      .meta({ description: "The default is 24 hours." }),
    fields: orNull(fieldsParams),
    metadata: metadataParams.default({}),
  })
  .refine((params) => (params.productId === null) !== (params.productKey === null), ONE_PRODUCT)
  .refine(
    (params) =>
      [params.customerId, params.externalCustomerId, params.customer].filter((way) => way !== null).length <= 1,
    {
      path: ["customerId"],
      ...fault(
        "one_customer",
        "Name the Customer by at most one of `customerId`, `externalCustomerId` and `customer`.",
      ),
    },
  )
  .refine(
    ({ subscriptionId, customerId, externalCustomerId, customer }) =>
      subscriptionId === null || !(customerId ?? externalCustomerId ?? customer),
    {
      path: ["subscriptionId"],
      ...fault("one_customer", "`subscriptionId` names the Customer already. Leave out the other names of a Customer."),
    },
  )
  .refine(({ subscriptionId, discountCode: code }) => subscriptionId === null || code === null, {
    path: ["discountCode"],
    ...fault("not_with_subscription", "A Subscription keeps the discount of its purchase. Leave `discountCode` out."),
  })
  .refine(({ subscriptionId, quantityChange }) => subscriptionId === null || quantityChange === null, {
    path: ["quantityChange"],
    ...fault("not_with_subscription", "The quantity of a change is fixed. Send the wanted `quantity`."),
  })
  .refine(({ subscriptionId, fields }) => subscriptionId === null || fields === null, {
    path: ["fields"],
    ...fault("not_with_subscription", "Own fields are for a new purchase. Leave `fields` out."),
  })
  .meta({
    id: "CreateCheckoutParams",
    ...rules(
      exactlyOne("productId", "productKey"),
      atMostOne("subscriptionId", "customerId", "externalCustomerId", "customer"),
      atMostOne("subscriptionId", "discountCode"),
      atMostOne("subscriptionId", "quantityChange"),
      atMostOne("subscriptionId", "fields"),
    ),
  });
export type CreateCheckoutParams = z.infer<typeof CreateCheckoutParams>;

export const PayCheckoutParams = z
  .strictObject({
    card: orNull(text(32)).meta({
      description: "A card number. Can be left out if no amount is due now and no card is asked for.",
    }),
    email: orNull(email),
    name: orNull(text(256)),
    companyName: orNull(text(256)),
    billingAddress: orNull(addressParams).meta({
      description: "Required if tax rates exist and the Customer's country is not known.",
    }),
    taxId: orNull(taxIdParams),
    fieldValues: fieldValuesParams.default({}),
  })
  .refine(({ billingAddress, taxId }) => taxId === null || billingAddress !== null, {
    path: ["taxId"],
    ...fault("country_required", "A tax id needs a billing address."),
  })
  .meta({ id: "PayCheckoutParams", ...rules(needs("taxId", "billingAddress")) });
export type PayCheckoutParams = z.infer<typeof PayCheckoutParams>;

export const ListCheckoutsQuery = z.strictObject({
  ...pageQuery("chk"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  productId: text(64).optional(),
  subscriptionId: text(64).optional(),
  status: z.enum(STATUSES).optional(),
});
export type ListCheckoutsQuery = z.infer<typeof ListCheckoutsQuery>;

/** The data that a Checkout shows beyond its own row. `now`: billing time. */
export type CheckoutDetails = { externalCustomerId: string | null; now: Instant };

/**
 * The status at `now`. A Checkout is shown as expired from its expiry on, even before the sweep has come by (rule C5).
 */
export function statusAt(checkout: Checkout, now: Instant): CheckoutStatus {
  return checkout.status === "open" && checkout.expiresAt <= now ? "expired" : checkout.status;
}

export function presentCheckout(
  checkout: Checkout,
  { externalCustomerId, url, now }: CheckoutDetails & { url: string },
): CheckoutResource {
  const failed = checkout.lastPaymentError;
  return {
    id: checkout.id,
    status: statusAt(checkout, now),
    url,
    paymentLinkId: checkout.paymentLinkId,
    productId: checkout.productId,
    customerId: checkout.customerId,
    externalCustomerId,
    subscriptionId: checkout.subscriptionId,
    invoiceId: checkout.invoiceId,
    currency: checkout.currency,
    ...presentUnits(checkout),
    quantityChange: checkout.quantityChange,
    ...checkoutTotals(checkout),
    recurringAmount: checkout.interval === null ? null : checkout.amount,
    interval: checkout.interval,
    intervalCount: checkout.intervalCount,
    trialDays: checkout.trialDays,
    discountId: checkout.discount?.id ?? null,
    allowDiscountCodes: checkout.allowDiscountCodes,
    successUrl: checkout.successUrl,
    cancelUrl: checkout.cancelUrl,
    locale: checkout.locale,
    lastPaymentError: failed && { code: failed.code, message: declineMessage(failed.code) },
    expiresAt: time(checkout.expiresAt),
    completedAt: time(checkout.completedAt),
    fields: presentFields(checkout.fields),
    fieldValues: presentValues(checkout.fieldAnswers),
    metadata: checkout.metadata,
    createdAt: time(checkout.createdAt),
    updatedAt: time(checkout.updatedAt),
  };
}

/** A Customer's `externalId` is set only once, so the ETag needs only its presence, not its value. */
export function checkoutETag(checkout: Checkout, { externalCustomerId, now }: CheckoutDetails): string {
  return etag(
    checkout.version,
    externalCustomerId !== null && "named",
    statusAt(checkout, now) !== checkout.status && "expired",
    // The settlement of an open Checkout follows the balance, without a new version of the Checkout.
    statusAt(checkout, now) === "open" &&
      !!checkout.settlement?.balanceApplied &&
      `balance${checkout.settlement.balanceApplied}`,
  );
}
