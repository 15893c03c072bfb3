import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { assessed, storeAssessment } from "../support/import-report.ts";
import { wordsOf } from "../support/pages.ts";
import { connectStripe, pollStripe, startStripeBehind } from "../support/stripe.ts";
import { ok } from "../support/story.ts";
import type { StripeServer } from "./stripe/server.ts";

// Refunds and disputes at Stripe of charges that Stripe Billing made before the Customer was imported.

const link = sql(
  "test.earlier_customer",
  `INSERT INTO stripe_customers (organization_id, provider_account, customer_id, ref, payer_hash, created_at,
     updated_at)
   VALUES ($1, $2, $3, $4, '', statement_timestamp(), statement_timestamp())`,
);
const own = sql(
  "test.earlier_import",
  "UPDATE imports SET customer_id = $2 WHERE organization_id = $1 AND customer_ref = $3",
);

let app: TestApp;
let stripe: StripeServer;
let desk: Desk;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
  stripe = await startStripeBehind();
  await connectStripe(app, stripe);
  await pollStripe(app);
  desk = await openDashboard(app);
});
afterAll(async () => {
  await stripe.close();
  await app.close();
});

/** A Customer of both sides, and a charge that Stripe Billing made. `isImported`: the Customer came by an import. */
async function charged(isImported: boolean) {
  const { operations } = stripe;
  const ref = operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
  const card = operations.attachCard(ref);
  const subscription = operations.subscribe(ref, { default_payment_method: card, endsAt: stripe.book.now() - 7200 });
  operations.advance(stripe.book.now() * 1000);
  const { id } = await ok(app.api("POST", "/customers", { email: "ada@example.com", externalId: ref }));
  const { organization, ctx } = app;
  if (isImported) await storeAssessment(app, stripe.accountId, [assessed(subscription, { customerRef: ref })]);
  await ctx.db.tx(async (tx) => {
    await tx.query(link, [organization.id, stripe.accountId, id, ref]);
    await tx.query(own, [organization.id, id, ref]);
  });
  const charge = [...stripe.book.charges.values()].find(({ customer }) => customer === ref)!;
  return { id: String(id), charge: charge.id };
}
const pageOf = async (path: string) => wordsOf((await desk.get(path)).text).replaceAll("\u00a0", " ");
const statusOf = async (object: string) => {
  const { body } = await app.manage("GET", "/provider-notices?limit=100");
  const found = (body.data as { object: string; status: string }[]).filter((each) => each.object === object);
  return [...new Set(found.map(({ status }) => status))];
};

test("they stand on the Customer's page, and change no invoice and no balance", async () => {
  const { id, charge } = await charged(true);
  const refund = stripe.operations.refund(charge, 500);
  const dispute = stripe.operations.dispute(charge, { reason: "product_not_received" });
  await pollStripe(app);
  expect([await statusOf(refund.id), await statusOf(dispute.id)]).toEqual([["taken"], ["taken"]]);
  const home = `/dashboard/${app.organization.id}`;
  const page = await pageOf(`${home}/customers/${id}`);
  expect(page).toContain("Charged before the import");
  expect(page).toMatch(/Refund of US\$5\.00 Succeeded/);
  expect(page).toMatch(/Dispute of US\$15\.00 Open Not received Send the evidence by/);
  expect((await app.manage("GET", `/invoices?customerId=${id}`)).body.data).toEqual([]);
  expect((await app.manage("GET", `/disputes?customerId=${id}`)).body.data).toEqual([]);
  expect(await pageOf(home)).toMatch(/A bank took back US\$15\.00, charged before the import\. Send the evidence by/);

  stripe.operations.closeDispute(dispute.id, "won");
  stripe.operations.failRefund(refund.id);
  await pollStripe(app);
  expect(await pageOf(home)).not.toContain("charged before the import");
  const after = await pageOf(`${home}/customers/${id}`);
  expect(after).toMatch(/Dispute of US\$15\.00 Won/);
  expect(after).toMatch(/Refund of US\$5\.00 Failed/);
});

test("those of a Customer that was not imported stay unmatched", async () => {
  const { id, charge } = await charged(false);
  const { id: refund } = stripe.operations.refund(charge, 500);
  await pollStripe(app);
  expect(await statusOf(refund)).toEqual(["unmatched"]);
  expect(await pageOf(`/dashboard/${app.organization.id}/customers/${id}`)).not.toContain("before the import");
});
