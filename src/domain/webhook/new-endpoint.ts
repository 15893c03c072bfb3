import { newId } from "../../ids.ts";
import type { Instant } from "../calendar.ts";
import type { WebhookEndpoint } from "./webhook.ts";

type Wanted = Pick<WebhookEndpoint, "kind" | "url" | "events" | "description" | "secret" | "expiresAt">;

/** An enabled endpoint without any delivery. */
export function newEndpoint(organizationId: string, wanted: Wanted, now: Instant): WebhookEndpoint {
  return {
    ...wanted,
    organizationId,
    id: newId("whk"),
    previousSecrets: [],
    status: "enabled",
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    failedAt: null,
    pausedUntil: null,
    recoveredAt: null,
    deletedAt: null,
    version: 1,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}
