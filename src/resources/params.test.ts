import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import { newId } from "../ids.ts";
import { CreateBenefitParams } from "./benefit.ts";
import { ListBenefitGrantsQuery } from "./benefit-grant.ts";
import { CreateCheckoutParams } from "./checkout.ts";
import { AdvanceClockParams } from "./clock.ts";
import { CreateCustomerParams } from "./customer.ts";
import { parse } from "./faults.ts";
import { UpdateOrganizationParams } from "./organization.ts";
import { pageQuery, presentPage } from "./page.ts";
import { CreateProductParams } from "./product.ts";
import { UpdateSubscriptionParams } from "./subscription.ts";

/** The faults of a body, as `pointer code`. */
function faults(schema: z.ZodType, body: unknown): string[] {
  return (parse(schema, body, "body").faults ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
}

const email = "ada@example.com";
const price = { currency: "usd", amount: 1000 };
const perUnit = (type: string, properties: object) => ({
  type,
  name: "Benefit",
  key: "benefit",
  properties: { ...properties, perUnit: true },
});
const product = { name: "Pro", interval: "month", prices: [price] };

const refused: [schema: string, body: unknown, ...faults: string[]][] = [
  ["customer", {}, "/email required"],
  ["customer", { email: "ada" }, "/email invalid_email"],
  ["customer", { email: "a@b@example.com" }, "/email invalid_email"],
  ["customer", { email: `${"a".repeat(310)}@example.com` }, "/email too_long", "/email invalid_email"],
  ["customer", { email, nmae: "Ada" }, "/nmae unknown_field"],
  ["customer", { email, "a/b~c": 1 }, "/a~1b~0c unknown_field"],
  ["customer", { email, name: " " }, "/name too_short"],
  ["customer", { email, name: "a\u0000b" }, "/name invalid_format"],
  ["customer", { email, name: "a\nb" }, "/name invalid_format"],
  ["customer", { email, name: "a\ud800b" }, "/name invalid_format"],
  ["customer", { email, externalId: "x".repeat(256) }, "/externalId too_long"],
  ["customer", { email, billingAddress: { country: "XX" } }, "/billingAddress/country invalid_country"],
  ["customer", { email, taxId: { type: "eu_vat", value: "DE811569869" } }, "/taxId billing_country_missing"],
  ["customer", { email, metadata: { a: null } }, "/metadata/a invalid_type"],
  ["customer", { email, metadata: { a: Infinity } }, "/metadata/a invalid_type"],
  ["customer", { email, metadata: { ["k".repeat(41)]: 1 } }, `/metadata/${"k".repeat(41)} invalid_key`],
  [
    "customer",
    { email, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
    "/metadata too_many_keys",
  ],
  ["checkout", {}, "/productId one_product"],
  ["checkout", { productId: "a", productKey: "b" }, "/productId one_product"],
  ["checkout", { productKey: "pro", customerId: "a", externalCustomerId: "b" }, "/customerId one_customer"],
  ["checkout", { productKey: "pro", customer: { email: "x" } }, "/customer/email invalid_email"],
  ["checkout", { productKey: "pro", currency: "xxx" }, "/currency invalid_currency"],
  ["checkout", { productKey: "pro", successUrl: "javascript:alert(1)" }, "/successUrl invalid_url"],
  ["checkout", { productKey: "pro", successUrl: "https://me:pass@example.com/" }, "/successUrl invalid_url"],
  ["checkout", { productKey: "pro", cancelUrl: "/relative" }, "/cancelUrl invalid_url"],
  ["checkout", { productKey: "pro", expiresInMinutes: 4 }, "/expiresInMinutes too_small"],
  ["checkout", { productKey: "pro", expiresInMinutes: 10_081 }, "/expiresInMinutes too_large"],
  ["checkout", { productKey: "pro", discountCode: "not a code" }, "/discountCode invalid_format"],
  ["checkout", { productKey: "pro", subscriptionId: "sub_1", customerId: "cus_1" }, "/subscriptionId one_customer"],
  [
    "checkout",
    { productKey: "pro", subscriptionId: "sub_1", discountCode: "X" },
    "/discountCode not_with_subscription",
  ],
  ["subscription", {}, " nothing_to_change"],
  ["subscription", { productId: "a", productKey: "b" }, "/productKey one_product"],
  ["subscription", { productId: "a", cancelAtPeriodEnd: true }, "/cancelAtPeriodEnd change_and_cancellation"],
  ["subscription", { prorationBehavior: "none" }, "/prorationBehavior product_missing"],
  [
    "subscription",
    { cancelAtPeriodEnd: false, cancellationReason: "other" },
    "/cancellationReason cancellation_missing",
  ],
  ["subscription", { cancellationComment: "bye" }, "/cancellationComment cancellation_missing"],
  [
    "subscription",
    { cancelAtPeriodEnd: true, cancellationReason: "payment_failed" },
    "/cancellationReason invalid_value",
  ],
  ["subscription", { cancelAtPeriodEnd: true, cancellationComment: "x".repeat(1001) }, "/cancellationComment too_long"],
  ["product", { ...product, prices: [] }, "/prices too_few"],
  ["product", { ...product, prices: [{ currency: "usd", amount: 49 }] }, "/prices/0/amount below_minimum_charge"],
  ["product", { ...product, prices: [price, { ...price, currency: "USD" }] }, "/prices/1/currency duplicate_currency"],
  ["product", { ...product, prices: [{ currency: "usd", amount: 10.5 }] }, "/prices/0/amount invalid_type"],
  ["product", { ...product, prices: [{ currency: "usd", amount: 1e12 }] }, "/prices/0/amount too_large"],
  ["product", { ...product, intervalCount: 121 }, "/intervalCount too_long"],
  ["product", { ...product, interval: null, trialDays: 7 }, "/trialDays not_recurring"],
  ["product", { ...product, interval: null, group: "plans" }, "/group not_recurring"],
  ["product", { ...product, key: "Pro" }, "/key invalid_format"],
  ["product", { ...product, benefitIds: ["a", "a"] }, "/benefitIds/1 duplicate"],
  ["benefit", { type: "gift", name: "Gift" }, "/type invalid_value"],
  ["benefit", { type: "custom", name: "Note", properties: { feature: "sso" } }, "/properties/feature unknown_field"],
  ["benefit", { type: "download", name: "App" }, "/properties required"],
  ["benefit", perUnit("feature", { value: true }), "/properties/value not_per_unit"],
  ["benefit", perUnit("feature", { value: "10" }), "/properties/value not_per_unit"],
  ["benefit", perUnit("feature", { value: 2.5 }), "/properties/value not_per_unit"],
  ["benefit", perUnit("feature", { value: 10_000_000 }), "/properties/value not_per_unit"],
  ["benefit", perUnit("license_key", {}), "/properties/activationLimit not_per_unit"],
  ["benefit", perUnit("custom", {}), "/properties/perUnit unknown_field"],
  ["organization", { timeZone: "Mars/Olympus" }, "/timeZone invalid_time_zone"],
  ["organization", { dunning: { retryDays: [3, 3], graceDays: 7 } }, "/dunning/retryDays not_ascending"],
  ["organization", { dunning: { retryDays: [3], graceDays: 366 } }, "/dunning/graceDays too_large"],
  [
    "organization",
    { taxRates: [{ country: "XX", name: "VAT", basisPoints: 1900 }] },
    "/taxRates/0/country invalid_country",
  ],
  [
    "organization",
    { taxRates: [{ country: "DE", name: "VAT", basisPoints: 10_001 }] },
    "/taxRates/0/basisPoints too_large",
  ],
  [
    "organization",
    { taxRates: [1, 2].map(() => ({ country: "DE", name: "VAT", basisPoints: 1900 })) },
    "/taxRates place_twice",
  ],
  [
    "organization",
    { taxRates: ["Quebec", "CA-QC"].map((region) => ({ country: "CA", region, name: "QST", basisPoints: 1498 })) },
    "/taxRates place_twice",
  ],
  [
    "organization",
    { taxRates: [{ country: "CA", region: "Quebeck", name: "QST", basisPoints: 1498 }] },
    "/taxRates/0/region unknown_region",
  ],
  ["clock", {}, "/to one_target"],
  ["clock", { by: "P1M", toNextDue: true }, "/to one_target"],
  ["clock", { by: "1 month" }, "/by invalid_duration"],
  ["clock", { to: "tomorrow" }, "/to invalid_time"],
  ["grants", {}, "/customerId one_customer"],
  ["grants", { customerId: "a", externalCustomerId: "b" }, "/customerId one_customer"],
];

const schemas: Record<string, z.ZodType> = {
  customer: CreateCustomerParams,
  checkout: CreateCheckoutParams,
  subscription: UpdateSubscriptionParams,
  product: CreateProductParams,
  benefit: CreateBenefitParams,
  organization: UpdateOrganizationParams,
  clock: AdvanceClockParams,
  grants: ListBenefitGrantsQuery,
};

describe("the schema of a body", () => {
  test.each(refused)("%s %j", (schema, body, ...expected) => {
    expect(faults(schemas[schema]!, body)).toEqual(expected);
  });

  it("trims, and takes a missing property as null", () => {
    const body = { email: " Ada@Example.com ", name: " Ada ", externalId: null, billingAddress: { country: "de" } };
    const address = { country: "DE", line1: null, line2: null, postalCode: null, city: null, state: null };
    const customer = {
      email: "Ada@Example.com",
      name: "Ada",
      companyName: null,
      externalId: null,
      billingAddress: address,
      taxId: null,
      locale: null,
      metadata: {},
    };
    expect(CreateCustomerParams.parse(body)).toEqual(customer);
  });

  it("takes currencies in either case, addresses of any script, and line breaks in a comment", () => {
    expect(CreateCheckoutParams.parse({ productKey: "pro", currency: "USD" }).currency).toBe("usd");
    expect(CreateCustomerParams.parse({ email: "дмитро@пошта.укр" }).email).toBe("дмитро@пошта.укр");
    const bye = { cancelAtPeriodEnd: true, cancellationComment: "a\n\tb" };
    expect(UpdateSubscriptionParams.parse(bye)).toEqual(bye);
  });

  it("keeps the placeholder of a success URL", () => {
    const successUrl = "https://shop.example/thanks/{CHECKOUT_ID}?a=b";
    expect(CreateCheckoutParams.parse({ productKey: "pro", successUrl }).successUrl).toBe(successUrl);
  });

  it("never throws, for any JSON", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(schemas)), fc.jsonValue(), (schema, body) => {
        expect(() => faults(schema, body)).not.toThrow();
      }),
    );
  });
});

describe("pages", () => {
  const query = z.strictObject(pageQuery("cus"));
  const rows = (count: number) => Array.from({ length: count }, () => ({ id: newId("cus") }));

  it("end without a cursor, and lead on from their last row", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(101), (limit, count) => {
        const found = rows(Math.min(count, limit + 1));
        const page = presentPage(found, limit, (row) => row.id);
        expect(page.data).toEqual(found.slice(0, limit).map((row) => row.id));
        const next = page.nextCursor === null ? undefined : query.parse({ cursor: page.nextCursor }).cursor;
        expect(next).toBe(count > limit ? page.data.at(-1) : undefined);
      }),
    );
  });

  test.each(["", "x", Buffer.from("prd_01h455vb4pex5vsknk084sn02q").toString("base64url")])(
    "refuse the cursor %j",
    (cursor) => {
      const expected = [{ in: "query", pointer: "cursor", code: "invalid_cursor" }];
      expect(parse(query, { cursor }, "query").faults).toMatchObject(expected);
    },
  );

  test.each(["0", "101", "", "1.5", "many"])("refuse the limit %j", (limit) => {
    expect(query.safeParse({ limit }).success).toBe(false);
  });
});
