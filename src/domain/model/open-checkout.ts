import { instant, MINUTE, type Instant } from "../calendar.ts";
import type { Metadata } from "./product.ts";
import type { Locale } from "../locale.ts";
import type { Organization } from "./organization.ts";
import { newId } from "../../ids.ts";

const DEFAULT_MINUTES = 24 * 60;

/** The options of a new Checkout. Without minutes the Checkout is open for a day. */
export type CheckoutOptions = {
  successUrl: string | null;
  cancelUrl: string | null;
  locale: Locale | null;
  expiresInMinutes: number | null;
  metadata: Metadata;
  /** Whether the buyer may type a discount code. */
  allowDiscountCodes: boolean;
  /** The payment link that sells the Product. */
  paymentLinkId?: string | undefined;
};

/** The fields of a new Checkout that do not depend on the sale: the Checkout is open until it expires (rule C5). */
export function openFields(
  organization: Organization,
  { paymentLinkId, allowDiscountCodes, expiresInMinutes, ...options }: CheckoutOptions,
  now: Instant,
) {
  const expiresAt = instant(now + (expiresInMinutes ?? DEFAULT_MINUTES) * MINUTE);
  return {
    organizationId: organization.id,
    id: newId("chk"),
    status: "open" as const,
    paymentLinkId: paymentLinkId ?? null,
    allowDiscountCodes,
    successUrl: options.successUrl,
    cancelUrl: options.cancelUrl,
    locale: options.locale,
    lastPaymentError: null,
    failedAttempts: 0,
    submittedAt: null,
    metadata: options.metadata,
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
