import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { CreateCheckoutParams, PayCheckoutParams } from "./checkout.ts";
import { AdvanceClockParams } from "./clock.ts";
import { CreateCustomerParams } from "./customer.ts";
import { CreateDiscountParams } from "./discount.ts";
import { CreateProductParams } from "./product.ts";
import { CreateSubscriptionParams, UpdateSubscriptionParams } from "./subscription.ts";
import { RedeliverParams } from "./webhook.ts";

const [customerId, productId, at] = ["cus_1", "prd_1", "2026-01-31T00:00:00Z"];
const customer = { email: "ada@example.com" };
const taxed = { taxId: { type: "eu_vat", value: "DE811569869" }, billingAddress: { country: "DE" } };
const product = { productId, productKey: "pro" };
const prices = [{ currency: "usd", amount: 1000 }];
const buyer = { customerId, externalCustomerId: "a" };
const fixed = { basisPoints: 1, amount: 1, currency: "usd" };
const ended = { cancellationReason: "other", cancellationComment: "a" };

/** Each schema with the fields that are always sent and the fields that are sometimes sent. */
const schemas: [name: string, schema: z.ZodType, always: object, sometimes: object][] = [
  ["customer", CreateCustomerParams, customer, taxed],
  ["checkout", CreateCheckoutParams, {}, { ...product, ...buyer, customer, subscriptionId: "s", discountCode: "X" }],
  ["payment", PayCheckoutParams, {}, taxed],
  ["advance", AdvanceClockParams, {}, { to: at, by: "P1M", toNextDue: true }],
  ["percentage", CreateDiscountParams, { code: "X", type: "percentage", duration: "once" }, fixed],
  ["fixed discount", CreateDiscountParams, { code: "X", type: "fixed", duration: "once" }, fixed],
  [
    "months",
    CreateDiscountParams,
    { code: "X", type: "percentage", duration: "repeating", basisPoints: 1 },
    { months: 3 },
  ],
  [
    "no months",
    CreateDiscountParams,
    { code: "X", type: "percentage", duration: "once", basisPoints: 1 },
    { months: 3 },
  ],
  ["subscription", CreateSubscriptionParams, { productId }, { ...buyer, productKey: "pro" }],
  [
    "begun elsewhere",
    CreateSubscriptionParams,
    { customerId, productId },
    { startedAt: at, anchorAt: at, trialEnd: at },
  ],
  [
    "change",
    UpdateSubscriptionParams,
    {},
    { ...product, ...ended, prorationBehavior: "none", cancelAtPeriodEnd: false },
  ],
  ["cancellation", UpdateSubscriptionParams, { cancelAtPeriodEnd: true }, { productId, ...ended }],
  [
    "product",
    CreateProductParams,
    { name: "Pro", prices },
    { interval: "month", intervalCount: 2, trialDays: 7, group: "a" },
  ],
  ["redelivery", RedeliverParams, {}, { from: at, status: "any" }],
];

test.each(schemas)("the document tells the rules across fields: %s", (_name, schema, always, sometimes) => {
  const document = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(document);
  fc.assert(
    fc.property(fc.subarray(Object.entries(sometimes)), (some) => {
      const sent = { ...always, ...Object.fromEntries(some) };
      expect({ sent, allowed: validate(sent) }).toEqual({ sent, allowed: schema.safeParse(sent).success });
    }),
    { numRuns: 300 },
  );
});
