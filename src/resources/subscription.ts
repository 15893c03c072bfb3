import * as z from "zod";
import { PRORATION_BEHAVIORS } from "../domain/model/proration.ts";
import {
  CANCELLATION_REASONS,
  changesAt,
  OWN_REASONS,
  PAUSE_ACCESS,
  type Subscription,
  type SubscriptionStatus,
} from "../domain/model/subscription.ts";
import { pendingChangeOf } from "../domain/model/price-change.ts";
import { CONSENTS } from "../domain/model/scheduled-price.ts";
import { fieldValues, presentValues } from "./checkout-field.ts";
import {
  amount,
  amountParam,
  currency,
  currencyCode,
  etag,
  fault,
  id,
  instantParam,
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
  ONE_CUSTOMER,
  ONE_PRODUCT,
} from "./fields.ts";
import { imported, presentImported } from "./imported.ts";
import { discountCode } from "./discount.ts";
import { pageQuery } from "./page.ts";
import { quantity, unitAmount } from "./quantity.ts";
import { unitAmountOf } from "../domain/model/quantity.ts";
import { anyOf, atMostOne, exactlyOne, needs, rules, without } from "./rules.ts";

const STATUSES = [
  "trialing",
  "active",
  "past_due",
  "paused",
  "canceled",
] as const satisfies readonly SubscriptionStatus[];

export const SubscriptionResource = z
  .object({
    id: id("sub"),
    status: z.enum(STATUSES),
    customerId: id("cus"),
    externalCustomerId: z.string().nullable(),
    productId: id("prd"),
    checkoutId: id("chk").nullable(),
    currency: currencyCode,
    amount: amount.meta({
      description: "The price of a period as sold, in the currency's minor unit: the total of all units.",
    }),
    quantity,
    unitAmount,
    interval: z.enum(INTERVALS),
    intervalCount: z.int(),
    currentPeriodStart: timestamp,
    currentPeriodEnd: timestamp.meta({ description: "The first instant after the period." }),
    trialStart: timestamp.nullable(),
    trialEnd: timestamp.nullable(),
    cancelAtPeriodEnd: z.boolean(),
    cancelAt: timestamp.nullable().meta({ description: "The planned end." }),
    canceledAt: timestamp.nullable().meta({ description: "The time of the request to cancel." }),
    endedAt: timestamp.nullable(),
    cancellationReason: z
      .enum([...CANCELLATION_REASONS, ...OWN_REASONS])
      .nullable()
      .meta({
        description:
          "`payment_failed`: no attempt of dunning succeeded, or a trial had no card. `unrecognized`: the Customer " +
          "did not recognize a purchase by their e-mail address, and ended it in the portal. `price_not_accepted`: " +
          "the Customer did not agree to a new price in time.",
      }),
    cancellationComment: z.string().nullable(),
    pendingChange: z
      .object({
        productId: id("prd"),
        amount,
        quantity,
        unitAmount,
        currency: currencyCode,
        interval: z.enum(INTERVALS),
        intervalCount: z.int(),
        effectiveAt: timestamp,
      })
      .nullable()
      .meta({ description: "The price that the buyer agreed to. This price is fixed when the change is scheduled." }),
    pause: z
      .object({
        startsAt: timestamp,
        resumesAt: timestamp.nullable().meta({ description: "Null: the pause lasts until a request resumes it." }),
        access: z.enum(PAUSE_ACCESS),
      })
      .nullable()
      .meta({ description: "The pause that is scheduled for the end of the period, or that has begun." }),
    priceChange: z
      .object({
        id: id("pch"),
        unitAmount,
        amount: amount.meta({ description: "The new total of a period, for the present quantity." }),
        effectiveAt: timestamp.meta({ description: "The first period that begins then or later has the new price." }),
        consent: z.enum(CONSENTS),
        consentedAt: timestamp.nullable(),
      })
      .nullable()
      .meta({ description: "The new price of which the Customer was given notice, and which is not charged yet." }),
    discountId: id("dsc").nullable(),
    pendingDiscount: z
      .object({ discountId: id("dsc").nullable(), effectiveAt: timestamp })
      .nullable()
      .meta({ description: "Another discount from the next period on. A `discountId` of null: no discount." }),
    imported,
    fieldValues,
    metadata,
    startedAt: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Subscription" });
export type SubscriptionResource = z.infer<typeof SubscriptionResource>;

const past = instantParam.nullable().default(null);

export const CreateSubscriptionParams = z
  .strictObject({
    customerId: orNull(text(64)),
    externalCustomerId: orNull(text(255)),
    productId: orNull(text(64)),
    productKey: orNull(key),
    quantity: orNull(quantity).meta({
      description: "The number of units, within the limits of the Product. The default is the Product's minimum.",
    }),
    currency: orNull(currency),
    amount: amountParam(0)
      .nullable()
      .default(null)
      .meta({
        description:
          "The price of a period, in the currency's minor unit (cents for usd): the total of all units, and a " +
          "multiple of `quantity`. The default is the price of the Product times `quantity`. Send 0 for a " +
          "complimentary Subscription.",
      }),
    startedAt: past.meta({
      description:
        "The begin of a Subscription that began elsewhere. " +
        "Its present period counts as paid there and is not invoiced.",
    }),
    anchorAt: past.meta({
      description: "Only with `startedAt`. The periods are counted from this instant. The default is `startedAt`.",
    }),
    trialEnd: past.meta({ description: "The end of the free trial. No invoice is made before this time." }),
    metadata: metadataParams.default({}),
  })
  .refine(({ customerId, externalCustomerId }) => (customerId === null) !== (externalCustomerId === null), ONE_CUSTOMER)
  .refine(({ productId, productKey }) => (productId === null) !== (productKey === null), ONE_PRODUCT)
  .refine(({ anchorAt, startedAt }) => anchorAt === null || startedAt !== null, {
    path: ["anchorAt"],
    ...fault("start_required", "An anchor is only for a Subscription that began elsewhere. Send `startedAt` too."),
  })
  .refine(({ anchorAt, trialEnd }) => anchorAt === null || trialEnd === null, {
    path: ["anchorAt"],
    ...fault("trial_is_anchor", "The end of the trial is the anchor of the paid periods. Leave `anchorAt` out."),
  })
  .meta({
    id: "CreateSubscriptionParams",
    ...rules(
      exactlyOne("customerId", "externalCustomerId"),
      exactlyOne("productId", "productKey"),
      needs("anchorAt", "startedAt"),
      atMostOne("anchorAt", "trialEnd"),
    ),
  });
export type CreateSubscriptionParams = z.infer<typeof CreateSubscriptionParams>;

const changes = {
  productId: text(64).optional(),
  productKey: key.optional(),
  quantity: quantity.optional().meta({
    description:
      "The number of units. Without a Product, and for the current one, the price of a unit stays as sold. Without " +
      "`quantity`, the number stays.",
  }),
  price: z
    .literal("catalogue")
    .optional()
    .meta({
      description:
        "Only with a Product: at the present price of the catalogue. Without `price`, a request for the current " +
        "Product keeps the price as sold, and only withdraws a change that is pending. For another Product, `price` " +
        "makes no difference.",
    }),
  prorationBehavior: z
    .enum(PRORATION_BEHAVIORS)
    .optional()
    .meta({
      description:
        "Only with a Product or a quantity. The default is the Organization's: `defaultProration` for another " +
        "Product, and `quantityRise` or `quantityFall` for another quantity alone.",
    }),
  cancelAtPeriodEnd: z
    .boolean()
    .optional()
    .meta({ description: "`true` schedules the cancellation, `false` undoes it." }),
  cancellationReason: z
    .enum(CANCELLATION_REASONS)
    .optional()
    .meta({ description: "Only with `cancelAtPeriodEnd: true`." }),
  cancellationComment: multiline(1000).optional().meta({ description: "Only with `cancelAtPeriodEnd: true`." }),
};

type Changes = z.infer<z.ZodObject<typeof changes>>;

/** Each broken rule across fields: its field, its code and its message. */
function* contradictions(params: Changes): Generator<[field: keyof Changes | null, code: string, message: string]> {
  const namesProduct = params.productId !== undefined || params.productKey !== undefined;
  const isChange = namesProduct || params.quantity !== undefined;
  if (Object.values(params).every((value) => value === undefined))
    yield [null, "nothing_to_change", "Send at least one field."];
  if (params.productId !== undefined && params.productKey !== undefined) {
    yield ["productKey", "one_product", "Name the Product by only one of `productId` and `productKey`."];
  }
  if (isChange && params.cancelAtPeriodEnd === true) {
    const message = "Either change the Product or the quantity, or schedule the cancellation.";
    yield ["cancelAtPeriodEnd", "change_and_cancellation", message];
  }
  if (!namesProduct && params.price !== undefined)
    yield ["price", "product_missing", "`price` is only for a change of the Product."];
  if (!isChange && params.prorationBehavior !== undefined) {
    const message = "`prorationBehavior` is only for a change of the Product or the quantity.";
    yield ["prorationBehavior", "product_missing", message];
  }
  for (const field of ["cancellationReason", "cancellationComment"] as const) {
    if (params[field] !== undefined && params.cancelAtPeriodEnd !== true) {
      yield [field, "cancellation_missing", `\`${field}\` is only sent with \`cancelAtPeriodEnd: true\`.`];
    }
  }
}

export const UpdateSubscriptionParams = z
  .strictObject(changes)
  .superRefine((params, check) => {
    for (const [field, code, message] of contradictions(params)) {
      check.addIssue(issue(code, message, field === null ? [] : [field]));
    }
  })
  .meta({
    id: "UpdateSubscriptionParams",
    minProperties: 1,
    ...rules(
      atMostOne("productId", "productKey"),
      { anyOf: [without("price"), exactlyOne("productId", "productKey")] },
      { anyOf: [without("prorationBehavior"), anyOf("productId", "productKey", "quantity")] },
      {
        anyOf: [
          { properties: { cancelAtPeriodEnd: { const: false } } },
          without("productId", "productKey", "quantity"),
        ],
      },
      needs("cancellationReason", "cancelAtPeriodEnd", [true]),
      needs("cancellationComment", "cancelAtPeriodEnd", [true]),
    ),
  });
export type UpdateSubscriptionParams = z.infer<typeof UpdateSubscriptionParams>;

export const CancelSubscriptionParams = z
  .strictObject({
    cancellationReason: z.enum(CANCELLATION_REASONS).optional(),
    cancellationComment: multiline(1000).optional(),
  })
  .meta({ id: "CancelSubscriptionParams" });
export type CancelSubscriptionParams = z.infer<typeof CancelSubscriptionParams>;

export const PauseSubscriptionParams = z
  .strictObject({
    resumesAt: instantParam
      .nullable()
      .default(null)
      .meta({
        description:
          "The Subscription resumes by itself at this instant. It is after the end of the period, and at most three " +
          "years after that end. Null: the pause lasts until a request resumes the Subscription.",
      }),
    access: z.enum(PAUSE_ACCESS).meta({
      description: "`revoke`: the grants are revoked when the pause begins. `keep`: they stay.",
    }),
  })
  .meta({ id: "PauseSubscriptionParams" });
export type PauseSubscriptionParams = z.infer<typeof PauseSubscriptionParams>;

export const ExtendTrialParams = z
  .strictObject({
    trialEnd: instantParam.meta({
      description: "The new end of the trial: not before the present one, and at most 730 days after its start.",
    }),
  })
  .meta({ id: "ExtendTrialParams" });
export type ExtendTrialParams = z.infer<typeof ExtendTrialParams>;

export const ChangeDiscountParams = z
  .strictObject({
    discountCode: discountCode.nullable().meta({
      description: "The discount from the next period on, in place of the present one. Null: no discount.",
    }),
  })
  .meta({ id: "ChangeDiscountParams" });
export type ChangeDiscountParams = z.infer<typeof ChangeDiscountParams>;

export const ListSubscriptionsQuery = z.strictObject({
  ...pageQuery("sub"),
  customerId: text(64).optional(),
  externalCustomerId: text(255).optional(),
  productId: text(64).optional(),
  status: z.enum(STATUSES).optional(),
});
export type ListSubscriptionsQuery = z.infer<typeof ListSubscriptionsQuery>;

function presentPendingChange(subscription: Subscription): SubscriptionResource["pendingChange"] {
  const pendingChange = pendingChangeOf(subscription);
  if (!pendingChange) return null;
  const { currency: of } = subscription;
  const { productId, amount: price, quantity: units, interval, intervalCount, effectiveAt } = pendingChange;
  const sold = { productId, amount: price, quantity: units, unitAmount: unitAmountOf(pendingChange), currency: of };
  return { ...sold, interval, intervalCount, effectiveAt: time(effectiveAt) };
}

function presentPendingDiscount(subscription: Subscription): SubscriptionResource["pendingDiscount"] {
  const { pendingDiscount } = subscription;
  return (
    pendingDiscount && { discountId: pendingDiscount.discount?.id ?? null, effectiveAt: time(changesAt(subscription)) }
  );
}

function presentPause({ pause, currentPeriodEnd }: Subscription): SubscriptionResource["pause"] {
  if (!pause) return null;
  return { startsAt: time(currentPeriodEnd), resumesAt: time(pause.resumesAt), access: pause.access };
}

function presentPriceChange({ priceChange, quantity: units }: Subscription): SubscriptionResource["priceChange"] {
  if (!priceChange) return null;
  const { priceChangeId, unitAmount: price, effectiveAt, consent, consentedAt } = priceChange;
  const total = { unitAmount: price, amount: price * units };
  return { id: priceChangeId, ...total, effectiveAt: time(effectiveAt), consent, consentedAt: time(consentedAt) };
}

export function presentSubscription(
  subscription: Subscription,
  externalCustomerId: string | null,
): SubscriptionResource {
  return {
    id: subscription.id,
    status: subscription.status,
    customerId: subscription.customerId,
    externalCustomerId,
    productId: subscription.productId,
    checkoutId: subscription.checkoutId,
    currency: subscription.currency,
    amount: subscription.amount,
    quantity: subscription.quantity,
    unitAmount: unitAmountOf(subscription),
    interval: subscription.interval,
    intervalCount: subscription.intervalCount,
    currentPeriodStart: time(subscription.currentPeriodStart),
    currentPeriodEnd: time(subscription.currentPeriodEnd),
    trialStart: time(subscription.trialStart),
    trialEnd: time(subscription.trialEnd),
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    cancelAt: time(subscription.cancelAt),
    canceledAt: time(subscription.canceledAt),
    endedAt: time(subscription.endedAt),
    cancellationReason: subscription.cancellationReason,
    cancellationComment: subscription.cancellationComment,
    pendingChange: presentPendingChange(subscription),
    pause: presentPause(subscription),
    priceChange: presentPriceChange(subscription),
    discountId: subscription.discount?.id ?? null,
    pendingDiscount: presentPendingDiscount(subscription),
    imported: presentImported(subscription.imported),
    fieldValues: presentValues(subscription.fieldAnswers),
    metadata: subscription.metadata,
    startedAt: time(subscription.startedAt),
    createdAt: time(subscription.createdAt),
    updatedAt: time(subscription.updatedAt),
  };
}

/** A Customer's `externalId` is set only once, so the ETag needs only its presence, not its value. */
export const subscriptionETag = (
  { version }: Pick<Subscription, "version">,
  externalCustomerId: string | null,
): string => etag(version, externalCustomerId !== null && "named");
