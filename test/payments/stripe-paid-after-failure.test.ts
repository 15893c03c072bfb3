import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyOrganization } from "../../src/actions/verify.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, post } from "../support/pages.ts";
import { ok } from "../support/story.ts";
import { connectStripe, pollStripe, startStripeBehind } from "../support/stripe.ts";
import { payOn } from "./stripe/buyer.ts";
import type { StripeServer } from "./stripe/server.ts";
import { answerOnPage } from "./stripe-world.ts";

const AUTHENTICATES = "4000 0000 0000 3220";

let app: TestApp;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await startStripeBehind();
  app = await startTestApp();
  await connectStripe(app, stripe);
});
afterAll(async () => {
  await app.ctx.db.tx((tx) => tx.query(forget, [app.organization.id]));
  await app.close();
  await stripe.close();
});

const forget = sql("test.paid_after_failure_forget", "DELETE FROM provider_book WHERE organization_id = $1");
/** The outcome that an earlier release stored at the end of each page. */
const settle = sql(
  "test.paid_after_failure_settle",
  `UPDATE stripe_requests SET outcome = '{"status":"declined","code":"canceled"}', given_up = true
   WHERE organization_id = $1 AND outcome IS NULL`,
);
const broken = async () => (await verifyOrganization(app.ctx, app.organization)).disagreements.map(({ rule }) => rule);
const notices = async () => (await ok(app.manage("GET", "/organization"))).notices.map(({ type }: Json) => type);

test("money that was taken for a payment stored as failed is told at once, and not only at night", async () => {
  const plan = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await ok(app.manage("POST", "/products", plan));
  const customer = { email: "ada@example.com" };
  const checkout = await ok(app.api("POST", "/checkouts", { productKey: "pro", customer }));
  const { url } = checkout;
  // Billow asks for events from now on.
  await pollStripe(app);
  const page = redirectOf(url, await post(url, { expectedAmount: "3000" }));
  stripe.operations.onExpiry("holds");
  // Stripe does not stop the authentication that the buyer has begun.
  const { location } = await payOn(page, AUTHENTICATES);
  await app.ctx.db.tx((tx) => tx.query(settle, [app.organization.id]));
  const [session] = [...stripe.book.sessions.values()];
  await get(session!.cancel_url!);
  await get(url);
  expect(await broken()).toEqual([]);

  // The bank's answer comes afterwards, and Stripe tells of the charge.
  await answerOnPage(location!, true);
  await pollStripe(app);
  const payment = (await ok(app.manage("GET", "/payments"))).data[0];
  expect(payment).toMatchObject({ status: "failed", amount: 3000 });
  expect(await broken()).toEqual(["book_charge_open"]);
  expect(await notices()).toContain("provider_book_differs");
});
