import { createHash } from "node:crypto";
import { createBenefit } from "../src/actions/catalogue/create-benefit.ts";
import { updateSubscription } from "../src/actions/subscription/change.ts";
import { createCheckout } from "../src/actions/checkout/create.ts";
import { createOrganizationWithKeys } from "../src/actions/organization/create-organization.ts";
import { ownOrigin } from "../src/actions/origin.ts";
import { createProduct } from "../src/actions/catalogue/products.ts";
import { payCheckout } from "../src/actions/sandbox/pay-checkout.ts";
import type { Context } from "../src/context.ts";
import type { BenefitGrant } from "../src/domain/model/benefit.ts";
import { instant, parseInstant, type Instant } from "../src/domain/calendar.ts";
import type { Customer } from "../src/domain/model/customer.ts";
import type { Event } from "../src/domain/event.ts";
import type { PaymentMethod } from "../src/domain/model/payment.ts";
import { startPeriods, trialPeriod } from "../src/domain/model/period.ts";
import { withDerived, type Subscription } from "../src/domain/model/subscription.ts";
import { newId } from "../src/ids.ts";
import { CreateBenefitParams } from "../src/resources/benefit.ts";
import { CreateCheckoutParams, PayCheckoutParams } from "../src/resources/checkout.ts";
import { CreateProductParams } from "../src/resources/product.ts";
import { UpdateSubscriptionParams } from "../src/resources/subscription.ts";
import { benefitGrants } from "../src/store/benefit-grants.ts";
import { customers } from "../src/store/customers.ts";
import { sql, type Tx } from "../src/store/driver/db.ts";
import { events } from "../src/store/events.ts";
import { paymentMethods } from "../src/store/payment-methods.ts";
import { subscriptions } from "../src/store/subscriptions.ts";
import { copyId } from "./world.ts";
import { grantsOf } from "../test/support/customer-rows.ts";

export const START = parseInstant("2025-01-31T09:00:00Z")!;

const PAYS = "4242424242424242";
const FAILS_LATER = "4000000000000341";
const TRIAL_DAYS = 14;
const PRODUCTS = [
  { key: "weekly", interval: "week", amount: 900 },
  { key: "monthly", interval: "month", amount: 3000 },
  { key: "quarterly", interval: "month", intervalCount: 3, amount: 8000 },
  { key: "trial", interval: "month", amount: 3000, trialDays: TRIAL_DAYS },
  { key: "yearly", interval: "year", amount: 30_000 },
] as const;

type Way = { productKey: string; card: string; change?: object };

const many = (times: number, productKey: string): Way[] =>
  Array.from({ length: times }, () => ({ productKey, card: PAYS }));

/** Each of these twenty ways is the course of one Subscription in twenty. */
const WAYS: readonly Way[] = [
  ...many(8, "monthly"),
  ...many(4, "yearly"),
  ...many(2, "quarterly"),
  ...many(1, "weekly"),
  ...many(1, "trial"),
  { productKey: "monthly", card: FAILS_LATER },
  { productKey: "monthly", card: PAYS, change: { cancelAtPeriodEnd: true } },
  { productKey: "monthly", card: PAYS, change: { productKey: "yearly", prorationBehavior: "invoice_now" } },
  { productKey: "quarterly", card: PAYS, change: { productKey: "monthly", prorationBehavior: "next_period" } },
];

type Model = {
  customer: Customer;
  method: PaymentMethod;
  subscription: Subscription;
  grants: BenefitGrant[];
  events: Event[];
};

/**
 * Creates a sandbox with its clock at `START` and so many Subscriptions, each with its own Customer. One Subscription
 * of each way is really bought. The others are copies, begun at different instants in the day before. Answers the id
 * of the Organization.
 */
export async function createCrowd(ctx: Context, subscribers: number): Promise<string> {
  const wanted = { name: "Crowd", mode: "sandbox", clock: START } as const;
  const { organization } = await ctx.db.tx((tx) => createOrganizationWithKeys(tx, wanted));
  const feature = CreateBenefitParams.parse({ key: "sso", type: "feature", name: "SSO" });
  const benefit = await createBenefit(ctx, ownOrigin(organization.id), feature);
  for (const { amount, ...product } of PRODUCTS) {
    const params = { ...product, name: product.key, prices: [{ currency: "usd", amount }], benefitIds: [benefit.id] };
    await createProduct(ctx, ownOrigin(organization.id), CreateProductParams.parse(params));
  }
  const models: Model[] = [];
  for (const n of WAYS.keys()) models.push(await buy(ctx, organization.id, n));
  const batch = 500;
  for (let first = WAYS.length; first < subscribers; first += batch) {
    await ctx.db.tx(async (tx) => {
      for (let n = first; n < Math.min(first + batch, subscribers); n += 1) copy(tx, models[n % WAYS.length]!, n);
    });
  }
  await ctx.db.script("ANALYZE");
  return organization.id;
}

async function buy(ctx: Context, organizationId: string, n: number): Promise<Model> {
  const { productKey, card, change } = WAYS[n]!;
  const params = CreateCheckoutParams.parse({ productKey, customer: { email: emailOf(n) } });
  const { checkout } = await createCheckout(ctx, ownOrigin(organizationId), params);
  const paid = await payCheckout(ctx, organizationId, checkout.id, PayCheckoutParams.parse({ card }));
  const subscriptionId = paid.checkout.subscriptionId!;
  if (change)
    await updateSubscription(ctx, ownOrigin(organizationId), subscriptionId, UpdateSubscriptionParams.parse(change));
  const customer = (await customers.find(ctx.db.read, organizationId, paid.checkout.customerId!))!;
  const grants = await grantsOf(ctx.db.read, organizationId, customer.id, subscriptionId);
  const recorded = [customer.id, subscriptionId, ...grants.map(({ id }) => id)];
  return {
    customer,
    method: (await paymentMethods.find(ctx.db.read, organizationId, customer.defaultPaymentMethodId!))!,
    subscription: (await subscriptions.find(ctx.db.read, organizationId, subscriptionId))!,
    grants,
    events: await ctx.db.read.query<Event>(recordedStatement, [organizationId, recorded]),
  };
}

const emailOf = (n: number) => `buyer-${n}@example.com`;

function copy(tx: Tx, { customer, method, subscription, grants, events: recorded }: Model, n: number): void {
  const ids = new Map(
    [customer, method, subscription, ...grants].map(({ id }) => [id, copyId(id.slice(0, id.indexOf("_")), n)]),
  );
  const renamed = <Row extends object>(row: Row): Row =>
    JSON.parse(JSON.stringify(row).replace(/[a-z]{2,3}_[0-9a-z]{26}/g, (id) => ids.get(id) ?? id)) as Row;
  const email = emailOf(n);
  customers.insert(tx, { ...renamed(customer), email, emailKey: email });
  paymentMethods.insert(tx, renamed(method));
  const start = instant(START - ((n * 7919) % 86_400) * 1000);
  subscriptions.insert(tx, { ...begunAt(renamed(subscription), start), checkoutId: null });
  for (const grant of grants) benefitGrants.insert(tx, renamed(grant));
  for (const event of recorded) events.insert(tx, { ...renamed(event), id: newId("evt") });
}

function begunAt(subscription: Subscription, start: Instant): Subscription {
  const { anchorTimeZone: zone, trialEnd, cancelAt, pendingChange } = subscription;
  const period =
    trialEnd === null ? startPeriods(start, zone, subscription) : trialPeriod(start, zone, TRIAL_DAYS, subscription);
  const { currentPeriodEnd: end } = period;
  const plans = { cancelAt: cancelAt && end, pendingChange: pendingChange && { ...pendingChange, effectiveAt: end } };
  return withDerived({ ...subscription, ...period, ...plans, periodNumber: 1, startedAt: start });
}

const recordedStatement = sql(
  "bench.recorded",
  `SELECT ${events.columns()} FROM events WHERE organization_id = $1 AND resource_id = ANY ($2) ORDER BY id`,
);

const TABLES = [
  "subscriptions",
  "benefit_grants",
  "invoices",
  "payments",
  "balances",
  "balance_entries",
  "ledger_transfers",
];
const RECORDED_OF = ["customers", "subscriptions", "benefit_grants", "invoices", "payments"];

// Ids, invoice numbers and URLs differ between two Organizations, so they are blanked. All other data must be equal.
// Events must also be in the same order.
const anonymous = (row: string) =>
  `regexp_replace(row_to_json(${row})::text, '\\m([a-z]{2,3})_[0-9a-z]{26}|INV-[0-9A-Z]{8}|"url":"[^"]*"', '\\1', 'g')`;

const FACTS = `WITH who AS (
     SELECT organization_id, id AS customer_id, email_key FROM customers
     WHERE organization_id = $1 AND email_key > $2 ORDER BY email_key LIMIT 2500
   ), fact AS (
     ${TABLES.map(
       (table) => `SELECT w.email_key, '${table}' AS about, '' AS place, ${anonymous("t")} AS line
     FROM who w JOIN ${table} t USING (organization_id, customer_id)`,
     ).join(" UNION ALL ")}
     UNION ALL SELECT w.email_key, 'invoice_lines', '', ${anonymous("l")}
     FROM who w JOIN invoices i USING (organization_id, customer_id)
     JOIN invoice_lines l ON (l.organization_id, l.invoice_id) = (i.organization_id, i.id)
     UNION ALL SELECT w.email_key, 'events', e.id, ${anonymous("e")}
     FROM who w JOIN (${RECORDED_OF.map(
       (
         table,
       ) => `SELECT organization_id, ${table === "customers" ? "id" : "customer_id"} AS customer_id, id AS resource_id
       FROM ${table}`,
     ).join(" UNION ALL ")}) r USING (organization_id, customer_id)
     JOIN events e USING (organization_id, resource_id)
   )`;
const digestStatement = sql(
  "bench.digest",
  `${FACTS}
   SELECT email_key AS email, count(*) AS facts, count(*) FILTER (WHERE about = 'invoices') AS invoices,
     md5(string_agg(about || line, E'\\n' ORDER BY about, place, line)) AS digest
   FROM fact GROUP BY email_key ORDER BY email_key`,
);

// The digest reads the whole history of thousands of Customers, which may take longer than the usual time limit.
const workerLimitsStatement = sql("bench.patient", "SELECT set_config('statement_timeout', '0', true)");

export type Digest = { sha256: string; facts: number; invoices: number };

/** A digest of the whole history of an Organization's Customers without ids. Equal histories have the same digest. */
export async function digest(ctx: Context, organizationId: string): Promise<Digest> {
  const hash = createHash("sha256");
  const sum = { facts: 0, invoices: 0 };
  for (let after = ""; ;) {
    const rows = await ctx.db.tx((tx) => {
      tx.send(workerLimitsStatement, []);
      return tx.query<Digest & { email: string; digest: string }>(digestStatement, [organizationId, after]);
    }, Infinity);
    for (const { email, digest: own, facts, invoices } of rows) {
      hash.update(`${email} ${own}\n`);
      sum.facts += facts;
      sum.invoices += invoices;
      after = email;
    }
    if (rows.length === 0) return { sha256: hash.digest("hex"), ...sum };
  }
}
