import type { Context } from "../../context.ts";
import type { ConnectionKey, ProviderConnection } from "../../domain/model/provider-connection.ts";
import { openKey } from "./encrypted-fields.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import { lockConnection } from "../../store/provider-connections.ts";
import { inboundUrl } from "./inbound-url.ts";
import { recordConnection } from "./record-connection.ts";

/** `noticesLeft`: the provider could not be asked to end its notices, so the address is still registered there. */
export type Disconnection = { connection: ProviderConnection; noticesLeft: boolean };

const NO_SECRETS = {
  keySealed: null,
  keyVariable: null,
  webhookSecretSealed: null,
  previousWebhookSecretSealed: null,
};

type Ended = { before: ProviderConnection; connection: ProviderConnection };

function end(ctx: Context, key: ConnectionKey): Promise<Ended | null> {
  return ctx.db.tx(async (tx) => {
    if (!(await organizations.lock(tx, key.organizationId))) return null;
    const before = await lockConnection(tx, key);
    if (!before || before.disconnectedAt !== null) return null;
    const { organization, now, realNow } = await readOrganization(tx, key.organizationId);
    const isCurrent = organization.provider === key.provider && organization.providerAccount === key.providerAccount;
    const next = { ...organization, provider: null, providerAccount: null, version: organization.version + 1 };
    if (isCurrent) organizations.update(tx, { ...next, updatedAt: now });
    const ended = { ...before, ...NO_SECRETS, disconnectedAt: realNow, updatedAt: realNow };
    return { before, connection: await recordConnection(tx, organization, ended, "disconnected", now) };
  });
}

/**
 * Ends the provider's notices with the key that was just deleted. A key that the provider no longer accepts must not
 * keep an operator from disconnecting, so this comes last and may fail.
 */
async function endNotices(ctx: Context, before: ProviderConnection): Promise<boolean> {
  const { organizationId, provider } = before;
  const url = inboundUrl(ctx.config, provider, organizationId);
  if (before.webhookSecretSealed === null) return false;
  const connectable = ctx.payments.connectables.get(provider);
  const key = openKey(ctx, before);
  if (!connectable || url === null || "fault" in key) return true;
  try {
    await connectable.endNotices({ account: before.providerAccount, key: key.value }, url);
    return false;
  } catch (error) {
    ctx.log.warn({ err: error, organizationId }, "the provider goes on sending notices, which are refused");
    return true;
  }
}

/**
 * Deletes the key of an account. The cards of the account can't be charged any more, and Billow can't refund its
 * payments. If new payments went there, a live Organization takes no payments from now on, and a sandbox goes back to
 * the built-in provider. A later `connectAccount` takes all of this up again. Null: the account is not connected.
 */
export async function disconnectAccount(ctx: Context, key: ConnectionKey): Promise<Disconnection | null> {
  const ended = await end(ctx, key);
  if (!ended) return null;
  return { connection: ended.connection, noticesLeft: await endNotices(ctx, ended.before) };
}
