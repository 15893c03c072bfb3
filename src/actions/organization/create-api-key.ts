import { randomBytes } from "node:crypto";
import { realNow } from "../../clock.ts";
import { instant } from "../../domain/calendar.ts";
import { formatSecret, type ApiKey } from "../../domain/organization/api-key.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { newId } from "../../ids.ts";
import type { CreateApiKeyParams } from "../../resources/api-key.ts";
import { apiKeys } from "../../store/api-keys.ts";
import type { Tx } from "../../store/driver/db.ts";
import { digestOf } from "../secret.ts";

const RANDOM_BYTES = 64;

/** `secret`: the only copy of the key as plain text. */
export type NewApiKey = { key: ApiKey; secret: string };

export async function createApiKey(
  tx: Tx,
  organization: Pick<Organization, "id" | "mode">,
  { name, scopes, expiresAt }: CreateApiKeyParams,
): Promise<NewApiKey> {
  const secret = formatSecret(organization.mode, randomBytes(RANDOM_BYTES));
  const key: ApiKey = {
    organizationId: organization.id,
    id: newId("key"),
    name,
    scopes,
    digest: digestOf(secret),
    last4: secret.slice(-4),
    replacedBy: null,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: instant(realNow()),
  };
  apiKeys.insert(tx, key);
  return { key, secret };
}
