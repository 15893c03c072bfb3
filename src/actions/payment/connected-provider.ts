import { realNow } from "../../clock.ts";
import {
  previousSecretCounts,
  type ConnectionKey,
  type ProviderConnection,
} from "../../domain/model/provider-connection.ts";
import type { Connectable } from "../../payments/connectable-provider.ts";
import { limited, type LimiterOf } from "../../payments/limiter.ts";
import type { Connected, PaymentProvider } from "../../payments/provider.ts";
import type { Database } from "../../store/driver/db.ts";
import { findConnection } from "../../store/provider-connections.ts";
import { openField, openKey, type KeySources } from "./encrypted-fields.ts";

type Parts = KeySources & {
  db: Pick<Database, "read">;
  connectables: ReadonlyMap<string, Connectable>;
  limiterOf: LimiterOf;
};

/**
 * A process uses a connection for this long before it reads the row again. So a new key or a disconnection counts
 * within this time in every process, and most charges cost no statement more.
 */
const FRESH_MILLISECONDS = 5_000;

/** `state`: changes whenever the provider has to be opened anew. */
type Known = { provider: PaymentProvider | null; state: string };
type Reading = { at: number; known: Promise<Known> };

const CLOSED: Known = { provider: null, state: "" };

async function openConnection(
  parts: Parts,
  connection: ProviderConnection,
  withPrevious: boolean,
): Promise<PaymentProvider | null> {
  const connectable = parts.connectables.get(connection.provider);
  const key = openKey(parts, connection);
  if (!connectable || "fault" in key) return null;
  const secrets = [
    openField(parts, connection, "webhookSecretSealed"),
    withPrevious ? openField(parts, connection, "previousWebhookSecretSealed") : null,
  ];
  const webhookSecrets = secrets.flatMap((secret) => (secret && "value" in secret ? [secret.value] : []));
  const provider = await connectable.open({ account: connection.providerAccount, key: key.value, webhookSecrets });
  return limited(provider, parts.limiterOf(provider));
}

/** Finds the providers of connected accounts, within the providers' limits, and keeps them open. */
export function openConnected(parts: Parts): Connected {
  const readings = new Map<string, Reading>();

  async function read(key: ConnectionKey, before: Promise<Known> | null): Promise<Known> {
    const connection = await findConnection(parts.db.read, key);
    if (!connection || connection.disconnectedAt !== null) return CLOSED;
    const withPrevious = previousSecretCounts(connection, realNow());
    const state = `${connection.version} ${withPrevious}`;
    const known = (await before?.catch(() => CLOSED)) ?? CLOSED;
    // An adapter asks once for each object whether the key belongs to the account, so the same object stays.
    return known.state === state ? known : { state, provider: await openConnection(parts, connection, withPrevious) };
  }

  return async (organizationId, { provider, providerAccount }) => {
    const name = `${organizationId} ${provider} ${providerAccount}`;
    const last = readings.get(name);
    if (last && performance.now() - last.at < FRESH_MILLISECONDS) return (await last.known).provider;
    const known = read({ organizationId, provider, providerAccount }, last?.known ?? null);
    const reading = { at: performance.now(), known };
    readings.set(name, reading);
    try {
      return (await known).provider;
    } catch (error) {
      // A lost database must not count for seconds.
      if (readings.get(name) === reading) readings.delete(name);
      throw error;
    }
  };
}
