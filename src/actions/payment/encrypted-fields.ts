import {
  sealedFieldOf,
  type ConnectionKey,
  type ProviderConnection,
  type SealedField,
} from "../../domain/model/provider-connection.ts";
import type { Keyring } from "../../keyring.ts";
import { open, seal, type Opened } from "../../encryption.ts";

type Keys = { keyring: Keyring };

/** Encrypts a value for a field of this connection, under the current secret. */
export function sealFor({ keyring }: Keys, key: ConnectionKey, field: SealedField, value: string): string {
  return seal(keyring, sealedFieldOf(key, field), value);
}

/** Decrypts a field of the connection; null if the field is empty. */
export function openField({ keyring }: Keys, connection: ProviderConnection, field: SealedField): Opened | null {
  const sealed = connection[field];
  return sealed === null ? null : open(keyring, sealedFieldOf(connection, field), sealed);
}

/** `variable_missing`: the variable that should hold the key is not set. `removed`: the connection has no key left. */
export type OpenedKey = Opened | { fault: "variable_missing" | "removed" };

/** The keyring, and the values of the environment's variables for keys by their names. */
export type KeySources = Keys & { config: { paymentKeys: ReadonlyMap<string, string> } };

/** The key of the connected account, from the row or from the environment. */
export function openKey(sources: KeySources, connection: ProviderConnection): OpenedKey {
  const { keyVariable } = connection;
  if (keyVariable === null) return openField(sources, connection, "keySealed") ?? { fault: "removed" };
  const value = sources.config.paymentKeys.get(keyVariable);
  return value === undefined ? { fault: "variable_missing" } : { value };
}
