import { createCheckout } from "../src/actions/checkout/create.ts";
import { createOrganizationWithKeys } from "../src/actions/organization/create-organization.ts";
import { ownOrigin } from "../src/actions/origin.ts";
import { seed } from "../src/actions/sandbox/seed.ts";
import { payCheckout } from "../src/actions/sandbox/pay-checkout.ts";
import type { Context } from "../src/context.ts";
import { CreateCheckoutParams, PayCheckoutParams } from "../src/resources/checkout.ts";
import { benefitGrants } from "../src/store/benefit-grants.ts";
import { customers } from "../src/store/customers.ts";
import { sql } from "../src/store/driver/db.ts";
import { paymentMethods } from "../src/store/payment-methods.ts";
import { subscriptions } from "../src/store/subscriptions.ts";

/** The number of Subscriptions in the database, each with its own Customer. */
export const SUBSCRIPTIONS = 10_000;

/** `checkout`: the id of an open Checkout. */
export type World = { key: string; checkout: string };

/** The id of the n-th copy. The alphabet of ids includes the digits, so the id is well-formed. */
export const copyId = (prefix: string, n: number | string) => `${prefix}_${String(n).padStart(26, "0")}`;

/** A sandbox with the demo's catalogue, one Subscription that was really bought, and its copies. */
export async function createWorld(ctx: Context): Promise<World> {
  const { organization, keys } = await ctx.db.tx((tx) =>
    createOrganizationWithKeys(tx, { name: "Bench", mode: "sandbox" }),
  );
  await seed(ctx, organization);
  const params = CreateCheckoutParams.parse({ productKey: "pro", customer: { email: "buyer@example.com" } });
  const { checkout } = await createCheckout(ctx, ownOrigin(organization.id), params);
  const payment = PayCheckoutParams.parse({ card: "4242424242424242" });
  const paid = await payCheckout(ctx, organization.id, checkout.id, payment);
  await copy(ctx, organization.id, paid.checkout.customerId!, paid.checkout.subscriptionId!);
  const open = await createCheckout(
    ctx,
    ownOrigin(organization.id),
    CreateCheckoutParams.parse({ productKey: "lifetime" }),
  );
  return { key: keys.public, checkout: open.checkout.id };
}

/** The tables of one purchase: the columns that refer to rows of the same copy, with the prefixes of these ids. */
const HISTORY: Record<string, Record<string, string>> = {
  checkouts: { id: "chk", customer_id: "cus", subscription_id: "sub", invoice_id: "inv" },
  invoices: { id: "inv", number: "COPY", customer_id: "cus", subscription_id: "sub", checkout_id: "chk" },
  invoice_lines: { id: "ili", invoice_id: "inv", subscription_id: "sub" },
  payments: {
    id: "pay",
    provider_key: "pay",
    customer_id: "cus",
    subscription_id: "sub",
    payment_method_id: "pm",
    source_id: "chk",
    checkout_id: "chk",
    invoice_id: "inv",
  },
};

/**
 * Writes the purchases of the copies. PostgreSQL keeps plans that it made for nearly empty tables, so the tables are
 * filled before.
 */
async function copyHistory(ctx: Context): Promise<void> {
  const copies = Object.entries(HISTORY).map(([table, columns]) => {
    const named = Object.entries(columns).map(
      ([column, prefix]) => `'${column}', '${prefix}_' || lpad(n::text, 26, '0')`,
    );
    return `INSERT INTO ${table} SELECT r.* FROM ${table} m CROSS JOIN generate_series(1, ${SUBSCRIPTIONS}) n
      CROSS JOIN LATERAL json_populate_record(m, json_build_object(${named.join(", ")})) r`;
  });
  await ctx.db.script("SET session_replication_role = replica", ...copies, "ANALYZE");
}

async function copy(ctx: Context, organizationId: string, customerId: string, subscriptionId: string): Promise<void> {
  const customer = await customers.find(ctx.db.read, organizationId, customerId);
  const subscription = await subscriptions.find(ctx.db.read, organizationId, subscriptionId);
  const grants = await ctx.db.tx((tx) =>
    tx.query<{ id: string }>(sql("bench.grants", "SELECT id FROM benefit_grants WHERE organization_id = $1"), [
      organizationId,
    ]),
  );
  const models = await Promise.all(grants.map(({ id }) => benefitGrants.find(ctx.db.read, organizationId, id)));
  const card = await paymentMethods.find(ctx.db.read, organizationId, customer!.defaultPaymentMethodId!);
  const batch = 500;
  for (let first = 1; first <= SUBSCRIPTIONS; first += batch) {
    await ctx.db.tx(async (tx) => {
      // Foreign keys are not checked: in tables without statistics, each check would read the whole table.
      tx.send(sql("bench.unchecked", "SET LOCAL session_replication_role = replica"), []);
      for (let n = first; n < first + batch; n++) {
        const key = `buyer-${n}@example.com`;
        const owner = copyId("cus", n);
        const cardId = copyId("pm", n);
        const named = {
          id: owner,
          email: key,
          emailKey: key,
          externalId: `buyer-${n}`,
          defaultPaymentMethodId: cardId,
        };
        customers.insert(tx, { ...customer!, ...named });
        paymentMethods.insert(tx, { ...card!, id: cardId, customerId: owner });
        subscriptions.insert(tx, { ...subscription!, id: copyId("sub", n), customerId: owner, checkoutId: null });
        for (const [k, grant] of models.entries()) {
          const id = copyId("bgr", n * 10 + k);
          benefitGrants.insert(tx, { ...grant!, id, customerId: owner, subscriptionId: copyId("sub", n) });
        }
      }
    });
  }
  await copyHistory(ctx);
}
