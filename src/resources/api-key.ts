import * as z from "zod";
import type { ApiKey, ApiKeyScope } from "../domain/organization/api-key.ts";
import { id, instantParam, orNull, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

const SCOPES = ["public", "manage"] as const satisfies readonly ApiKeyScope[];
const LONGEST_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

export const ApiKeyResource = z
  .object({
    id: id("key"),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    last4: z.string().meta({ description: "The secret's last four characters." }),
    replacedBy: id("key").nullable().meta({ description: "The successor that a rotation made." }),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: "Exact to the minute." }),
    createdAt: timestamp,
  })
  .meta({ id: "ApiKey" });
export type ApiKeyResource = z.infer<typeof ApiKeyResource>;

export const NewApiKeyResource = z
  .object({
    ...ApiKeyResource.shape,
    secret: z.string().meta({ description: "The bearer token. Only this answer shows it." }),
  })
  .meta({ id: "NewApiKey" });

export const CreateApiKeyParams = z
  .strictObject({
    name: text(256),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(SCOPES.length)
      .transform((scopes) => [...new Set(scopes)]),
    expiresAt: orNull(instantParam),
  })
  .meta({ id: "CreateApiKeyParams" });
export type CreateApiKeyParams = z.infer<typeof CreateApiKeyParams>;

export const RotateApiKeyParams = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(LONGEST_OVERLAP_SECONDS)
      .meta({ description: "The time that the old key stays valid, at most until its own expiry." }),
  })
  .meta({ id: "RotateApiKeyParams" });
export type RotateApiKeyParams = z.infer<typeof RotateApiKeyParams>;

export const ListApiKeysQuery = z.strictObject(pageQuery("key"));
export type ListApiKeysQuery = z.infer<typeof ListApiKeysQuery>;

export function presentApiKey(key: ApiKey): ApiKeyResource {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    last4: key.last4,
    replacedBy: key.replacedBy,
    expiresAt: time(key.expiresAt),
    revokedAt: time(key.revokedAt),
    lastUsedAt: time(key.lastUsedAt),
    createdAt: time(key.createdAt),
  };
}
