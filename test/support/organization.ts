import type { Organization } from "../../src/domain/model/organization.ts";
import { NO_ADDRESSES } from "../../src/domain/organization/seller-links.ts";
import { at } from "./subscription.ts";

const SINCE = at("2025-06-01");

/** A sandbox with the usual settings, on the day of the decisions of `account.ts`. */
export function organizationWith(others: Partial<Organization> = {}): Organization {
  return {
    id: "org_1",
    name: "Seller",
    mode: "sandbox",
    timeZone: "UTC",
    defaultCurrency: "usd",
    defaultProration: "next_invoice",
    quantityRise: "next_invoice",
    quantityFall: "next_invoice",
    retryDays: [3, 7, 14, 21],
    graceDays: 7,
    taxRates: [],
    branding: { displayName: null, accentColor: null, logoUrl: null },
    emailsOff: [],
    portalOff: [],
    portalOn: [],
    portalProducts: null,
    portalPause: null,
    invoicePrefix: "INV",
    legalName: null,
    address: null,
    taxId: null,
    contactEmail: null,
    ...NO_ADDRESSES,
    provider: null,
    providerAccount: null,
    sandboxEntry: "typed",
    supportRefundLimit: null,
    clockAt: at("2025-06-16"),
    clockTarget: null,
    clockLeaseUntil: null,
    clockDone: 0,
    catchUpSince: null,
    catchUpApprovedUntil: null,
    version: 1,
    createdAt: SINCE,
    updatedAt: SINCE,
    ...others,
  };
}
