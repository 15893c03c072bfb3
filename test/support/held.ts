import { requireSale } from "../../src/domain/model/checkout-sale.ts";
import { runDue } from "../../src/domain/collection/due.ts";
import type { ImportState } from "../../src/domain/import/import.ts";
import {
  importSubscription,
  refreshImported,
  releaseImported,
  type ImportedTerms,
} from "../../src/domain/import/imported-subscription.ts";
import { ownNextInvoice } from "../../src/domain/import/own-invoice.ts";
import type { OwnInvoice } from "../../src/domain/import/totals.ts";
import type { Subscription } from "../../src/domain/model/subscription.ts";
import { inBilling, readCustomerBilling } from "../../src/actions/customer-billing.ts";
import { beginImport, importOf, moveState } from "../../src/store/imports.ts";
import { billingNow, readOrganization } from "../../src/store/organizations.ts";
import { findProductByKey } from "../../src/store/products.ts";
import type { TestApp } from "./app.ts";
import { at } from "./subscription.ts";

const ACCOUNT = { source: "stripe", account: "acct_1" } as const;

/** A month at 28.00 from 20 February 2026 at Stripe, since 20 November. */
export const TERMS: ImportedTerms = {
  source: "stripe",
  ref: "sub_ada",
  quantity: 1,
  unitAmount: 2800,
  startedAt: at("2025-11-20"),
  periodStart: at("2026-02-20"),
  periodEnd: at("2026-03-20"),
  anchorAt: at("2025-11-20"),
  trialEnd: null,
  cancelAt: null,
  discount: null,
  paymentMethodId: null,
  metadata: {},
};

/** Imports a subscription of Stripe, with its row. Returns the held Subscription. */
export async function hold(
  { ctx, organization: { id: organizationId } }: Pick<TestApp, "ctx" | "organization">,
  customerId: string,
  productKey: string,
  more: Partial<ImportedTerms> = {},
): Promise<Subscription> {
  const terms = { ...TERMS, ...more };
  const owner = { ...ACCOUNT, organizationId };
  return ctx.db.tx(async (tx) => {
    const { organization } = await readOrganization(tx, organizationId);
    const product = await findProductByKey(tx, organizationId, productKey);
    const named = { productId: null, productKey, currency: "usd" };
    const sale = requireSale(product, organization, named);
    const subscription = await inBilling(ctx, tx, { organizationId, id: customerId }, (billing) => {
      runDue(billing);
      return importSubscription(billing, sale, terms, { isHeld: true });
    });
    const now = await billingNow(tx, organizationId);
    const read = { ref: terms.ref, customerRef: `cus_of_${terms.ref}`, currency: "usd", monthly: terms.unitAmount };
    const row = await beginImport(tx, owner, { ...read, nextChargeAt: terms.periodEnd }, now);
    await moveState(tx, row, "assessed", "imported", { customerId, subscriptionId: subscription.id }, now);
    return subscription;
  });
}

/** Moves the row of a Subscription to a state, with the instants of this state. */
export function moveRow({ ctx }: Pick<TestApp, "ctx">, subscription: Subscription, state: ImportState): Promise<void> {
  const { organizationId, id } = subscription;
  return ctx.db.tx(async (tx) => {
    const now = await billingNow(tx, organizationId);
    const row = (await importOf(tx, organizationId, id))!;
    const fields = state === "stopping" ? { stoppingAt: now } : state === "moved" ? { movedAt: now } : {};
    await moveState(tx, row, row.state, state, fields, now);
  });
}

const decide = (
  { ctx }: Pick<TestApp, "ctx">,
  { organizationId, id }: Subscription,
  decision: typeof releaseImported,
  terms: ImportedTerms,
): Promise<Subscription> =>
  ctx.db.tx((tx) =>
    inBilling(ctx, tx, { by: "subscription", organizationId, id }, (billing) => {
      runDue(billing);
      return decision(billing, billing.subscriptions.get(id)!, terms);
    }),
  );

/** Brings a held Subscription in line with a later reading. */
export const refresh = (app: Pick<TestApp, "ctx">, subscription: Subscription, more: Partial<ImportedTerms> = {}) =>
  decide(app, subscription, refreshImported, { ...TERMS, ...more });

/** Releases a held Subscription by the last reading, as the cut-over does at its end. */
export async function release(
  app: Pick<TestApp, "ctx">,
  subscription: Subscription,
  more: Partial<ImportedTerms> = {},
): Promise<Subscription> {
  const released = await decide(app, subscription, releaseImported, { ...TERMS, ...more });
  await moveRow(app, subscription, "moved");
  return released;
}

/** The next invoice of a held Subscription, as the import compares it with that of Stripe. */
export const nextTotal = ({ ctx }: Pick<TestApp, "ctx">, subscription: Subscription): Promise<OwnInvoice | null> => {
  const { organizationId, id } = subscription;
  return readCustomerBilling(ctx, { by: "subscription", organizationId, id }, (billing) =>
    ownNextInvoice(billing, billing.subscriptions.get(id)!),
  );
};
