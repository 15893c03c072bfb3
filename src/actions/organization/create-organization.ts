import { realNow } from "../../clock.ts";
import { instant, isTimeZone, type Instant } from "../../domain/calendar.ts";
import { isCurrency } from "../../domain/currency.ts";
import { DEFAULT_DUNNING, type Organization } from "../../domain/model/organization.ts";
import { NO_ADDRESSES } from "../../domain/organization/seller-links.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import type { Tx } from "../../store/driver/db.ts";
import { planCount } from "../../store/metrics.ts";
import { organizations } from "../../store/organizations.ts";
import { createApiKey } from "./create-api-key.ts";

/**
 * `timeZone` is UTC by default, `currency` usd. `clock`: the instant of a sandbox's clock, which stands still; without
 * `clock`, the sandbox follows real time (rule T1).
 */
export type NewOrganization = {
  name: string;
  mode: "live" | "sandbox";
  timeZone?: string;
  clock?: Instant;
  currency?: string;
};

const MAX_NAME_CHARACTERS = 128;

function check({ name, mode, timeZone, clock, currency }: NewOrganization): void {
  if (name.trim() === "" || name.length > MAX_NAME_CHARACTERS) {
    throw new Refusal("invalid_name", { field: "/name", most: MAX_NAME_CHARACTERS });
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new Refusal("invalid_time_zone", { field: "/timeZone", timeZone });
  }
  if (currency !== undefined && !isCurrency(currency)) {
    throw new Refusal("invalid_currency", { field: "/defaultCurrency", currency });
  }
  if (clock !== undefined && mode !== "sandbox") throw new Refusal("clock_not_allowed", { field: "/clock" });
}

/** Makes a tenant with the usual settings. @throws Refusal `validation_failed`. */
export async function createOrganization(tx: Tx, wanted: NewOrganization): Promise<Organization> {
  check(wanted);
  const now = wanted.clock ?? instant(realNow());
  const organization: Organization = {
    id: newId("org"),
    name: wanted.name.trim(),
    mode: wanted.mode,
    timeZone: wanted.timeZone ?? "UTC",
    defaultCurrency: wanted.currency ?? "usd",
    defaultProration: "invoice_now",
    quantityRise: "invoice_now",
    quantityFall: "invoice_now",
    retryDays: [...DEFAULT_DUNNING.retryDays],
    graceDays: DEFAULT_DUNNING.graceDays,
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
    clockAt: wanted.clock ?? null,
    clockTarget: null,
    clockLeaseUntil: null,
    clockDone: 0,
    catchUpSince: null,
    catchUpApprovedUntil: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  organizations.insert(tx, organization);
  planCount(tx, organization.id);
  return organization;
}

export type OrganizationWithKeys = { organization: Organization; keys: { public: string; manage: string } };

/** As `createOrganization`, with a key for each surface. The secrets of the keys are shown only this once. */
export async function createOrganizationWithKeys(tx: Tx, wanted: NewOrganization): Promise<OrganizationWithKeys> {
  const organization = await createOrganization(tx, wanted);
  const keyFor = async (scope: "public" | "manage") =>
    (await createApiKey(tx, organization, { name: scope, scopes: [scope], expiresAt: null })).secret;
  return { organization, keys: { public: await keyFor("public"), manage: await keyFor("manage") } };
}
