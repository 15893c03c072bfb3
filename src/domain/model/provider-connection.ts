import type { Instant } from "../calendar.ts";

/**
 * An account at a payment provider that an operator has connected to an Organization. Sealed values are encrypted
 * (`src/encryption.ts`). Until its end, a connection has either `keySealed` or `keyVariable`.
 */
export type ProviderConnection = {
  organizationId: string;
  id: string;
  provider: string;
  providerAccount: string;
  keySealed: string | null;
  /** The name of an environment variable that holds the key: `BILLOW_PAYMENTS_…`. */
  keyVariable: string | null;
  /** Verifies the provider's notices; null: the provider is polled. */
  webhookSecretSealed: string | null;
  /** The secret before the last connecting. It verifies notices for a day more (`previousSecretCounts`). */
  previousWebhookSecretSealed: string | null;
  /** Whether the key moves real money. */
  livemode: boolean;
  connectedAt: Instant;
  disconnectedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The fields with encrypted values, and the name under which each field is encrypted. */
export const SEALED_FIELDS = {
  keySealed: "key",
  webhookSecretSealed: "webhook_secret",
  // The same name, so that a secret becomes the previous one without being encrypted anew.
  previousWebhookSecretSealed: "webhook_secret",
} as const;

export type SealedField = keyof typeof SEALED_FIELDS;
export type SealedValues = Pick<ProviderConnection, SealedField>;
/** The key of a connection's row. */
export type ConnectionKey = Pick<ProviderConnection, "organizationId" | "provider" | "providerAccount">;

/**
 * The place for which a field's value is encrypted (`src/encryption.ts`). The place names the account, so that a value
 * in another row can't be opened.
 */
export function sealedFieldOf({ organizationId, provider, providerAccount }: ConnectionKey, field: SealedField) {
  return { organizationId, field: `provider_connections/${provider}/${providerAccount}/${SEALED_FIELDS[field]}` };
}

/** Notices that are under way at a change of the secret, and their first repetitions, still find their secret. */
const PREVIOUS_SECRET_MILLISECONDS = 24 * 3_600_000;

/**
 * Whether the previous webhook secret still verifies notices: for a day after the last connecting. `now`: real time.
 */
export function previousSecretCounts({ updatedAt }: Pick<ProviderConnection, "updatedAt">, now: number): boolean {
  return now - updatedAt < PREVIOUS_SECRET_MILLISECONDS;
}
