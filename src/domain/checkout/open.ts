import { instant, type Instant } from "../calendar.ts";
import type { Metadata } from "../catalogue/product.ts";
import type { Organization } from "../organization/organization.ts";
import { newId } from "../../ids.ts";

const MINUTE_MILLISECONDS = 60_000;
const DEFAULT_MINUTES = 24 * 60;

/** How a Checkout is asked for; without minutes it is open for a day. */
export type Wishes = { successUrl: string | null; cancelUrl: string | null; expiresInMinutes: number | null; metadata: Metadata };

/** The part of a new Checkout that does not depend on the sale: it is open from now on, until it expires (rule C5). */
export function openFields(organization: Organization, { successUrl, cancelUrl, expiresInMinutes, metadata }: Wishes, now: Instant) {
  const expiresAt = instant(now + (expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE_MILLISECONDS);
  return {
    organizationId: organization.id,
    id: newId("chk"),
    status: "open" as const,
    successUrl,
    cancelUrl,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    metadata,
    expiresAt,
    completedAt: null,
    dueAt: expiresAt,
    simulated: organization.clockAt !== null,
    version: 0,
    eventSequence: 0,
    createdAt: now,
    updatedAt: now,
  };
}
