import * as z from "zod";
import {
  ENDED_REASONS,
  LEFT_OUT_REASONS,
  MOST_NOTICE_DAYS,
  PRICE_CHANGE_STATUSES,
  REPRICED_STATUSES,
  WITHDRAWN_REASONS,
  type LeftOutReason,
  type PriceChange,
  type PriceTerms,
  type RepricedSubscription,
} from "../domain/model/price-change.ts";
import type { RepricingExample, RepricingSummary } from "../domain/metrics/repricing.ts";
import { unitAmountOf } from "../domain/model/quantity.ts";
import { CONSENTS } from "../domain/model/scheduled-price.ts";
import {
  amount,
  amountParam,
  currency,
  currencyCode,
  etag,
  id,
  instantParam,
  issue,
  time,
  timestamp,
} from "./fields.ts";
import { pageQuery } from "./page.ts";
import { quantity, unitAmount } from "./quantity.ts";

const count = z.int().meta({ description: "A number of Subscriptions." });
const leftOutReason = z.enum(LEFT_OUT_REASONS).meta({
  description:
    "`own_price`: a request without a Checkout set the price. `cancellation_scheduled`: the end is planned. " +
    "`paused`: a pause is scheduled or has begun. `change_pending`: a change of the Product or the quantity is " +
    "scheduled or is being paid. `imported`: another system still bills the Subscription. " +
    "`amount_not_chargeable`: the new total is below the minimum charge, or too large.",
});
const prices = z
  .array(z.object({ currency: currencyCode, amount }))
  .meta({ description: "The prices of a unit, as the catalogue had them at the request." });

export const PriceChangeResource = z
  .object({
    id: id("pch"),
    productId: id("prd"),
    status: z.enum(PRICE_CHANGE_STATUSES).meta({
      description:
        "`running`: notice is being given. `completed`: each Subscription has its notice. `withdrawing`: the prices " +
        "that wait are being taken back. A price that waits also moves after `paused`, `stopped` and `completed`.",
    }),
    prices,
    only: z.object({
      subscribedBefore: timestamp.nullable(),
      priceBelow: amount.nullable(),
    }),
    noticeDays: z.int(),
    consent: z.enum(CONSENTS),
    progress: z.object({
      found: count.meta({ description: "The Subscriptions with another price when the request came." }),
      scheduled: count.meta({ description: "The Subscriptions that wait for their new price." }),
      applied: count.meta({ description: "The Subscriptions that have begun a period at the new price." }),
      withdrawn: count.meta({ description: "The new price was taken back before its first period." }),
      endedWithoutConsent: count.meta({ description: "The Subscriptions that ended for want of consent." }),
      ended: count.meta({ description: "The Subscriptions that ended for another reason." }),
      leftOut: z.array(z.object({ reason: leftOutReason, subscriptions: count })),
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "PriceChange" });
export type PriceChangeResource = z.infer<typeof PriceChangeResource>;

export const CreatePriceChangeParams = z
  .strictObject({
    currencies: z
      .array(currency)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "Only Subscriptions in these currencies. The default is each currency of the Product." }),
    only: z
      .strictObject({
        subscribedBefore: instantParam.optional().meta({ description: "Only Subscriptions that began before." }),
        priceBelow: amountParam(1).optional().meta({
          description:
            "Only Subscriptions with a smaller price of a unit, in the currency's minor unit. Name one currency, too.",
        }),
      })
      .optional(),
    noticeDays: z
      .int()
      .min(0)
      .max(MOST_NOTICE_DAYS)
      .default(30)
      .meta({
        description:
          "The price of a Subscription moves with its first period that begins so many days after its own notice, or " +
          "later.",
      }),
    consent: z.enum(CONSENTS).meta({
      description:
        "`notice`: the notice is enough. `required`: a Subscription ends at that boundary unless its Customer agrees " +
        "in the portal before.",
    }),
  })
  .superRefine(({ currencies, only }, check) => {
    for (const [index, code] of (currencies ?? []).entries())
      if (currencies!.indexOf(code) < index)
        check.addIssue(issue("duplicate", "This currency is listed already.", ["currencies", index]));
    if (only?.priceBelow !== undefined && currencies?.length !== 1)
      check.addIssue(issue("one_currency", "`priceBelow` needs one currency in `currencies`.", ["currencies"]));
  })
  .meta({ id: "CreatePriceChangeParams" });
export type CreatePriceChangeParams = z.infer<typeof CreatePriceChangeParams>;

export const PriceChangePreviewResource = z
  .object({
    prices,
    currencies: z
      .array(
        z.object({
          currency: currencyCode,
          unitAmount: amount.meta({ description: "The new price of a unit." }),
          subscriptions: count,
          mrrBefore: amount.meta({ description: "The MRR of these Subscriptions now." }),
          mrrAfter: amount.meta({ description: "Their MRR at the new price, with the present discounts." }),
        }),
      )
      .meta({ description: "The Subscriptions that would move." }),
    leftOut: z.array(z.object({ reason: leftOutReason, subscriptions: count, examples: z.array(id("sub")) })),
    examples: z
      .array(
        z.object({
          subscriptionId: id("sub"),
          customerId: id("cus"),
          currency: currencyCode,
          quantity,
          unitAmountBefore: unitAmount,
          unitAmount,
          amountBefore: amount,
          amount,
          effectiveAt: timestamp,
        }),
      )
      .meta({ description: "Ten Subscriptions that would move." }),
  })
  .meta({ id: "PriceChangePreview" });
export type PriceChangePreviewResource = z.infer<typeof PriceChangePreviewResource>;

export const RepricedSubscriptionResource = z
  .object({
    subscriptionId: id("sub"),
    customerId: id("cus"),
    status: z.enum(REPRICED_STATUSES),
    reason: z
      .enum([...LEFT_OUT_REASONS, ...WITHDRAWN_REASONS, ...ENDED_REASONS])
      .nullable()
      .meta({ description: "Why the Subscription was left out, why the price was withdrawn, or why it ended." }),
    currency: currencyCode,
    quantity: quantity.meta({ description: "The number of units at the notice." }),
    unitAmountBefore: amount.meta({ description: "The price of a unit at the notice." }),
    unitAmount: amount.meta({ description: "The new price of a unit." }),
    effectiveAt: timestamp.nullable(),
    consentedAt: timestamp.nullable(),
    noticedAt: timestamp.meta({ description: "The instant of the notice, or of the decision to leave it out." }),
    settledAt: timestamp.nullable().meta({
      description: "The begin of the first period at the new price, the withdrawal, or the end.",
    }),
  })
  .meta({ id: "RepricedSubscription" });
export type RepricedSubscriptionResource = z.infer<typeof RepricedSubscriptionResource>;

export const ListPriceChangesQuery = z.strictObject(pageQuery("pch"));
export const ListRepricedQuery = z.strictObject({
  ...pageQuery("sub"),
  status: z.enum(REPRICED_STATUSES).optional(),
});

export const ProductPricesResource = z
  .object({
    data: z.array(
      z.object({
        currency: currencyCode,
        amount: amount.meta({ description: "The price of a unit." }),
        from: timestamp
          .nullable()
          .meta({ description: "Null: the catalogue had this price at no time, or for no time." }),
        until: timestamp.nullable().meta({ description: "Null: the price is in the catalogue, or never was." }),
        subscriptions: count.meta({ description: "The live Subscriptions that pay this price now." }),
      }),
    ),
  })
  .meta({ id: "ProductPrices" });
export type ProductPricesResource = z.infer<typeof ProductPricesResource>;

/** `terms`: those of the round. */
export function presentPriceChangePreview(
  preview: RepricingSummary & { terms: Pick<PriceTerms, "prices">; examples: readonly RepricingExample[] },
): PriceChangePreviewResource {
  const { terms, currencies, leftOut, examples } = preview;
  const idsOf = (reason: LeftOutReason) =>
    examples.filter((each) => each.reason === reason).map(({ subscription }) => subscription.id);
  return {
    prices: [...terms.prices],
    currencies,
    leftOut: leftOut.map(({ reason, subscriptions }) => ({ reason, subscriptions, examples: idsOf(reason) })),
    examples: examples.flatMap(({ subscription, unitAmount: price, effectiveAt }) => {
      if (effectiveAt === null) return [];
      const { id: subscriptionId, customerId, currency: code, quantity: units, amount: amountBefore } = subscription;
      const before = { unitAmountBefore: unitAmountOf(subscription), amountBefore };
      const after = { unitAmount: price, amount: price * units, effectiveAt: time(effectiveAt) };
      return [{ subscriptionId, customerId, currency: code, quantity: units, ...before, ...after }];
    }),
  };
}

type Step = Pick<RepricedSubscription, "reason" | "status"> & { count: number };

/** `steps`: the numbers of the round's Subscriptions, by status and reason. */
export function presentPriceChange({
  round,
  steps,
}: {
  round: PriceChange;
  steps: readonly Step[];
}): PriceChangeResource {
  const number = (status: Step["status"], reason?: Step["reason"]) =>
    steps
      .filter((step) => step.status === status && (reason === undefined || step.reason === reason))
      .reduce((sum, step) => sum + step.count, 0);
  return {
    id: round.id,
    productId: round.productId,
    status: round.status,
    prices: [...round.prices],
    only: { subscribedBefore: time(round.subscribedBefore), priceBelow: round.priceBelow },
    noticeDays: round.noticeDays,
    consent: round.consent,
    progress: {
      found: round.found,
      scheduled: number("scheduled"),
      applied: number("applied"),
      withdrawn: number("withdrawn"),
      endedWithoutConsent: number("ended", "price_not_accepted"),
      ended: number("ended", "canceled"),
      leftOut: LEFT_OUT_REASONS.flatMap((reason) => {
        const subscriptions = number("left_out", reason);
        return subscriptions === 0 ? [] : [{ reason, subscriptions }];
      }),
    },
    createdAt: time(round.createdAt),
    updatedAt: time(round.updatedAt),
  };
}

export const priceChangeETag = ({ version }: PriceChange): string => etag(version);

export function presentRepriced(row: RepricedSubscription): RepricedSubscriptionResource {
  const { subscriptionId, customerId, status, reason, currency: code, quantity: units } = row;
  return {
    subscriptionId,
    customerId,
    status,
    reason,
    currency: code,
    quantity: units,
    unitAmountBefore: row.unitAmountBefore,
    unitAmount: row.unitAmount,
    effectiveAt: time(row.effectiveAt),
    consentedAt: time(row.consentedAt),
    noticedAt: time(row.createdAt),
    settledAt: time(row.settledAt),
  };
}
