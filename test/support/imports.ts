import { expect } from "vitest";
import { loadSubscription } from "../../src/actions/import/load-subscription.ts";
import { products } from "../../src/store/products.ts";
import type { StripeServer } from "../payments/stripe/server.ts";
import type { TestApp } from "./app.ts";

let made = 0;

/** Imports one subscription of the local Stripe server: held here, with a Product of its own. */
export async function importHere(app: TestApp, stripe: StripeServer, ref: string) {
  const { ctx, manage } = app;
  const { id: organizationId } = app.organization;
  const connectable = ctx.payments.connectables.get("stripe")!;
  const reader = connectable.reader!(stripe.key);
  const { customer, subscription } = (await reader.subscription(ref))!;
  const { price } = subscription.items[0]!;
  const { status, body } = await manage("POST", "/products", {
    key: `team-${(made += 1)}`,
    name: "Team",
    interval: price.interval,
    prices: [{ currency: price.currency, amount: price.amount }],
  });
  expect(status).toBe(201);
  const product = (await products.find(ctx.db.read, organizationId, body.id))!;
  const from = { organizationId, connectable, account: stripe.accountId, externalId: { metadataKey: null } };
  const upcoming = await reader.upcoming(ref);
  const loaded = await loadSubscription(ctx, from, { customer, subscription, monthly: 2000, upcoming, product });
  if ("obstacle" in loaded) throw new Error(loaded.obstacle);
  const { customerId, subscriptionId } = loaded.row;
  return { customerId: customerId!, subscriptionId: subscriptionId! };
}
