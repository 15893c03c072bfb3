import { refundInvoice } from "../src/actions/refund/request.ts";
import { createCheckout } from "../src/actions/checkout/create.ts";
import { disputePayment } from "../src/actions/dispute/dispute.ts";
import { createOrganizationWithKeys } from "../src/actions/organization/create-organization.ts";
import { ownOrigin } from "../src/actions/origin.ts";
import { payCheckout } from "../src/actions/sandbox/pay-checkout.ts";
import { seed } from "../src/actions/sandbox/seed.ts";
import type { Context } from "../src/context.ts";
import { CreateCheckoutParams, PayCheckoutParams } from "../src/resources/checkout.ts";
import { DisputePaymentParams } from "../src/resources/dispute.ts";
import { CreateRefundParams } from "../src/resources/refund.ts";
import { listPayments } from "../src/store/payments.ts";

/** One copy in so many is rare: its Subscription is past due, its invoice open, and its payment failed. */
export const RARE = 1000;

/** A column of a copy, as SQL over `n`, the number of the copy. */
type Columns = Record<string, string>;

const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
const ids = (prefixes: Record<string, string>): Columns =>
  Object.fromEntries(Object.entries(prefixes).map(([column, prefix]) => [column, idOf(prefix)]));
const rarely = (rare: string, model: string) => `CASE WHEN n % ${RARE} = 0 THEN ${rare} ELSE ${model} END`;
const OWN = { customer_id: "cus", subscription_id: "sub", invoice_id: "inv" };
const NAMES = "to_char(n % 5000, 'FM\"Given\"0000') || ' ' || to_char(n, 'FM\"Family\"0000000')";

/** A third of the copies are of another Product. */
const PRODUCT = `CASE WHEN n % 3 = 0 THEN 'prd_' || lpad('3', 26, '0') ELSE m.product_id END`;

/** The tables of a purchase with a refund and a dispute, and the columns that differ in each copy. */
const TABLES: Record<string, Columns> = {
  customers: {
    ...ids({ id: "cus", default_payment_method_id: "pm" }),
    email: "'buyer-' || n || '@example.com'",
    email_key: "'buyer-' || n || '@example.com'",
    external_id: "'buyer-' || n",
    name: NAMES,
    company_name: rarely("'Company ' || n", "NULL"),
  },
  payment_methods: { ...ids({ id: "pm", customer_id: "cus" }), last4: "to_char(n % 10000, 'FM0000')" },
  subscriptions: {
    ...ids({ id: "sub", customer_id: "cus", checkout_id: "chk" }),
    product_id: PRODUCT,
    status: rarely("'past_due'", "m.status"),
  },
  checkouts: { ...ids({ ...OWN, id: "chk" }), product_id: PRODUCT, status: rarely("'processing'", "m.status") },
  invoices: {
    ...ids({ ...OWN, id: "inv", checkout_id: "chk" }),
    number: "'COPY-' || n",
    status: rarely("'open'", "m.status"),
    paid_at: rarely("NULL", "m.paid_at"),
  },
  payments: {
    ...ids({ ...OWN, id: "pay", provider_key: "pay", payment_method_id: "pm", source_id: "chk", checkout_id: "chk" }),
    status: rarely("'failed'", "m.status"),
  },
  refunds: {
    ...ids({ id: "rfd", customer_id: "cus", invoice_id: "inv", payment_id: "pay", credit_note_id: "crn" }),
    provider_ref: "'ref-' || n",
    status: rarely("'failed'", "m.status"),
  },
  credit_notes: {
    ...ids({ id: "crn", customer_id: "cus", invoice_id: "inv", refund_id: "rfd" }),
    number: "'NOTE-' || n",
  },
  disputes: {
    ...ids({ ...OWN, id: "dsp", payment_id: "pay" }),
    status: rarely("m.status", "'won'"),
  },
};

/** The tables of the logs, which bench/dashboard-pages.ts fills. */
const LOGS = ["events", "emails", "benefit_grants", "audit_log", "api_requests"];
export const LARGE_TABLES: readonly string[] = [...Object.keys(TABLES), ...LOGS];

/** The copies differ in their states alone, so they break the rules of the columns beside the state. */
const WITHOUT_CHECKS = `DO $$ DECLARE found record; BEGIN
  FOR found IN SELECT conrelid::regclass AS table, conname AS name FROM pg_constraint
    WHERE contype = 'c' AND conrelid::regclass::text IN (${LARGE_TABLES.map((table) => `'${table}'`).join(", ")})
  LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.table, found.name); END LOOP; END $$`;

/** A purchase that is really made, its refund and its dispute. */
export async function buyOnce(ctx: Context, organizationId: string): Promise<void> {
  const params = CreateCheckoutParams.parse({ productKey: "pro", customer: { email: "model@example.com" } });
  const { checkout } = await createCheckout(ctx, ownOrigin(organizationId), params);
  const card = PayCheckoutParams.parse({ card: "4242424242424242" });
  const paid = await payCheckout(ctx, organizationId, checkout.id, card);
  await refundInvoice(
    ctx,
    ownOrigin(organizationId),
    paid.checkout.invoiceId!,
    CreateRefundParams.parse({ amount: 100 }),
  );
  const [payment] = await listPayments(ctx.db.read, organizationId, { limit: 1 });
  await disputePayment(ctx, ownOrigin(organizationId), payment!.id, DisputePaymentParams.parse({}));
}

/**
 * A sandbox with one purchase that was really made, its refund and its dispute, and so many copies of all of them in
 * the tables of the lists. Answers the id of the Organization. The copies are for reading: they have no events and no
 * ledger, and the tables lose their checks.
 */
export async function createManyRows(ctx: Context, copies: number): Promise<string> {
  const { organization } = await ctx.db.tx((tx) => createOrganizationWithKeys(tx, { name: "Rows", mode: "sandbox" }));
  await seed(ctx, organization);
  await buyOnce(ctx, organization.id);
  const inserts = Object.entries(TABLES).map(([table, columns]) => {
    const changed = Object.entries(columns).map(([column, sql]) => `'${column}', ${sql}`);
    return `INSERT INTO ${table} SELECT r.* FROM ${table} m CROSS JOIN generate_series(1, ${copies}) n
      CROSS JOIN LATERAL json_populate_record(m, json_build_object(${changed.join(", ")})) r
      WHERE m.organization_id = '${organization.id}'`;
  });
  await ctx.db.script("SET session_replication_role = replica", WITHOUT_CHECKS, ...inserts, "ANALYZE");
  return organization.id;
}
