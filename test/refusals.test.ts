import { expect, test } from "vitest";
import { instant } from "../src/domain/calendar.ts";
import { Refusal, type Money, type RefusalCode, type RefusalValues } from "../src/domain/refusal.ts";
import { presentRefusal } from "../src/resources/refusal.ts";
import { LANGUAGES } from "../src/domain/locale.ts";
import { wordsFor } from "../src/texts/words.ts";
import { obstacleSaid } from "../src/web/checkout/obstacle.ts";
import { WORDS, wordsOf } from "../src/web/dashboard/refusal.ts";
import { readSources, withoutComments } from "./support/source.ts";

/** An amount with minor units that no sentence contains by chance. */
const money: Money = { currency: "usd", amount: 123_456 };
const now = instant(Date.UTC(2026, 2, 4, 5, 6, 7));
const holder = { id: "prd_1", deleted: false };
const onward = { checkoutId: "chk_1", url: "https://billing.example.com/checkout/chk_1" };
const page = { id: "chk_1", url: onward.url, hours: 23 };
const reasons = ["payment_failed", "payment_action_required", "payment_method_required"] as const;

type WithValues = {
  [Code in RefusalCode]: Record<never, never> extends RefusalValues[Code] ? never : Code;
}[RefusalCode];

/** Values of each reason that has some: one sample for each form of its sentence. */
const SAMPLES: { [Code in WithValues]: readonly RefusalValues[Code][] } = {
  unknown_product: [{ field: "/productId" }],
  product_archived: [{ field: "/productKey" }],
  product_listed: [{ field: "/products/1/productKey" }],
  product_not_recurring: [{ field: "/productId" }],
  currency_required: [{ field: "/currency" }],
  currency_missing: [{ field: "/currency", currency: "eur" }],
  quantity_not_offered: [
    { field: "/quantity", minimum: 2, maximum: 50, unitName: { en: { one: "seat", other: "seats" } } },
    { field: "/quantity", minimum: 1, maximum: 1, unitName: null },
  ],
  quantity_too_expensive: [{ field: "/quantity", most: money }],
  amount_not_divisible: [{ field: "/amount", quantity: 3 }],
  key_taken: [
    { field: "/key", key: "pro", noun: "Product", holder },
    { field: "/key", key: "pro", noun: "Benefit", holder: { ...holder, deleted: true } },
    { field: "/key", key: "pro", noun: "Benefit", holder: null },
    { field: "/key", key: "pro", noun: "payment link", holder },
  ],
  code_taken: [
    { field: "/code", discountCode: "HALF", holder },
    { field: "/code", discountCode: "HALF", holder: null },
  ],
  unknown_benefits: [{ fields: ["/benefitIds/0", "/benefitIds/2"] }],
  prices_below_minimum: [
    {
      prices: [
        { field: "/prices/0/amount", least: money, quantity: 1 },
        { field: "/quantity/minimum", least: money, quantity: 10 },
      ],
    },
  ],
  prices_not_chargeable: [
    {
      prices: [
        { field: "/prices/0/amount", fault: "currency", limit: null },
        { field: "/prices/1/amount", fault: "too_small", limit: money },
        { field: "/prices/2/amount", fault: "too_large", limit: money },
        { field: "/prices/3/amount", fault: "step", limit: money },
      ],
    },
  ],
  discount_ends_before_start: [{ field: "/endsAt" }],
  file_missing: [{ field: "/properties/files/0/path", folder: "downloads/org_1" }],
  feature_missing: [{ field: "/properties/feature" }],
  change_in_progress: [onward, { checkoutId: null, url: null }],
  already_subscribed: [
    { ...onward, subscriptionId: "sub_1", foundByEmail: null },
    { ...onward, subscriptionId: null, foundByEmail: "cus_1" },
  ],
  no_change: [{ subscriptionId: "sub_1" }, { subscriptionId: null }],
  unknown_subscription: [{ field: "/subscriptionId" }],
  other_currency: [{ field: "/currency", currency: "eur" }],
  amount_below_minimum: [{ field: "/amount", least: money }],
  price_change_unfinished: [{ priceChangeId: "pch_1" }],
  resume_out_of_range: [{ field: "/resumesAt", after: now, latest: now }],
  begins_in_the_future: [{ field: "/startedAt", now }],
  trial_ends_in_the_past: [{ field: "/trialEnd", now }],
  trial_out_of_range: [{ field: "/trialEnd", earliest: now, latest: now }],
  trial_too_long: [{ field: "/trialEnd", latest: now }],
  payment_refused: [{ declineCode: "account_restricted" }],
  change_not_paid: reasons.flatMap((reason) => [
    { reason, declineCode: "card_expired", page },
    { reason, declineCode: null, page: null },
  ]),
  charge_not_paid: reasons.map((reason) => ({ reason, declineCode: "card_expired", url: page.url })),
  credited: [{ available: money }],
  credit_spent: [{ available: money }],
  refund_too_large: [
    { field: "/amount", most: money, to: "card" },
    { field: "/amount", most: money, to: "balance" },
  ],
  refund_between_steps: [
    { field: "/amount", step: money, nearest: [money, money] },
    { field: "/amount", step: money, nearest: [] },
  ],
  refund_above_role: [{ field: "/amount", most: money }],
  not_paid_by_card: [{ field: "/to" }],
  no_balance_left: [{ field: "/to" }],
  not_one_time: [{ field: "/revokeGrants" }],
  payout_between_steps: [
    { field: "/amount", nearest: money },
    { field: "/amount", nearest: null },
  ],
  balance_too_large: [{ field: "/amount", balance: money, most: money }],
  balance_left: [{ balances: [money, money] }],
  payment_not_refundable: [{ available: money }],
  discount_refused: (
    [
      "unknown_discount",
      "discount_not_active",
      "discount_exhausted",
      "discount_not_for_product",
      "discount_other_currency",
      "discount_below_minimum",
    ] as const
  ).map((reason) => ({ field: "/discountCode", reason })),
  checkout_not_open: [{ isSpent: true }, { isSpent: false }],
  card_required: [{ field: "/card" }],
  billing_required: [{ field: "/billingAddress" }],
  email_required: [{ field: "/email" }],
  fields_faulty: [
    { faults: [{ key: "size", fault: "required" }] },
    { faults: [{ key: "a/b", fault: "unknown" }] },
    {
      faults: (["no_text", "no_line", "no_number", "no_option", "no_boolean"] as const).map((fault) => ({
        key: "size",
        fault,
      })),
    },
    {
      faults: (["too_long", "too_small", "too_large"] as const).map((fault) => ({ key: "size", fault, limit: 3 })),
    },
  ],
  card_not_accepted: [{ field: "/card", fault: "card_number_invalid", message: "This is no test card." }],
  card_not_saved: [{ declineCode: "card_declined" }],
  customer_exists: [
    { field: "/email", customerId: "cus_1" },
    { field: "/externalId", customerId: "cus_1" },
  ],
  unknown_customer: [
    { field: "/customerId", canCreate: true },
    { field: "/externalCustomerId", canCreate: false },
  ],
  external_id_fixed: [{ field: "/externalId" }],
  billing_country_missing: [{ field: "/taxId" }],
  sign_in_sent_lately: [{ email: "ada@example.com", minutes: 10 }],
  too_many_sign_ins: [{ email: "ada@example.com" }],
  already_member: [{ field: "/email" }],
  webhook_url_refused: (["no_url", "credentials", "http", "no_host", "port_zero", "not_public"] as const).map(
    (why) => ({ field: "/url", why }),
  ),
  key_expires_in_the_past: [{ field: "/expiresAt" }],
  invalid_name: [{ field: "/name", most: 128 }],
  invalid_time_zone: [{ field: "/timeZone", timeZone: "Mars/Base" }],
  invalid_currency: [{ field: "/defaultCurrency", currency: "xyz" }],
  clock_not_allowed: [{ field: "/clock" }],
  sandbox_only: [{ field: "/sandboxEntry" }],
  unknown_portal_products: [{ fields: ["/portal/products/0"] }],
  clock_advancing: [{ target: now }],
  clock_stopped: [{ now, target: now }],
  clock_out_of_range: [{ field: "/to", latest: now }],
  sandbox_not_fillable: (["customers", "provider", "hosted_entry", "clock_advancing"] as const).map((obstacle) => ({
    obstacle,
  })),
};

/** Each reason with each of its samples. */
const REFUSALS = (Object.keys(WORDS) as RefusalCode[]).flatMap((code) => {
  const samples: readonly object[] = SAMPLES[code as WithValues] ?? [{}];
  return samples.map((values, n): [string, Refusal] => {
    const refusal = new Refusal(code as "not_found");
    return [`${code} ${n}`, Object.assign(refusal, { values }) as Refusal];
  });
});

/** Traces of a value that was printed as it is. */
const RAW = /undefined|NaN|\[object|\$\{|[{}]/;
/** A sentence, or several. */
const SENTENCE = /^[^\s].*\.$/s;

test.each(REFUSALS)("the API words %s", (_, refusal) => {
  const { parts, message } = presentRefusal(refusal);
  const said = [message, ...(parts.errors ?? []).map((fault) => fault.message)];
  for (const each of said) expect([each, RAW.test(each)]).toEqual([expect.stringMatching(SENTENCE), false]);
  const { values } = refusal;
  if ("field" in values && parts.errors) expect(parts.errors.map(({ pointer }) => pointer)).toEqual([values.field]);
  if ("fields" in values) expect(parts.errors?.map(({ pointer }) => pointer)).toEqual(values.fields);
});

test.each(REFUSALS)("the dashboard words %s, with amounts in major units and without names of fields", (_, refusal) => {
  const { text, faults } = wordsOf(refusal);
  const said = [...(text === null ? [] : [text]), ...faults.map(({ message }) => message)];
  expect(said.length).toBeGreaterThan(0);
  for (const each of said) {
    expect([each, RAW.test(each)]).toEqual([expect.stringMatching(SENTENCE), false]);
    expect(each).not.toMatch(/`|\bnull\b|\b123456\b|\/public\/|declineCode/);
  }
  if (JSON.stringify(refusal.values).includes("123456")) expect(said.join(" ")).toContain("US$1,234.56");
});

test.each(LANGUAGES)("the pages for buyers word each refusal in %s", (locale) => {
  for (const [name, refusal] of REFUSALS) {
    const { title, text } = obstacleSaid(wordsFor(locale), { refusal }, "Pro");
    expect([name, RAW.test(`${title} ${text}`), title === "", text === ""]).toEqual([name, false, false, false]);
  }
});

test("no sentence stands in the domain", () => {
  // A sentence, and a text to stand in a list. A fault of ours has words, too.
  const WORDS_IN_A_ROW =
    /["'`][A-Z][a-z]+ [a-z]+ [a-z]+\b.*|(?<!(?:Error|super)\()["'`](?:an?|another|its?|no|only|the) [a-z]+ [a-z]+\b.*/;
  const domain = readSources().filter(({ path }) => /^src\/domain\/.*(?<!\.test)\.ts$/.test(path));
  expect(domain.length).toBeGreaterThan(100);
  expect(
    domain.flatMap(
      ({ path, text }) => WORDS_IN_A_ROW.exec(withoutComments(text))?.map((line) => `${path}: ${line}`) ?? [],
    ),
  ).toEqual([]);
  expect('refuse("The card was declined.")').toMatch(WORDS_IN_A_ROW);
  expect('tiers: "its price has tiers",').toMatch(WORDS_IN_A_ROW);
});
