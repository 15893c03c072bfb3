import type { Address } from "../tax/address.ts";
import type { Instant } from "../calendar.ts";
import type { SwitchedEmailKind } from "./email.ts";
import { SANDBOX, type ProviderAccount } from "./payment-outcome.ts";
import type { ProrationBehavior } from "./proration.ts";
import type { PortalAction, PortalPause } from "./portal-settings.ts";
import type { TaxId } from "../tax/tax-id.ts";
import type { TaxRate } from "../tax/tax.ts";

/** Name, colour and logo of the hosted pages. `accentColor`: `#rrggbb`. */
export type Branding = { displayName: string | null; accentColor: string | null; logoUrl: string | null };

/** How buyers of a sandbox give their card: typed on our page, or on a page of the built-in provider. */
export const SANDBOX_ENTRIES = ["typed", "hosted"] as const;
export type SandboxEntry = (typeof SANDBOX_ENTRIES)[number];

/** The tenant, with its own keys, data and clock. */
export type Organization = {
  id: string;
  name: string;
  mode: "live" | "sandbox";
  /** The IANA zone in which new Subscriptions are anchored (rule T2). */
  timeZone: string;
  defaultCurrency: string;
  defaultProration: ProrationBehavior;
  /** The defaults of a change of the quantity alone: of a rise, and of a fall (rule Q7). */
  quantityRise: ProrationBehavior;
  quantityFall: ProrationBehavior;
  /** Days after the first failure on which a charge is tried again (rule D3a). */
  retryDays: number[];
  /** Days after the first failure until grants are revoked (rule D4). */
  graceDays: number;
  taxRates: TaxRate[];
  branding: Branding;
  /** Kinds of e-mail that buyers do not get. */
  emailsOff: SwitchedEmailKind[];
  /** Operations that the portal does not allow (rule I10). */
  portalOff: PortalAction[];
  /** Operations that the portal allows because the seller switched them on (rule I10a). */
  portalOn: PortalAction[];
  /** The Products that a Customer may change to in the portal; null: every Product of the group. */
  portalProducts: string[] | null;
  /** Null: a Customer makes no pause in the portal (rule S8l). */
  portalPause: PortalPause | null;
  invoicePrefix: string;
  legalName: string | null;
  address: Address | null;
  taxId: TaxId | null;
  /** The seller's own address, for news about the accounts that take the money. */
  contactEmail: string | null;
  /** The addresses at which buyers reach the seller. The URLs begin with `https:`. */
  supportEmail: string | null;
  supportUrl: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  websiteUrl: string | null;
  /** The provider of new payments; null: the built-in provider of a sandbox, and no provider if live. */
  provider: string | null;
  providerAccount: string | null;
  sandboxEntry: SandboxEntry;
  /** The most that the role `support` may refund at once, in the default currency; null: nothing. */
  supportRefundLimit: number | null;
  /** Billing time of a sandbox with a set clock; null: real time (rule T1). */
  clockAt: Instant | null;
  clockTarget: Instant | null;
  clockLeaseUntil: Instant | null;
  clockDone: number;
  /**
   * Set in a live Organization: the time before a jump of the clock. Work that became due during the jump waits for an
   * operator's approval (rule T4).
   */
  catchUpSince: Instant | null;
  /** Work that was due by this instant is approved, and is carried out however late. */
  catchUpApprovedUntil: Instant | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The Organization's name for buyers. */
export function displayName({ name, branding }: Pick<Organization, "name" | "branding">): string {
  return branding.displayName ?? name;
}

/** Whether the Organization can take payments. */
export function takesPayments({ mode, provider }: Pick<Organization, "mode" | "provider">): boolean {
  return mode === "sandbox" || provider !== null;
}

/** The provider and account that take new payments; only for an Organization that takes payments. */
export function newPaymentsAt({
  provider,
  providerAccount,
}: Pick<Organization, "provider" | "providerAccount">): ProviderAccount {
  return { provider: provider ?? SANDBOX, providerAccount: providerAccount ?? SANDBOX };
}

export const DEFAULT_DUNNING = { retryDays: [3, 7, 14, 21], graceDays: 7 } as const;
