import { sealFor } from "../../src/actions/payment/encrypted-fields.ts";
import { createKeyring } from "../../src/keyring.ts";
import { storeConnection } from "../../src/store/provider-connections.ts";
import { newId } from "../../src/ids.ts";
import { readOrganization } from "../../src/store/organizations.ts";
import type { ProviderConnection } from "../../src/domain/model/provider-connection.ts";
import type { Database } from "../../src/store/driver/db.ts";

/** A connection to keep, by default at `stripe`. Keys are plain here, and are encrypted under `secret`. */
export type Wanted = {
  organizationId: string;
  provider?: string;
  account: string;
  secret: string;
  key?: string;
  webhookSecret?: string;
  more?: Partial<ProviderConnection>;
};

/** Keeps connections, as if an operator had connected them. No account is asked. */
export async function connect(db: Database, ...wanted: Wanted[]): Promise<void> {
  await db.tx(async (tx) => {
    for (const { organizationId, provider = "stripe", account, secret, key, webhookSecret, more } of wanted) {
      const { organization, realNow: at } = await readOrganization(tx, organizationId);
      const row = { organizationId, provider, providerAccount: account };
      const keys = { keyring: createKeyring(secret) };
      const sealed = (value: string | undefined, field: "keySealed" | "webhookSecretSealed") =>
        value === undefined ? null : sealFor(keys, row, field, value);
      storeConnection(tx, {
        ...row,
        id: newId("pac"),
        version: 1,
        eventSequence: 0,
        keySealed: sealed(key, "keySealed"),
        keyVariable: null,
        webhookSecretSealed: sealed(webhookSecret, "webhookSecretSealed"),
        previousWebhookSecretSealed: null,
        livemode: organization.mode === "live",
        connectedAt: at,
        disconnectedAt: null,
        createdAt: at,
        updatedAt: at,
        ...more,
      });
    }
  });
}
