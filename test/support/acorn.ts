import { openField, openKey } from "../../src/actions/payment/encrypted-fields.ts";
import type { Context } from "../../src/context.ts";
import type { Connected, PaymentProvider } from "../../src/payments/provider.ts";
import { sql } from "../../src/store/driver/db.ts";
import { findConnection } from "../../src/store/provider-connections.ts";
import { createAcornProvider } from "../payments/toy/acorn.ts";
import type { Acorn } from "../payments/toy/server.ts";
import type { Json, TestApp } from "./app.ts";
import { connect } from "./connections.ts";
import { post } from "./pages.ts";
import { ok } from "./story.ts";

/** Finds the providers of the connections with this Acorn, as the server finds the providers of Billow itself. */
export function acornConnections(ctx: Context, { url }: Acorn): Connected {
  // One object for one connection, because the limits of a provider count for its object.
  const providers = new Map<string, PaymentProvider>();
  return async (organizationId, account) => {
    const connection = await findConnection(ctx.db.read, { organizationId, ...account });
    if (!connection || connection.provider !== "acorn" || connection.disconnectedAt !== null) return null;
    const key = openKey(ctx, connection);
    if (!("value" in key)) return null;
    const opened = [openField(ctx, connection, "webhookSecretSealed")];
    opened.push(openField(ctx, connection, "previousWebhookSecretSealed"));
    const secrets = opened.flatMap((each) => (each && "value" in each ? [each.value] : []));
    const settings = { url, account: account.providerAccount, key: key.value, secrets };
    return providers.getOrInsertComputed(JSON.stringify([organizationId, settings]), () =>
      createAcornProvider(settings),
    );
  };
}

const providerStatement = sql(
  "test.sells_through",
  "UPDATE organizations SET provider = 'acorn', provider_account = $2 WHERE id = $1",
);

type Wanted = { organizationId?: string; notices?: boolean; disconnected?: boolean };

/** Lets an Organization sell through Acorn, as if an operator had connected the account. */
export async function sellThrough(acorn: Acorn, app: TestApp, wanted: Wanted = {}): Promise<void> {
  const { ctx } = app;
  const { organizationId = app.organization.id, notices = true, disconnected = false } = wanted;
  const { account, key, bank } = acorn;
  const secret = ctx.config.secret!;
  const connection = { organizationId, provider: "acorn", account, secret, key };
  await connect(ctx.db, { ...connection, ...(notices && { webhookSecret: bank.secret }) });
  if (disconnected)
    await ctx.db.tx(async (tx) => {
      await tx.query(disconnectStatement, [organizationId]);
      await tx.query(leaveStatement, [organizationId]);
    });
  else await ctx.db.tx((tx) => tx.query(providerStatement, [organizationId, account]));
  ctx.payments.connected = acornConnections(ctx, acorn);
}

const disconnectStatement = sql(
  "test.disconnect",
  "UPDATE provider_connections SET disconnected_at = connected_at, poll_at = NULL WHERE organization_id = $1",
);
const leaveStatement = sql(
  "test.leave_acorn",
  "UPDATE organizations SET provider = NULL, provider_account = NULL WHERE id = $1",
);

/** A Checkout whose buyer waits on Acorn's page, and the address of that page. */
export async function toAcornsPage(app: TestApp, params: object): Promise<{ checkout: Json; url: string }> {
  const checkout = await ok(app.api("POST", "/checkouts", params));
  // The page still asks for a card. Acorn's page asks again, so the typed card goes nowhere.
  const typed = { number: "4242424242424242", expiry: "12 / 40", cvc: "123" };
  await post(checkout.url, { ...typed, expectedAmount: String(checkout.totalAmount) });
  const { data } = await ok(app.manage("GET", `/payments?limit=1`));
  return { checkout, url: data[0].nextAction.url };
}
