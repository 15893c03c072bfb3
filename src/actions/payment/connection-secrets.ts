import type { Context } from "../../context.ts";
import {
  SEALED_FIELDS,
  type ConnectionKey,
  type ProviderConnection,
  type SealedField,
  type SealedValues,
} from "../../domain/model/provider-connection.ts";
import { openField, sealFor } from "./encrypted-fields.ts";
import { isUnderCurrentSecret } from "../../encryption.ts";
import { everyConnection, lockConnection, reseal } from "../../store/provider-connections.ts";

type Keys = Pick<Context, "keyring">;

/**
 * `current` or `previous`: the value opens under BILLOW_SECRET or under a previous secret. `unknown_key`: no secret of
 * this process encrypted the value. `damaged`: the value was changed, or moved from another row.
 */
export type SealedState = "current" | "previous" | "unknown_key" | "damaged";
/** An encrypted value in the database. */
export type StoredSecret = ConnectionKey & { field: SealedField; state: SealedState };

const FIELDS = Object.keys(SEALED_FIELDS) as SealedField[];

function statesOf(ctx: Keys, connection: ProviderConnection): StoredSecret[] {
  const { organizationId, provider, providerAccount } = connection;
  return FIELDS.flatMap((field) => {
    const opened = openField(ctx, connection, field);
    if (opened === null) return [];
    const under = isUnderCurrentSecret(ctx.keyring, connection[field]!) ? "current" : "previous";
    return [{ organizationId, provider, providerAccount, field, state: "fault" in opened ? opened.fault : under }];
  });
}

/** Every encrypted value of all Organizations. */
export async function* storedSecrets(ctx: Keys & Pick<Context, "db">): AsyncGenerator<StoredSecret> {
  for await (const connection of everyConnection(ctx.db.read)) yield* statesOf(ctx, connection);
}

/** Encrypts the values of a previous secret anew. Values that can't be opened stay as they are. */
function resealed(ctx: Keys, connection: ProviderConnection): SealedValues {
  const { keySealed, webhookSecretSealed, previousWebhookSecretSealed } = connection;
  const values: SealedValues = { keySealed, webhookSecretSealed, previousWebhookSecretSealed };
  for (const { field, state } of statesOf(ctx, connection)) {
    const opened = openField(ctx, connection, field);
    if (state === "previous" && opened && "value" in opened)
      values[field] = sealFor(ctx, connection, field, opened.value);
  }
  return values;
}

/** `kept`: the values that were under the current secret already. `unopened`: the values that could not be opened. */
export type Rotation = { reencrypted: number; kept: number; unopened: StoredSecret[] };

/** Encrypts the values of a connection anew. The row is locked, because another process may have stored other values. */
function rotate({ db, keyring }: Keys & Pick<Context, "db">, key: ConnectionKey): Promise<StoredSecret[]> {
  return db.tx(async (tx) => {
    const connection = await lockConnection(tx, key);
    if (connection === null) return [];
    reseal(tx, connection, resealed({ keyring }, connection));
    return statesOf({ keyring }, connection);
  });
}

/**
 * Encrypts every value under a previous secret anew, under the current secret. Commits each connection by itself, so
 * that a repetition after a kill goes on.
 */
export async function rotateSecrets(ctx: Keys & Pick<Context, "db">): Promise<Rotation> {
  const secrets: StoredSecret[] = [];
  for await (const connection of everyConnection(ctx.db.read)) {
    const found = statesOf(ctx, connection);
    const isPrevious = found.some(({ state }) => state === "previous");
    secrets.push(...(isPrevious ? await rotate(ctx, connection) : found));
  }
  return {
    reencrypted: secrets.filter(({ state }) => state === "previous").length,
    kept: secrets.filter(({ state }) => state === "current").length,
    unopened: secrets.filter(({ state }) => state === "unknown_key" || state === "damaged"),
  };
}
