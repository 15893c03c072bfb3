import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { endOfOverlap, refusalOf, successorExpiry, type ApiKey } from "../../domain/organization/api-key.ts";
import { instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CreateApiKeyParams, RotateApiKeyParams } from "../../resources/api-key.ts";
import { apiKeys } from "../../store/api-keys.ts";
import type { Tx } from "../../store/driver/db.ts";
import { organizations } from "../../store/organizations.ts";
import type { Origin } from "../origin.ts";
import { createApiKey, type NewApiKey } from "./create-api-key.ts";

async function ownOrganization(tx: Tx, organizationId: string): Promise<Organization> {
  const organization = await organizations.find(tx, organizationId);
  if (!organization) throw new Refusal("not_found");
  return organization;
}

/** @throws Refusal `validation_failed` for an expiry in the past. */
export async function addApiKey(
  ctx: Context,
  origin: Origin<NewApiKey>,
  params: CreateApiKeyParams,
): Promise<NewApiKey> {
  const { expiresAt } = params;
  if (expiresAt !== null && expiresAt <= realNow())
    throw new Refusal("key_expires_in_the_past", { field: "/expiresAt" });
  return origin.transaction(ctx, async (tx) =>
    createApiKey(tx, await ownOrganization(tx, origin.organizationId), params),
  );
}

/**
 * Makes a successor with the same name and scopes; the old key stays valid for the overlap.
 * @throws Refusal `not_found`, `api_key_not_active`.
 */
export async function rotateApiKey(
  ctx: Context,
  origin: Origin<NewApiKey>,
  id: string,
  { overlapSeconds }: RotateApiKeyParams,
): Promise<NewApiKey> {
  return origin.transaction(ctx, async (tx) => {
    const key = await apiKeys.lock(tx, origin.organizationId, id);
    if (!key) throw new Refusal("not_found");
    const now = realNow();
    if (refusalOf(key, now)) throw new Refusal("api_key_not_active");
    const expiry = successorExpiry(key, now);
    const wanted = { name: key.name, scopes: key.scopes, expiresAt: expiry === null ? null : instant(expiry) };
    const successor = await createApiKey(tx, await ownOrganization(tx, key.organizationId), wanted);
    const expiresAt = instant(endOfOverlap(key, now, overlapSeconds * 1000));
    apiKeys.update(tx, { ...key, replacedBy: successor.key.id, expiresAt });
    return successor;
  });
}

/**
 * Revokes a key. The revocation takes effect within a second on every process. A repeated revocation has no effect.
 * `callingKeyId`: the key of the request, or null.
 * @throws Refusal `not_found`, `api_key_in_use` for the calling key.
 */
export async function revokeApiKey(
  ctx: Context,
  origin: Origin<ApiKey>,
  id: string,
  callingKeyId: string | null,
): Promise<ApiKey> {
  return origin.transaction(ctx, async (tx) => {
    const key = await apiKeys.lock(tx, origin.organizationId, id);
    if (!key) throw new Refusal("not_found");
    if (id === callingKeyId) throw new Refusal("api_key_in_use");
    const revoked = { ...key, revokedAt: key.revokedAt ?? instant(realNow()) };
    if (key.revokedAt === null) apiKeys.update(tx, revoked);
    return revoked;
  });
}
