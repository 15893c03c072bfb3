import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { ConnectionKey, ProviderConnection } from "../../domain/model/provider-connection.ts";
import type { AccountRefusal } from "../../domain/model/payment-outcome.ts";
import { newId } from "../../ids.ts";
import type { Connectable, KeyMode, KeyOfAccount, ProbedAccount } from "../../payments/connectable-provider.ts";
import { sealFor } from "./encrypted-fields.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { lockConnection } from "../../store/provider-connections.ts";
import { inboundUrl } from "./inbound-url.ts";
import { recordConnection } from "./record-connection.ts";
import { unchargeablePrices, type UnchargeablePrice } from "./unchargeable-prices.ts";

/** `variable`: the environment variable that holds the key, so that the key is not stored; null: the key is stored. */
export type GivenKey = { key: string; variable: string | null };

/**
 * The reason why no account was connected. `no_key`: `beginning` of the keys that the Organization takes. `mode`: the
 * mode of the key, which is not the Organization's.
 * `permissions`: the permissions that the key lacks.
 */
export type ConnectionFault =
  | { fault: "no_key"; beginning: string }
  | { fault: "mode"; mode: KeyMode }
  | { fault: "key_refused"; reason: AccountRefusal }
  | { fault: "unreachable"; reason: string }
  | { fault: "permissions"; missing: readonly string[] }
  | { fault: "prices"; prices: readonly UnchargeablePrice[] };

/**
 * A connected account. `notices`: `sent`: the provider sends its notices. `private`: the provider can't reach this
 * server. `failed`: the provider did not register the address.
 */
export type Connection = {
  connection: ProviderConnection;
  account: ProbedAccount;
  notices: "sent" | "private" | "failed";
};

/** The account behind the key, or the reason why the Organization can't be connected by this key. */
async function examine(
  connectable: Connectable,
  organization: Organization,
  key: string,
): Promise<ProbedAccount | ConnectionFault> {
  const wanted: KeyMode = organization.mode === "live" ? "live" : "test";
  const mode = connectable.modeOf(key);
  if (mode === null) return { fault: "no_key", beginning: connectable.keyBeginnings[wanted] };
  if (mode !== wanted) return { fault: "mode", mode };
  const probed = await connectable.probe(key);
  if ("unreachable" in probed) return { fault: "unreachable", reason: probed.unreachable };
  if ("refused" in probed) return { fault: "key_refused", reason: probed.refused };
  if (probed.account === null || probed.missing.length > 0) return { fault: "permissions", missing: probed.missing };
  // The provider's own word counts more than the form of the key.
  return probed.mode === wanted ? probed : { fault: "mode", mode: probed.mode };
}

/**
 * Connects an account: new payments of the Organization go there from now on. Only a command on the server may do this,
 * because a leaked API key must not be able to send the money elsewhere. The key is tried before it is stored: a live
 * Organization takes only live keys, and a sandbox only test keys. Cards and payments of an earlier account stay there,
 * and that account stays connected for them. A repetition with another key of the account replaces the key.
 */
export async function connectAccount(
  ctx: Context,
  connectable: Connectable,
  organization: Organization,
  given: GivenKey,
): Promise<Connection | ConnectionFault> {
  const account = await examine(connectable, organization, given.key);
  if ("fault" in account) return account;
  const of: KeyOfAccount = { account: account.account, key: given.key };
  const prices = await unchargeablePrices(ctx, organization.id, connectable);
  if (prices.length > 0) return { fault: "prices", prices };
  const url = inboundUrl(ctx.config, connectable.name, organization.id);
  const secret = url && (await sendNotices(ctx, connectable, of, url));
  const connection = await storeConnected(ctx, organization.id, { connectable, given, account, secret });
  return { connection, account, notices: url === null ? "private" : secret === null ? "failed" : "sent" };
}

/** Null: the provider does not send its notices. Polling is enough, so this does not keep an account out. */
async function sendNotices(
  { log }: Context,
  connectable: Connectable,
  of: KeyOfAccount,
  url: string,
): Promise<string | null> {
  try {
    return (await connectable.sendNotices(of, url)).secret;
  } catch (error) {
    log.warn({ err: error, url }, "the provider sends no notices, so it is polled");
    return null;
  }
}

type Connected = { connectable: Connectable; given: GivenKey; account: ProbedAccount; secret: string | null };

type WebhookSecrets = Pick<ProviderConnection, "webhookSecretSealed" | "previousWebhookSecretSealed">;

/** Without a new secret the earlier ones stay, because an earlier registration may still send notices. */
function secretsAfter(sealed: string | null, before: WebhookSecrets | null): WebhookSecrets {
  const { webhookSecretSealed = null, previousWebhookSecretSealed = null } = before ?? {};
  if (sealed === null) return { webhookSecretSealed, previousWebhookSecretSealed };
  return { webhookSecretSealed: sealed, previousWebhookSecretSealed: webhookSecretSealed };
}

function storeConnected(
  ctx: Context,
  organizationId: string,
  { connectable, given, account, secret }: Connected,
): Promise<ProviderConnection> {
  return ctx.db.tx(async (tx) => {
    await organizations.lock(tx, organizationId);
    const key: ConnectionKey = { organizationId, provider: connectable.name, providerAccount: account.account };
    const before = await lockConnection(tx, key);
    const { organization, now, realNow } = await readOrganization(tx, organizationId);
    const { provider, providerAccount } = key;
    const choice = { provider, providerAccount, version: organization.version + 1, updatedAt: now };
    const chosen = { ...organization, ...choice };
    organizations.update(tx, chosen);
    const connection: ProviderConnection = {
      ...key,
      id: before?.id ?? newId("pac"),
      keySealed: given.variable === null ? sealFor(ctx, key, "keySealed", given.key) : null,
      keyVariable: given.variable,
      ...secretsAfter(secret && sealFor(ctx, key, "webhookSecretSealed", secret), before),
      livemode: account.mode === "live",
      connectedAt: before && before.disconnectedAt === null ? before.connectedAt : realNow,
      disconnectedAt: null,
      version: before?.version ?? 0,
      eventSequence: before?.eventSequence ?? 0,
      createdAt: before?.createdAt ?? realNow,
      updatedAt: realNow,
    };
    return recordConnection(tx, chosen, connection, "connected", now);
  });
}
